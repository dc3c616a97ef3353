// Copies, barriers and lanes: printed as written.
// RUN: sdm-opt %s | sdm-opt | FileCheck %s
// RUN: sdm-opt %s --mlir-print-op-generic | sdm-opt | FileCheck %s

// CHECK-LABEL: func.func @copies(
// CHECK-SAME: %[[X:.*]]: !sdm.rows<?x?x128xf32>, %[[I:.*]]: i32, %[[BYTES:.*]]: i32, %[[V:.*]]: f32
func.func @copies(%x: !sdm.rows<?x?x128xf32>, %i: i32, %bytes: i32, %v: f32) {
  // CHECK: %[[BARRIER:.*]] = sdm.shared %[[I]]
  %barrier = sdm.shared %i
  // CHECK: sdm.slab_at %[[BARRIER]] : <1x128xf32>
  %slab = sdm.slab_at %barrier : !sdm.slab<1x128xf32>
  // CHECK: sdm.copy_async %[[X]][%[[I]], %[[I]]] at %[[BYTES]] to %[[BARRIER]] {bytes = 16 : i64} : <?x?x128xf32>[i32, i32]
  sdm.copy_async %x[%i, %i] at %bytes to %barrier {bytes = 16 : i64} : !sdm.rows<?x?x128xf32> [i32, i32]
  // CHECK: sdm.commit
  sdm.commit
  // CHECK: sdm.wait_group 1
  sdm.wait_group 1
  // CHECK: sdm.barrier_init %[[BARRIER]]
  sdm.barrier_init %barrier
  // CHECK: sdm.barrier_init %[[BARRIER]] arrivals 4
  sdm.barrier_init %barrier arrivals 4
  // CHECK: sdm.expect_tx %[[BARRIER]], %[[BYTES]]
  sdm.expect_tx %barrier, %bytes
  // CHECK: sdm.copy_bulk %[[X]][%[[I]], %[[I]]] at %[[I]] to %[[BARRIER]] bytes %[[BYTES]] reports %[[BARRIER]] : <?x?x128xf32>[i32, i32]
  sdm.copy_bulk %x[%i, %i] at %i to %barrier bytes %bytes reports %barrier : !sdm.rows<?x?x128xf32> [i32, i32]
  // CHECK: sdm.wait_parity %[[BARRIER]], %[[I]]
  sdm.wait_parity %barrier, %i
  // CHECK: sdm.cta_barrier
  sdm.cta_barrier
  // CHECK: sdm.warp_barrier
  sdm.warp_barrier
  // CHECK: sdm.lane
  %lane = sdm.lane
  // CHECK: sdm.warp
  %warp = sdm.warp
  // CHECK: sdm.exchange %[[V]], 16
  %e = sdm.exchange %v, 16
  return
}
