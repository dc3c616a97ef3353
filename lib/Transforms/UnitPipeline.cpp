// A unit loop as one continuous pipeline. Who holds what in the iteration that begins at position k, with D units under
// way:
//   the buffer     records of the batch of k and of the next one; the batch before is free once k has crossed into its
//                  own
//   the rings      stage (k / U) % D: rows of this unit, landed; the D - 1 stages after it: rows under way
//                  (who fills a ring in bulk, and when: BulkRings.cpp)
//   the groups     one group of copies is closed in each iteration, so "all but the last D - 1" are those of this unit
//   the registers  rows of this unit and of those after it, which whoever reads them waits for
#include "lib/Transforms/UnitPipeline.h"
#include "dialect/Slices.h"
#include "lib/Transforms/FlatWalk.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sdm;

UnitPipeline::UnitPipeline(func::FuncOp function, TileOp tile) : tile(tile), loc(tile.getLoc()) {
  function.walk([&](scf::ForOp op) {
    if (op->hasAttr(kUnitAttr))
      loop = op;
  });
  if (!loop)
    return;
  unit = loop->getAttrOfType<IntegerAttr>(kUnitAttr).getInt();
  depth = loop->getAttrOfType<IntegerAttr>(kDepthAttr).getInt();
  function.walk([&](RecordsOp records) { buffer = records.getBuffer(); });
  loads = findUnitLoads(loop, Placement::Ring);
  bulk = BulkRings(loop, unit, depth);
  held = HeldRows(loop, depth);
}

Value UnitPipeline::constant(OpBuilder &builder, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}

static TrimOp trimOf(Value buffer) {
  for (Operation *user : buffer.getUsers())
    if (auto trim = llvm::dyn_cast<TrimOp>(user))
      return trim;
  return {};
}

/// The positions that the buffer's owner walks; all others are records of zeros.
static std::pair<Value, Value> rangeOf(Value buffer) {
  if (TrimOp trim = trimOf(buffer))
    return {trim.getFrom(), trim.getTo()};
  auto records = buffer.getDefiningOp<RecordsOp>();
  return {records.getFrom(), records.getTo()};
}

RecordsOp UnitPipeline::getRecords() { return buffer ? buffer.getDefiningOp<RecordsOp>() : RecordsOp(); }

void UnitPipeline::waitForRecords() {
  if (!buffer)
    return;
  TrimOp trim = trimOf(buffer);
  OpBuilder builder(loop);
  if (trim)
    builder.setInsertionPoint(trim);
  bulk.makeBarriers(builder); // the warp meets for the records
  CommitOp::create(builder, loc);
  WaitGroupOp::create(builder, loc, 0);
  WarpBarrierOp::create(builder, loc);
  if (!trim)
    return;
  builder.setInsertionPointAfter(trim);
  WarpBarrierOp::create(builder, loc);
}

void UnitPipeline::prefetchFirst(OpBuilder &builder) {
  Value lane = LaneOp::create(builder, loc, builder.getI32Type());
  Value first = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, lane, constant(builder, unit));
  IRMapping mapping;
  // As if the loop stood at this lane's position: what is said of a unit's first position is said of it.
  mapping.map(loop.getInductionVar(), arith::AddIOp::create(builder, loc, loop.getLowerBound(), lane));
  for (const UnitLoad &load : llvm::concat<const UnitLoad>(loads, std::as_const(bulk).getLoads(), held.getLoads())) {
    if (load.position != 0)
      continue;
    LoadRowOp op = load.op;
    Asked asked = askedIn(builder, loop, op, mapping);
    Value wanted = arith::AndIOp::create(builder, loc, first, asked.mask);
    PrefetchOp::create(builder, loc, op.getRows(), asked.indices, op.getSlice(), wanted);
  }
}

Value UnitPipeline::numberOf(OpBuilder &builder, Value k, int64_t ahead) {
  Value done = arith::SubIOp::create(builder, loc, k, loop.getLowerBound());
  Value number = arith::DivUIOp::create(builder, loc, done, constant(builder, unit));
  if (ahead != 0)
    number = arith::AddIOp::create(builder, loc, number, constant(builder, ahead));
  return number;
}

Value UnitPipeline::stageOf(OpBuilder &builder, Value number) {
  return arith::RemUIOp::create(builder, loc, number, constant(builder, depth));
}

void UnitPipeline::issueUnit(OpBuilder &builder, Value k, Value stage) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), k);
  // Every record of the unit is read before the first copy: nothing moves a read across a copy later.
  SmallVector<Asked, 0> asked;
  for (const UnitLoad &load : loads)
    asked.push_back(askedIn(builder, loop, load.op, mapping));
  Value base = arith::MulIOp::create(builder, loc, stage, constant(builder, unit));
  for (int64_t position = 0; position < unit; ++position) {
    AskedRows of;
    for (auto [load, wanted] : llvm::zip(loads, asked))
      if (load.position == position)
        of.add(load, wanted);
    if (of.rows.empty())
      continue;
    Value slot = arith::AddIOp::create(builder, loc, base, constant(builder, position));
    IssueOp::create(builder, loc, of.rows, of.indices, of.slice, of.rings, slot, of.masks, of.counts);
  }
}

