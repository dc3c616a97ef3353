// The last mile: from the scheduled level to the dialects that LLVM understands.
#ifndef SDM_LIB_CONVERSION_PASSES_H
#define SDM_LIB_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::sdm {

#define GEN_PASS_DECL
#include "lib/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "lib/Conversion/Passes.h.inc"

} // namespace mlir::sdm

#endif // SDM_LIB_CONVERSION_PASSES_H
