// Copies of a walk's operations for one position of a flat loop.
#ifndef SDM_LIB_TRANSFORMS_FLATCOPIER_H
#define SDM_LIB_TRANSFORMS_FLATCOPIER_H

#include "lib/Transforms/FlatParts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::sdm {

/// One position of a unit, or in a lane of its own at the unit's end.
struct Position {
  Value pos;
  Value unit;            // where its unit begins; null where it is a lane's own position
  Value isIn;            // in the tile; null: known to be
  Value invalid;         // null: known to be valid
  int64_t number = 0;    // in its unit
  Value begins, ends;    // a valid group's first or last record in the tile; null in a walk without groups
  bool isSingle = false; // known to be a valid group of one member
  llvm::StringMap<Value> fields;
  IRMapping heads; // what was read at the head of the position
};

/// What flattening a walk needs of its operations, position by position.
class FlatCopier {
protected:
  explicit FlatCopier(Operation *walk);

  bool hasGroups() const { return static_cast<bool>(parts.members); }
  Value constant(int64_t value) { return arith::ConstantIntOp::create(builder, loc, value, 32); }
  Value truth(bool value) { return arith::ConstantIntOp::create(builder, loc, value, 1); }
  Value both(Value a, Value b) { return a && b ? arith::AndIOp::create(builder, loc, a, b).getResult() : (a ? a : b); }
  Value negate(Value a) { return arith::XOrIOp::create(builder, loc, a, truth(true)); }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  Value zeroOf(Type type) { return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type)); }

  /// The position's record; `plus`: how far behind the unit's first one it lies, where that is known.
  Value peek(Position &at, StringRef name);
  void read(Position &at);
  /// Flags of a group's edges, then every row and cell that a member reads; rows that come ahead are asked for
  /// here, also a group's.
  Position openHead(Value k, int64_t number);
  SmallVector<Value> indicesAt(OperandRange indices, Position &at, IRMapping &mapping);
  Value sliceOf(LoadRowOp load);
  /// A row that comes ahead is asked for at its position's head.
  void askFor(Operation *op, Position &at, Value mask);
  /// The index, or the slab's last row (the first, of an empty slab) where the slab has no such row: a resident row is
  /// taken for every position, and records that do not count may name anything.
  Value inSlab(LoadRowOp load, Value index);
  /// What a member reads. Memory that is not resident is touched for records that count only.
  void readMember(Operation *op, Position &at, Value counts);
  /// The value at a position. What is cheap is made again there.
  Value get(Value value, Position &at, IRMapping &mapping);
  Value getProperty(PropertyOp property, Position &at);
  Operation *copyPlain(Operation &op, Position &at, IRMapping &mapping);
  void copyOp(Operation &op, Position &at, IRMapping &mapping, bool ofMember);
  /// An invalid record's store writes +0; a position outside the tile stores nothing.
  void copyMemberStore(Operation &op, Position &at, IRMapping &mapping);
  void copyNested(Operation &op, Position &at, IRMapping &mapping, bool ofMember);

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
};

} // namespace mlir::sdm

#endif // SDM_LIB_TRANSFORMS_FLATCOPIER_H
