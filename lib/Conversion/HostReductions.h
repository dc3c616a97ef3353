// Reductions on the CPU: 32 virtual lanes as one vector, the tree of the contract.
#ifndef SDM_LIB_CONVERSION_HOSTREDUCTIONS_H
#define SDM_LIB_CONVERSION_HOSTREDUCTIONS_H

#include "dialect/SdmOps.h"

namespace mlir::sdm {

Value lowerDot(OpBuilder &builder, DotOp op);
Value lowerReduce(OpBuilder &builder, ReduceOp op);

} // namespace mlir::sdm

#endif // SDM_LIB_CONVERSION_HOSTREDUCTIONS_H