/// Behind the tile's end nothing is asked for: a tile is a few units, and that would be one of them.
void UnitPipeline::issueWhereMore(OpBuilder &builder, Value k, Value stage) {
  Value more = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, k, loop.getUpperBound());
  scf::IfOp::create(builder, loc, more, [&](OpBuilder &inner, Location) {
    issueUnit(inner, k, stage);
    scf::YieldOp::create(inner, loc);
  });
}

/// A ring for each load of a position, shared by the positions of a unit and by the units under way.
static void makeRings(OpBuilder &builder, Location loc, MutableArrayRef<UnitLoad> loads, int64_t rows) {
  SmallVector<Value> made;
  int64_t current = -1;
  size_t number = 0;
  for (UnitLoad &load : loads) {
    number = load.position == current ? number + 1 : 0;
    current = load.position;
    if (number == made.size()) {
      auto type = SlabType::get(builder.getContext(), load.op.getType());
      made.push_back(RingOp::create(builder, loc, type, rows, load.op.getRows().getType().getWidth()));
    }
    load.ring = made[number];
  }
}

void UnitPipeline::issueFirst(OpBuilder &builder) {
  makeRings(builder, loc, loads, unit * depth);
  makeRings(builder, loc, bulk.getLoads(), unit * depth);
  if (!buffer && !bulk.empty()) {
    bulk.makeBarriers(builder);
    WarpBarrierOp::create(builder, loc);
  }
  for (int64_t ahead = 0; ahead + 1 < depth; ++ahead) {
    Value k = arith::AddIOp::create(builder, loc, loop.getLowerBound(), constant(builder, ahead * unit));
    bulk.issue(builder, loop, k, constant(builder, ahead));
    if (loads.empty())
      continue;
    issueUnit(builder, k, constant(builder, ahead));
    CommitOp::create(builder, loc);
  }
  held.loadFirst(builder, unit);
}

void UnitPipeline::takeInstead(UnitLoad &load, Value stage) {
  // Taken where it is used: a unit without a group's edge does not read the ring. In a short unit a row is taken in
  // front of the branch on its own edge, so that the unit's rows are read side by side; a long one has no registers for
  // that.
  constexpr int64_t shortUnit = 4;
  llvm::SmallDenseMap<Block *, Value> taken;
  for (OpOperand &use : llvm::make_early_inc_range(load.op.getResult().getUses())) {
    Block *block = use.getOwner()->getBlock();
    auto branch = llvm::dyn_cast<scf::IfOp>(block->getParentOp());
    if (branch && branch.getCondition() == load.op.getMask() && unit <= shortUnit)
      block = branch->getBlock();
    Value &value = taken[block];
    if (!value) {
      OpBuilder builder = OpBuilder::atBlockBegin(block);
      if (block == loop.getBody())
        builder.setInsertionPoint(load.op);
      Value slot = arith::MulIOp::create(builder, loc, stage, constant(builder, unit));
      slot = arith::AddIOp::create(builder, loc, slot, constant(builder, load.position));
      value = TakeOp::create(builder, load.op.getLoc(), load.op.getType(), load.ring, slot);
    }
    use.set(value);
  }
  load.op.erase();
}

Operation *UnitPipeline::firstTake() {
  for (Operation &op : *loop.getBody()) {
    WalkResult found = op.walk([](TakeOp take) {
      return take.getSlab().getDefiningOp<RingOp>() ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (found.wasInterrupted())
      return &op;
  }
  return loop.getBody()->getTerminator();
}

void UnitPipeline::pipelineLoop() {
  loop = held.carry();
  OpBuilder builder = OpBuilder::atBlockBegin(loop.getBody());
  Value k = loop.getInductionVar();
  WarpBarrierOp::create(builder, loc); // every lane has read the stage and the records that are written over below
  if (buffer) {
    auto [from, to] = rangeOf(buffer);
    Value done = arith::SubIOp::create(builder, loc, k, getRecords().getFrom());
    int64_t batch = llvm::cast<BufferType>(buffer.getType()).getBatch();
    Value rest = arith::AndIOp::create(builder, loc, done, constant(builder, batch - 1));
    Value zero = constant(builder, 0);
    Value crossed = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rest, zero);
    Value later = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, done, zero);
    scf::IfOp::create(builder, loc, arith::AndIOp::create(builder, loc, crossed, later),
                      [&](OpBuilder &inner, Location) {
                        RefillOp::create(inner, loc, buffer, k, from, to);
                        scf::YieldOp::create(inner, loc);
                      });
  }
  Value ahead = arith::AddIOp::create(builder, loc, k, constant(builder, (depth - 1) * unit));
  Value number = numberOf(builder, k, depth - 1);
  bulk.issue(builder, loop, ahead, number);
  if (!loads.empty())
    issueWhereMore(builder, ahead, stageOf(builder, number));
  CommitOp::create(builder, loc);
  held.loadAhead(builder, ahead);
  number = numberOf(builder, k, 0);
  Value stage = stageOf(builder, number);
  for (UnitLoad &load : llvm::concat<UnitLoad>(loads, bulk.getLoads()))
    takeInstead(load, stage);
  // What the unit reads of records and slabs is on its way while the rings are waited for.
  builder.setInsertionPoint(firstTake());
  WaitGroupOp::create(builder, loc, depth - 1);
  if (!loads.empty()) // every lane's copies are there for every other lane; records wait for the next barrier
    WarpBarrierOp::create(builder, loc);
  bulk.wait(builder, number);
  builder.setInsertionPointAfter(loop);
  WaitGroupOp::create(builder, loc, 0);
}
