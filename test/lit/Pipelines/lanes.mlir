// RUN: sdm-opt %source/kernels/gds.mlir --sdm-to-lanes-pipeline="chip=sm_80 extents=2:1:16" | FileCheck %s
// RUN: sdm-opt %source/kernels/gds.mlir --sdm-to-lanes-pipeline="chip=sm_90 extents=2:1:16" | FileCheck %s --check-prefixes=CHECK,BULK
// RUN: sdm-opt %source/kernels/gds.mlir --sdm-to-lanes-pipeline="chip=sm_90 schedule=nest" | FileCheck %s --check-prefix=NEST

// What the interpreter takes: one lane's program, copies and barriers as the chip has them, no operation on whole rows.
// CHECK-LABEL: func.func @gds_0(
// CHECK-NOT: sdm.{{load_row|store_row|stage|publish|issue|butterfly|dot}}
// BULK: sdm.copy_bulk
// CHECK: sdm.take_piece
// CHECK-NOT: nvvm.

// NEST-LABEL: func.func @gds_0(
// NEST-NOT: sdm.copy
// NEST: sdm.load_piece
