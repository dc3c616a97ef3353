// Where an index comes from, and the legality of placements and of splitting that follows from it.
#include "lib/Transforms/Places.h"
#include "dialect/Slices.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::sdm;

Index mlir::sdm::classifyIndex(Value value) {
  if (auto argument = llvm::dyn_cast<BlockArgument>(value)) {
    Operation *owner = argument.getOwner()->getParentOp();
    if (llvm::isa<func::FuncOp>(owner))
      return {Place::Launch, {}};
    if (isWalk(owner) && argument.getArgNumber() > 0) // the slice, one for a CTA
      return {Place::Launch, {}};
    return {llvm::isa<EachRowOp>(owner) ? Place::Row : Place::Other, {}};
  }
  Operation *def = value.getDefiningOp();
  if (matchPattern(def, m_Constant()) || llvm::isa<DimOp>(def))
    return {Place::Launch, {}};
  if (llvm::isa<KeyOp>(def))
    return {Place::Key, {}};
  if (auto field = llvm::dyn_cast<FieldOp>(def)) {
    LayoutAttr layout = getLayout(field.getRecord());
    // Within a group every member has the group's key.
    bool inGroup = llvm::isa_and_nonnull<MembersOp>(getRecordOwner(field.getRecord()));
    return {inGroup && layout.getKey() == field.getName() ? Place::Key : Place::Field, field.getName()};
  }
  if (auto property = llvm::dyn_cast<PropertyOp>(def)) {
    bool isGroup = llvm::isa<GroupType>(property.getRecord().getType());
    switch (property.getKind()) {
    case PropertyKind::Chunk:
      return {Place::Chunk, {}};
    case PropertyKind::Index:
      return {isGroup ? Place::Ordinal : Place::MemberIndex, {}};
    case PropertyKind::Pos:
      return {isGroup ? Place::GroupPos : Place::MemberPos, {}};
    default:
      return {Place::Other, {}};
    }
  }
  return {Place::Other, {}};
}

bool mlir::sdm::isSameScalar(Value a, Value b) {
  if (a == b)
    return true;
  Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
  return x && y && x->getNumRegions() == 0 && isMemoryEffectFree(x) && isMemoryEffectFree(y) &&
         OperationEquivalence::isEquivalentTo(
             x, y, [](Value v, Value w) { return success(v == w); }, [](Value, Value) {},
             OperationEquivalence::IgnoreLocations);
}

bool mlir::sdm::isStore(Operation *op) { return llvm::isa<StoreRowOp, StoreCellOp>(op); }

OperandRange mlir::sdm::indicesOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, OperandRange>(op).Case<LoadRowOp, StoreRowOp, LoadCellOp, StoreCellOp>(
      [](auto access) { return access.getIndices(); });
}

Value mlir::sdm::operandOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<LoadRowOp, StoreRowOp>([](auto access) { return access.getRows(); })
      .Case<LoadCellOp, StoreCellOp>([](auto access) { return access.getCells(); })
      .Default(Value());
}

bool mlir::sdm::isArithmetic(Operation *op) {
  return op->getNumRegions() == 0 && op->getNumOperands() > 0 && isMemoryEffectFree(op) &&
         !llvm::isa<PropertyOp, DotOp, ReduceOp>(op);
}

bool mlir::sdm::isWalk(Operation *op) { return llvm::isa<WalkOp, EachRecordOp, EachRowOp>(op); }

Operation *mlir::sdm::getWalk(Operation *op) {
  while (op && !isWalk(op))
    op = op->getParentOp();
  return op;
}

bool mlir::sdm::isMemberLevel(Operation *op) {
  return op->getParentOfType<MembersOp>() || op->getParentOfType<EachRecordOp>();
}

bool mlir::sdm::isEarlyIndex(Value value) {
  Index index = classifyIndex(value);
  if (index.place != Place::Other)
    return true;
  Operation *def = value.getDefiningOp();
  return def && isArithmetic(def) && llvm::all_of(def->getOperands(), isEarlyIndex);
}

bool mlir::sdm::isWritten(Operation *walk, Value operand) {
  auto writes = [&](Operation *op) {
    return isStore(op) && operandOf(op) == operand ? WalkResult::interrupt() : WalkResult::advance();
  };
  return walk->walk(writes).wasInterrupted();
}

static constexpr int64_t kLeastCopy = 4; // bytes of the smallest asynchronous copy

bool mlir::sdm::comesAhead(LoadRowOp load) {
  std::optional<Placement> placement = load.getPlacement();
  return placement == Placement::Ring || placement == Placement::Registers || placement == Placement::BulkRing;
}

