// Copies into shared memory and the loads of records from it.
#include "lib/Conversion/NvvmCopies.h"
#include "dialect/Slices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sdm;

namespace {

/// Shorthand for the i32 arithmetic of addresses.
struct Words {
  OpBuilder &builder;
  Location loc;

  Value constant(int64_t value) const { return arith::ConstantIntOp::create(builder, loc, value, 32); }
  Value add(Value a, Value b) const { return arith::AddIOp::create(builder, loc, a, b); }
  Value sub(Value a, Value b) const { return arith::SubIOp::create(builder, loc, a, b); }
  Value mul(Value a, Value b) const { return arith::MulIOp::create(builder, loc, a, b); }
  Value less(Value a, Value b) const { return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, a, b); }
  Value both(Value a, Value b) const {
    return a && b ? arith::AndIOp::create(builder, loc, a, b).getResult() : (a ? a : b);
  }
  Value select(Value condition, Value a, Value b) const {
    return a == b ? a : arith::SelectOp::create(builder, loc, condition, a, b).getResult();
  }
};

/// One row among those that lanes choose from.
struct Candidate {
  int64_t start; // its first piece
  SmallVector<Value> indices, strides;
  Value pointer, target, mask, bytes; // bytes: of the row or slice, null where every piece is in it
};

void copyAsync(OpBuilder &builder, Location loc, Value to, Value from, int64_t bytes, Value count = {}) {
  auto cache = bytes == 16 ? NVVM::LoadCacheModifierKind::CG : NVVM::LoadCacheModifierKind::CA;
  NVVM::CpAsyncOp::create(builder, loc, to, from, bytes, cache, count);
}

} // namespace

/// Rows that have a piece among `first` to `first + 31`.
static SmallVector<Candidate> candidatesOf(Words words, CopySharedOp copy, const KernelParts &parts) {
  SmallVector<Candidate> candidates;
  int64_t start = 0, nextIndex = 0, first = copy.getFirst();
  for (auto [number, rows] : llvm::enumerate(copy.getRows())) {
    int64_t count = copy.getIndexCounts()[number], pieces = copy.getPieces()[number];
    ValueRange own = copy.getIndices().slice(nextIndex, count);
    nextIndex += count;
    if (start < first + kLanes && start + pieces > first) {
      auto type = cast<RowsType>(rows.getType());
      const OperandParts &operand = parts.of(rows);
      Candidate candidate{
          start, llvm::to_vector(own), operand.strides, operand.pointer, copy.getTo()[number], copy.getMasks()[number],
          {}};
      if (Value slice = copy.getSlice()) {
        int64_t each = type.getBytes(sliceWidth(type.getWidth()));
        Value offset = words.mul(slice, words.constant(each));
        candidate.pointer =
            advance(words.builder, words.loc, operand.pointer, wideIndex(words.builder, words.loc, offset));
        int64_t all = type.getBytes(type.getWidth());
        if (all != sliceCount(type.getWidth()) * each)
          candidate.bytes = words.sub(words.constant(all), offset);
      }
      candidates.push_back(candidate);
    }
    start += pieces;
  }
  return candidates;
}

