// sdm-tile-walk: a walk becomes the loops of one warp over its tile (the nest form).
#include "lib/Transforms/FlatWalk.h"
#include "lib/Transforms/Passes.h"
#include "lib/Transforms/Places.h"
#include "lib/Transforms/RetypeRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::sdm {
#define GEN_PASS_DEF_TILEWALK
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::sdm

using namespace mlir;
using namespace mlir::sdm;

namespace {

Value constantI32(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}

Value zeroOf(OpBuilder &builder, Location loc, Type type) {
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

/// Copies a walk's body for one record, group or row. A handle is mapped to its position: a group's to that of its
/// first record. Loops over members may stand in one another, so a field is read where its own handle stands.
class BodyCopier {
public:
  BodyCopier(Operation *walk, Value records, TileOp tile, Value length)
      : walk(walk), records(records), tile(tile), length(length) {}

  /// The body of a walk over groups whose first record is at `pos`; returns the position after the group.
  Value copyGroup(OpBuilder &builder, Value pos, bool isValid) {
    valid = isValid;
    next = Value();
    copyBody(builder, pos);
    if (!valid)
      return arith::AddIOp::create(builder, walk->getLoc(), pos, constantI32(builder, walk->getLoc(), 1));
    return next ? next : endOfGroup(builder, walk->getLoc(), pos);
  }

  void copyRecord(OpBuilder &builder, Value pos, bool isValid) {
    valid = isValid;
    copyBody(builder, pos);
  }

  void copyRow(OpBuilder &builder, Value row) {
    valid = true;
    copyBody(builder, row);
  }

  Value fetch(OpBuilder &builder, Location loc, Value pos, StringRef name) {
    FieldAttr field = llvm::cast<SortedType>(records.getType()).getLayout().lookup(name);
    return FetchOp::create(builder, loc, field.getType(), records, tile.getChunk(), pos, name);
  }

private:
  void copyBody(OpBuilder &builder, Value at) {
    Block &body = walk->getRegion(0).front();
    IRMapping mapping;
    mapping.map(body.getArgument(0), at);
    if (body.getNumArguments() == 2)
      mapping.map(body.getArgument(1), tile.getSlice());
    copyBlock(builder, body, mapping);
  }

  /// Copies all operations but the terminator.
  void copyBlock(OpBuilder &builder, Block &block, IRMapping &mapping) {
    for (Operation &op : block.without_terminator())
      copyOp(builder, op, mapping);
  }

  void copyOp(OpBuilder &builder, Operation &op, IRMapping &mapping) {
    Location loc = op.getLoc();
    if (auto members = llvm::dyn_cast<MembersOp>(op))
      return copyMembers(builder, members, mapping);
    if (auto key = llvm::dyn_cast<KeyOp>(op)) {
      StringRef name = llvm::cast<SortedType>(records.getType()).getLayout().getKey();
      return mapping.map(key.getResult(), fetch(builder, loc, mapping.lookup(key.getGroup()), name));
    }
    if (auto field = llvm::dyn_cast<FieldOp>(op))
      return mapping.map(field.getResult(), fetch(builder, loc, mapping.lookup(field.getRecord()), field.getName()));
    if (auto property = llvm::dyn_cast<PropertyOp>(op))
      return mapping.map(property.getResult(), copyProperty(builder, property, mapping));
    if (llvm::isa<LoadRowOp, LoadCellOp>(op) && !valid)
      return mapping.map(op.getResult(0), zeroOf(builder, loc, op.getResult(0).getType()));
    if (llvm::isa<StoreRowOp, StoreCellOp>(op) && !valid)
      return copyInvalidStore(builder, op, mapping);
    if (op.getNumRegions() > 0)
      return copyNested(builder, op, mapping);
    builder.clone(op, mapping);
  }

  /// A group's stores are dropped, a member's write +0 whatever was computed.
  void copyInvalidStore(OpBuilder &builder, Operation &store, IRMapping &mapping) {
    if (!isMemberLevel(&store))
      return;
    Operation *copy = builder.clone(store, mapping);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPoint(copy);
    copy->setOperand(0, zeroOf(builder, store.getLoc(), store.getOperand(0).getType()));
  }

  Value copyProperty(OpBuilder &builder, PropertyOp property, IRMapping &mapping) {
    Location loc = property.getLoc();
    Value pos = mapping.lookup(property.getRecord());
    bool ofGroup = llvm::isa<GroupType>(property.getRecord().getType());
    switch (property.getKind()) {
    case PropertyKind::Chunk:
      return tile.getChunk();
    case PropertyKind::Pos:
      return pos;
    case PropertyKind::Index:
      return fetch(builder, loc, pos, ofGroup ? "$ordinal" : "$index");
    case PropertyKind::Valid:
      return arith::ConstantIntOp::create(builder, loc, valid, 1);
    case PropertyKind::Size:
      if (!valid)
        return constantI32(builder, loc, 1);
      return arith::SubIOp::create(builder, loc, endOfGroup(builder, loc, pos), pos);
    }
    llvm_unreachable("every kind is handled");
  }

  /// An operation with regions (scf.if): its shell, then the bodies.
  void copyNested(OpBuilder &builder, Operation &op, IRMapping &mapping) {
    Operation *shell = builder.cloneWithoutRegions(op, mapping);
    OpBuilder::InsertionGuard guard(builder);
    for (auto [from, to] : llvm::zip(op.getRegions(), shell->getRegions())) {
      for (Block &block : from) {
        Block *copy = builder.createBlock(&to, to.end(), block.getArgumentTypes(),
                                          SmallVector<Location>(block.getNumArguments(), op.getLoc()));
        mapping.map(block.getArguments(), copy->getArguments());
        copyBlock(builder, block, mapping);
        builder.clone(*block.getTerminator(), mapping);
      }
    }
  }

  /// The loop over members runs at least once: the body is the loop's condition region, and the position and the
  /// carried values go around while the record is not the group's last.
  void copyMembers(OpBuilder &builder, MembersOp members, IRMapping &mapping) {
    Location loc = members.getLoc();
    SmallVector<Value> inits{mapping.lookup(members.getGroup())};
    for (Value init : members.getInits())
      inits.push_back(mapping.lookupOrDefault(init));
    if (!valid) // one record
      return copyMemberBody(builder, members, mapping, inits,
                            [&](ValueRange yielded) { mapping.map(members.getResults(), yielded); });
    auto before = [&](OpBuilder &inner, Location, ValueRange args) {
      copyMemberBody(inner, members, mapping, args, [&](ValueRange yielded) {
        Value last = fetch(inner, loc, args[0], "$last");
        Value after = arith::AddIOp::create(inner, loc, args[0], constantI32(inner, loc, 1));
        Value inside = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::slt, after, length);
        Value more = arith::AndIOp::create(
            inner, loc, arith::XOrIOp::create(inner, loc, last, arith::ConstantIntOp::create(inner, loc, 1, 1)),
            inside);
        SmallVector<Value> forwarded{after};
        llvm::append_range(forwarded, yielded);
        scf::ConditionOp::create(inner, loc, more, forwarded);
      });
    };
    auto after = [&](OpBuilder &inner, Location, ValueRange args) { scf::YieldOp::create(inner, loc, args); };
    auto loop = scf::WhileOp::create(builder, loc, ValueRange(inits).getTypes(), inits, before, after);
    mapping.map(members.getResults(), loop.getResults().drop_front());
    if (members->getParentOp() == walk) // one under a condition does not always say where the group ends
      next = loop.getResult(0);
  }

  void copyMemberBody(OpBuilder &builder, MembersOp members, IRMapping &mapping, ValueRange args,
                      llvm::function_ref<void(ValueRange)> finish) {
    Block *body = members.getBody();
    mapping.map(body->getArguments(), args);
    copyBlock(builder, *body, mapping);
    SmallVector<Value> yielded;
    for (Value value : body->getTerminator()->getOperands())
      yielded.push_back(mapping.lookupOrDefault(value));
    finish(yielded);
  }

  /// One past the group's last record.
  Value endOfGroup(OpBuilder &builder, Location loc, Value pos) {
    auto before = [&](OpBuilder &inner, Location, ValueRange args) {
      Value last = fetch(inner, loc, args[0], "$last");
      Value after = arith::AddIOp::create(inner, loc, args[0], constantI32(inner, loc, 1));
      Value inside = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::slt, after, length);
      Value notLast = arith::XOrIOp::create(inner, loc, last, arith::ConstantIntOp::create(inner, loc, 1, 1));
      scf::ConditionOp::create(inner, loc, arith::AndIOp::create(inner, loc, notLast, inside), after);
    };
    auto after = [&](OpBuilder &inner, Location, ValueRange args) { scf::YieldOp::create(inner, loc, args); };
    return scf::WhileOp::create(builder, loc, pos.getType(), pos, before, after).getResult(0);
  }

