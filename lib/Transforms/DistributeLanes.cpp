// sdm-distribute-lanes: a row becomes the columns that one lane holds.
#include "dialect/SdmOps.h"
#include "dialect/Slices.h"
#include "lib/Transforms/Combine.h"
#include "lib/Transforms/Passes.h"
#include "lib/Transforms/RetypeRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::sdm {
#define GEN_PASS_DEF_DISTRIBUTELANES
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::sdm

using namespace mlir;
using namespace mlir::sdm;

namespace {

VectorType laneRow(VectorType row) { return VectorType::get({row.getDimSize(0), kLaneColumns}, row.getElementType()); }

struct Distributor {
  func::FuncOp function;
  TileOp tile;

  /// Width of the rows of a slab or a ring, and the slice of them that it holds.
  std::pair<int64_t, Value> rowOf(TakeOp take) {
    if (auto stage = take.getSlab().getDefiningOp<StageOp>())
      return {stage.getRows().getType().getWidth(), stage.getSlice()};
    int64_t width = take.getSlab().getDefiningOp<RingOp>().getWidth();
    bool sliced = take.getType().getDimSize(0) < sliceCount(width);
    return {width, sliced ? tile.getSlice() : Value()};
  }

  LogicalResult loadOrTake(Operation *op) {
    OpBuilder builder(op);
    Value piece;
    if (auto load = llvm::dyn_cast<LoadRowOp>(op)) {
      piece = LoadPieceOp::create(builder, op->getLoc(), laneRow(load.getType()), load.getRows(), load.getIndices(),
                                  load.getSlice(), load.getMask());
    } else {
      auto take = llvm::cast<TakeOp>(op);
      if (!llvm::isa_and_nonnull<StageOp, RingOp>(take.getSlab().getDefiningOp()))
        return take.emitError() << "expected a row of a staged slab or a ring, got a slab of another origin";
      auto [width, slice] = rowOf(take);
      piece = TakePieceOp::create(builder, op->getLoc(), laneRow(take.getType()), take.getSlab(), take.getIndex(),
                                  slice, width);
    }
    op->getResult(0).replaceAllUsesWith(piece);
    op->erase();
    return success();
  }

  void storeRow(StoreRowOp store) {
    OpBuilder builder(store);
    StorePieceOp::create(builder, store.getLoc(), store.getValue(), store.getRows(), store.getIndices(),
                         store.getSlice(), store.getBits());
    store.erase();
  }

  /// Partials of each slice, a butterfly each, then the slices in order from the first.
  void reduce(Operation *op, PartialKind partial, ReduceKind kind, ValueRange rows, Value slice, int64_t width,
              VectorType row) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    SmallVector<Type> types(row.getDimSize(0), builder.getF32Type());
    auto partials = PartialOp::create(builder, loc, types, partial, rows, slice, width, row.getDimSize(1));
    Value total;
    for (Value value : partials.getPartials()) {
      Value sum = ButterflyOp::create(builder, loc, builder.getF32Type(), kind, value);
      total = total ? combine(builder, loc, kind, total, sum) : sum;
    }
    op->getResult(0).replaceAllUsesWith(total);
    op->erase();
  }

  /// A scalar is the same in every lane; one of them stores it.
  void storeCell(StoreCellOp store) {
    if (function->hasAttr("sdm.per_lane") || store.getMask()) // a lane of its own for each store
      return;
    OpBuilder builder(store);
    Value lane = LaneOp::create(builder, store.getLoc(), builder.getI32Type());
    Value zero = arith::ConstantIntOp::create(builder, store.getLoc(), 0, 32);
    Value first = arith::CmpIOp::create(builder, store.getLoc(), arith::CmpIPredicate::eq, lane, zero);
    if (store.getMask())
      first = arith::AndIOp::create(builder, store.getLoc(), store.getMask(), first);
    store.getMaskMutable().assign(first);
  }

  LogicalResult run() {
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) { ops.push_back(op); });
    function.walk([&](TileOp op) { tile = op; });
    for (Operation *op : ops) {
      if (llvm::isa<LoadRowOp, TakeOp>(op)) {
        if (failed(loadOrTake(op)))
          return failure();
      } else if (auto store = llvm::dyn_cast<StoreRowOp>(op))
        storeRow(store);
      else if (auto cell = llvm::dyn_cast<StoreCellOp>(op))
        storeCell(cell);
      else if (auto dot = llvm::dyn_cast<DotOp>(op))
        reduce(op, PartialKind::Dot, ReduceKind::Sum, dot->getOperands().take_front(2), dot.getSlice(), dot.getWidth(),
               VectorType::get({dot.getSlice() ? 1 : sliceCount(dot.getWidth()), sliceWidth(dot.getWidth())},
                               dot.getType()));
      else if (auto reduction = llvm::dyn_cast<ReduceOp>(op))
        reduce(op, partialOf(reduction.getKind()), reduction.getKind(), reduction.getRow(), reduction.getSlice(),
               reduction.getWidth(),
               VectorType::get(
                   {reduction.getSlice() ? 1 : sliceCount(reduction.getWidth()), sliceWidth(reduction.getWidth())},
                   reduction.getType()));
    }
    return retypeRows(function, laneRow);
  }
};

struct DistributeLanesPass : sdm::impl::DistributeLanesBase<DistributeLanesPass> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(Distributor{function, {}}.run()))
        return signalPassFailure();
  }
};

} // namespace
