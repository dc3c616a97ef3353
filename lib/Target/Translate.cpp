// MLIR to LLVM IR, LLVM's optimisation pipeline and its code generator.
#include "lib/Target/Translate.h"
#include "lib/Target/Ptx.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"

#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::sdm {

void registerTargetInterfaces(DialectRegistry &registry) {
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

llvm::Expected<std::unique_ptr<llvm::Module>> translate(ModuleOp module, llvm::LLVMContext &context) {
  DialectRegistry registry;
  registerTargetInterfaces(registry);
  module.getContext()->appendDialectRegistry(registry);

  std::string messages;
  ScopedDiagnosticHandler collect(module.getContext(), [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return failure();
    llvm::raw_string_ostream(messages) << (messages.empty() ? "" : "; ") << diagnostic;
    return success();
  });
  std::unique_ptr<llvm::Module> result = translateModuleToLLVMIR(module, context, "sdm");
  if (!result)
    return llvm::createStringError("translation to LLVM IR failed: " + messages);
  return result;
}

void setMachine(llvm::Module &module, const llvm::TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
}

llvm::Error optimise(llvm::Module &module, llvm::TargetMachine &machine) {
  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(module, &stream))
    return llvm::createStringError("LLVM IR is not valid: " + broken);

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3).run(module, modules);
  return llvm::Error::success();
}

llvm::Error generateCode(llvm::Module &module, llvm::TargetMachine &machine, llvm::CodeGenFileType type,
                         llvm::SmallVectorImpl<char> &out) {
  llvm::raw_svector_ostream stream(out);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, type))
    return llvm::createStringError("the code generator cannot write this kind of file");
  passes.run(module);
  return llvm::Error::success();
}

std::string printModule(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

} // namespace mlir::sdm
