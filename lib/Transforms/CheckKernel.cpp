// sdm-check-kernel: what makes every schedule of a kernel give the same bits.
#include "lib/Transforms/KernelBody.h"
#include "lib/Transforms/Passes.h"
#include "lib/Transforms/Places.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"

namespace mlir::sdm {
#define GEN_PASS_DEF_CHECKKERNEL
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::sdm

using namespace mlir;
using namespace mlir::sdm;

namespace {

/// How a store names its place: which index carries the identity of its group, member or row.
struct Writer {
  SmallVector<unsigned> identity; // axes that no other group, member or row of the chunk has in common
  bool perChunk = false;          // the identity is counted within a chunk
  bool hasChunk = false;          // an index is the chunk
};

LayoutAttr layoutOf(Operation *walk) {
  if (auto groups = llvm::dyn_cast<WalkOp>(walk))
    return groups.getRecords().getType().getLayout();
  if (auto records = llvm::dyn_cast<EachRecordOp>(walk))
    return records.getRecords().getType().getLayout();
  return {};
}

/// The indices of a store in the language's words: "the key, field 'at'".
std::string describe(OperandRange indices) {
  if (indices.empty())
    return "no index";
  auto word = [](Value index) -> std::string {
    Index origin = classifyIndex(index);
    switch (origin.place) {
    case Place::Key:
      return "the group's key";
    case Place::Ordinal:
      return "the group's index";
    case Place::GroupPos:
      return "the group's pos";
    case Place::Chunk:
      return "the chunk";
    case Place::MemberIndex:
      return "the member's index";
    case Place::MemberPos:
      return "the member's pos";
    case Place::Field:
      return "field '" + origin.field.str() + "'";
    case Place::Row:
      return "the walk's row";
    case Place::Launch:
      return "a value that is the same in the whole launch";
    case Place::Other:
      return "a computed index";
    }
    llvm_unreachable("every place is handled");
  };
  return llvm::join(llvm::map_range(indices, word), ", ");
}

/// The identity that a store at a group's level, or at a row's, has: its key, its ordinal, its row.
Writer groupWriter(OperandRange indices) {
  Writer writer;
  for (auto [axis, index] : llvm::enumerate(indices)) {
    Place place = classifyIndex(index).place;
    writer.hasChunk |= place == Place::Chunk;
    if (!writer.identity.empty())
      continue;
    if (place == Place::Key || place == Place::Row)
      writer.identity = {static_cast<unsigned>(axis)};
    if (place == Place::Ordinal) {
      writer.identity = {static_cast<unsigned>(axis)};
      writer.perChunk = true;
    }
  }
  return writer;
}

/// The identity that a member's store has: a position, or all unique fields together.
Writer memberWriter(OperandRange indices, LayoutAttr layout) {
  Writer writer;
  writer.perChunk = true;
  SmallVector<unsigned> uniqueAxes;
  llvm::SmallSet<StringRef, 4> seen;
  for (auto [axis, index] : llvm::enumerate(indices)) {
    Index origin = classifyIndex(index);
    writer.hasChunk |= origin.place == Place::Chunk;
    if (origin.place == Place::MemberIndex || origin.place == Place::MemberPos) {
      writer.identity = {static_cast<unsigned>(axis)};
      return writer;
    }
    if (!origin.field.empty() && layout.isUnique(origin.field) && seen.insert(origin.field).second)
      uniqueAxes.push_back(axis);
  }
  if (!layout.getUnique().empty() && seen.size() == layout.getUnique().size())
    writer.identity = uniqueAxes;
  return writer;
}

/// Members of one group.
bool areMembers(Value a, Value b) {
  auto loopOf = [](Value value) {
    bool handle = llvm::isa<MemberType>(value.getType());
    return llvm::dyn_cast_or_null<MembersOp>(handle ? getRecordOwner(value) : nullptr);
  };
  MembersOp x = loopOf(a), y = loopOf(b);
  return x && y && x.getGroup() == y.getGroup();
}

struct KernelCheck {
  func::FuncOp kernel;
  bool failed = false;
  bool oneChunk = false;

