// The lowest PTX version that holds what a module uses, so that older drivers load it.
#ifndef SDM_LIB_TARGET_PTXVERSION_H
#define SDM_LIB_TARGET_PTXVERSION_H

#include "lib/Target/Chip.h"

#include "llvm/IR/Module.h"

namespace mlir::sdm {

/// Lowest version (78 is 7.8) for one instruction: an intrinsic's name or a piece of inline assembly; 0 when it needs
/// nothing special.
unsigned ptxVersionOf(llvm::StringRef nameOrAssembly);

/// Lowest version for the chip and everything the module calls.
unsigned lowestPtxVersion(const llvm::Module &module, const Chip &chip);

} // namespace mlir::sdm

#endif // SDM_LIB_TARGET_PTXVERSION_H