void mlir::sdm::lowerCopyShared(OpBuilder &builder, CopySharedOp copy, const KernelParts &parts, Value lane,
                                SharedPointer shared) {
  Words words{builder, copy.getLoc()};
  Location loc = copy.getLoc();
  int64_t size = copy.getBytes(), first = copy.getFirst(), total = 0;
  for (int64_t pieces : copy.getPieces())
    total += pieces;
  SmallVector<Candidate> candidates = candidatesOf(words, copy, parts);
  Value piece = first == 0 ? lane : words.add(lane, words.constant(first));
  // From the last row to the first: a lane whose piece lies in front of a row's first takes the row before it.
  Candidate chosen = candidates.back();
  Value start = words.constant(chosen.start);
  for (Candidate &other : llvm::drop_begin(llvm::reverse(candidates))) {
    Value before = words.less(piece, words.constant(chosen.start));
    // Base, stride and index are selected one by one: the first two do not change in a loop.
    bool alike = other.indices.size() == chosen.indices.size();
    if (!alike) { // of different rank: whole addresses
      for (Candidate *row : {&other, &chosen}) {
        Value address = row->pointer;
        for (auto [index, stride] : llvm::zip(row->indices, row->strides))
          address = advance(builder, loc, address, strideProduct(builder, loc, index, stride));
        row->pointer = address;
        row->indices.clear();
        row->strides.clear();
      }
    }
    for (size_t axis = 0; axis < chosen.indices.size(); ++axis) {
      Value mine = chosen.indices[axis], his = other.indices[axis];
      if (mine.getType() != his.getType()) {
        mine = wideIndex(builder, loc, mine);
        his = wideIndex(builder, loc, his);
      }
      chosen.indices[axis] = words.select(before, his, mine);
      chosen.strides[axis] = words.select(before, other.strides[axis], chosen.strides[axis]);
    }
    chosen.pointer = words.select(before, other.pointer, chosen.pointer);
    chosen.target = words.select(before, other.target, chosen.target);
    chosen.mask = words.select(before, other.mask, chosen.mask);
    if (chosen.bytes || other.bytes) {
      Value unlimited = words.constant(std::numeric_limits<int32_t>::max());
      chosen.bytes =
          words.select(before, other.bytes ? other.bytes : unlimited, chosen.bytes ? chosen.bytes : unlimited);
    }
    start = words.select(before, words.constant(other.start), start);
    chosen.start = other.start;
  }
  Value at = words.mul(words.sub(piece, start), words.constant(size));
  Value wanted = chosen.mask;
  if (first + kLanes > total)
    wanted = words.both(wanted, words.less(piece, words.constant(total)));
  if (chosen.bytes)
    wanted = words.both(wanted, words.less(at, chosen.bytes));
  Value base = advance(builder, loc, chosen.pointer, wideIndex(builder, loc, at));
  Value to = shared(words.add(chosen.target, at));
  auto guarded = scf::IfOp::create(builder, loc, wanted, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(guarded.thenBlock());
  for (auto [index, stride] : llvm::zip(chosen.indices, chosen.strides))
    base = advance(builder, loc, base, strideProduct(builder, loc, index, stride));
  copyAsync(builder, loc, to, base, size);
}

void mlir::sdm::lowerCopyRecord(OpBuilder &builder, CopyRecordOp copy, const OperandParts &records,
                                SharedPointer shared) {
  Words words{builder, copy.getLoc()};
  Location loc = copy.getLoc();
  int64_t bytes = copy.getRecords().getType().getLayout().getPlanes()[copy.getPlane()];
  int64_t size = bytes % 16 == 0 ? 16 : bytes % 8 == 0 ? 8 : 4;
  // A record that does not exist is read nowhere: its copy has no bytes and writes zeros. The chunk's first one lends
  // its address.
  Value pos = words.select(copy.getExists(), copy.getPos(), words.constant(0));
  Value from = recordAddress(builder, loc, records, copy.getPlane(), copy.getChunk(), pos);
  Value count = words.select(copy.getExists(), words.constant(size), words.constant(0));
  for (int64_t at = 0; at < bytes; at += size)
    copyAsync(builder, loc, shared(words.add(copy.getTo(), words.constant(at))), advance(builder, loc, from, at), size,
              count);
}

Value mlir::sdm::lowerPeek(OpBuilder &builder, PeekOp peek, Value begin, Value origin, SharedPointer shared) {
  Words words{builder, peek.getLoc()};
  Location loc = peek.getLoc();
  BufferType type = peek.getBuffer().getType();
  FieldAttr field = type.getLayout().lookup(peek.getName());
  if (field.isConstant())
    return arith::ConstantOp::create(builder, loc, field.getValue());
  int64_t bytes = type.getLayout().getPlanes()[field.getPlane()];
  Value done = words.sub(peek.getPos(), origin);
  Value slot = arith::AndIOp::create(builder, loc, done, words.constant(2 * type.getBatch() - 1));
  Value row = shared(words.add(begin, words.mul(slot, words.constant(bytes))));
  int64_t further = static_cast<int64_t>(peek.getPlus().value_or(0)) * bytes;
  Value address = advance(builder, loc, row, type.getPlaneStart(field.getPlane()) + further + field.getOffset());
  return fieldAt(builder, loc, address, field, alignmentOf(field.getOffset() | bytes, 16));
}

namespace {
/// Lanes look for starts of groups, 32 positions at a time.
struct StartSeeker {
  Words words;
  SeekOp seek;
  const OperandParts &records;
  Value lane, length, last;
  FieldAttr first = seek.getRecords().getType().getLayout().lookup("$first");

  Value truth(bool value) { return arith::ConstantIntOp::create(words.builder, words.loc, value, 1); }
  Value isZero(Value word) {
    return arith::CmpIOp::create(words.builder, words.loc, arith::CmpIPredicate::eq, word, words.constant(0));
  }

  /// Whether a group starts at this lane's position, `from + lane`. The list's end and all behind it count as starts,
  /// positions in front of it do not; a lane outside of it reads a record all the same and drops it.
  Value look(Value from) {
    Location loc = words.loc;
    Value pos = words.add(from, lane);
    Value read = arith::MinSIOp::create(words.builder, loc, pos, last);
    read = arith::MaxSIOp::create(words.builder, loc, read, words.constant(0));
    Value start = recordField(words.builder, loc, records, seek.getChunk(), read, first);
    Value isBehind = arith::XOrIOp::create(words.builder, loc, words.less(pos, length), truth(true));
    Value isInFront = words.less(pos, words.constant(0));
    start = arith::OrIOp::create(words.builder, loc, start, isBehind);
    return words.select(isInFront, truth(false), start);
  }

  Value vote(Value start) {
    return NVVM::VoteSyncOp::create(words.builder, words.loc, words.builder.getI32Type(), words.constant(-1), start,
                                    NVVM::VoteSyncKind::ballot);
  }

  /// The nearest start in the window around p, whose lanes voted; else the next one behind it.
  Value choose(Value p, Value votes) {
    OpBuilder &builder = words.builder;
    Location loc = words.loc;
    Value half = words.constant(kCutWindow);
    Value later = arith::ShRUIOp::create(builder, loc, votes, half);
    Value earlier = arith::AndIOp::create(builder, loc, votes, words.constant((1 << kCutWindow) - 1));
    Value ahead = math::CountTrailingZerosOp::create(builder, loc, later); // 32 where there is none
    Value lead = math::CountLeadingZerosOp::create(builder, loc, earlier); // 16 to 31, 32 where there is none
    Value back = words.sub(lead, words.constant(kCutWindow - 1));          // 1 to 16, 17 where there is none
    Value takeEarlier =
        words.both(arith::XOrIOp::create(builder, loc, isZero(earlier), truth(true)), words.less(back, ahead));
    Value near = words.select(takeEarlier, words.sub(p, back), words.add(p, ahead));
    auto further = scf::IfOp::create(builder, loc, TypeRange{builder.getI32Type()}, isZero(votes), true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(further.elseBlock());
    scf::YieldOp::create(builder, loc, near);
    builder.setInsertionPointToStart(further.thenBlock());
    scf::YieldOp::create(builder, loc, next(words.add(p, half)));
    return further.getResult(0);
  }

  /// The first start at or behind a position.
  Value next(Value from) {
    OpBuilder &builder = words.builder;
    Type i32 = builder.getI32Type();
    auto loop = scf::WhileOp::create(
        builder, words.loc, TypeRange{i32, i32}, ValueRange{from, vote(look(from))},
        [&](OpBuilder &inner, Location loc, ValueRange args) {
          OpBuilder::InsertionGuard guard(builder);
          builder.setInsertionPoint(inner.getInsertionBlock(), inner.getInsertionPoint());
          scf::ConditionOp::create(builder, loc, isZero(args[1]), args);
        },
        [&](OpBuilder &inner, Location loc, ValueRange args) {
          OpBuilder::InsertionGuard guard(builder);
          builder.setInsertionPoint(inner.getInsertionBlock(), inner.getInsertionPoint());
          Value further = words.add(args[0], words.constant(kLanes));
          scf::YieldOp::create(builder, loc, ValueRange{further, vote(look(further))});
        });
    return words.add(loop.getResult(0), math::CountTrailingZerosOp::create(builder, words.loc, loop.getResult(1)));
  }
};
} // namespace

SmallVector<Value> mlir::sdm::lowerSeek(OpBuilder &builder, SeekOp seek, const OperandParts &records, Value lane) {
  Words words{builder, seek.getLoc()};
  Value length = arith::TruncIOp::create(builder, seek.getLoc(), builder.getI32Type(), records.positions);
  StartSeeker seeker{words, seek, records, lane, length, words.sub(length, words.constant(1))};
  // The first looks are all under way before the first vote needs one.
  SmallVector<Value> starts = llvm::map_to_vector(
      seek.getFrom(), [&](Value p) { return seeker.look(words.sub(p, words.constant(kCutWindow))); });
  SmallVector<Value> results;
  for (auto [p, start] : llvm::zip(seek.getFrom(), starts))
    results.push_back(seeker.choose(p, seeker.vote(start)));
  return results;
}

void mlir::sdm::lowerClearRecord(OpBuilder &builder, ClearRecordOp clear, SharedPointer shared) {
  Location loc = clear.getLoc();
  auto guarded = scf::IfOp::create(builder, loc, clear.getMask(), /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(guarded.thenBlock());
  int64_t bytes = clear.getBytes(), size = bytes % 16 == 0 ? 16 : bytes % 8 == 0 ? 8 : 4;
  auto type = VectorType::get({size / 4}, builder.getI32Type());
  Value zero = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  for (int64_t at = 0; at < bytes; at += size)
    LLVM::StoreOp::create(builder, loc, zero, advance(builder, loc, shared(clear.getTo()), at), size);
}

void mlir::sdm::lowerPrefetch(OpBuilder &builder, PrefetchOp prefetch, const OperandParts &rows) {
  Location loc = prefetch.getLoc();
  RowsType type = prefetch.getRows().getType();
  constexpr int64_t line = 128;
  int64_t columns = prefetch.getSlice() ? sliceWidth(type.getWidth()) : type.getWidth();
  auto guarded = scf::IfOp::create(builder, loc, prefetch.getMask(), /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(guarded.thenBlock());
  Value address = rowAddress(builder, loc, rows, prefetch.getIndices(), prefetch.getSlice());
  for (int64_t at = 0; at < type.getBytes(columns); at += line)
    LLVM::InlineAsmOp::create(builder, loc, TypeRange(), advance(builder, loc, address, at), "prefetch.global.L2 [$0];",
                              "l", /*has_side_effects=*/true, /*is_align_stack=*/false, LLVM::TailCallKind::None,
                              LLVM::AsmDialectAttr::get(builder.getContext(), LLVM::AsmDialect::AD_ATT), ArrayAttr());
}
