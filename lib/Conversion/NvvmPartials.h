// One lane's share of a reduction.
#ifndef SDM_LIB_CONVERSION_NVVMPARTIALS_H
#define SDM_LIB_CONVERSION_NVVMPARTIALS_H

#include "dialect/SdmOps.h"

namespace mlir::sdm {

/// Whether every row of the reduction comes straight from memory, so that its columns outside the row are +0.
bool readsMemoryOnly(PartialOp partial);

/// A value for each slice. `padded`: the columns outside the row are +0 already.
SmallVector<Value> lowerPartial(OpBuilder &builder, PartialOp partial, Value lane, bool padded);

} // namespace mlir::sdm

#endif // SDM_LIB_CONVERSION_NVVMPARTIALS_H
