// The loads of a unit loop that come ahead of their positions.
#ifndef SDM_LIB_TRANSFORMS_UNITLOADS_H
#define SDM_LIB_TRANSFORMS_UNITLOADS_H

#include "dialect/SdmOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::sdm {

/// A load that comes ahead, at one position of the unit.
struct UnitLoad {
  LoadRowOp op;
  int64_t position;
  Value ring; // null where it has none
};

/// The loop's loads of one placement, by position.
SmallVector<UnitLoad> findUnitLoads(scf::ForOp loop, Placement placement);

/// The value as it is in another iteration: `mapping` says where the loop's variable is then, and learns what was made
/// again.
Value inIteration(OpBuilder &builder, scf::ForOp loop, Value value, IRMapping &mapping);

/// What a load asks for in another iteration.
struct Asked {
  SmallVector<Value> indices;
  Value mask;
};
Asked askedIn(OpBuilder &builder, scf::ForOp loop, LoadRowOp load, IRMapping &mapping);

/// The rows that one position asks for through rings, side by side.
struct AskedRows {
  SmallVector<Value> rows, indices, rings, masks;
  SmallVector<int64_t> counts; // indices of each row
  Value slice;

  void add(const UnitLoad &load, const Asked &asked);
};

} // namespace mlir::sdm

#endif // SDM_LIB_TRANSFORMS_UNITLOADS_H
