// Rows of fp8 and int4 are planned and staged as others are: bytes move, lanes take numbers. 132 columns of i4 are slices of 34 and 32 bytes,
// which no copy moves.
// RUN: sdm-opt %S/../Target/Inputs/quantized.mlir --pass-pipeline='builtin.module(sdm-plan-rows{chip=sm_90 extents=3:0:64})' | FileCheck %s --check-prefix=PLAN
// RUN: sed -e 's/vector<1x128xf8E4M3FN>/vector<1x128xi8>/g; s/128xf8E4M3FN/128xi4/g; s/arith.extf \(.*\)i8/arith.sitofp \1i8/' %S/../Target/Inputs/quantized.mlir | sdm-opt --pass-pipeline='builtin.module(sdm-to-lanes-pipeline{chip=sm_80 extents=3:0:64})' | FileCheck %s --check-prefix=LANES
// RUN: sed -e 's/vector<1x128xf8E4M3FN>/vector<2x68xi8>/g; s/128xf8E4M3FN/132xi4/g; s/arith.extf \(.*\)i8/arith.sitofp \1i8/; s/1x128x/2x68x/g; s/x128x/x132x/g; s/width = 128/width = 132/' %S/../Target/Inputs/quantized.mlir | sdm-opt --pass-pipeline='builtin.module(sdm-plan-rows{chip=sm_90 extents=3:0:64})' | FileCheck %s --check-prefix=DIRECT

// PLAN-LABEL: func.func @fold(
// PLAN: sdm.load_row %{{.*}} placed ring : <?x128xf8E4M3FN>
// PLAN: sdm.load_row %{{.*}} placed resident : <?x128xf8E4M3FN>

// A row of the ring or the slab is 64 bytes: 4 pieces of a copy.
// LANES-LABEL: func.func @fold_0(
// LANES: sdm.copy_async {{.*}} {bytes = 16 : i64} : <?x128xi4>
// LANES: sdm.copy_shared {{.*}} {bytes = 16 : i64, {{.*}}pieces = array<i64: 4>
// LANES-DAG: sdm.take_piece %{{.*}} {width = 128 : i64} : <1x128xi4>[i32] -> vector<1x4xi8>

// DIRECT-LABEL: func.func @fold(
// DIRECT-NOT: placed {{ring|resident}}
// DIRECT: return
