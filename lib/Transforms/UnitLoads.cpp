// The loads of a unit loop that come ahead of their positions, and what they ask for in another iteration.
#include "lib/Transforms/UnitLoads.h"
#include "lib/Transforms/FlatWalk.h"

using namespace mlir;
using namespace mlir::sdm;

SmallVector<UnitLoad> mlir::sdm::findUnitLoads(scf::ForOp loop, Placement placement) {
  SmallVector<UnitLoad> loads;
  for (auto load : loop.getBody()->getOps<LoadRowOp>())
    if (load.getPlacement() == placement)
      loads.push_back({load, load->getAttrOfType<IntegerAttr>(kPositionAttr).getInt(), {}});
  return loads;
}

Value mlir::sdm::inIteration(OpBuilder &builder, scf::ForOp loop, Value value, IRMapping &mapping) {
  Operation *def = value.getDefiningOp();
  if (mapping.contains(value))
    return mapping.lookup(value);
  if (!def || !loop->isProperAncestor(def))
    return value;
  for (Value operand : def->getOperands())
    if (!mapping.contains(operand))
      mapping.map(operand, inIteration(builder, loop, operand, mapping));
  builder.clone(*def, mapping);
  return mapping.lookup(value);
}

Asked mlir::sdm::askedIn(OpBuilder &builder, scf::ForOp loop, LoadRowOp load, IRMapping &mapping) {
  Asked asked;
  for (Value index : load.getIndices())
    asked.indices.push_back(inIteration(builder, loop, index, mapping));
  asked.mask = inIteration(builder, loop, load.getMask(), mapping);
  return asked;
}

void AskedRows::add(const UnitLoad &load, const Asked &asked) {
  LoadRowOp op = load.op;
  rows.push_back(op.getRows());
  llvm::append_range(indices, asked.indices);
  counts.push_back(asked.indices.size());
  rings.push_back(load.ring);
  masks.push_back(asked.mask);
  slice = op.getSlice();
}
