// A warp's own shared memory: its records and its rings.
#ifndef SDM_LIB_TRANSFORMS_LOWERWARPCOPIES_H
#define SDM_LIB_TRANSFORMS_LOWERWARPCOPIES_H

#include "dialect/SdmOps.h"

namespace mlir::sdm {

/// Bytes in front of every warp's area: barriers.
constexpr int64_t kBarrierBytes = 128;
/// On a function: bytes of shared memory in front of its slabs.
constexpr llvm::StringLiteral kSharedBaseAttr = "sdm.shared_base";

/// Lowers records, refills, rings and issues to copies at shared addresses. Returns the bytes of all warps' areas.
int64_t lowerWarpCopies(func::FuncOp function, int64_t warps);

} // namespace mlir::sdm

#endif // SDM_LIB_TRANSFORMS_LOWERWARPCOPIES_H
