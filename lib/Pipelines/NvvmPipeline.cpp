// From a structured kernel to the llvm and nvvm dialects for one chip.
#include "lib/Conversion/Passes.h"
#include "lib/Pipelines/Pipelines.h"
#include "lib/Transforms/Passes.h"

#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mlir::sdm::addLanePhase(OpPassManager &manager, const std::string &chip, ArrayRef<int64_t> early) {
  PipelineRowsOptions pipeline;
  pipeline.early.assign(early.begin(), early.end());
  manager.addPass(createPipelineRows(pipeline));
  // A slab's row has the slice's shape, a lane's share of it another: rows are distributed while stages still say
  // which.
  manager.addPass(createDistributeLanes());
  manager.addPass(createLowerButterfly());
  LowerCopiesOptions copies;
  copies.chip = chip;
  manager.addPass(createLowerCopies(copies));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void mlir::sdm::addNvvmPhase(OpPassManager &manager, const std::string &chip, bool farStrides) {
  ToNvvmOptions options;
  options.chip = chip;
  options.farStrides = farStrides;
  manager.addPass(createToNvvm(options));
  addLlvmPhase(manager);
}

namespace {
struct NvvmPipelineOptions : PassPipelineOptions<NvvmPipelineOptions> {
  Option<std::string> chip{*this, "chip", llvm::cl::desc("sm_80 to sm_120"), llvm::cl::init("sm_90")};
  ListOption<std::string> schedule{*this, "schedule", llvm::cl::desc("parts of a schedule that override the rule")};
  ListOption<std::string> extents{*this, "extents", llvm::cl::desc("operand:axis:extent")};
  Option<int64_t> positions{*this, "positions", llvm::cl::desc("of a whole launch; 0: not known"), llvm::cl::init(0)};
  ListOption<int64_t> early{*this, "early", llvm::cl::desc("operands that the previous kernel does not write")};
};

/// Everything in front of the chip's own dialect.
void buildScheduledForm(OpPassManager &manager, const NvvmPipelineOptions &options) {
  sdm::addPlanPhase(manager, {options.chip,
                              {options.schedule.begin(), options.schedule.end()},
                              {options.extents.begin(), options.extents.end()},
                              options.positions});
  sdm::addTilePhase(manager, /*lanes=*/32);
  sdm::addLanePhase(manager, options.chip, SmallVector<int64_t>(options.early.begin(), options.early.end()));
}
} // namespace

void mlir::sdm::registerNvvmPipeline() {
  PassPipelineRegistration<NvvmPipelineOptions>("sdm-to-nvvm-pipeline",
                                                "a structured kernel to the nvvm dialect for one chip",
                                                [](OpPassManager &manager, const NvvmPipelineOptions &options) {
                                                  buildScheduledForm(manager, options);
                                                  addNvvmPhase(manager, options.chip);
                                                });
  PassPipelineRegistration<NvvmPipelineOptions>(
      "sdm-to-lanes-pipeline", "a structured kernel to its scheduled form for one chip, which runs on lanes",
      buildScheduledForm);
}
