// sdm-plan-rows: writes the rule's answer beside each walk and each load.
#include "lib/Transforms/Passes.h"
#include "lib/Transforms/Places.h"
#include "lib/Transforms/Schedule.h"

namespace mlir::sdm {
#define GEN_PASS_DEF_PLANROWS
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::sdm

using namespace mlir;
using namespace mlir::sdm;

namespace {
struct PlanRowsPass : sdm::impl::PlanRowsBase<PlanRowsPass> {
  using PlanRowsBase::PlanRowsBase;

  LogicalResult fail(Operation *op, llvm::Error error) { return op->emitError() << llvm::toString(std::move(error)); }

  LogicalResult planOne(Operation *walk, const Extents &extents, const ScheduleRequest &request, const Chip *target) {
    WalkSummary summary = summarizeWalk(walk);
    llvm::Expected<PlannedWalk> plan = planWalk(&getContext(), summary, extents, request, target);
    if (!plan)
      return fail(walk, plan.takeError());
    walk->setAttr("schedule", plan->schedule);
    for (auto [load, placement] : llvm::zip(summary.loads, plan->placements))
      load.op.setPlacementAttr(placement == Placement::Direct ? PlacementAttr()
                                                              : PlacementAttr::get(&getContext(), placement));
    if (!plan->reasons.empty()) {
      SmallVector<Attribute> reasons;
      for (StringRef reason : plan->reasons)
        reasons.push_back(StringAttr::get(&getContext(), reason));
      walk->setAttr("reasons", ArrayAttr::get(&getContext(), reasons));
    }
    return success();
  }

  LogicalResult plan(ModuleOp module) {
    llvm::Expected<Extents> known = Extents::parse(extents);
    if (!known)
      return fail(module, known.takeError());
    known->positions = positions;
    llvm::Expected<ScheduleRequest> request = ScheduleRequest::parse(schedule);
    if (!request)
      return fail(module, request.takeError());
    const Chip *target = isHostTarget(chip) ? nullptr : findChip(chip);
    if (!target && !isHostTarget(chip))
      return module.emitError() << "expected one of the targets " << targetNames() << ", got '" << chip << "'";
    LogicalResult result = success();
    module.walk([&](Operation *op) {
      if (isWalk(op) && succeeded(result))
        result = planOne(op, *known, *request, target);
    });
    return result;
  }

  void runOnOperation() override {
    if (failed(plan(getOperation())))
      signalPassFailure();
  }
};
} // namespace
