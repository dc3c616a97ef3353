//===- SdmOps.td - every op of the dialect, by family ---------------------===//
#ifndef SDM_OPS_TD
#define SDM_OPS_TD

include "dialect/SdmWalkOps.td"
include "dialect/SdmAccessOps.td"
include "dialect/SdmReductionOps.td"
include "dialect/SdmTileOps.td"
include "dialect/SdmLaneOps.td"
include "dialect/SdmCopyOps.td"

#endif // SDM_OPS_TD
