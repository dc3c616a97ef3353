// A warp's own shared memory: its records and its rings.
#ifndef SDM_LIB_TRANSFORMS_LOWERWARPCOPIES_H
#define SDM_LIB_TRANSFORMS_LOWERWARPCOPIES_H

#include "dialect/SdmOps.h"
#include "dialect/Slices.h"

namespace mlir::sdm {

/// Bytes in front of every warp's area: barriers.
constexpr int64_t kBarrierBytes = 128;
/// Bytes of a warp's barriers, one for each stage of its rings.
inline int64_t ringBarrierBytes(int64_t stages) { return llvm::alignTo(stages * kBarrierStep, kBulkBytes); }
/// On a function: bytes of shared memory in front of its slabs.
constexpr llvm::StringLiteral kSharedBaseAttr = "sdm.shared_base";

/// Lowers records, refills, rings, their barriers and issues to copies at shared addresses. Returns the bytes of all
/// warps' areas.
int64_t lowerWarpCopies(func::FuncOp function, int64_t warps);

} // namespace mlir::sdm

#endif // SDM_LIB_TRANSFORMS_LOWERWARPCOPIES_H
