// Rows that wait in registers. In the iteration of unit n the loop's values hold the rows of units n to n + D - 2;
// those of unit n + D - 1 are asked for at its head, and are the last of the next iteration's values.
#include "lib/Transforms/HeldRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sdm;

HeldRows::HeldRows(scf::ForOp loop, int64_t depth)
    : loop(loop), depth(depth), loads(findUnitLoads(loop, Placement::Registers)) {}

SmallVector<Value> HeldRows::loadUnit(OpBuilder &builder, Value k) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), k);
  SmallVector<Value> rows;
  for (UnitLoad &load : loads) {
    Asked asked = askedIn(builder, loop, load.op, mapping);
    rows.push_back(LoadRowOp::create(builder, load.op.getLoc(), load.op.getType(), load.op.getRows(), asked.indices,
                                     load.op.getSlice(), asked.mask, PlacementAttr()));
  }
  return rows;
}

void HeldRows::loadFirst(OpBuilder &builder, int64_t unit) {
  Location loc = loop.getLoc();
  for (int64_t ahead = 0; ahead + 1 < depth && !loads.empty(); ++ahead) {
    Value further = arith::ConstantIntOp::create(builder, loc, ahead * unit, 32);
    llvm::append_range(first, loadUnit(builder, arith::AddIOp::create(builder, loc, loop.getLowerBound(), further)));
  }
}

scf::ForOp HeldRows::carry() {
  if (first.empty())
    return loop;
  IRRewriter rewriter(loop);
  auto asTheyAre = [](OpBuilder &, Location, ArrayRef<BlockArgument> held) {
    return SmallVector<Value>(held.begin(), held.end());
  };
  FailureOr<LoopLikeOpInterface> grown =
      loop.replaceWithAdditionalYields(rewriter, first, /*replaceInitOperandUsesInLoop=*/false, asTheyAre);
  assert(succeeded(grown) && "a loop takes any further value");
  loop = llvm::cast<scf::ForOp>(grown->getOperation());
  return loop;
}

void HeldRows::loadAhead(OpBuilder &builder, Value k) {
  SmallVector<Value> rows = llvm::to_vector_of<Value>(loop.getRegionIterArgs().take_back(first.size()));
  llvm::append_range(rows, loadUnit(builder, k));
  for (auto [load, row] : llvm::zip(loads, rows)) {
    load.op.replaceAllUsesWith(row);
    load.op.erase();
  }
  auto yield = llvm::cast<scf::YieldOp>(loop.getBody()->getTerminator());
  unsigned place = yield.getNumOperands() - first.size();
  for (Value row : ArrayRef(rows).drop_front(loads.size()))
    yield->setOperand(place++, row);
}
