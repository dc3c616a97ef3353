// Rows that wait in registers.
#ifndef SDM_LIB_TRANSFORMS_HELDROWS_H
#define SDM_LIB_TRANSFORMS_HELDROWS_H

#include "lib/Transforms/UnitLoads.h"

namespace mlir::sdm {

/// The loads of a unit loop whose rows are its values: those of the D - 1 units under way.
class HeldRows {
public:
  HeldRows() = default;
  HeldRows(scf::ForOp loop, int64_t depth);

  ArrayRef<UnitLoad> getLoads() const { return loads; }
  /// Loads the rows of the units in front of the first that the loop itself loads.
  void loadFirst(OpBuilder &builder, int64_t unit);
  /// The loop with those rows among its values; the loop that was given is gone.
  scf::ForOp carry();
  /// Loads the rows of the unit that begins at `k`, the last under way, and hands out this unit's.
  void loadAhead(OpBuilder &builder, Value k);

private:
  SmallVector<Value> loadUnit(OpBuilder &builder, Value k);

  scf::ForOp loop;
  int64_t depth = 1;
  SmallVector<UnitLoad> loads;
  SmallVector<Value> first; // unit by unit
};

} // namespace mlir::sdm

#endif // SDM_LIB_TRANSFORMS_HELDROWS_H
