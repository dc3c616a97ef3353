// sdm-lower-copies: staging becomes copies and barriers, by what the chip has.
#include "dialect/SdmOps.h"
#include "dialect/Slices.h"
#include "lib/Target/Chip.h"
#include "lib/Transforms/LowerWarpCopies.h"
#include "lib/Transforms/Passes.h"
#include "lib/Transforms/SliceBytes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::sdm {
#define GEN_PASS_DEF_LOWERCOPIES
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::sdm

using namespace mlir;
using namespace mlir::sdm;

namespace {

/// The copies of one function.
class CopyLowering {
public:
  CopyLowering(func::FuncOp function, const Chip &chip) : function(function), chip(chip), builder(function) {}

  LogicalResult run() {
    launch = function->getAttrOfType<LaunchAttr>(kLaunchAttr);
    function.walk([&](StageOp stage) { stages.push_back(stage); });
    if (!launch) {
      if (!stages.empty())
        return stages.front().emitError() << "expected rows staged in a function with '" << kLaunchAttr
                                          << "' (its warps share the copies), got one without";
      return success();
    }
    int64_t areas = lowerWarpCopies(function, launch.getWarps());
    base = kBarrierBytes + areas;
    if (areas != 0 || !stages.empty())
      function->setAttr(kSharedBaseAttr, builder.getI64IntegerAttr(base));
    if (stages.empty())
      return success();
    bulk = chip.features.bulkCopyDefault &&
           llvm::all_of(stages, [](StageOp stage) { return stage.getRows().getType().getPiece() % kBulkBytes == 0; });
    placeSlabs();
    for (StageOp stage : stages)
      bulk ? stageInBulk(stage) : stageByPieces(stage);
    function.walk([&](PublishOp publish) { lowerPublish(publish); });
    for (StageOp stage : stages)
      stage.erase();
    return success();
  }

private:
  Value constant(int64_t value) { return arith::ConstantIntOp::create(builder, loc, value, 32); }
  Value add(Value a, Value b) { return arith::AddIOp::create(builder, loc, a, b); }
  Value mul(Value a, Value b) { return arith::MulIOp::create(builder, loc, a, b); }
  Value less(Value a, Value b) { return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, a, b); }

  /// Rows of the last index axis.
  Value extent(StageOp stage) {
    RowsType rows = stage.getRows().getType();
    Value wide = DimOp::create(builder, loc, stage.getRows(), rows.getIndexRank() - 1);
    return arith::TruncIOp::create(builder, loc, builder.getI32Type(), wide);
  }

