// Rows that the copy engine brings into rings.
#ifndef SDM_LIB_TRANSFORMS_BULKRINGS_H
#define SDM_LIB_TRANSFORMS_BULKRINGS_H

#include "lib/Transforms/UnitLoads.h"

namespace mlir::sdm {

/// The loads of a unit loop whose rings are filled by bulk copies.
class BulkRings {
public:
  BulkRings() = default;
  BulkRings(scf::ForOp loop, int64_t unit, int64_t depth);

  bool empty() const { return loads.empty(); }
  MutableArrayRef<UnitLoad> getLoads() { return loads; }
  ArrayRef<UnitLoad> getLoads() const { return loads; }
  /// The barriers of the stages, in front of the loop; the warp meets before they are used.
  void makeBarriers(OpBuilder &builder);
  /// Starts the copies of unit number `number` (i32), which begins at `k`.
  void issue(OpBuilder &builder, scf::ForOp loop, Value k, Value number);
  /// Waits for the rows of a unit.
  void wait(OpBuilder &builder, Value number);

private:
  Value constant(OpBuilder &builder, int64_t value);
  Value barrierOf(OpBuilder &builder, Value number);

  LocationAttr loc;
  int64_t unit = 1, depth = 1;
  SmallVector<UnitLoad> loads;
  Value barriers; // address of the first
};

} // namespace mlir::sdm

#endif // SDM_LIB_TRANSFORMS_BULKRINGS_H
