// A unit loop as one continuous pipeline: records in a circular buffer, rows asked for some units ahead.
#ifndef SDM_LIB_TRANSFORMS_UNITPIPELINE_H
#define SDM_LIB_TRANSFORMS_UNITPIPELINE_H

#include "lib/Transforms/BulkRings.h"
#include "lib/Transforms/HeldRows.h"

namespace mlir::sdm {

/// The pipeline of a function's unit loop; false where it has none.
class UnitPipeline {
public:
  UnitPipeline(func::FuncOp function, TileOp tile);

  explicit operator bool() const { return static_cast<bool>(loop); }
  scf::ForOp getLoop() { return loop; }
  /// Null in a walk over rows.
  RecordsOp getRecords();

  /// Waits for the first two batches of records, where they are read or trimmed first.
  void waitForRecords();
  /// A hint for the rows of the first unit: lane l asks for those of its position l.
  void prefetchFirst(OpBuilder &builder);
  /// The rows of the units in front of the first that the loop itself asks for.
  void issueFirst(OpBuilder &builder);
  /// Moves the loop's row loads ahead and its fetches into the buffer.
  void pipelineLoop();

private:
  Value constant(OpBuilder &builder, int64_t value);
  /// Starts the copies of the unit that begins at `k` into stage `stage` of the rings.
  void issueUnit(OpBuilder &builder, Value k, Value stage);
  void issueWhereMore(OpBuilder &builder, Value k, Value stage);
  void takeInstead(UnitLoad &load, Value stage);
  /// The number of the unit that lies so many behind the one that begins at `k`.
  Value numberOf(OpBuilder &builder, Value k, int64_t ahead);
  Value stageOf(OpBuilder &builder, Value number);
  /// The first operation of the loop that holds a read of a ring, else the loop's end.
  Operation *firstTake();

  scf::ForOp loop;
  TileOp tile;
  Location loc;
  int64_t unit = 1, depth = 1;
  SmallVector<UnitLoad> loads; // through rings
  BulkRings bulk;
  HeldRows held;
  Value buffer;
};

} // namespace mlir::sdm

#endif // SDM_LIB_TRANSFORMS_UNITPIPELINE_H
