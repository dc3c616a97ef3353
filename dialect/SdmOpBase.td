//===- SdmOpBase.td - what every op file includes -------------------------===//
#ifndef SDM_OP_BASE_TD
#define SDM_OP_BASE_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialect/SdmTypes.td"

class Sdm_Op<string mnemonic, list<Trait> traits = []> : Op<Sdm_Dialect, mnemonic, traits>;

#endif // SDM_OP_BASE_TD
