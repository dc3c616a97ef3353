// Copies, waits and barriers stay, each in its place; addresses and exchanges that nobody uses go.
// RUN: sdm-opt %s --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @kept(
// CHECK-SAME: %[[X:.*]]: !sdm.rows<?x128xf32>, %[[I:.*]]: i32
// CHECK-NEXT: %[[BASE:.*]] = sdm.shared %[[I]]
// CHECK-NEXT: sdm.copy_async %{{.*}} to %[[BASE]]
// CHECK-NEXT: sdm.copy_async %{{.*}} to %[[BASE]]
// CHECK-NEXT: sdm.commit
// CHECK-NEXT: sdm.commit
// CHECK-NEXT: sdm.wait_group 0
// CHECK-NEXT: sdm.cta_barrier
// CHECK-NEXT: sdm.cta_barrier
// CHECK-NEXT: sdm.warp_barrier
// CHECK-NEXT: return
func.func @kept(%x: !sdm.rows<?x128xf32>, %i: i32, %v: f32) {
  %a = sdm.shared %i
  %b = sdm.shared %i
  sdm.copy_async %x[%i] at %i to %a {bytes = 16 : i64} : !sdm.rows<?x128xf32> [i32]
  sdm.copy_async %x[%i] at %i to %b {bytes = 16 : i64} : !sdm.rows<?x128xf32> [i32]
  sdm.commit
  sdm.commit
  sdm.wait_group 0
  sdm.cta_barrier
  sdm.cta_barrier
  sdm.warp_barrier
  %lane = sdm.lane
  %e = sdm.exchange %v, 1
  return
}
