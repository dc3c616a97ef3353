// Equal reductions are one; operands of a dot are never exchanged and no order is changed.
// RUN: sdm-opt %s --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @same(
// CHECK-SAME: %[[X:.*]]: vector<1x128xf32>, %[[M:.*]]: vector<1x128xf32>
func.func @same(%x: vector<1x128xf32>, %m: vector<1x128xf32>) -> (f32, f32, f32) {
  // CHECK: %[[A:.*]] = sdm.dot %[[X]], %[[M]]
  // CHECK: %[[B:.*]] = sdm.dot %[[M]], %[[X]]
  // CHECK-NOT: sdm.dot
  // CHECK: return %[[A]], %[[A]], %[[B]]
  %a = sdm.dot %x, %m {width = 128 : i64} : vector<1x128xf32>
  %b = sdm.dot %x, %m {width = 128 : i64} : vector<1x128xf32>
  %c = sdm.dot %m, %x {width = 128 : i64} : vector<1x128xf32>
  return %a, %b, %c : f32, f32, f32
}

// CHECK-LABEL: func.func @unused(
// CHECK-NEXT: return
func.func @unused(%x: vector<1x128xf32>) {
  %a = sdm.reduce max %x {width = 128 : i64} : vector<1x128xf32>
  return
}

// A sum of zeros stays a sum: -0 + +0 is +0.
// CHECK-LABEL: func.func @zeros(
// CHECK: sdm.reduce sum
func.func @zeros() -> f32 {
  %z = arith.constant dense<-0.0> : vector<1x128xf32>
  %a = sdm.reduce sum %z {width = 128 : i64} : vector<1x128xf32>
  return %a : f32
}
