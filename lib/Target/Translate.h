// What the PTX emitter and the host JIT share: MLIR to LLVM IR, and LLVM's optimisation pipeline.
#ifndef SDM_LIB_TARGET_TRANSLATE_H
#define SDM_LIB_TARGET_TRANSLATE_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Target/TargetMachine.h"

#include <memory>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace mlir::sdm {

/// Translates to LLVM IR; MLIR's diagnostics become the Error. The result has neither triple nor data layout yet.
llvm::Expected<std::unique_ptr<llvm::Module>> translate(ModuleOp module, llvm::LLVMContext &context);

/// Gives the module its machine's triple and data layout.
void setMachine(llvm::Module &module, const llvm::TargetMachine &machine);

/// Verifies, then runs LLVM's -O3 pipeline. Nothing in it changes results: the IR has no fast-math flags.
llvm::Error optimise(llvm::Module &module, llvm::TargetMachine &machine);

/// Runs the machine's code generator.
llvm::Error generateCode(llvm::Module &module, llvm::TargetMachine &machine, llvm::CodeGenFileType type,
                         llvm::SmallVectorImpl<char> &out);

std::string printModule(const llvm::Module &module);

} // namespace mlir::sdm

#endif // SDM_LIB_TARGET_TRANSLATE_H