  InFlightDiagnostic error(Operation *op) {
    failed = true;
    return op->emitError();
  }

  void checkArithmetic(Operation *op) {
    if (auto flags = llvm::dyn_cast<arith::ArithFastMathInterface>(op))
      if (flags.getFastMathFlagsAttr() && flags.getFastMathFlagsAttr().getValue() != arith::FastMathFlags::none)
        error(op) << "expected arithmetic without fast-math flags (every schedule gives the same bits), got "
                  << op->getName();
  }

  /// The chunk need not be an index where the list's own place names no chunk, if a launch has one.
  void checkWriter(Operation *store, const Writer &writer, StringRef allowed) {
    if (writer.identity.empty()) {
      error(store) << "expected a store " << allowed << " (one writer for every place), got "
                   << describe(indicesOf(store));
      return;
    }
    if (writer.perChunk && !writer.hasChunk)
      oneChunk = true;
  }

  void checkWalk(Operation *walk) {
    llvm::MapVector<Value, SmallVector<Operation *>> stores;
    walk->walk([&](Operation *op) {
      checkArithmetic(op);
      if (isStore(op))
        stores[operandOf(op)].push_back(op);
    });
    LayoutAttr layout = layoutOf(walk);
    for (auto &[operand, ops] : stores) {
      for (Operation *store : ops) {
        if (isMemberLevel(store))
          checkWriter(store, memberWriter(indicesOf(store), layout),
                      "at the member's index or pos, or at all its unique fields");
        else
          checkWriter(store, groupWriter(indicesOf(store)),
                      llvm::isa<EachRowOp>(walk) ? "at the walk's row" : "at the group's key or index");
      }
      checkOnePlace(walk, operand, ops);
    }
  }

  /// Everything that touches a written operand touches it at one and the same place.
  void checkOnePlace(Operation *walk, Value operand, ArrayRef<Operation *> stores) {
    Operation *first = stores.front();
    walk->walk([&](Operation *op) {
      if (op == first || operandOf(op) != operand)
        return;
      bool sameLevel = isMemberLevel(op) == isMemberLevel(first);
      bool samePlace = llvm::all_of(llvm::zip(indicesOf(op), indicesOf(first)),
                                    [](auto pair) { return sameIndex(std::get<0>(pair), std::get<1>(pair)); });
      if (!sameLevel || !samePlace)
        error(op) << "expected a written operand to be read and written only at the place of its first store "
                     "(one writer for every place), got another place";
    });
  }

  /// The same value, or two values that are the same field or property of one record, or of the members of one group in
  /// two loops: a group's places are its own, and one warp goes through it.
  static bool sameIndex(Value a, Value b) {
    if (a == b || areMembers(a, b))
      return true;
    Operation *x = a.getDefiningOp(), *y = b.getDefiningOp();
    return x && y && isMemoryEffectFree(x) && isMemoryEffectFree(y) && x->getNumRegions() == 0 &&
           OperationEquivalence::isEquivalentTo(
               x, y, [](Value v, Value w) { return success(sameIndex(v, w)); }, [](Value, Value) {},
               OperationEquivalence::IgnoreLocations);
  }
};

/// A function that is no kernel would be passed by.
LogicalResult checkNoWalks(func::FuncOp function) {
  WalkResult result = function.walk([](Operation *op) {
    if (!isWalk(op))
      return WalkResult::advance();
    op->emitError() << "expected a walk in a function with '" << kKernelAttr
                    << "' (only kernels are launched), got one "
                    << "in a function without";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

struct CheckKernelPass : sdm::impl::CheckKernelBase<CheckKernelPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!kernel->hasAttr(kKernelAttr)) {
        if (failed(checkNoWalks(kernel)))
          return signalPassFailure();
        continue;
      }
      KernelCheck check{kernel};
      check.failed = failed(checkKernelBody(kernel));
      kernel.walk([&](Operation *op) {
        if (isWalk(op))
          check.checkWalk(op);
      });
      if (check.failed)
        return signalPassFailure();
      if (check.oneChunk)
        kernel->setAttr("sdm.one_chunk", UnitAttr::get(&getContext()));
    }
  }
};

} // namespace
