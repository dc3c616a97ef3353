// Phases that both targets share, and the registration of every named pipeline.
#include "lib/Pipelines/Pipelines.h"
#include "lib/Transforms/Passes.h"

#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mlir::sdm::addPlanPhase(OpPassManager &manager, const PlanInputs &inputs) {
  // The gate comes first: nothing after it checks a kernel again.
  manager.addPass(createCheckKernel());
  PlanRowsOptions options;
  options.chip = inputs.chip;
  options.schedule.assign(inputs.schedule.begin(), inputs.schedule.end());
  options.extents.assign(inputs.extents.begin(), inputs.extents.end());
  options.positions = inputs.positions;
  manager.addPass(createPlanRows(options));
}

void mlir::sdm::addTilePhase(OpPassManager &manager, int64_t lanes) {
  // Splitting appends walks that combine planes, so it comes before each walk gets a function of its own.
  manager.addPass(createSplitSlices());
  manager.addPass(createOutlineWalks());
  TileWalkOptions options;
  options.lanes = lanes;
  manager.addPass(createTileWalk(options));
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
}

void mlir::sdm::registerSdmPipelines() {
  registerHostPipeline();
  registerNvvmPipeline();
}
