// The operations of the sdm dialect.
#ifndef SDM_DIALECT_SDMOPS_H
#define SDM_DIALECT_SDMOPS_H

#include "dialect/SdmDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "dialect/SdmOps.h.inc"

namespace mlir::sdm {
/// The operation whose body a group or member handle belongs to, or null.
Operation *getRecordOwner(Value record);
/// The layout of a group or member handle, or null where the handle belongs to no walk.
LayoutAttr getLayout(Value record);
} // namespace mlir::sdm

#endif // SDM_DIALECT_SDMOPS_H
