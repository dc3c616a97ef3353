// RUN: sdm-opt %source/kernels/gds.mlir --sdm-to-host-pipeline | FileCheck %s
// RUN: sed -e 's/x128xbf16/x260xbf16/g; s/x128xf32/x260xf32/g; s/vector<1x260/vector<3x88/g; s/width = 128/width = 260/' %source/kernels/gds.mlir \
// RUN:   | sdm-opt --sdm-to-host-pipeline | FileCheck %s --check-prefixes=CHECK,SPLIT

// The mover becomes host entries: the walk, and where a row has several slices the walk that adds the planes.
// CHECK-LABEL: llvm.func @gds_0(
// CHECK-SAME: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64)
// CHECK-NOT: {{unrealized|sdm\.|fptrunc|fmuladd}}
// SPLIT-LABEL: llvm.func @gds_1(
// SPLIT: llvm.fadd
