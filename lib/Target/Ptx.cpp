// The NVPTX code generator, run in process by the rules that keep bits and registers.
#include "lib/Target/Ptx.h"
#include "lib/Target/FatalErrors.h"
#include "lib/Target/PtxVersion.h"
#include "lib/Target/Translate.h"

#include "mlir/IR/BuiltinOps.h"

#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"

#include <mutex>

namespace mlir::sdm {
namespace {

void initialiseNvptx() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    // MachineSink moves a position's partial dot down to its reduction, so that all operands of a unit stay live at
    // once: spills at 128 registers. There is no TargetOptions field for it, only the command line's.
    auto &options = llvm::cl::getRegisteredOptions();
    if (auto found = options.find("disable-machine-sink"); found != options.end())
      found->second->addOccurrence(1, "disable-machine-sink", "true");
  });
}

llvm::Expected<std::unique_ptr<llvm::TargetMachine>> makeMachine(const Chip &chip, unsigned ptxVersion) {
  initialiseNvptx();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError("this build of LLVM has no NVPTX target: " + error);
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, chip.name, "+ptx" + std::to_string(ptxVersion), options, llvm::Reloc::PIC_,
                                  std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

enum class Until { translated, optimised, ptx };

llvm::Expected<PtxStages> run(ModuleOp mlirModule, const Chip &chip, Until until) {
  PtxStages stages;
  llvm::Error failed = catchFatalErrors([&]() -> llvm::Error {
    llvm::LLVMContext context;
    ContextErrors errors(context);
    auto translated = translate(mlirModule, context);
    if (!translated)
      return translated.takeError();
    llvm::Module &module = **translated;
    stages.ptxVersion = lowestPtxVersion(module, chip);
    auto machine = makeMachine(chip, stages.ptxVersion);
    if (!machine)
      return machine.takeError();
    setMachine(module, **machine);
    stages.llvm = printModule(module);
    if (until == Until::translated)
      return llvm::Error::success();

    if (llvm::Error error = optimise(module, **machine))
      return error;
    stages.optimised = printModule(module);
    if (until == Until::optimised)
      return errors.take("optimising for " + chip.name.str());

    llvm::SmallVector<char, 0> ptx;
    if (llvm::Error error = generateCode(module, **machine, llvm::CodeGenFileType::AssemblyFile, ptx))
      return error;
    stages.ptx.assign(ptx.begin(), ptx.end());
    return errors.take("generating PTX for " + chip.name.str());
  });
  if (failed)
    return std::move(failed);
  return stages;
}

} // namespace

llvm::Expected<PtxStages> emitPtxStages(ModuleOp module, const Chip &chip) { return run(module, chip, Until::ptx); }

llvm::Expected<std::string> emitPtx(ModuleOp module, const Chip &chip) {
  auto stages = run(module, chip, Until::ptx);
  if (!stages)
    return stages.takeError();
  return std::move(stages->ptx);
}

llvm::Expected<std::string> emitLlvmIr(ModuleOp module, const Chip &chip, bool optimised) {
  auto stages = run(module, chip, optimised ? Until::optimised : Until::translated);
  if (!stages)
    return stages.takeError();
  return std::move(optimised ? stages->optimised : stages->llvm);
}

} // namespace mlir::sdm
