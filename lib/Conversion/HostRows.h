// Rows on the CPU: a slice is one vector in memory, and nothing past the row's last column is touched.
#ifndef SDM_LIB_CONVERSION_HOSTROWS_H
#define SDM_LIB_CONVERSION_HOSTROWS_H

#include "dialect/SdmOps.h"
#include "lib/Conversion/OperandAccess.h"

namespace mlir::sdm {

/// Columns `from` of a vector picked by `indices`; an index of `v`'s length n or more picks from `other` (as long as
/// `v`).
Value shuffle(OpBuilder &builder, Location loc, Value v, Value other, ArrayRef<int64_t> indices);

/// Slice `slice` of a row value, as a vector of one dimension.
Value sliceOf(OpBuilder &builder, Location loc, Value row, int64_t slice);

/// True where `slice` is the row's last; null where every slice is full, so that nobody needs to know.
Value isNarrowSlice(OpBuilder &builder, Location loc, int64_t width, Value slice);

/// The row (or slice) that the operation loads, in its storage type.
Value loadRow(OpBuilder &builder, LoadRowOp op, const OperandParts &rows);
void storeRow(OpBuilder &builder, StoreRowOp op, const OperandParts &rows);

} // namespace mlir::sdm

#endif // SDM_LIB_CONVERSION_HOSTROWS_H
