// Row values change their shape in place: to one slice, or to one lane's columns.
#ifndef SDM_LIB_TRANSFORMS_RETYPEROWS_H
#define SDM_LIB_TRANSFORMS_RETYPEROWS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace mlir::sdm {

/// Whether the type is a row value: a vector of two axes.
bool isRow(Type type);

/// Gives every row value inside `root` the shape that `shape` makes of its own: results, block arguments, constants
/// (all columns of a constant row are equal). Elementwise operations keep their meaning; the caller replaces the
/// others.
LogicalResult retypeRows(Operation *root, llvm::function_ref<VectorType(VectorType)> shape);

} // namespace mlir::sdm

#endif // SDM_LIB_TRANSFORMS_RETYPEROWS_H
