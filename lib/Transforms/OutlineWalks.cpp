// sdm-outline-walks: each walk of a kernel becomes a function of its own.
#include "lib/Transforms/Passes.h"
#include "lib/Transforms/Places.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::sdm {
#define GEN_PASS_DEF_OUTLINEWALKS
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::sdm

using namespace mlir;
using namespace mlir::sdm;

static Domain domainOf(Operation *walk) {
  if (llvm::isa<WalkOp>(walk))
    return Domain::Groups;
  return llvm::isa<EachRecordOp>(walk) ? Domain::Records : Domain::Rows;
}

static LaunchAttr launchOf(Operation *walk) {
  auto slices = walk->getAttrOfType<IntegerAttr>("slices");
  auto schedule = walk->getAttrOfType<ScheduleAttr>("schedule");
  auto operand = llvm::cast<BlockArgument>(walk->getOperand(0));
  return LaunchAttr::get(walk->getContext(), domainOf(walk), operand.getArgNumber(), slices ? slices.getInt() : 1,
                         schedule ? schedule.getWarps() : 8);
}

/// A copy of the kernel that keeps one of its walks, and what that walk uses of the scalars before it.
static void outline(func::FuncOp kernel, unsigned number, OpBuilder &builder) {
  func::FuncOp function = kernel.clone();
  function.setName((kernel.getName() + "_" + llvm::Twine(number)).str());
  builder.insert(function);
  SmallVector<Operation *> walks;
  for (Operation &op : function.front())
    if (isWalk(&op))
      walks.push_back(&op);
  function->removeAttr(kKernelAttr);
  function->setAttr(kLaunchAttr, launchOf(walks[number]));
  for (auto [index, walk] : llvm::enumerate(walks))
    if (index != number)
      walk->erase();
}

namespace {
struct OutlineWalksPass : sdm::impl::OutlineWalksBase<OutlineWalksPass> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> kernels;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(kKernelAttr) && !function.isExternal())
        kernels.push_back(function);
    for (func::FuncOp kernel : kernels) {
      OpBuilder builder(kernel);
      unsigned count = llvm::count_if(kernel.front(), [](Operation &op) { return isWalk(&op); });
      for (unsigned number = 0; number < count; ++number)
        outline(kernel, number, builder);
      kernel.erase();
    }
  }
};
} // namespace
