// A warp's own shared memory: one area for each warp, behind the CTA's barriers; in it the buffer of records, then the
// rings, then the barriers of their stages.
#include "lib/Transforms/LowerWarpCopies.h"
#include "lib/Transforms/SliceBytes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sdm;

namespace {

class WarpCopyLowering {
public:
  WarpCopyLowering(func::FuncOp function, int64_t warps)
      : function(function), warps(warps), builder(function), loc(function.getLoc()) {}

  int64_t run() {
    int64_t bytes = areaBytes();
    if (bytes == 0)
      return 0;
    builder.setInsertionPointToStart(&function.front());
    Value warp = WarpOp::create(builder, loc, builder.getI32Type());
    area = add(mul(warp, constant(bytes)), constant(kBarrierBytes));
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      builder.setInsertionPoint(op);
      loc = op->getLoc();
      if (auto records = llvm::dyn_cast<RecordsOp>(op))
        lowerRecords(records);
      else if (auto refill = llvm::dyn_cast<RefillOp>(op))
        lowerRefill(refill);
      else if (auto trim = llvm::dyn_cast<TrimOp>(op))
        lowerTrim(trim);
      else if (auto ring = llvm::dyn_cast<RingOp>(op))
        lowerRing(ring);
      else if (auto issue = llvm::dyn_cast<IssueOp>(op))
        lowerIssue(issue);
      else if (auto barriers = llvm::dyn_cast<RingBarriersOp>(op))
        lowerBarriers(barriers);
      else if (auto issue = llvm::dyn_cast<IssueBulkOp>(op))
        lowerIssueBulk(issue);
    }
    for (Operation *op : llvm::reverse(dead))
      op->erase();
    return bytes * warps;
  }

private:
  Value constant(int64_t value) { return arith::ConstantIntOp::create(builder, loc, value, 32); }
  Value add(Value a, Value b) { return arith::AddIOp::create(builder, loc, a, b); }
  Value mul(Value a, Value b) { return arith::MulIOp::create(builder, loc, a, b); }
  Value shared(Value offset) { return SharedOp::create(builder, loc, offset); }

  static int64_t ringBytes(RingOp ring) {
    return static_cast<int64_t>(ring.getCount()) * ring.getSlab().getType().getPitch();
  }

  /// The buffer and the rings of one warp; remembers where each begins.
  int64_t areaBytes() {
    int64_t bytes = 0;
    auto place = [&](Operation *op, int64_t size) {
      starts[op] = bytes;
      bytes += size;
    };
    function.walk([&](RecordsOp records) { place(records, records.getBuffer().getType().getBytes()); });
    function.walk([&](RingOp ring) { place(ring, ringBytes(ring)); });
    function.walk([&](RingBarriersOp barriers) { place(barriers, ringBarrierBytes(barriers.getCount())); });
    return bytes;
  }

  /// Planes of which a field is read.
  llvm::SmallDenseSet<int64_t> usedPlanes(BufferType type) {
    llvm::SmallDenseSet<int64_t> planes;
    function.walk([&](PeekOp peek) {
      FieldAttr field = type.getLayout().lookup(peek.getName());
      if (!field.isConstant())
        planes.insert(field.getPlane());
    });
    return planes;
  }

