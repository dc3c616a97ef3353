// From a module in the LLVM dialect to PTX text: translation, optimisation, code generation.
#ifndef SDM_LIB_TARGET_PTX_H
#define SDM_LIB_TARGET_PTX_H

#include "lib/Target/Chip.h"

#include "llvm/Support/Error.h"

#include <string>

namespace mlir {
class DialectRegistry;
class ModuleOp;
} // namespace mlir

namespace mlir::sdm {

/// Registers what translation to LLVM IR needs (builtin, llvm and nvvm dialects' interfaces). The emitters add it to
/// the module's context themselves.
void registerTargetInterfaces(DialectRegistry &registry);

/// All that code generation went through, for `--emit` and for tests.
struct PtxStages {
  std::string llvm;      ///< LLVM IR as translated
  std::string optimised; ///< LLVM IR as the code generator sees it
  std::string ptx;
  unsigned ptxVersion = 0; ///< 78 is 7.8
};

/// Emits PTX for a module whose kernels are `llvm.func` with `nvvm.kernel`. Multiplications and additions are never
/// contracted. Fails with LLVM's own sentence when it cannot select an operation.
llvm::Expected<PtxStages> emitPtxStages(ModuleOp module, const Chip &chip);
llvm::Expected<std::string> emitPtx(ModuleOp module, const Chip &chip);

/// LLVM IR for the chip, before or after optimisation.
llvm::Expected<std::string> emitLlvmIr(ModuleOp module, const Chip &chip, bool optimised);

} // namespace mlir::sdm

#endif // SDM_LIB_TARGET_PTX_H
