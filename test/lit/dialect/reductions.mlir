// Dot products and reductions: printed as written, whole and of one slice.
// RUN: sdm-opt %s | sdm-opt | FileCheck %s
// RUN: sdm-opt %s --mlir-print-op-generic | sdm-opt | FileCheck %s

// CHECK-LABEL: func.func @reductions(
// CHECK-SAME: %[[X:.*]]: vector<1x128xf32>, %[[W:.*]]: vector<3x88xf32>, %[[P:.*]]: vector<1x88xf32>, %[[S:.*]]: i32
func.func @reductions(%x: vector<1x128xf32>, %w: vector<3x88xf32>, %p: vector<1x88xf32>, %s: i32) {
  // CHECK: sdm.dot %[[X]], %[[X]] {width = 128 : i64} : vector<1x128xf32>
  %a = sdm.dot %x, %x {width = 128 : i64} : vector<1x128xf32>
  // CHECK: sdm.dot %[[W]], %[[W]] {width = 260 : i64} : vector<3x88xf32>
  %b = sdm.dot %w, %w {width = 260 : i64} : vector<3x88xf32>
  // CHECK: sdm.dot %[[P]], %[[P]] slice %[[S]] {width = 260 : i64} : vector<1x88xf32>
  %c = sdm.dot %p, %p slice %s {width = 260 : i64} : vector<1x88xf32>
  // CHECK: sdm.reduce sum %[[X]] {width = 128 : i64} : vector<1x128xf32>
  %d = sdm.reduce sum %x {width = 128 : i64} : vector<1x128xf32>
  // CHECK: sdm.reduce max %[[W]] {width = 260 : i64} : vector<3x88xf32>
  %e = sdm.reduce max %w {width = 260 : i64} : vector<3x88xf32>
  // CHECK: sdm.reduce min %[[P]] slice %[[S]] {width = 260 : i64} : vector<1x88xf32>
  %f = sdm.reduce min %p slice %s {width = 260 : i64} : vector<1x88xf32>
  // CHECK: sdm.reduce amax %[[X]] {width = 128 : i64} : vector<1x128xf32>
  %g = sdm.reduce amax %x {width = 128 : i64} : vector<1x128xf32>
  return
}
