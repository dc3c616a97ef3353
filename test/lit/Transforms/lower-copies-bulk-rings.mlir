// A warp's rings that bulk copies fill: its barriers lie behind its rings, a lane announces before it copies.
// RUN: sdm-opt %s --pass-pipeline='builtin.module(sdm-lower-copies{chip=sm_90},canonicalize,cse)' | FileCheck %s

// CHECK-LABEL: func.func @rings(
// CHECK-SAME: %[[X:[^:]*]]: !sdm.rows<?x384xbf16>, %[[Y:[^:]*]]: !sdm.rows<?x260xf32>, %[[I:[^:]*]]: i32, %[[S:[^:]*]]: i32, %[[A:[^:]*]]: i1, %[[B:[^:]*]]: i1
// 8 rows of 256 bytes, 8 of 352, then three barriers: 4,896 bytes a warp.
// CHECK-SAME: sdm.shared_base = 19712 : i64
// CHECK-DAG: %[[BYTES:.*]] = arith.constant 256 : i32
// CHECK-DAG: %[[FULL:.*]] = arith.constant 352 : i32
// CHECK-DAG: %[[ROW:.*]] = arith.constant 1040 : i32
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : i32
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : i32
// CHECK: %[[LANE:.*]] = sdm.lane
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[LANE]], %[[C0]] : i32
// CHECK: scf.if %[[FIRST]] {
// CHECK-NEXT: sdm.barrier_init %[[BARRIERS:[0-9a-z_]+]] arrivals 4
// CHECK-COUNT-2: sdm.barrier_init %{{.*}} arrivals 4
// CHECK: }
// CHECK-NEXT: sdm.warp_barrier
// CHECK: %[[MINE:.*]] = arith.cmpi ult, %[[LANE]], %[[C4]] : i32
// CHECK: scf.if %[[MINE]] {
// CHECK: %[[MORE:.*]] = arith.select %[[A]], %[[BYTES]], %[[C0]] : i32
// The last slice of 260 columns is narrower.
// CHECK: %[[REST:.*]] = arith.subi %[[ROW]], %{{.*}} : i32
// CHECK: %[[LEFT:.*]] = arith.minsi %[[REST]], %[[FULL]] : i32
// CHECK: %[[OTHER:.*]] = arith.select %[[B]], %[[LEFT]], %[[C0]] : i32
// CHECK: %[[TOTAL:.*]] = arith.addi %[[MORE]], %[[OTHER]] : i32
// CHECK: sdm.expect_tx %[[BARRIERS]], %[[TOTAL]]
// CHECK: scf.if %[[A]] {
// CHECK: sdm.copy_bulk %[[X]][%[[I]]] at %{{.*}} to %{{.*}} bytes %[[BYTES]] reports %[[BARRIERS]]
// CHECK: scf.if %[[B]] {
// CHECK: sdm.copy_bulk %[[Y]][%[[I]]] at %{{.*}} to %{{.*}} bytes %[[LEFT]] reports %[[BARRIERS]]
// CHECK: sdm.wait_parity %[[BARRIERS]], %[[C0]]
// CHECK-NOT: sdm.{{ring|issue}}
func.func @rings(%x: !sdm.rows<?x384xbf16>, %y: !sdm.rows<?x260xf32>, %i: i32, %s: i32, %a: i1, %b: i1, %out: !sdm.rows<?x384xbf16>)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 3, warps = 4>} {
  %zero = arith.constant 0 : i32
  %first = sdm.ring 8 width 384 : !sdm.slab<1x128xbf16>
  %second = sdm.ring 8 width 260 : !sdm.slab<1x88xf32>
  %barriers = sdm.ring_barriers 3 arrivals 4
  sdm.warp_barrier
  sdm.issue_bulk 4 of %x, %y[%i, %i] slice %s to %first, %second slot %i where %a, %b reports %barriers {index_counts = array<i64: 1, 1>}
    : !sdm.rows<?x384xbf16>, !sdm.rows<?x260xf32> [i32, i32] -> !sdm.slab<1x128xbf16>, !sdm.slab<1x88xf32>
  sdm.wait_parity %barriers, %zero
  %r = sdm.take_piece %first[%i] slice %s {width = 384 : i64} : !sdm.slab<1x128xbf16> [i32] -> vector<1x4xbf16>
  sdm.store_piece %r, %out[%i] slice %s bits : vector<1x4xbf16>, !sdm.rows<?x384xbf16> [i32]
  return
}
