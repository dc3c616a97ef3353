// Passes from sdm to sdm.
#ifndef SDM_LIB_TRANSFORMS_PASSES_H
#define SDM_LIB_TRANSFORMS_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::sdm {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::sdm

#endif // SDM_LIB_TRANSFORMS_PASSES_H
