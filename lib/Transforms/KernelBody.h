// What a kernel may be made of: the operations that every schedule and both targets give the same bits for.
#ifndef SDM_LIB_TRANSFORMS_KERNELBODY_H
#define SDM_LIB_TRANSFORMS_KERNELBODY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::sdm {

/// Checks one kernel's form and its operations; reports every fault.
LogicalResult checkKernelBody(func::FuncOp kernel);

} // namespace mlir::sdm

#endif // SDM_LIB_TRANSFORMS_KERNELBODY_H
