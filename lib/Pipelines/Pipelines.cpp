// Phases that both targets share, and the registration of every named pipeline.
#include "lib/Pipelines/Pipelines.h"
#include "lib/Transforms/Passes.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
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

void mlir::sdm::addLlvmPhase(OpPassManager &manager) {
  // Without fast-math flags no fold changes a result (NaNs are canonicalised where they are stored).
  manager.addPass(createCanonicalizerPass());
  manager.addPass(createCSEPass());
  // Loops first: the conversions below keep structured control flow as it is.
  manager.addPass(createSCFToControlFlowPass());
  manager.addPass(createConvertVectorToLLVMPass());
  manager.addPass(createConvertMathToLLVMPass());
  manager.addPass(createArithToLLVMConversionPass());
  manager.addPass(createConvertControlFlowToLLVMPass());
  manager.addPass(createUBToLLVMConversionPass());
  manager.addPass(createConvertFuncToLLVMPass());
  manager.addPass(createReconcileUnrealizedCastsPass());
  manager.addPass(createCanonicalizerPass());
}

void mlir::sdm::registerSdmPipelines() {
  registerHostPipeline();
  registerNvvmPipeline();
}
