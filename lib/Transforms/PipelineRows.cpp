// sdm-pipeline-rows: placements become stage, publish and take.
#include "dialect/SdmOps.h"
#include "lib/Transforms/Passes.h"
#include "lib/Transforms/Places.h"
#include "lib/Transforms/UnitPipeline.h"
#include "mlir/IR/Matchers.h"

namespace mlir::sdm {
#define GEN_PASS_DEF_PIPELINEROWS
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::sdm

using namespace mlir;
using namespace mlir::sdm;

namespace {

/// The loads that share one slab.
struct Slab {
  Value rows;
  SmallVector<Value> prefix; // every index but the last
  SmallVector<LoadRowOp> loads;
  Value value;
};

struct FunctionPipeliner {
  func::FuncOp function;
  ArrayRef<int64_t> early;
  SmallVector<Slab> slabs;

  void collect() {
    function.walk([&](LoadRowOp load) {
      if (load.getPlacement() != Placement::Resident)
        return;
      auto matches = [&](Slab &slab) {
        return slab.rows == load.getRows() &&
               llvm::all_of(llvm::zip(slab.prefix, load.getIndices().drop_back()),
                            [](auto pair) { return isSameScalar(std::get<0>(pair), std::get<1>(pair)); });
      };
      auto it = llvm::find_if(slabs, matches);
      if (it == slabs.end())
        it = &slabs.emplace_back(Slab{load.getRows(), llvm::to_vector(load.getIndices().drop_back()), {}, {}});
      it->loads.push_back(load);
    });
  }

  bool isEarly(Value operand) { return llvm::is_contained(early, llvm::cast<BlockArgument>(operand).getArgNumber()); }

  /// What a prefix index is computed from lies in front of the walk: a tile's chunk, an argument, or a constant or
  /// extent, which is written again here.
  Value hoist(OpBuilder &builder, Value index) {
    Operation *def = index.getDefiningOp();
    if (!def || llvm::isa<TileOp>(def))
      return index;
    return builder.clone(*def)->getResult(0);
  }

  void stage(OpBuilder &builder, Slab &slab, Value slice) {
    LoadRowOp load = slab.loads.front();
    SmallVector<Value> prefix;
    for (Value index : slab.prefix)
      prefix.push_back(hoist(builder, index));
    auto type = SlabType::get(builder.getContext(), load.getResult().getType());
    slab.value = StageOp::create(builder, load.getLoc(), type, slab.rows, prefix, load.getSlice() ? slice : Value());
  }

  void takeFromSlabs() {
    for (Slab &slab : slabs) {
      for (LoadRowOp load : slab.loads) {
        OpBuilder at(load);
        auto take = TakeOp::create(at, load.getLoc(), load.getType(), slab.value, load.getIndices().back());
        load.replaceAllUsesWith(take.getResult());
        load.erase();
      }
    }
  }

  void stageSlabs(OpBuilder &builder, TileOp tile, bool early) {
    for (Slab &slab : slabs)
      if (isEarly(slab.rows) == early)
        stage(builder, slab, tile.getSlice());
  }

  /// The previous kernel is waited for before anything is read that it may write, and no sooner. Records are under way
  /// while slabs are asked for.
  void startReading(OpBuilder &builder, TileOp tile, UnitPipeline &units) {
    bool earlyRecords = units && isEarly(tile.getOperand());
    builder.setInsertionPointAfter(tile);
    if (earlyRecords && units.getRecords())
      builder.setInsertionPointAfter(units.getRecords());
    stageSlabs(builder, tile, /*early=*/true);
    if (!earlyRecords) {
      DependencyWaitOp::create(builder, tile.getLoc());
      if (units && units.getRecords())
        builder.setInsertionPointAfter(units.getRecords());
    } else {
      units.waitForRecords();
      builder.setInsertionPoint(units.getLoop());
      units.prefetchFirst(builder);
      DependencyWaitOp::create(builder, tile.getLoc());
    }
    stageSlabs(builder, tile, /*early=*/false);
    if (units && !earlyRecords)
      units.waitForRecords();
    if (units)
      builder.setInsertionPoint(units.getLoop());
  }

  /// Every warp stages, also one whose tile is empty: the operations stand in front of the loops.
  void run() {
    TileOp tile;
    function.walk([&](TileOp op) { tile = op; });
    if (!tile)
      return;
    collect();
    UnitPipeline units(function, tile);
    OpBuilder builder(function.getContext());
    startReading(builder, tile, units);
    if (units)
      units.issueFirst(builder);
    SmallVector<Value> values = llvm::map_to_vector(slabs, [](Slab &slab) { return slab.value; });
    if (!values.empty())
      PublishOp::create(builder, tile.getLoc(), values);
    takeFromSlabs();
    if (units)
      units.pipelineLoop();
  }
};

struct PipelineRowsPass : sdm::impl::PipelineRowsBase<PipelineRowsPass> {
  using PipelineRowsBase::PipelineRowsBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      FunctionPipeliner{function, early, {}}.run();
  }
};

} // namespace