  Operation *walk;
  Value records;
  TileOp tile;
  Value length;      // positions of a chunk
  bool valid = true; // invalid records take a path of their own
  Value next;        // after the last member loop
};

/// Replaces one walk by its loops.
class WalkTiler {
public:
  WalkTiler(Operation *walk, int64_t lanes) : walk(walk), loc(walk->getLoc()), builder(walk), lanes(lanes) {}

  void run() {
    Value operand = walk->getOperand(0);
    tile = TileOp::create(builder, loc, builder.getI32Type(), builder.getI32Type(), builder.getI32Type(),
                          builder.getI32Type(), operand);
    length = arith::TruncIOp::create(builder, loc, builder.getI32Type(), DimOp::create(builder, loc, operand, 0));
    BodyCopier copier(walk, operand, tile, length);
    if (llvm::isa<WalkOp>(walk))
      tileGroups(copier);
    else if (llvm::isa<EachRecordOp>(walk))
      tileRecords(copier);
    else
      tileRows(copier);
    walk->erase();
  }

private:
  bool canBeInvalid() {
    return llvm::cast<SortedType>(walk->getOperand(0).getType()).getLayout().lookup("$invalid") != nullptr;
  }

  /// Runs `valid` or `invalid` by the record's flag.
  SmallVector<Value> branchOnValid(OpBuilder &inner, BodyCopier &copier, Value pos, TypeRange types,
                                   llvm::function_ref<ValueRange(OpBuilder &, bool)> copy) {
    if (!canBeInvalid())
      return copy(inner, true);
    Value invalid = copier.fetch(inner, loc, pos, "$invalid");
    auto branch = scf::IfOp::create(inner, loc, types, invalid, /*withElseRegion=*/true);
    for (bool valid : {false, true}) {
      Block *block = valid ? branch.elseBlock() : branch.thenBlock();
      OpBuilder nested = block->empty() ? OpBuilder::atBlockEnd(block) : OpBuilder(&block->front());
      ValueRange results = copy(nested, valid);
      if (!types.empty())
        scf::YieldOp::create(nested, loc, results);
    }
    return branch.getResults();
  }

