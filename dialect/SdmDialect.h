// The sdm dialect, its attributes and its types.
#ifndef SDM_DIALECT_SDMDIALECT_H
#define SDM_DIALECT_SDMDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"

#include "dialect/SdmEnums.h.inc"

#include "dialect/SdmDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/SdmAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/SdmTypes.h.inc"

namespace mlir::sdm {
/// Marks a `func.func` as a kernel of the structured level.
constexpr llvm::StringLiteral kKernelAttr = "sdm.kernel";
/// What an outlined function walks: a `#sdm.launch`.
constexpr llvm::StringLiteral kLaunchAttr = "sdm.launch";
} // namespace mlir::sdm

#endif // SDM_DIALECT_SDMDIALECT_H
