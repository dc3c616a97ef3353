// The compile service: phases of passes, the text of every stage, then the target's own back end.
#include "lib/Pipelines/Compile.h"
#include "dialect/SdmOps.h"
#include "lib/Pipelines/Describe.h"
#include "lib/Pipelines/Pipelines.h"
#include "lib/Target/Assemble.h"
#include "lib/Target/Chip.h"
#include "lib/Target/Jit.h"
#include "lib/Target/Ptx.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::sdm;

namespace {

class Compilation {
public:
  Compilation(ModuleOp module, const CompileOptions &options) : module(module), options(options) {}

  FailureOr<CompileResult> run() {
    bool isHost = isHostTarget(options.target);
    const Chip *chip = findChip(options.target);
    if (!isHost && !chip)
      return module.emitError() << "expected one of the targets " << targetNames() << ", got '" << options.target
                                << "'";
    keep("sdm");
    if (failed(runPhase([&](PassManager &manager) {
          addPlanPhase(manager, {options.target, options.schedule, options.extents, options.positions});
        })))
      return failure();
    llvm::json::Array reasons = collectReasons();
    keep("plan");
    if (failed(runPhase([&](PassManager &manager) { addTilePhase(manager, isHost ? 1 : 32); })))
      return failure();
    if (failed(describe(std::move(reasons))))
      return failure();
    if (failed(isHost ? compileHost() : compileChip(*chip)))
      return failure();
    llvm::raw_string_ostream(result.description) << llvm::json::Value(std::move(description));
    return std::move(result);
  }

private:
  template <typename AddPasses> LogicalResult runPhase(AddPasses addPasses) {
    PassManager manager(module->getContext());
    addPasses(manager);
    return manager.run(module);
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

  /// The planner's sentences, walk by walk; tiling drops the walks.
  llvm::json::Array collectReasons() {
    llvm::json::Array walks;
    module.walk([&](Operation *op) {
      if (!llvm::isa<WalkOp, EachRecordOp, EachRowOp>(op))
        return;
      llvm::json::Array sentences;
      if (auto reasons = op->getAttrOfType<ArrayAttr>("reasons"))
        for (Attribute reason : reasons)
          sentences.push_back(cast<StringAttr>(reason).getValue());
      walks.push_back(std::move(sentences));
    });
    return walks;
  }

  LogicalResult describe(llvm::json::Array reasons) {
    llvm::Expected<llvm::json::Object> launches = describeLaunches(module);
    if (!launches)
      return fail(launches.takeError());
    description = std::move(*launches);
    llvm::json::Array early;
    for (int64_t operand : options.early)
      early.push_back(operand);
    description["target"] = options.target;
    description["reasons"] = std::move(reasons);
    description["early"] = std::move(early);
    return success();
  }

  LogicalResult compileHost() {
    keep("scheduled");
    if (options.until == "scheduled")
      return success();
    if (failed(runPhase([&](PassManager &manager) { addHostPhase(manager); })))
      return failure();
    keep("llvm-dialect");
    llvm::Expected<HostStages> stages = compileForHost(module);
    if (!stages)
      return fail(stages.takeError());
    result.stages.emplace_back("llvm", std::move(stages->optimised));
    result.image = std::move(stages->object);
    result.imageKind = "object";
    return success();
  }

  LogicalResult compileChip(const Chip &chip) {
    if (failed(runPhase([&](PassManager &manager) { addLanePhase(manager, options.target, options.early); })))
      return failure();
    describeShared(module, description);
    keep("scheduled");
    if (options.until == "scheduled")
      return success();
    if (failed(runPhase([&](PassManager &manager) { addNvvmPhase(manager, options.target, options.farStrides); })))
      return failure();
    keep("nvvm");
    llvm::Expected<PtxStages> stages = emitPtxStages(module, chip);
    if (!stages)
      return fail(stages.takeError());
    result.stages.emplace_back("llvm", std::move(stages->optimised));
    result.stages.emplace_back("ptx", stages->ptx);
    result.image = std::move(stages->ptx);
    result.imageKind = "ptx";
    return assembleImage(chip);
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
    llvm::Expected<Assembled> assembled = assemble(result.image, chip, *ptxas);
    if (!assembled)
      return fail(assembled.takeError());
    result.image = std::move(assembled->cubin);
    result.imageKind = "cubin";
    return success();
  }

  ModuleOp module;
  const CompileOptions &options;
  CompileResult result;
  llvm::json::Object description;
};

} // namespace

FailureOr<CompileResult> mlir::sdm::compile(ModuleOp module, const CompileOptions &options) {
  return Compilation(module, options).run();
}
