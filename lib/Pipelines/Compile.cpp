// The compile service: phases of passes, the text of every stage, then the target's own back end.
#include "lib/Pipelines/Compile.h"
#include "lib/Pipelines/Describe.h"
#include "lib/Pipelines/Pipelines.h"
#include "lib/Target/Chip.h"
#include "lib/Target/FatalErrors.h"
#include "lib/Target/Jit.h"
#include "lib/Target/Ptx.h"

#include "mlir/Pass/PassManager.h"

#include <chrono>

using namespace mlir;
using namespace mlir::sdm;

namespace {

class Compilation {
public:
  Compilation(ModuleOp module, const CompileOptions &options, CompileResult &result)
      : module(module), options(options), result(result) {}

  LogicalResult run() {
    bool isHost = isHostTarget(options.target);
    const Chip *chip = findChip(options.target);
    if (!isHost && !chip)
      return module.emitError() << "expected one of the targets " << targetNames() << ", got '" << options.target
                                << "'";
    keep("sdm");
    if (failed(runPasses("plan", [&](PassManager &manager) {
          addPlanPhase(manager, {options.target, options.schedule, options.extents, options.positions});
        })))
      return failure();
    llvm::json::Array plans, reasons;
    describePlans(module, plans, reasons);
    keep("plan");
    if (failed(runPasses("tile", [&](PassManager &manager) { addTilePhase(manager, isHost ? 1 : 32); })))
      return failure();
    if (failed(describe(std::move(plans), std::move(reasons))))
      return failure();
    if (failed(isHost ? compileHost() : compileChip(*chip)))
      return failure();
    llvm::raw_string_ostream(result.description) << llvm::json::Value(std::move(description));
    return success();
  }

private:
  /// Runs and times one phase. LLVM's fatal errors end the phase, not the process.
  template <typename Body> LogicalResult inPhase(StringRef name, Body body) {
    auto begin = std::chrono::steady_clock::now();
    LogicalResult status = success();
    result.failedPhase = name.str();
    llvm::Error fatal = catchFatalErrors([&]() -> llvm::Error {
      status = body();
      return llvm::Error::success();
    });
    if (fatal)
      status = fail(std::move(fatal));
    std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    result.phases.emplace_back(name.str(), taken.count());
    if (succeeded(status))
      result.failedPhase.clear();
    return status;
  }

  template <typename AddPasses> LogicalResult runPasses(StringRef phase, AddPasses addPasses) {
    PassManager manager(module->getContext());
    addPasses(manager);
    llvm::raw_string_ostream stream(result.pipeline);
    if (!result.pipeline.empty())
      stream << ",";
    llvm::interleave(
        manager.getPasses(), [&](Pass &pass) { pass.printAsTextualPipeline(stream); }, [&] { stream << ","; });
    return inPhase(phase, [&] { return manager.run(module); });
  }

  void keep(StringRef stage) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    OpPrintingFlags flags;
    flags.enableDebugInfo(options.locations);
    module->print(stream, flags);
    result.stages.emplace_back(stage.str(), std::move(text));
  }

  LogicalResult fail(llvm::Error error) { return module.emitError() << llvm::toString(std::move(error)); }

  LogicalResult describe(llvm::json::Array plans, llvm::json::Array reasons) {
    llvm::Expected<llvm::json::Object> launches = describeLaunches(module);
    if (!launches)
      return fail(launches.takeError());
    description = std::move(*launches);
    llvm::json::Array early;
    for (int64_t operand : options.early)
      early.push_back(operand);
    description["target"] = options.target;
    description["plans"] = std::move(plans);
    description["reasons"] = std::move(reasons);
    description["early"] = std::move(early);
    return success();
  }

  LogicalResult compileHost() {
    keep("scheduled");
    if (options.until == "scheduled")
      return success();
    if (failed(runPasses("host", [&](PassManager &manager) { addHostPhase(manager); })))
      return failure();
    keep("llvm-dialect");
    return inPhase("llvm", [&]() -> LogicalResult {
      llvm::Expected<HostStages> stages = compileForHost(module);
      if (!stages)
        return fail(stages.takeError());
      result.stages.emplace_back("llvm", std::move(stages->optimised));
      result.image = std::move(stages->object);
      result.imageKind = "object";
      return success();
    });
  }

  LogicalResult compileChip(const Chip &chip) {
    if (failed(runPasses("lanes", [&](PassManager &manager) { addLanePhase(manager, options.target, options.early); })))
      return failure();
    describeShared(module, description);
    keep("scheduled");
    if (options.until == "scheduled")
      return success();
    if (failed(runPasses("nvvm",
                         [&](PassManager &manager) { addNvvmPhase(manager, options.target, options.farStrides); })))
      return failure();
    keep("nvvm");
    return failure(failed(inPhase("llvm", [&] { return emit(chip); })) || failed(assembleImage(chip)));
  }

  LogicalResult emit(const Chip &chip) {
    llvm::Expected<PtxStages> stages = emitPtxStages(module, chip);
    if (!stages)
      return fail(stages.takeError());
    result.stages.emplace_back("llvm", std::move(stages->optimised));
    result.stages.emplace_back("ptx", stages->ptx);
    result.image = std::move(stages->ptx);
    result.imageKind = "ptx";
    return success();
  }

  /// Machine code where there is an assembler; without one the driver compiles the PTX when it loads it.
  LogicalResult assembleImage(const Chip &chip) {
    if (!options.assemble)
      return success();
    llvm::Expected<std::string> ptxas = findPtxas(options.ptxas, options.ptxasFolders);
    if (!ptxas)
      return fail(ptxas.takeError());
    if (ptxas->empty())
      return success();
    return inPhase("ptxas", [&]() -> LogicalResult {
      llvm::Expected<Assembled> assembled = assemble(result.image, chip, *ptxas);
      if (!assembled)
        return fail(assembled.takeError());
      result.image = std::move(assembled->cubin);
      result.imageKind = "cubin";
      result.resources = std::move(assembled->kernels);
      return success();
    });
  }

  ModuleOp module;
  const CompileOptions &options;
  CompileResult &result;
  llvm::json::Object description;
};

} // namespace

LogicalResult mlir::sdm::compile(ModuleOp module, const CompileOptions &options, CompileResult &result) {
  return Compilation(module, options, result).run();
}
