// A walk's body, taken apart for the flat form, and whether it can be.
#include "lib/Transforms/FlatParts.h"
#include "lib/Transforms/FlatWalk.h"
#include "lib/Transforms/Places.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::sdm;

bool FlatParts::isCheap(Value value) const {
  Operation *def = value.getDefiningOp();
  if (!def)
    return llvm::isa<func::FuncOp>(llvm::cast<BlockArgument>(value).getOwner()->getParentOp()) ||
           llvm::isa<GroupType>(value.getType()) ||
           (isWalk(walk) && value.getParentRegion() == &walk->getRegion(0)); // handle, slice or row
  if (!walk->isProperAncestor(def) || matchPattern(def, m_Constant()) || llvm::isa<KeyOp, DimOp>(def))
    return true;
  if (auto property = llvm::dyn_cast<PropertyOp>(def))
    return property.getKind() == PropertyKind::Chunk || property.getKind() == PropertyKind::Valid;
  return isArithmetic(def) && !llvm::isa<FieldOp>(def) && def->getResult(0).getType().isIntOrFloat() &&
         llvm::all_of(def->getOperands(), [&](Value operand) { return isCheap(operand); });
}

static void collectFields(Operation *walk, FlatParts &parts) {
  auto sorted = llvm::dyn_cast<SortedType>(walk->getOperand(0).getType());
  if (!sorted)
    return;
  LayoutAttr layout = sorted.getLayout();
  // Names live in the layout, which outlives the operations.
  auto add = [&](StringRef name) { parts.fields.insert(layout.lookup(name).getName()); };
  walk->walk([&](Operation *op) {
    if (auto field = llvm::dyn_cast<FieldOp>(op))
      add(field.getName());
    else if (llvm::isa<KeyOp>(op))
      add(layout.getKey());
    else if (auto property = llvm::dyn_cast<PropertyOp>(op); property && property.getKind() == PropertyKind::Index)
      add(llvm::isa<GroupType>(property.getRecord().getType()) ? "$ordinal" : "$index");
  });
}

/// Whether anything else reads or writes the cells of a store: it would see that the store has waited.
static bool touchesElsewhere(Operation *walk, StoreCellOp store) {
  return walk
      ->walk([&](Operation *op) {
        bool touches = op != store && operandOf(op) == store.getCells();
        return touches ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// A member's reduction whose store can wait for the unit's end: every lane can name another position's cell by its
/// record.
static void collectBatched(Block &body, FlatParts &parts) {
  for (Operation &op : body) {
    if (!llvm::isa<DotOp, ReduceOp>(op) || !op.hasOneUse())
      continue;
    auto store = llvm::dyn_cast<StoreCellOp>(*op.user_begin());
    if (!store || store->getBlock() != &body || store.getValue() != op.getResult(0) || store.getBits() ||
        !llvm::all_of(store.getIndices(), isEarlyIndex))
      continue;
    if (touchesElsewhere(parts.walk, store))
      continue;
    parts.batched.push_back({&op, store});
    parts.skipped.insert(&op);
    parts.skipped.insert(store);
  }
}

FlatParts mlir::sdm::takeApart(Operation *walk) {
  FlatParts parts;
  parts.walk = walk;
  collectFields(walk, parts);
  Block &body = walk->getRegion(0).front();
  if (!llvm::isa<WalkOp>(walk)) {
    for (Operation &op : body.without_terminator())
      parts.member.push_back(&op);
    collectBatched(body, parts);
    return parts;
  }
  for (Operation &op : body.without_terminator()) {
    if (auto members = llvm::dyn_cast<MembersOp>(op)) {
      parts.members = members;
      continue;
    }
    bool cheap = op.getNumResults() == 1 && parts.isCheap(op.getResult(0));
    if (!cheap)
      (parts.members ? parts.end : parts.begin).push_back(&op);
  }
  for (Operation &op : parts.members.getBody()->without_terminator())
    parts.member.push_back(&op);
  collectBatched(*parts.members.getBody(), parts);
  // What the begin makes and others use is carried from position to position.
  llvm::SmallPtrSet<Operation *, 16> beginOps(parts.begin.begin(), parts.begin.end());
  for (Operation *op : parts.begin)
    for (Value result : op->getResults())
      for (Operation *user : result.getUsers()) {
        Operation *top = body.findAncestorOpInBlock(*user);
        bool asInit = user == parts.members.getOperation(); // initial values are yielded by the begin itself
        if (!beginOps.contains(top) && !asInit)
          parts.beginValues.insert(result);
      }
  return parts;
}

/// Whether a load can be read at the head of its position: its index is early and no store to the operand precedes it.
static bool isEarlyLoad(Operation *load, Operation *walk) {
  if (!llvm::all_of(indicesOf(load), isEarlyIndex))
    return false;
  Value operand = operandOf(load);
  bool storedBefore = false;
  walk->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == load)
      return WalkResult::interrupt();
    storedBefore |= isStore(op) && operandOf(op) == operand;
    return WalkResult::advance();
  });
  return !storedBefore;
}

