// Copies of a walk's operations for one position of a flat loop.
#include "lib/Transforms/FlatCopier.h"
#include "lib/Transforms/FlatWalk.h"
#include "lib/Transforms/Places.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::sdm;

FlatCopier::FlatCopier(Operation *walk)
    : walk(walk), parts(takeApart(walk)), loc(walk->getLoc()), builder(walk),
      schedule(walk->getAttrOfType<ScheduleAttr>("schedule")), unit(schedule.getUnit()),
      layout(llvm::isa<EachRowOp>(walk) ? LayoutAttr()
                                        : llvm::cast<SortedType>(walk->getOperand(0).getType()).getLayout()) {}

Value FlatCopier::peek(Position &at, StringRef name) {
  IntegerAttr plus = at.unit ? builder.getI64IntegerAttr(at.number) : IntegerAttr();
  return PeekOp::create(builder, loc, layout.lookup(name).getType(), buffer, at.unit ? at.unit : at.pos, plus, name);
}

void FlatCopier::read(Position &at) {
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

Position FlatCopier::openHead(Value k, int64_t number) {
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

SmallVector<Value> FlatCopier::indicesAt(OperandRange indices, Position &at, IRMapping &mapping) {
  return llvm::map_to_vector(indices, [&](Value index) { return get(index, at, mapping); });
}

Value FlatCopier::sliceOf(LoadRowOp load) { return load.getSlice() ? tile.getSlice() : Value(); }

void FlatCopier::askFor(Operation *op, Position &at, Value mask) {
  op->walk([&](LoadRowOp load) {
    if (!comesAhead(load))
      return;
    auto ahead =
        LoadRowOp::create(builder, load.getLoc(), load.getType(), load.getRows(),
                          indicesAt(load.getIndices(), at, at.heads), sliceOf(load), mask, load.getPlacementAttr());
    ahead->setAttr(kPositionAttr, builder.getI64IntegerAttr(at.number));
    at.heads.map(load.getResult(), ahead.getResult());
  });
}

Value FlatCopier::inSlab(LoadRowOp load, Value index) {
  Value rows = DimOp::create(builder, loc, load.getRows(), load.getRows().getType().getIndexRank() - 1);
  Type type = index.getType();
  if (type.isInteger(32))
    rows = arith::TruncIOp::create(builder, loc, type, rows);
  Value one = arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, 1));
  rows = arith::MaxUIOp::create(builder, loc, rows, one); // a slab without rows has room for one
  return arith::MinUIOp::create(builder, loc, index, arith::SubIOp::create(builder, loc, rows, one));
}

void FlatCopier::readMember(Operation *op, Position &at, Value counts) {
  if (auto load = llvm::dyn_cast<LoadRowOp>(op)) {
    if (comesAhead(load))
      return askFor(op, at, counts);
    if (load.getPlacement() == Placement::Resident) {
      SmallVector<Value> indices = indicesAt(load.getIndices(), at, at.heads);
      indices.back() = inSlab(load, indices.back());
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
  scf::YieldOp::create(builder, loc, zeroOf(type));
  at.heads.map(op->getResult(0), guarded.getResult(0));
}

Value FlatCopier::get(Value value, Position &at, IRMapping &mapping) {
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

Value FlatCopier::getProperty(PropertyOp property, Position &at) {
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

Operation *FlatCopier::copyPlain(Operation &op, Position &at, IRMapping &mapping) {
  for (Value operand : op.getOperands())
    if (!mapping.contains(operand))
      mapping.map(operand, get(operand, at, mapping));
  return builder.clone(op, mapping);
}

void FlatCopier::copyOp(Operation &op, Position &at, IRMapping &mapping, bool ofMember) {
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

void FlatCopier::copyMemberStore(Operation &op, Position &at, IRMapping &mapping) {
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
  copy->setOperand(0, arith::SelectOp::create(builder, loc, at.invalid, zeroOf(value.getType()), value));
}

void FlatCopier::copyNested(Operation &op, Position &at, IRMapping &mapping, bool ofMember) {
  for (Value operand : op.getOperands())
    if (!mapping.contains(operand))
      mapping.map(operand, get(operand, at, mapping));
  Operation *shell = builder.cloneWithoutRegions(op, mapping);
  OpBuilder::InsertionGuard guard(builder);
  // What a position that does not count holds decides nothing: its rows may be what nobody wrote.
  if (auto branch = llvm::dyn_cast<scf::IfOp>(op); branch && ofMember && !isGivenByRecord(branch.getCondition())) {
    builder.setInsertionPoint(shell);
    Value counts = both(at.isIn, at.invalid ? negate(at.invalid) : Value());
    shell->setOperand(0, both(counts, shell->getOperand(0)));
  }
  for (auto [from, to] : llvm::zip(op.getRegions(), shell->getRegions()))
    for (Block &block : from) {
      IRMapping inner(mapping);
      builder.createBlock(&to, to.end());
      for (Operation &nested : block.without_terminator())
        copyOp(nested, at, inner, ofMember);
      copyPlain(*block.getTerminator(), at, inner);
    }
}
