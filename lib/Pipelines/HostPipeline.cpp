// From a structured kernel to the llvm dialect for the CPU.
#include "lib/Conversion/Passes.h"
#include "lib/Pipelines/Pipelines.h"

#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

namespace {

struct HostPipelineOptions : PassPipelineOptions<HostPipelineOptions> {
  ListOption<std::string> schedule{*this, "schedule", llvm::cl::desc("parts of a schedule that override the rule")};
  ListOption<std::string> extents{*this, "extents", llvm::cl::desc("operand:axis:extent")};
};

void buildHostPipeline(OpPassManager &manager, const HostPipelineOptions &options) {
  sdm::PlanInputs inputs{
      "host", {options.schedule.begin(), options.schedule.end()}, {options.extents.begin(), options.extents.end()}};
  sdm::addPlanPhase(manager, inputs);
  sdm::addTilePhase(manager, /*lanes=*/1);
  sdm::addHostPhase(manager);
}

} // namespace

void mlir::sdm::addHostPhase(OpPassManager &manager) {
  manager.addPass(createToHost());
  addLlvmPhase(manager);
}

void mlir::sdm::registerHostPipeline() {
  PassPipelineRegistration<HostPipelineOptions>(
      "sdm-to-host-pipeline", "a structured kernel to the llvm dialect for the CPU", buildHostPipeline);
  PassPipelineRegistration<>("sdm-host-to-llvm", "tiles to the llvm dialect for the CPU",
                             [](OpPassManager &manager) { addHostPhase(manager); });
}
