// Where a slice lies in its row, in bytes.
#ifndef SDM_LIB_TRANSFORMS_SLICEBYTES_H
#define SDM_LIB_TRANSFORMS_SLICEBYTES_H

#include "dialect/SdmOps.h"

namespace mlir::sdm {

/// First byte of the slice in its row (i32); `slice` is null where rows are whole.
Value sliceStart(OpBuilder &builder, Location loc, RowsType rows, Value slice);
/// Bytes of the slice, or of the whole row (i32); the last slice may be narrower.
Value sliceBytes(OpBuilder &builder, Location loc, RowsType rows, Value slice);

} // namespace mlir::sdm

#endif // SDM_LIB_TRANSFORMS_SLICEBYTES_H
