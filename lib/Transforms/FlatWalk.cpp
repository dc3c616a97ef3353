// The flat form of a walk. A loop over units of U positions; a position first reads its record and what its members
// need, then begins a group where one starts, folds itself in, and ends a group where one ends. What a group carries
// lives in the loop's values from position to position.
#include "lib/Transforms/FlatWalk.h"
#include "dialect/Slices.h"
#include "lib/Transforms/Combine.h"
#include "lib/Transforms/FlatCopier.h"
#include "lib/Transforms/Schedule.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sdm;

namespace {

class Flattener : FlatCopier {
public:
  explicit Flattener(Operation *walk) : FlatCopier(walk) {}

  void run() {
    Value operand = walk->getOperand(0);
    Type i32 = builder.getI32Type();
    tile = TileOp::create(builder, loc, i32, i32, i32, i32, operand);
    begin = tile.getBegin();
    end = tile.getEnd();
    lower = begin;
    Value stop = end;
    if (layout)
      stop = stageRecords(operand);
    SmallVector<Value> inits;
    for (Type type : carriedTypes())
      inits.push_back(zeroOf(type));
    auto loop = scf::ForOp::create(builder, loc, lower, stop, constant(unit), inits,
                                   [&](OpBuilder &inner, Location, Value k, ValueRange carried) {
                                     OpBuilder::InsertionGuard guard(builder);
                                     builder.setInsertionPoint(inner.getInsertionBlock(), inner.getInsertionPoint());
                                     scf::YieldOp::create(builder, loc, copyUnit(k, carried));
                                   });
    loop->setAttr(kUnitAttr, builder.getI64IntegerAttr(unit));
    loop->setAttr(kDepthAttr, builder.getI64IntegerAttr(schedule.getDepth()));
    walk->erase();
  }

private:
  SmallVector<Type> carriedTypes() {
    SmallVector<Type> types;
    for (Value value : parts.beginValues)
      types.push_back(value.getType());
    if (hasGroups())
      llvm::append_range(types, parts.members.getInits().getTypes());
    return types;
  }

  /// The warp's records; returns where the loop stops. Where groups are, the tile is cut at starts of groups: both
  /// edges are looked for while the records are under way, those around the nominal edges with them.
  Value stageRecords(Value operand) {
    Type i32 = builder.getI32Type();
    auto type = BufferType::get(builder.getContext(), layout, recordBatch(unit, schedule.getDepth()));
    if (!hasGroups()) {
      buffer = RecordsOp::create(builder, loc, type, operand, tile.getChunk(), begin, end);
      return end;
    }
    Value length = arith::TruncIOp::create(builder, loc, i32, DimOp::create(builder, loc, operand, 0));
    Value origin = arith::SubIOp::create(builder, loc, begin, constant(kCutWindow));
    origin = arith::MaxSIOp::create(builder, loc, origin, constant(0));
    Value guess = arith::AddIOp::create(builder, loc, end, constant(kCutWindow));
    guess = arith::MinSIOp::create(builder, loc, guess, length);
    buffer = RecordsOp::create(builder, loc, type, operand, tile.getChunk(), origin, guess);
    auto seek = SeekOp::create(builder, loc, TypeRange{i32, i32}, operand, tile.getChunk(), ValueRange{begin, end});
    begin = seek.getPositions()[0];
    end = seek.getPositions()[1];
    TrimOp::create(builder, loc, buffer, begin, end);
    // The loop starts at the first unit that holds a position of the tile, if that is in the first batch: units lie
    // whole in the buffer.
    Value skipped = arith::SubIOp::create(builder, loc, begin, origin);
    Value aligned = arith::AndIOp::create(builder, loc, skipped, constant(-unit));
    Value isNear = compare(arith::CmpIPredicate::slt, skipped, constant(type.getBatch()));
    lower = arith::AddIOp::create(builder, loc, origin,
                                  arith::SelectOp::create(builder, loc, isNear, aligned, constant(0)));
    // A tile that lies in the first two batches, with what is asked for ahead of it, is never refilled: it starts at
    // its first position.
    int64_t room = 2 * type.getBatch() - schedule.getDepth() * unit;
    Value reach = arith::SubIOp::create(builder, loc, end, origin);
    Value fits = compare(arith::CmpIPredicate::sle, reach, constant(room));
    lower = arith::SelectOp::create(builder, loc, fits, begin, lower);
    return arith::SelectOp::create(builder, loc, compare(arith::CmpIPredicate::slt, begin, end), end, lower);
  }

  /// The carried values after a position's group edges, with the values in them named.
  void nameCarried(ValueRange carried, IRMapping &mapping) {
    size_t count = parts.beginValues.size();
    for (auto [value, held] : llvm::zip(parts.beginValues, carried.take_front(count)))
      mapping.map(value, held);
    if (hasGroups())
      for (auto [argument, held] :
           llvm::zip(parts.members.getBody()->getArguments().drop_front(), carried.drop_front(count)))
        mapping.map(argument, held);
  }