bool mlir::sdm::isEarly(LoadRowOp load) { return isEarlyLoad(load, getWalk(load)); }

bool mlir::sdm::isGivenByRecord(Value value) {
  if (isEarlyIndex(value))
    return true;
  Operation *def = value.getDefiningOp();
  if (auto property = llvm::dyn_cast_or_null<PropertyOp>(def))
    return property.getKind() == PropertyKind::Valid;
  if (auto load = llvm::dyn_cast_or_null<LoadCellOp>(def))
    return isMemberLevel(load);
  return def && isArithmetic(def) && llvm::all_of(def->getOperands(), isGivenByRecord);
}

/// Whether what decides a member's store, its conditions and its place, is the same for an invalid record in a stream
/// of positions, which holds other groups' values and rows that were not loaded, as in a group of its own.
static bool isDecidedByRecord(Operation *store, Block *memberBody) {
  for (Operation *op = store; op->getBlock() != memberBody; op = op->getParentOp())
    if (auto branch = llvm::dyn_cast<scf::IfOp>(op->getParentOp()); branch && !isGivenByRecord(branch.getCondition()))
      return false;
  return llvm::all_of(indicesOf(store), isGivenByRecord);
}

bool mlir::sdm::canBeFlat(Operation *walk, std::string &reason) {
  Block &body = walk->getRegion(0).front();
  Block *memberBody = &body;
  if (llvm::isa<WalkOp>(walk)) {
    auto members = llvm::to_vector(body.getOps<MembersOp>());
    size_t all = 0;
    walk->walk([&](MembersOp) { ++all; });
    if (members.size() != 1 || all != 1) {
      reason = "the flat form needs exactly one member loop, unconditional";
      return false;
    }
    memberBody = members.front().getBody();
  }
  auto sorted = llvm::dyn_cast<SortedType>(walk->getOperand(0).getType());
  bool canBeInvalid = sorted && sorted.getLayout().lookup("$invalid");
  bool legal = true;
  auto refuse = [&](StringRef why) {
    if (legal)
      reason = why;
    legal = false;
  };
  walk->walk([&](PropertyOp property) {
    if (property.getKind() == PropertyKind::Size)
      refuse("the group's size is used, which a stream of positions does not know");
    if (property.getKind() == PropertyKind::Pos && llvm::isa<GroupType>(property.getRecord().getType()))
      refuse("the group's position is used, which a stream of positions has left behind");
  });
  memberBody->walk([&](Operation *op) {
    if (llvm::isa<LoadRowOp, LoadCellOp>(op) && !isEarlyLoad(op, walk))
      refuse("a member's load has an index that its record alone does not give, or reads what the walk wrote");
    if (canBeInvalid && isStore(op) && !isDecidedByRecord(op, memberBody))
      refuse("a member's store depends on more than its record, which an invalid one of a stream has not");
    if (llvm::isa<LoadRowOp, LoadCellOp>(op) && op->getBlock() != memberBody)
      refuse("a member's load is under a condition");
  });
  return legal;
}
