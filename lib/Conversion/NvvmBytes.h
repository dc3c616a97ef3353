// A lane's columns of rows whose columns are bytes or half bytes.
#ifndef SDM_LIB_CONVERSION_NVVMBYTES_H
#define SDM_LIB_CONVERSION_NVVMBYTES_H

#include "dialect/SdmOps.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::sdm {

/// Zeros of a row's type; of f8E4M3FN too, which LLVM has no constants of.
Value zeroColumns(OpBuilder &builder, Location loc, VectorType type);
/// Whether LLVM knows no columns of a type, so that these functions do.
inline bool areBytes(Type column) { return column.getIntOrFloatBitWidth() < 16; }
/// Four columns of f8E4M3FN, or i8 of i4, from the words in which memory has them. `column`: as in memory.
Value takeBytes(OpBuilder &builder, Location loc, Value words, Type column);
/// The words in memory of four columns, given in the type of a row's value or as its bits.
Value bytesToStore(OpBuilder &builder, Location loc, Value columns, RowsType rows);
/// Columns of f8E4M3FN or i8 to f32: exact.
Value widenBytes(OpBuilder &builder, Location loc, Value piece);

} // namespace mlir::sdm

#endif // SDM_LIB_CONVERSION_NVVMBYTES_H
