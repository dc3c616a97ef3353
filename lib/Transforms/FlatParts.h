// A walk's body, taken apart for the flat form: what belongs to a group's begin, to a member, to a group's end.
#ifndef SDM_LIB_TRANSFORMS_FLATPARTS_H
#define SDM_LIB_TRANSFORMS_FLATPARTS_H

#include "dialect/SdmOps.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::sdm {

/// A reduction of a member whose only use is one store: its partials wait for the unit's end.
struct BatchedReduction {
  Operation *reduction; // sdm.dot or sdm.reduce
  StoreCellOp store;
};

/// In a walk over records or rows everything belongs to the member.
struct FlatParts {
  Operation *walk = nullptr;
  MembersOp members;              // null in a walk over records or rows
  SmallVector<Operation *> begin; // what a group does before its members and must not do again
  SmallVector<Operation *> member;
  SmallVector<Operation *> end;
  llvm::SetVector<Value> beginValues; // made at a group's begin, used by its members or its end
  SmallVector<BatchedReduction> batched;
  llvm::SetVector<StringRef> fields;          // of the record that are read anywhere
  llvm::SmallPtrSet<Operation *, 16> skipped; // batched reductions and their stores

  /// Whether a value can be had again wherever it is needed: a constant, the key, the chunk, arithmetic on those.
  bool isCheap(Value value) const;
};

FlatParts takeApart(Operation *walk);

/// Whether a member's value is made of its record, and of cells that are zeros where the record does not count.
bool isGivenByRecord(Value value);

} // namespace mlir::sdm

#endif // SDM_LIB_TRANSFORMS_FLATPARTS_H