  /// The carried values of a group that begins here.
  SmallVector<Value> freshValues(Position &at) {
    IRMapping mapping(at.heads);
    for (Operation *op : parts.begin)
      copyOp(*op, at, mapping, /*ofMember=*/false);
    SmallVector<Value> fresh;
    for (Value value : parts.beginValues)
      fresh.push_back(mapping.lookup(value));
    for (Value init : parts.members.getInits())
      fresh.push_back(get(init, at, mapping));
    return fresh;
  }

  /// Two branches without a yield: without results the builder has put one there.
  scf::IfOp openBranches(TypeRange types, Value condition) {
    auto branch = scf::IfOp::create(builder, loc, types, condition, /*withElseRegion=*/true);
    for (Block *block : {branch.thenBlock(), branch.elseBlock()})
      block->clear();
    return branch;
  }

  SmallVector<Value> beginGroup(Position &at, ValueRange carried) {
    if (at.isSingle)
      return freshValues(at);
    scf::IfOp branch = openBranches(carried.getTypes(), at.begins);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(builder, loc, freshValues(at));
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, carried);
    return branch.getResults();
  }

  void endGroup(Position &at, ValueRange carried) {
    OpBuilder::InsertionGuard guard(builder);
    if (!at.isSingle) {
      auto branch = scf::IfOp::create(builder, loc, at.ends, /*withElseRegion=*/false);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
    IRMapping mapping(at.heads);
    nameCarried(carried, mapping);
    for (auto [result, value] : llvm::zip(parts.members.getResults(), carried.drop_front(parts.beginValues.size())))
      mapping.map(result, value);
    for (Operation *op : parts.end)
      copyOp(*op, at, mapping, /*ofMember=*/false);
  }

  /// Folds one position in: carried values in place, its partials behind the others.
  void copyMember(Position &at, SmallVector<Value> &carried, SmallVector<Value> &partials) {
    IRMapping mapping(at.heads);
    nameCarried(carried, mapping);
    for (Operation *op : parts.member) {
      for (const BatchedReduction &batched : parts.batched)
        if (batched.reduction == op)
          llvm::append_range(partials, partialsOf(op, at, mapping));
      copyOp(*op, at, mapping, /*ofMember=*/true);
    }
    if (!hasGroups())
      return;
    size_t count = parts.beginValues.size();
    for (auto [index, value] : llvm::enumerate(parts.members.getBody()->getTerminator()->getOperands()))
      carried[count + index] = get(value, at, mapping);
  }

  static ReduceKind kindOf(Operation *reduction) {
    auto reduce = llvm::dyn_cast<ReduceOp>(reduction);
    return reduce ? reduce.getKind() : ReduceKind::Sum;
  }

  static int64_t slicesOf(Operation *reduction) {
    return llvm::cast<VectorType>(reduction->getOperand(0).getType()).getDimSize(0);
  }

  SmallVector<Value> partialsOf(Operation *reduction, Position &at, IRMapping &mapping) {
    auto dot = llvm::dyn_cast<DotOp>(reduction);
    auto reduce = llvm::dyn_cast<ReduceOp>(reduction);
    SmallVector<Value> rows{get(reduction->getOperand(0), at, mapping)};
    if (dot)
      rows.push_back(get(dot.getRhs(), at, mapping));
    int64_t width = dot ? dot.getWidth() : reduce.getWidth();
    bool sliced = static_cast<bool>(dot ? dot.getSlice() : reduce.getSlice());
    SmallVector<Type> types(slicesOf(reduction), builder.getF32Type());
    auto partial =
        PartialOp::create(builder, reduction->getLoc(), types, dot ? PartialKind::Dot : partialOf(reduce.getKind()),
                          rows, sliced ? tile.getSlice() : Value(), width, sliceWidth(width));
    return llvm::to_vector_of<Value>(partial.getPartials());
  }

  /// Lane l holds the value of position l / (32 / U) after the butterfly and stores it by that position's record.
  void storeBatched(Value k, ArrayRef<SmallVector<Value>> partials) {
    if (parts.batched.empty())
      return;
    int64_t lanesEach = kLanes / unit;
    Value lane = LaneOp::create(builder, loc, builder.getI32Type());
    Value mine =
        arith::AddIOp::create(builder, loc, k, arith::DivUIOp::create(builder, loc, lane, constant(lanesEach)));
    Value isWriter =
        compare(arith::CmpIPredicate::eq, arith::RemUIOp::create(builder, loc, lane, constant(lanesEach)), constant(0));
    Position at;
    at.pos = mine;
    read(at);
    size_t offset = 0;
    for (BatchedReduction &batched : parts.batched) {
      ReduceKind kind = kindOf(batched.reduction);
      Value total;
      for (int64_t s = 0; s < slicesOf(batched.reduction); ++s, ++offset) {
        SmallVector<Value> batch =
            llvm::map_to_vector(partials, [&](const SmallVector<Value> &of) { return of[offset]; });
        Value value = ButterflyOp::create(builder, loc, builder.getF32Type(), kind, batch);
        total = total ? combine(builder, loc, kind, total, value) : value;
      }
      if (at.invalid)
        total = arith::SelectOp::create(builder, loc, at.invalid, zeroOf(total.getType()), total);
      IRMapping mapping;
      StoreCellOp::create(builder, batched.store.getLoc(), total, batched.store.getCells(),
                          indicesAt(batched.store.getIndices(), at, mapping), both(at.isIn, isWriter));
    }
  }

  using Partials = SmallVector<SmallVector<Value>>;

  SmallVector<Value> copyUnit(Value k, ValueRange carried) {
    SmallVector<Position> positions;
    for (int64_t j = 0; j < unit; ++j)
      positions.push_back(openHead(k, j));
    Partials partials(unit);
    SmallVector<Value> held = llvm::to_vector(carried);
    if (hasGroups() && unit > 1)
      branchOnEdges(positions, held, partials);
    else
      copyPositions(positions, held, partials);
    storeBatched(k, partials);
    return held;
  }

  void copyPositions(MutableArrayRef<Position> positions, SmallVector<Value> &held, Partials &partials) {
    for (auto [at, mine] : llvm::zip(positions, partials)) {
      if (at.begins || at.isSingle)
        held = beginGroup(at, held);
      copyMember(at, held, mine);
      if ((at.ends || at.isSingle) && !parts.end.empty())
        endGroup(at, held);
    }
  }

  /// What is known of a whole unit.
  enum class UnitKind { Singles, Inside, Any };

  /// Whether every position is a valid group of its own.
  Value areSingles(ArrayRef<Position> positions) {
    Value all;
    for (const Position &at : positions)
      all = both(all, both(at.begins, at.ends));
    return all;
  }

  /// Whether no position is an edge of a group.
  Value areInside(ArrayRef<Position> positions) {
    Value edge;
    for (const Position &at : positions)
      for (Value flag : {at.fields.lookup("$first"), at.fields.lookup("$last")})
        edge = edge ? arith::OrIOp::create(builder, loc, edge, flag).getResult() : flag;
    return negate(edge);
  }

  /// Two kinds of units have a copy of their positions without branches: all groups of one member, and no edge at all.
  void branchOnEdges(ArrayRef<Position> positions, SmallVector<Value> &held, Partials &partials) {
    size_t each = 0;
    for (const BatchedReduction &batched : parts.batched)
      each += slicesOf(batched.reduction);
    SmallVector<Type> types = carriedTypes();
    types.append(each * unit, builder.getF32Type());
    OpBuilder::InsertionGuard guard(builder);
    scf::IfOp singles = openBranches(types, areSingles(positions));
    builder.setInsertionPointToStart(singles.thenBlock());
    yieldPositions(UnitKind::Singles, positions, held);
    builder.setInsertionPointToStart(singles.elseBlock());
    scf::IfOp inside = openBranches(types, areInside(positions));
    scf::YieldOp::create(builder, loc, inside.getResults());
    builder.setInsertionPointToStart(inside.thenBlock());
    yieldPositions(UnitKind::Inside, positions, held);
    builder.setInsertionPointToStart(inside.elseBlock());
    yieldPositions(UnitKind::Any, positions, held);
    ResultRange results = singles.getResults();
    held.assign(results.begin(), results.begin() + held.size());
    for (int64_t j = 0; j < unit; ++j)
      partials[j] = llvm::to_vector_of<Value>(results.slice(held.size() + j * each, each));
  }

  void yieldPositions(UnitKind kind, ArrayRef<Position> positions, ArrayRef<Value> held) {
    SmallVector<Position> mine(positions.begin(), positions.end());
    for (Position &at : mine) {
      if (kind == UnitKind::Any)
        continue;
      at.isSingle = kind == UnitKind::Singles;
      at.begins = at.ends = at.invalid = Value(); // an invalid record is no single group, and has edges
    }
    SmallVector<Value> results = llvm::to_vector(held);
    Partials made(unit);
    copyPositions(mine, results, made);
    for (SmallVector<Value> &of : made)
      llvm::append_range(results, of);
    scf::YieldOp::create(builder, loc, results);
  }

  Value lower; // where the loop starts
};

} // namespace

void mlir::sdm::flattenWalk(Operation *walk) { Flattener(walk).run(); }