  /// From the first group that starts in the tile to the last one; a group is walked to its end wherever that is.
  void tileGroups(BodyCopier &copier) {
    Value start = firstGroup(copier);
    auto before = [&](OpBuilder &inner, Location, ValueRange args) {
      Value inside = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::slt, args[0], tile.getEnd());
      scf::ConditionOp::create(inner, loc, inside, args);
    };
    auto after = [&](OpBuilder &inner, Location, ValueRange args) {
      Value next;
      SmallVector<Value> results =
          branchOnValid(inner, copier, args[0], builder.getI32Type(), [&](OpBuilder &nested, bool valid) -> ValueRange {
            next = copier.copyGroup(nested, args[0], valid);
            return next;
          });
      scf::YieldOp::create(inner, loc, results);
    };
    scf::WhileOp::create(builder, loc, TypeRange(builder.getI32Type()), start, before, after);
  }

  Value firstGroup(BodyCopier &copier) {
    auto before = [&](OpBuilder &inner, Location, ValueRange args) {
      Value inside = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::slt, args[0], tile.getEnd());
      auto search = scf::IfOp::create(
          inner, loc, inside,
          [&](OpBuilder &nested, Location) {
            Value first = copier.fetch(nested, loc, args[0], "$first");
            Value goOn = arith::XOrIOp::create(nested, loc, first, arith::ConstantIntOp::create(nested, loc, 1, 1));
            scf::YieldOp::create(nested, loc, goOn);
          },
          [&](OpBuilder &nested, Location) {
            Value stop = arith::ConstantIntOp::create(nested, loc, 0, 1);
            scf::YieldOp::create(nested, loc, stop);
          });
      scf::ConditionOp::create(inner, loc, search.getResult(0), args);
    };
    auto after = [&](OpBuilder &inner, Location, ValueRange args) {
      Value next = arith::AddIOp::create(inner, loc, args[0], constantI32(inner, loc, 1));
      scf::YieldOp::create(inner, loc, next);
    };
    return scf::WhileOp::create(builder, loc, TypeRange(builder.getI32Type()), tile.getBegin(), before, after)
        .getResult(0);
  }

  void tileRecords(BodyCopier &copier) {
    forEach([&](OpBuilder &inner, Value pos) {
      branchOnValid(inner, copier, pos, {}, [&](OpBuilder &nested, bool valid) -> ValueRange {
        copier.copyRecord(nested, pos, valid);
        return {};
      });
    });
  }

  void tileRows(BodyCopier &copier) {
    forEach([&](OpBuilder &inner, Value row) { copier.copyRow(inner, row); });
  }

  /// Every position of the tile. Where no row is held, a lane takes every 32nd position for itself.
  void forEach(llvm::function_ref<void(OpBuilder &, Value)> body) {
    Value begin = tile.getBegin();
    int64_t step = 1;
    if (lanes > 1 && !holdsRows()) {
      walk->getParentOp()->setAttr("sdm.per_lane", builder.getUnitAttr());
      begin = arith::AddIOp::create(builder, loc, begin, LaneOp::create(builder, loc, builder.getI32Type()));
      step = lanes;
    }
    scf::ForOp::create(builder, loc, begin, tile.getEnd(), constantI32(builder, loc, step), ValueRange(),
                       [&](OpBuilder &inner, Location, Value pos, ValueRange) {
                         body(inner, pos);
                         scf::YieldOp::create(inner, loc);
                       });
  }

  bool holdsRows() {
    return walk
        ->walk([](Operation *op) {
          bool rows = llvm::any_of(op->getResultTypes(), isRow) || llvm::any_of(op->getOperandTypes(), isRow);
          return rows ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  Operation *walk;
  Location loc;
  OpBuilder builder;
  int64_t lanes;
  TileOp tile;
  Value length;
};

struct TileWalkPass : sdm::impl::TileWalkBase<TileWalkPass> {
  using TileWalkBase::TileWalkBase;

  void runOnOperation() override {
    SmallVector<Operation *> walks;
    getOperation().walk([&](Operation *op) {
      if (isWalk(op))
        walks.push_back(op);
    });
    for (Operation *walk : walks) {
      auto schedule = walk->getAttrOfType<ScheduleAttr>("schedule");
      if (schedule && schedule.getForm() == WalkForm::Flat)
        flattenWalk(walk);
      else
        WalkTiler(walk, lanes).run();
    }
  }
};

} // namespace
