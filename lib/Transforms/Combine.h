// The operation that a reduction combines two values with.
#ifndef SDM_LIB_TRANSFORMS_COMBINE_H
#define SDM_LIB_TRANSFORMS_COMBINE_H

#include "dialect/SdmDialect.h"
#include "mlir/IR/Builders.h"

namespace mlir::sdm {

/// a op b. Magnitudes are never NaN, so the largest of them is their maximum.
Value combine(OpBuilder &builder, Location loc, ReduceKind kind, Value a, Value b);

/// What a lane does with its columns before a butterfly of that kind.
PartialKind partialOf(ReduceKind kind);

} // namespace mlir::sdm

#endif // SDM_LIB_TRANSFORMS_COMBINE_H
