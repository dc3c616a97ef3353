// Where an index comes from: what the legality rules are stated in.
#ifndef SDM_LIB_TRANSFORMS_PLACES_H
#define SDM_LIB_TRANSFORMS_PLACES_H

#include "dialect/SdmOps.h"

namespace mlir::sdm {

/// The origin of one index.
enum class Place {
  Key,         // the group's key
  Ordinal,     // which group of its chunk
  GroupPos,    // the position of the group's first record
  Chunk,       // the chunk's number
  MemberIndex, // the position in the unsorted list
  MemberPos,   // the sorted position
  Field,       // a field of the record; `field` names it
  Row,         // the row of a walk over rows
  Launch,      // a constant, an argument of the kernel, or the slice of a CTA
  Other,       // anything computed from these, or loaded
};

struct Index {
  Place place;
  StringRef field;
};

Index classifyIndex(Value value);

/// One value, or two that are computed alike: constants and extents are the same wherever they are written.
bool isSameScalar(Value a, Value b);

/// A store of a row or a cell.
bool isStore(Operation *op);
/// The indices of a load or a store of a row or a cell.
OperandRange indicesOf(Operation *op);
/// What it loads from or stores to; null for other operations.
Value operandOf(Operation *op);
/// Whether an operation computes its results from its operands alone, without memory, records or lanes.
bool isArithmetic(Operation *op);

/// A walk over groups, records or rows.
bool isWalk(Operation *op);
/// The walk that holds an operation of a kernel.
Operation *getWalk(Operation *op);
/// Whether the operation belongs to a member: inside a member loop, or in a walk over records.
bool isMemberLevel(Operation *op);
/// Whether an index can be computed ahead of the walk: from record fields, key, chunk, positions and launch scalars.
bool isEarlyIndex(Value value);
/// Whether a load may be staged for the CTA: all indices but the last are the chunk or launch scalars, the walk does
/// not write the operand.
bool canBeResident(LoadRowOp load);
/// Whether a row can be asked for ahead of its walk: early indices, and no store to the operand before it.
bool isEarly(LoadRowOp load);
/// Whether the load is asked for units ahead of its position, and waits there.
bool comesAhead(LoadRowOp load);
/// Whether a row may come through a ring: early, and of pieces that an asynchronous copy moves.
bool canBeRing(LoadRowOp load);
/// Whether the copy engine may fill the row's ring.
bool canBeBulk(LoadRowOp load);
/// Whether the walk writes the operand.
bool isWritten(Operation *walk, Value operand);

/// Columns of the rows that a walk computes with; 0 where it has none, nothing where it has several widths.
std::optional<int64_t> getRowWidth(Operation *walk);

/// Whether the slices of this walk's rows may be computed apart: every reduction's only use is an unconditional plain
/// store to a cell that the walk does not read. Otherwise `reason` says why not.
bool canSplit(Operation *walk, std::string &reason);

} // namespace mlir::sdm

#endif // SDM_LIB_TRANSFORMS_PLACES_H