  /// Slabs lie one after the other behind the barrier. Extents are launch arguments, so the addresses are computed.
  void placeSlabs() {
    builder.setInsertionPoint(stages.front());
    loc = stages.front().getLoc();
    barrier = SharedOp::create(builder, loc, constant(0));
    Value lane = LaneOp::create(builder, loc, builder.getI32Type());
    Value warp = WarpOp::create(builder, loc, builder.getI32Type());
    // Warps before lanes: a warp's bulk copies start one after the other, so each starts few.
    thread = bulk ? add(mul(lane, constant(launch.getWarps())), warp) : add(mul(warp, constant(kLanes)), lane);
    isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, thread, constant(0));
    Value offset = constant(base);
    Value total = constant(0);
    for (StageOp stage : stages) {
      addresses.push_back(SharedOp::create(builder, loc, offset));
      stage.getSlab().replaceAllUsesWith(SlabAtOp::create(builder, loc, stage.getSlab().getType(), addresses.back()));
      Value rows = extent(stage);
      offset = add(offset, mul(rows, constant(stage.getSlab().getType().getPitch())));
      if (bulk)
        total = add(total, mul(rows, sliceBytes(builder, loc, stage.getRows().getType(), stage.getSlice())));
    }
    if (bulk) {
      // One thread makes the barrier and is its only arrival; the copies report the bytes that it announces, perhaps
      // before it does.
      scf::IfOp::create(builder, loc, isFirst, [&](OpBuilder &inner, Location) {
        BarrierInitOp::create(inner, loc, barrier);
        scf::YieldOp::create(inner, loc);
      });
      CtaBarrierOp::create(builder, loc);
      scf::IfOp::create(builder, loc, isFirst, [&](OpBuilder &inner, Location) {
        ExpectTxOp::create(inner, loc, barrier, total);
        scf::YieldOp::create(inner, loc);
      });
    }
  }

  Value addressOf(StageOp stage) { return addresses[llvm::find(stages, stage) - stages.begin()]; }

  /// Whole rows that lie one after the other, as in the slab, are one copy.
  Value isDense(StageOp stage) {
    RowsType rows = stage.getRows().getType();
    int64_t bytes = rows.getBytes(rows.getWidth());
    if (rows.getIndexRank() == 0 || bytes != stage.getSlab().getType().getPitch())
      return {};
    Value stride = StrideOp::create(builder, loc, stage.getRows(), rows.getIndexRank() - 1);
    Value expected = arith::ConstantIntOp::create(builder, loc, bytes, 64);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, stride, expected);
  }

  /// The threads of the CTA take the rows in turn, one copy a row.
  void stageInBulk(StageOp stage) {
    builder.setInsertionPoint(stage);
    loc = stage.getLoc();
    Value start = sliceStart(builder, loc, stage.getRows().getType(), stage.getSlice()), base = addressOf(stage);
    Value bytes = sliceBytes(builder, loc, stage.getRows().getType(), stage.getSlice()), copies = extent(stage);
    Value pitch = constant(stage.getSlab().getType().getPitch());
    if (Value dense = isDense(stage)) {
      bytes = arith::SelectOp::create(builder, loc, dense, mul(copies, pitch), bytes);
      Value one = arith::MinSIOp::create(builder, loc, copies, constant(1));
      copies = arith::SelectOp::create(builder, loc, dense, one, copies);
    }
    forEachOfThread(copies, [&](Value row) {
      CopyBulkOp::create(builder, loc, stage.getRows(), indicesWith(stage, row), start, add(base, mul(row, pitch)),
                         bytes, barrier);
    });
  }

  /// The threads of the CTA take the pieces of all rows in turn.
  void stageByPieces(StageOp stage) {
    builder.setInsertionPoint(stage);
    loc = stage.getLoc();
    RowsType rows = stage.getRows().getType();
    int64_t piece = std::min<int64_t>(rows.getPiece(), kBulkBytes);
    int64_t full = rows.getBytes(stage.getSlab().getType().getRow().getNumElements());
    Value start = sliceStart(builder, loc, rows, stage.getSlice()), base = addressOf(stage);
    Value bytes = sliceBytes(builder, loc, rows, stage.getSlice());
    Value pitch = constant(stage.getSlab().getType().getPitch());
    Value pieces = constant(full / piece);
    forEachOfThread(mul(extent(stage), pieces), [&](Value i) {
      Value row = arith::DivUIOp::create(builder, loc, i, pieces);
      Value at = mul(arith::RemUIOp::create(builder, loc, i, pieces), constant(piece));
      scf::IfOp::create(builder, loc, less(at, bytes), [&](OpBuilder &inner, Location) {
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPoint(inner.getInsertionBlock(), inner.getInsertionPoint());
        CopyAsyncOp::create(builder, loc, stage.getRows(), indicesWith(stage, row), add(start, at),
                            add(add(base, mul(row, pitch)), at), piece);
        scf::YieldOp::create(builder, loc);
      });
    });
    CommitOp::create(builder, loc);
  }

  SmallVector<Value> indicesWith(StageOp stage, Value row) {
    SmallVector<Value> indices = llvm::to_vector(stage.getIndices());
    indices.push_back(row);
    return indices;
  }

  void forEachOfThread(Value count, llvm::function_ref<void(Value)> body) {
    scf::ForOp::create(builder, loc, thread, count, constant(launch.getWarps() * kLanes), ValueRange(),
                       [&](OpBuilder &inner, Location, Value i, ValueRange) {
                         OpBuilder::InsertionGuard guard(builder);
                         builder.setInsertionPoint(inner.getInsertionBlock(), inner.getInsertionPoint());
                         body(i);
                         scf::YieldOp::create(builder, loc);
                       });
  }

  void lowerPublish(PublishOp publish) {
    builder.setInsertionPoint(publish);
    loc = publish.getLoc();
    if (bulk) {
      WaitParityOp::create(builder, loc, barrier, constant(0));
    } else {
      WaitGroupOp::create(builder, loc, 0);
      CtaBarrierOp::create(builder, loc);
    }
    publish.erase();
  }

  func::FuncOp function;
  const Chip &chip;
  OpBuilder builder;
  Location loc = function.getLoc();
  LaunchAttr launch;
  bool bulk = false;
  int64_t base = 0; // of the slabs
  SmallVector<StageOp> stages;
  SmallVector<Value> addresses; // of each stage's slab
  Value barrier, thread, isFirst;
};

struct LowerCopiesPass : sdm::impl::LowerCopiesBase<LowerCopiesPass> {
  using LowerCopiesBase::LowerCopiesBase;

  void runOnOperation() override {
    const Chip *row = findChip(chip);
    if (!row) {
      getOperation().emitError() << "expected one of the chips of " << targetNames() << ", got '" << chip << "'";
      return signalPassFailure();
    }
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(CopyLowering(function, *row).run()))
        return signalPassFailure();
  }
};

} // namespace