  /// Lane l copies the records l, l + 32, ... of the batch that begins at `from`, into its half of the buffer.
  void copyBatch(RecordsOp records, Value from, Value begin, Value end) {
    forEachOfLane(records, from, [&](Value pos, int64_t plane, int64_t, Value to) {
      Value exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, pos, end);
      if (begin)
        exists = arith::AndIOp::create(builder, loc, exists,
                                       arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, pos, begin));
      CopyRecordOp::create(builder, loc, records.getRecords(), records.getChunk(), pos, exists, plane, to);
    });
  }

  /// The position, plane, bytes and shared address of each record that a lane handles in the batch that begins at
  /// `from`.
  void forEachOfLane(RecordsOp records, Value from, llvm::function_ref<void(Value, int64_t, int64_t, Value)> body) {
    BufferType type = records.getBuffer().getType();
    int64_t batch = type.getBatch();
    llvm::SmallDenseSet<int64_t> planes = usedPlanes(type);
    Value lane = LaneOp::create(builder, loc, builder.getI32Type());
    Value begin = shared(add(area, constant(starts[records])));
    for (int64_t first = 0; first < batch; first += kLanes) {
      Value pos = add(from, first == 0 ? lane : add(lane, constant(first)));
      Value done = arith::SubIOp::create(builder, loc, pos, records.getFrom());
      Value slot = arith::AndIOp::create(builder, loc, done, constant(2 * batch - 1));
      for (auto [plane, bytes] : llvm::enumerate(type.getLayout().getPlanes()))
        if (planes.contains(plane))
          body(pos, plane, bytes, add(begin, add(mul(slot, constant(bytes)), constant(type.getPlaneStart(plane)))));
    }
  }

  /// The two batches that were staged first.
  void forBothBatches(RecordsOp records, llvm::function_ref<void(Value)> body) {
    body(records.getFrom());
    body(add(records.getFrom(), constant(records.getBuffer().getType().getBatch())));
  }

  /// A last group that reaches past what was staged is rare: then both batches are staged again.
  void lowerTrim(TrimOp trim) {
    RecordsOp records = recordsOf[trim.getBuffer()];
    auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) {
      return arith::CmpIOp::create(builder, loc, predicate, a, b);
    };
    Value further = compare(arith::CmpIPredicate::slt, records.getTo(), trim.getTo());
    auto again = scf::IfOp::create(builder, loc, further, /*withElseRegion=*/false);
    {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(again.thenBlock());
      WarpBarrierOp::create(builder, loc);
      forBothBatches(records, [&](Value from) { copyBatch(records, from, {}, trim.getTo()); });
      CommitOp::create(builder, loc);
      WaitGroupOp::create(builder, loc, 0);
      WarpBarrierOp::create(builder, loc);
    }
    forBothBatches(records, [&](Value from) {
      forEachOfLane(records, from, [&](Value pos, int64_t, int64_t bytes, Value to) {
        Value outside = arith::OrIOp::create(builder, loc, compare(arith::CmpIPredicate::slt, pos, trim.getFrom()),
                                             compare(arith::CmpIPredicate::sge, pos, trim.getTo()));
        ClearRecordOp::create(builder, loc, outside, bytes, to);
      });
    });
    dead.push_back(trim);
  }

  void lowerRecords(RecordsOp records) {
    forBothBatches(records, [&](Value from) { copyBatch(records, from, {}, records.getTo()); });
    Value begin = shared(add(area, constant(starts[records])));
    Value buffer = BufferAtOp::create(builder, loc, records.getBuffer().getType(), begin, records.getFrom());
    recordsOf[buffer] = records;
    records.getBuffer().replaceAllUsesWith(buffer);
    dead.push_back(records);
  }

  void lowerRefill(RefillOp refill) {
    RecordsOp records = recordsOf[refill.getBuffer()];
    copyBatch(records, add(refill.getPos(), constant(refill.getBuffer().getType().getBatch())), refill.getFrom(),
              refill.getTo());
    dead.push_back(refill);
  }

  void lowerRing(RingOp ring) {
    Value begin = shared(add(area, constant(starts[ring])));
    ringStarts[ring.getSlab()] = begin;
    Value slab = SlabAtOp::create(builder, loc, ring.getSlab().getType(), begin);
    ring.getSlab().replaceUsesWithIf(slab,
                                     [](OpOperand &use) { return !llvm::isa<IssueOp, IssueBulkOp>(use.getOwner()); });
    dead.push_back(ring);
  }

  /// One lane makes all of them.
  void lowerBarriers(RingBarriersOp barriers) {
    Value first = shared(add(area, constant(starts[barriers])));
    Value lane = LaneOp::create(builder, loc, builder.getI32Type());
    Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lane, constant(0));
    onlyWhere(isFirst, [&] {
      for (int64_t stage = 0; stage < static_cast<int64_t>(barriers.getCount()); ++stage)
        BarrierInitOp::create(builder, loc, add(first, constant(stage * kBarrierStep)), barriers.getArrivals());
    });
    barriers.getFirst().replaceAllUsesWith(first);
    dead.push_back(barriers);
  }

  /// A lane announces before it copies, so that a phase never has more bytes than are announced.
  void lowerIssueBulk(IssueBulkOp issue) {
    Value lane = LaneOp::create(builder, loc, builder.getI32Type());
    Value isMine = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, lane, constant(issue.getUnit()));
    onlyWhere(isMine, [&] {
      SmallVector<Value> sizes;
      Value total = constant(0);
      for (auto [rows, mask] : llvm::zip(issue.getRows(), issue.getMasks())) {
        sizes.push_back(sliceBytes(builder, loc, llvm::cast<RowsType>(rows.getType()), issue.getSlice()));
        total = add(total, arith::SelectOp::create(builder, loc, mask, sizes.back(), constant(0)));
      }
      ExpectTxOp::create(builder, loc, issue.getBarrier(), total);
      int64_t nextIndex = 0;
      for (auto [number, rows] : llvm::enumerate(issue.getRows())) {
        int64_t count = issue.getIndexCounts()[number];
        ValueRange own = issue.getIndices().slice(nextIndex, count);
        nextIndex += count;
        Value ring = issue.getRings()[number], operand = rows, bytes = sizes[number];
        int64_t pitch = llvm::cast<SlabType>(ring.getType()).getPitch();
        onlyWhere(issue.getMasks()[number], [&] {
          Value start = sliceStart(builder, loc, llvm::cast<RowsType>(operand.getType()), issue.getSlice());
          Value to = add(ringStarts[ring], mul(issue.getSlot(), constant(pitch)));
          CopyBulkOp::create(builder, loc, operand, own, start, to, bytes, issue.getBarrier());
        });
      }
    });
    dead.push_back(issue);
  }

  void onlyWhere(Value condition, llvm::function_ref<void()> body) {
    auto guarded = scf::IfOp::create(builder, loc, condition, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(guarded.thenBlock());
    body();
  }

  /// Rows of one piece share instructions: a copy for every 32 pieces of them put one after the other.
  void lowerIssue(IssueOp issue) {
    SmallVector<int64_t> sizes;
    for (Value rows : issue.getRows())
      sizes.push_back(pieceOf(rows));
    for (int64_t size : {16, 8, 4})
      if (llvm::is_contained(sizes, size))
        copyRows(issue, size);
    dead.push_back(issue);
  }

  static int64_t pieceOf(Value rows) {
    constexpr int64_t most = 16;
    return std::min(llvm::cast<RowsType>(rows.getType()).getPiece(), most);
  }

  void copyRows(IssueOp issue, int64_t size) {
    SmallVector<Value> rows, indices, targets, masks;
    SmallVector<int64_t> counts, pieces;
    int64_t total = 0, nextIndex = 0;
    for (auto [number, operand] : llvm::enumerate(issue.getRows())) {
      int64_t count = issue.getIndexCounts()[number];
      ValueRange own = issue.getIndices().slice(nextIndex, count);
      nextIndex += count;
      if (pieceOf(operand) != size)
        continue;
      auto type = llvm::cast<RowsType>(operand.getType());
      int64_t columns = issue.getSlice() ? sliceWidth(type.getWidth()) : type.getWidth();
      auto slab = llvm::cast<SlabType>(issue.getRings()[number].getType());
      rows.push_back(operand);
      llvm::append_range(indices, own);
      counts.push_back(count);
      pieces.push_back(type.getBytes(columns) / size);
      total += pieces.back();
      targets.push_back(add(ringStarts[issue.getRings()[number]], mul(issue.getSlot(), constant(slab.getPitch()))));
      masks.push_back(issue.getMasks()[number]);
    }
    for (int64_t first = 0; first < total; first += kLanes)
      CopySharedOp::create(builder, loc, rows, indices, issue.getSlice(), targets, masks, counts, pieces, first, size);
  }

  func::FuncOp function;
  int64_t warps;
  OpBuilder builder;
  Location loc;
  Value area; // offset of this warp's area
  llvm::DenseMap<Operation *, int64_t> starts;
  llvm::DenseMap<Value, RecordsOp> recordsOf;
  llvm::DenseMap<Value, Value> ringStarts;
  SmallVector<Operation *> dead;
};

} // namespace

int64_t mlir::sdm::lowerWarpCopies(func::FuncOp function, int64_t warps) {
  return WarpCopyLowering(function, warps).run();
}
