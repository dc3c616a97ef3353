// The flat form of a walk. A loop over units of U positions; a position first reads its record and what its members need, then
// begins a group where one starts, folds itself in, and ends a group where one ends. What a group carries lives in the loop's
// values from position to position.
#include "lib/Transforms/FlatWalk.h"
#include "dialect/Slices.h"
#include "lib/Transforms/FlatParts.h"
#include "lib/Transforms/Places.h"
#include "lib/Transforms/RetypeRows.h"
#include "lib/Transforms/Schedule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::sdm;

namespace {

Value zeroOf(OpBuilder &builder, Location loc, Type type) {
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

/// One position of a unit, or in a lane of its own at the unit's end.
struct Position {
  Value pos;
  Value unit;              // where its unit begins; null where it is a lane's own position
  Value isIn;              // in the tile; null: known to be
  Value invalid;           // null: known to be valid
  int64_t number = 0;      // in its unit
  Value begins, ends;      // a valid group's first or last record in the tile; null in a walk without groups
  llvm::StringMap<Value> fields;
  IRMapping heads;         // what was read at the head of the position
};

class Flattener {
public:
  explicit Flattener(Operation *walk)
      : walk(walk), parts(takeApart(walk)), loc(walk->getLoc()), builder(walk),
        schedule(walk->getAttrOfType<ScheduleAttr>("schedule")), unit(schedule.getUnit()),
        layout(llvm::isa<EachRowOp>(walk) ? LayoutAttr()
                                          : llvm::cast<SortedType>(walk->getOperand(0).getType()).getLayout()) {}

  void run() {
    Value operand = walk->getOperand(0);
    Type i32 = builder.getI32Type();
    tile = TileOp::create(builder, loc, i32, i32, i32, i32, operand);
    begin = tile.getBegin();
    end = tile.getEnd();
    Value stop = end;
    if (layout)
      stop = stageRecords(operand);
    SmallVector<Value> inits;
    for (Type type : carriedTypes())
      inits.push_back(zeroOf(builder, loc, type));
    auto loop = scf::ForOp::create(builder, loc, tile.getBegin(), stop, constant(unit), inits,
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
  bool hasGroups() const { return static_cast<bool>(parts.members); }
  Value constant(int64_t value) { return arith::ConstantIntOp::create(builder, loc, value, 32); }
  Value truth(bool value) { return arith::ConstantIntOp::create(builder, loc, value, 1); }
  Value both(Value a, Value b) {
    return a && b ? arith::AndIOp::create(builder, loc, a, b).getResult() : (a ? a : b);
  }
  Value negate(Value a) { return arith::XOrIOp::create(builder, loc, a, truth(true)); }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }

  SmallVector<Type> carriedTypes() {
    SmallVector<Type> types;
    for (Value value : parts.beginValues)
      types.push_back(value.getType());
    if (hasGroups())
      llvm::append_range(types, parts.members.getInits().getTypes());
    return types;
  }

  /// The warp's records. Where groups are, those from the first group that starts in the tile to the end of the last one: both
  /// edges are looked for while the records are under way, a few past the tile's nominal end with them.
  Value stageRecords(Value operand) {
    Type i32 = builder.getI32Type();
    auto type = BufferType::get(builder.getContext(), layout, recordBatch(unit, schedule.getDepth()));
    if (!hasGroups()) {
      buffer = RecordsOp::create(builder, loc, type, operand, tile.getChunk(), begin, end);
      return end;
    }
    Value length = arith::TruncIOp::create(builder, loc, i32, DimOp::create(builder, loc, operand, 0));
    Value guess = arith::AddIOp::create(builder, loc, end, constant(kLikelyTail));
    guess = arith::MinSIOp::create(builder, loc, guess, length);
    buffer = RecordsOp::create(builder, loc, type, operand, tile.getChunk(), begin, guess);
    auto seek = SeekOp::create(builder, loc, TypeRange{i32, i32}, operand, tile.getChunk(), ValueRange{begin, end});
    begin = seek.getPositions()[0];
    end = seek.getPositions()[1];
    TrimOp::create(builder, loc, buffer, begin, end);
    return arith::SelectOp::create(builder, loc, compare(arith::CmpIPredicate::slt, begin, end), end, tile.getBegin());
  }

  // -- heads -----------------------------------------------------------------------------------------------------------

  /// The position's record; `plus`: how far behind the unit's first one it lies, where that is known.
  Value peek(Position &at, StringRef name) {
    IntegerAttr plus = at.unit ? builder.getI64IntegerAttr(at.number) : IntegerAttr();
    return PeekOp::create(builder, loc, layout.lookup(name).getType(), buffer, at.unit ? at.unit : at.pos, plus, name);
  }

  void read(Position &at) {
    at.isIn = compare(arith::CmpIPredicate::slt, at.pos, end);
    if (hasGroups())
      at.isIn = both(at.isIn, compare(arith::CmpIPredicate::sge, at.pos, begin));
    if (!layout)
      return;
    for (StringRef name : parts.fields)
      at.fields[name] = peek(at, name);
    if (layout.lookup("$invalid"))
      at.invalid = peek(at, "$invalid");
  }

  /// Flags of a group's edges, then every row and cell that a member reads; rows that come through a ring are asked for here,
  /// also a group's.
  Position openHead(Value k, int64_t number) {
    Position at;
    at.unit = k;
    at.number = number;
    at.pos = number == 0 ? k : arith::AddIOp::create(builder, loc, k, constant(number)).getResult();
    read(at);
    Value isValid = at.invalid ? negate(at.invalid) : Value();
    Value counts = both(at.isIn, isValid);
    if (hasGroups()) { // a position outside the tile holds zeros: no edge
      at.fields["$first"] = peek(at, "$first");
      at.fields["$last"] = peek(at, "$last");
      at.begins = both(at.fields["$first"], isValid);
      at.ends = both(at.fields["$last"], isValid);
      for (Operation *op : parts.begin)
        askFor(op, at, at.begins);
      for (Operation *op : parts.end)
        askFor(op, at, at.ends);
    }
    for (Operation *op : parts.member)
      readMember(op, at, counts);
    return at;
  }

  SmallVector<Value> indicesAt(OperandRange indices, Position &at, IRMapping &mapping) {
    return llvm::map_to_vector(indices, [&](Value index) { return get(index, at, mapping); });
  }

  Value sliceOf(LoadRowOp load) { return load.getSlice() ? tile.getSlice() : Value(); }

  /// A row through a ring is asked for at its position's head.
  void askFor(Operation *op, Position &at, Value mask) {
    op->walk([&](LoadRowOp load) {
      if (load.getPlacement() != Placement::Ring)
        return;
      auto ahead = LoadRowOp::create(builder, load.getLoc(), load.getType(), load.getRows(),
                                     indicesAt(load.getIndices(), at, at.heads), sliceOf(load), mask,
                                     load.getPlacementAttr());
      ahead->setAttr(kPositionAttr, builder.getI64IntegerAttr(at.number));
      at.heads.map(load.getResult(), ahead.getResult());
    });
  }

  /// A resident row is taken for every position, for a record of zeros too, whose fields name the slab's first row; an index
  /// that is computed may not. Other memory is touched for records that count only.
  void readMember(Operation *op, Position &at, Value counts) {
    if (auto load = llvm::dyn_cast<LoadRowOp>(op)) {
      if (load.getPlacement() == Placement::Ring)
        return askFor(op, at, counts);
      if (load.getPlacement() == Placement::Resident) {
        SmallVector<Value> indices = indicesAt(load.getIndices(), at, at.heads);
        if (classifyIndex(load.getIndices().back()).place != Place::Field)
          indices.back() = arith::SelectOp::create(builder, loc, counts, indices.back(),
                                                   zeroOf(builder, loc, indices.back().getType()));
        at.heads.map(load.getResult(), LoadRowOp::create(builder, load.getLoc(), load.getType(), load.getRows(), indices,
                                                         sliceOf(load), Value(), load.getPlacementAttr()));
        return;
      }
    }
    if (!llvm::isa<LoadRowOp, LoadCellOp>(op))
      return;
    Type type = op->getResult(0).getType();
    auto guarded = scf::IfOp::create(builder, loc, TypeRange(type), counts, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(guarded.thenBlock());
    IRMapping mapping(at.heads);
    scf::YieldOp::create(builder, loc, copyPlain(*op, at, mapping)->getResults());
    builder.setInsertionPointToStart(guarded.elseBlock());
    scf::YieldOp::create(builder, loc, zeroOf(builder, loc, type));
    at.heads.map(op->getResult(0), guarded.getResult(0));
  }

  // -- bodies ----------------------------------------------------------------------------------------------------------

  /// The value at a position. What is cheap is made again there.
  Value get(Value value, Position &at, IRMapping &mapping) {
    if (mapping.contains(value))
      return mapping.lookup(value);
    Operation *def = value.getDefiningOp();
    if (!def) {
      auto argument = llvm::cast<BlockArgument>(value);
      if (argument.getOwner()->getParentOp() != walk)
        return value;
      return argument.getArgNumber() == 0 ? at.pos : tile.getSlice();
    }
    if (!walk->isProperAncestor(def))
      return value;
    if (llvm::isa<KeyOp>(def))
      return at.fields[layout.getKey()];
    if (auto field = llvm::dyn_cast<FieldOp>(def))
      return at.fields[field.getName()];
    if (auto property = llvm::dyn_cast<PropertyOp>(def))
      return getProperty(property, at);
    return copyPlain(*def, at, mapping)->getResult(llvm::cast<OpResult>(value).getResultNumber());
  }

  Value getProperty(PropertyOp property, Position &at) {
    switch (property.getKind()) {
    case PropertyKind::Chunk:
      return tile.getChunk();
    case PropertyKind::Pos:
      return at.pos;
    case PropertyKind::Index:
      return at.fields[llvm::isa<GroupType>(property.getRecord().getType()) ? "$ordinal" : "$index"];
    case PropertyKind::Valid:
      return at.invalid ? negate(at.invalid) : truth(true);
    case PropertyKind::Size:
      break;
    }
    llvm_unreachable("a walk that uses a group's size is not flat");
  }

  Operation *copyPlain(Operation &op, Position &at, IRMapping &mapping) {
    for (Value operand : op.getOperands())
      if (!mapping.contains(operand))
        mapping.map(operand, get(operand, at, mapping));
    return builder.clone(op, mapping);
  }

  void copyOp(Operation &op, Position &at, IRMapping &mapping, bool ofMember) {
    if (parts.skipped.contains(&op) || (op.getNumResults() == 1 && mapping.contains(op.getResult(0))))
      return;
    if (llvm::isa<KeyOp, FieldOp, PropertyOp>(op))
      return mapping.map(op.getResult(0), get(op.getResult(0), at, mapping));
    if (ofMember && llvm::isa<StoreRowOp, StoreCellOp>(op))
      return copyMemberStore(op, at, mapping);
    if (op.getNumRegions() > 0)
      return copyNested(op, at, mapping, ofMember);
    copyPlain(op, at, mapping);
  }

  /// An invalid record's store writes +0; a position outside the tile stores nothing.
  void copyMemberStore(Operation &op, Position &at, IRMapping &mapping) {
    IRMapping inner(mapping);
    OpBuilder::InsertionGuard guard(builder);
    if (at.isIn) {
      auto guarded = scf::IfOp::create(builder, loc, at.isIn, /*withElseRegion=*/false);
      builder.setInsertionPointToStart(guarded.thenBlock());
    }
    Operation *copy = copyPlain(op, at, inner);
    if (!at.invalid)
      return;
    builder.setInsertionPoint(copy);
    Value value = copy->getOperand(0);
    copy->setOperand(0, arith::SelectOp::create(builder, loc, at.invalid, zeroOf(builder, loc, value.getType()), value));
  }

  void copyNested(Operation &op, Position &at, IRMapping &mapping, bool ofMember) {
    for (Value operand : op.getOperands())
      if (!mapping.contains(operand))
        mapping.map(operand, get(operand, at, mapping));
    Operation *shell = builder.cloneWithoutRegions(op, mapping);
    OpBuilder::InsertionGuard guard(builder);
    for (auto [from, to] : llvm::zip(op.getRegions(), shell->getRegions()))
      for (Block &block : from) {
        IRMapping inner(mapping);
        builder.createBlock(&to, to.end());
        for (Operation &nested : block.without_terminator())
          copyOp(nested, at, inner, ofMember);
        copyPlain(*block.getTerminator(), at, inner);
      }
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

  SmallVector<Value> beginGroup(Position &at, ValueRange carried) {
    auto branch = scf::IfOp::create(builder, loc, carried.getTypes(), at.begins, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    IRMapping mapping(at.heads);
    for (Operation *op : parts.begin)
      copyOp(*op, at, mapping, /*ofMember=*/false);
    SmallVector<Value> fresh;
    for (Value value : parts.beginValues)
      fresh.push_back(mapping.lookup(value));
    for (Value init : parts.members.getInits())
      fresh.push_back(get(init, at, mapping));
    scf::YieldOp::create(builder, loc, fresh);
    builder.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(builder, loc, carried);
    return branch.getResults();
  }

  void endGroup(Position &at, ValueRange carried) {
    auto branch = scf::IfOp::create(builder, loc, at.ends, /*withElseRegion=*/false);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    IRMapping mapping(at.heads);
    nameCarried(carried, mapping);
    for (auto [result, value] :
         llvm::zip(parts.members.getResults(), carried.drop_front(parts.beginValues.size())))
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

  // -- reductions ------------------------------------------------------------------------------------------------------

  static ReduceKind kindOf(Operation *reduction) {
    auto reduce = llvm::dyn_cast<ReduceOp>(reduction);
    return reduce ? reduce.getKind() : ReduceKind::Sum;
  }

  static PartialKind partialOf(Operation *reduction) {
    auto reduce = llvm::dyn_cast<ReduceOp>(reduction);
    if (!reduce)
      return PartialKind::Dot;
    return *symbolizePartialKind(stringifyReduceKind(reduce.getKind()));
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
    auto partial = PartialOp::create(builder, reduction->getLoc(), types, partialOf(reduction), rows,
                                     sliced ? tile.getSlice() : Value(), width, sliceWidth(width));
    return llvm::to_vector_of<Value>(partial.getPartials());
  }

  Value combine(ReduceKind kind, Value a, Value b) {
    if (kind == ReduceKind::Sum)
      return arith::AddFOp::create(builder, loc, a, b);
    if (kind == ReduceKind::Min)
      return arith::MinimumFOp::create(builder, loc, a, b);
    return arith::MaximumFOp::create(builder, loc, a, b);
  }

  /// Lane l holds the value of position l / (32 / U) after the butterfly and stores it by that position's record.
  void storeBatched(Value k, ArrayRef<SmallVector<Value>> partials) {
    if (parts.batched.empty())
      return;
    int64_t lanesEach = kLanes / unit;
    Value lane = LaneOp::create(builder, loc, builder.getI32Type());
    Value mine = arith::AddIOp::create(builder, loc, k,
                                       arith::DivUIOp::create(builder, loc, lane, constant(lanesEach)));
    Value isWriter = compare(arith::CmpIPredicate::eq,
                             arith::RemUIOp::create(builder, loc, lane, constant(lanesEach)), constant(0));
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
        total = total ? combine(kind, total, value) : value;
      }
      if (at.invalid)
        total = arith::SelectOp::create(builder, loc, at.invalid, zeroOf(builder, loc, total.getType()), total);
      IRMapping mapping;
      StoreCellOp::create(builder, batched.store.getLoc(), total, batched.store.getCells(),
                          indicesAt(batched.store.getIndices(), at, mapping), both(at.isIn, isWriter));
    }
  }

  // -- units -----------------------------------------------------------------------------------------------------------

  using Partials = SmallVector<SmallVector<Value>>;

  SmallVector<Value> copyUnit(Value k, ValueRange carried) {
    SmallVector<Position> positions;
    for (int64_t j = 0; j < unit; ++j)
      positions.push_back(openHead(k, j));
    Partials partials(unit);
    SmallVector<Value> held = llvm::to_vector(carried);
    if (hasGroups() && unit > 1)
      branchOnEdges(k, positions, held, partials);
    else
      copyPositions(positions, held, partials);
    storeBatched(k, partials);
    return held;
  }

  void copyPositions(MutableArrayRef<Position> positions, SmallVector<Value> &held, Partials &partials) {
    for (auto [at, mine] : llvm::zip(positions, partials)) {
      if (at.begins)
        held = beginGroup(at, held);
      copyMember(at, held, mine);
      if (at.ends && !parts.end.empty())
        endGroup(at, held);
    }
  }

  /// A unit inside one group has no edges: a copy of its positions without branches.
  void branchOnEdges(Value k, MutableArrayRef<Position> positions, SmallVector<Value> &held, Partials &partials) {
    Value edge;
    for (Position &at : positions)
      for (StringRef flag : {"$first", "$last"})
        edge = edge ? arith::OrIOp::create(builder, loc, edge, at.fields[flag]).getResult() : at.fields[flag];
    SmallVector<Type> types = carriedTypes();
    size_t each = 0;
    for (const BatchedReduction &batched : parts.batched)
      each += slicesOf(batched.reduction);
    types.append(each * unit, builder.getF32Type());
    auto branch = scf::IfOp::create(builder, loc, types, negate(edge), /*withElseRegion=*/true);
    for (bool inside : {true, false}) {
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(inside ? branch.thenBlock() : branch.elseBlock());
      SmallVector<Position> mine(positions.begin(), positions.end());
      if (inside) // an invalid record is a group of its own
        for (Position &at : mine)
          at.begins = at.ends = at.invalid = Value();
      SmallVector<Value> results = held;
      Partials made(unit);
      copyPositions(mine, results, made);
      for (SmallVector<Value> &of : made)
        llvm::append_range(results, of);
      scf::YieldOp::create(builder, loc, results);
    }
    ResultRange results = branch.getResults();
    held.assign(results.begin(), results.begin() + held.size());
    for (int64_t j = 0; j < unit; ++j)
      partials[j] = llvm::to_vector_of<Value>(results.slice(held.size() + j * each, each));
  }

  Operation *walk;
  FlatParts parts;
  Location loc;
  OpBuilder builder;
  ScheduleAttr schedule;
  int64_t unit;
  LayoutAttr layout; // null in a walk over rows
  TileOp tile;
  Value begin, end; // the positions that are this warp's
  Value buffer;     // its records

  static constexpr int64_t kLikelyTail = 8; // members of a tile's last group that lie past its nominal end, mostly
};

} // namespace

void mlir::sdm::flattenWalk(Operation *walk) { Flattener(walk).run(); }
