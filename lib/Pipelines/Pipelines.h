// The named pipelines, as phases that the tools and the compile service share.
#ifndef SDM_LIB_PIPELINES_PIPELINES_H
#define SDM_LIB_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassManager.h"

#include <string>
#include <vector>

namespace mlir::sdm {

/// What a schedule is made from (see sdm-plan-rows).
struct PlanInputs {
  std::string chip;                  ///< "sm_90", or "host"
  std::vector<std::string> schedule; ///< parts that override the rule
  std::vector<std::string> extents;  ///< "operand:axis:extent"
  int64_t positions = 0;             ///< of a whole launch; 0: not known
};

/// Structured kernel to structured kernel: the gate, then a schedule on each walk.
void addPlanPhase(OpPassManager &manager, const PlanInputs &inputs);

/// Planned kernel to one function for each launch, as the loops of one warp of `lanes` lanes.
void addTilePhase(OpPassManager &manager, int64_t lanes);

/// Tiles to the llvm dialect, for the CPU.
void addHostPhase(OpPassManager &manager);

/// Tiles to one lane's program, rows and barriers as the chip has them.
void addLanePhase(OpPassManager &manager, const std::string &chip, ArrayRef<int64_t> early);

/// One lane's program to the llvm and nvvm dialects.
void addNvvmPhase(OpPassManager &manager, const std::string &chip, bool farStrides = false);

/// What is left of `arith`, `math`, `scf`, `vector` and `func` to the llvm dialect; both targets end with it.
void addLlvmPhase(OpPassManager &manager);

/// `sdm-to-nvvm-pipeline`: all of it. `sdm-to-lanes-pipeline`: up to the scheduled form (see lib/Lanes).
void registerNvvmPipeline();

/// `sdm-to-host-pipeline`: all of it.
void registerHostPipeline();

/// Every named pipeline.
void registerSdmPipelines();

} // namespace mlir::sdm

#endif // SDM_LIB_PIPELINES_PIPELINES_H