bool mlir::sdm::canBeRing(LoadRowOp load) { return load.getRows().getType().getPiece() >= kLeastCopy && isEarly(load); }

bool mlir::sdm::canBeBulk(LoadRowOp load) {
  return load.getRows().getType().getPiece() % kBulkBytes == 0 && isEarly(load);
}

bool mlir::sdm::canBeResident(LoadRowOp load) {
  if (load.getIndices().empty() || load.getRows().getType().getPiece() < kLeastCopy ||
      isWritten(getWalk(load), load.getRows()))
    return false;
  return isEarlyIndex(load.getIndices().back()) && llvm::all_of(load.getIndices().drop_back(), [](Value index) {
           Place place = classifyIndex(index).place;
           return place == Place::Chunk || place == Place::Launch;
         });
}

std::optional<int64_t> mlir::sdm::getRowWidth(Operation *walk) {
  int64_t width = 0;
  bool several = false;
  auto meet = [&](int64_t other) {
    several |= width != 0 && width != other;
    width = other;
  };
  walk->walk([&](Operation *op) {
    if (auto load = llvm::dyn_cast<LoadRowOp>(op))
      meet(load.getRows().getType().getWidth());
    else if (auto store = llvm::dyn_cast<StoreRowOp>(op))
      meet(store.getRows().getType().getWidth());
    else if (auto dot = llvm::dyn_cast<DotOp>(op))
      meet(dot.getWidth());
    else if (auto reduce = llvm::dyn_cast<ReduceOp>(op))
      meet(reduce.getWidth());
  });
  return several ? std::nullopt : std::optional(width);
}

// The planes are read back by a walk over records (or groups), so the cell's indices must be computable there.
static bool canBeNamedLater(Value value, bool memberLevel) {
  Place place = classifyIndex(value).place;
  if (place == Place::GroupPos)
    return !memberLevel;
  if (place != Place::Other)
    return true;
  Operation *def = value.getDefiningOp();
  return def && def->getNumRegions() == 0 && def->getNumOperands() > 0 && isMemoryEffectFree(def) &&
         !llvm::isa<PropertyOp, DotOp, ReduceOp>(def) &&
         llvm::all_of(def->getOperands(), [&](Value operand) { return canBeNamedLater(operand, memberLevel); });
}

static bool isLoadedIn(Operation *walk, Value cells) {
  return walk
      ->walk(
          [&](LoadCellOp load) { return load.getCells() == cells ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

/// Each slice's warp would run the load and the store.
static bool readsCellsItWrites(Operation *walk) {
  return walk
      ->walk([&](StoreCellOp store) {
        return isLoadedIn(walk, store.getCells()) ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// A store of anything but a reduction: which one is the last would be another one, once planes are combined.
static bool hasOtherStore(Operation *walk, Value cells) {
  return walk
      ->walk([&](StoreCellOp store) {
        bool other =
            store.getCells() == cells && !llvm::isa_and_nonnull<DotOp, ReduceOp>(store.getValue().getDefiningOp());
        return other ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

bool mlir::sdm::canSplit(Operation *walk, std::string &reason) {
  if (llvm::isa<EachRowOp>(walk)) {
    bool reduces = walk->walk([](Operation *op) {
                         return llvm::isa<DotOp, ReduceOp>(op) ? WalkResult::interrupt() : WalkResult::advance();
                       })
                       .wasInterrupted();
    if (reduces) {
      reason = "a walk over rows has no records whose positions could name a plane's cells";
      return false;
    }
  }
  if (!getRowWidth(walk)) {
    reason = "the walk computes with rows of several widths";
    return false;
  }
  if (readsCellsItWrites(walk)) {
    reason = "the walk reads cells that it writes, which every slice would do";
    return false;
  }
  bool legal = true;
  walk->walk([&](Operation *op) {
    if (!legal || !llvm::isa<DotOp, ReduceOp>(op))
      return;
    auto store = op->hasOneUse() ? llvm::dyn_cast<StoreCellOp>(*op->user_begin()) : StoreCellOp();
    if (!store || store.getValue() != op->getResult(0)) {
      reason = "a reduction has a use other than one plain store";
      legal = false;
    } else if (store->getParentOfType<scf::IfOp>()) {
      reason = "a reduction is stored under a condition";
      legal = false;
    } else if (store.getBits() || hasOtherStore(walk, store.getCells())) {
      reason = "a reduction's cells are written otherwise too";
      legal = false;
    } else if (!llvm::all_of(store.getIndices(),
                             [&](Value index) { return canBeNamedLater(index, isMemberLevel(store)); })) {
      reason = "a reduction is stored at an index that its record alone does not give";
      legal = false;
    }
  });
  return legal;
}
