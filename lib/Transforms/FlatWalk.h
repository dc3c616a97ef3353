// The flat form of a walk: one stream of positions in units, group edges under masks.
#ifndef SDM_LIB_TRANSFORMS_FLATWALK_H
#define SDM_LIB_TRANSFORMS_FLATWALK_H

#include "dialect/SdmOps.h"

namespace mlir::sdm {

/// Marks a unit loop; its value is the number of positions of a unit.
constexpr llvm::StringLiteral kUnitAttr = "sdm.unit";
/// Marks a unit loop: units that rows are under way.
constexpr llvm::StringLiteral kDepthAttr = "sdm.depth";

/// On a load that comes ahead: which position of its unit it belongs to.
constexpr llvm::StringLiteral kPositionAttr = "sdm.position";

/// Whether a walk may take the flat form; otherwise `reason` says why not.
bool canBeFlat(Operation *walk, std::string &reason);

/// Replaces a walk that is planned flat by its unit loop.
void flattenWalk(Operation *walk);

} // namespace mlir::sdm

#endif // SDM_LIB_TRANSFORMS_FLATWALK_H
