// Staging by what the chip has and what the rows allow; the waits that every warp reaches.
// RUN: sdm-opt %s --pass-pipeline='builtin.module(sdm-lower-copies{chip=sm_90},canonicalize,cse)' | FileCheck %s --check-prefixes=CHECK,BULK
// RUN: sdm-opt %s --pass-pipeline='builtin.module(sdm-lower-copies{chip=sm_103},canonicalize,cse)' | FileCheck %s --check-prefixes=CHECK,BULK
// RUN: sdm-opt %s --pass-pipeline='builtin.module(sdm-lower-copies{chip=sm_80},canonicalize,cse)' | FileCheck %s --check-prefixes=CHECK,PIECES
// RUN: sdm-opt %s --pass-pipeline='builtin.module(sdm-lower-copies{chip=sm_120},canonicalize,cse)' | FileCheck %s --check-prefixes=CHECK,PIECES
// RUN: not sdm-opt %s --pass-pipeline='builtin.module(sdm-lower-copies{chip=sm_1})' 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: expected one of the chips of sm_80, {{.*}}, got 'sm_1'

// PIECES-NOT: sdm.{{copy_bulk|expect_tx|barrier_init|wait_parity}}

// One slab of whole rows of 512 bytes: 4 copies of 16 bytes in flight a lane and row, or one bulk copy: of
// all where the rows lie one behind the other, else of a row.
// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[X:[^:]*]]: !sdm.rows<?x?x128xf32>, %[[C:[^:]*]]: i32
// CHECK-DAG: %[[THREADS:.*]] = arith.constant 256 : i32
// CHECK-DAG: %[[PITCH:.*]] = arith.constant 512 : i32
// CHECK-DAG: %[[FRONT:.*]] = arith.constant 128 : i32
// CHECK: %[[LANE:.*]] = sdm.lane
// CHECK: %[[WARP:.*]] = sdm.warp
// BULK: %[[BEFORE:.*]] = arith.muli %[[LANE]], %{{.*}}
// BULK: %[[THREAD:.*]] = arith.addi %[[BEFORE]], %[[WARP]]
// PIECES: %[[BEFORE:.*]] = arith.muli %[[WARP]], %{{.*}}
// PIECES: %[[THREAD:.*]] = arith.addi %[[BEFORE]], %[[LANE]]
// CHECK: %[[SLAB:.*]] = sdm.shared %[[FRONT]]
// CHECK: sdm.slab_at %[[SLAB]] : <1x128xf32>
// CHECK: %[[ROWS:.*]] = arith.trunci %{{.*}} : i64 to i32
// BULK: %[[TOTAL:.*]] = arith.muli %[[ROWS]], %[[PITCH]]
// BULK: scf.if
// BULK-NEXT: sdm.barrier_init %[[BARRIER:[0-9a-z_]+]]
// BULK: sdm.cta_barrier
// BULK: scf.if
// BULK-NEXT: sdm.expect_tx %[[BARRIER]], %[[TOTAL]]
// BULK: %[[STRIDE:.*]] = sdm.stride %[[X]], 1
// BULK: %[[DENSE:.*]] = arith.cmpi eq, %[[STRIDE]], %{{.*}} : i64
// BULK: %[[BYTES:.*]] = arith.select %[[DENSE]], %[[TOTAL]], %[[PITCH]]
// BULK: %[[ONE:.*]] = arith.minsi %[[ROWS]]
// BULK: %[[COPIES:.*]] = arith.select %[[DENSE]], %[[ONE]], %[[ROWS]]
// BULK: scf.for %[[ROW:.*]] = %[[THREAD]] to %[[COPIES]] step %[[THREADS]]
// BULK-NOT: scf.if
// BULK: sdm.copy_bulk %[[X]][%[[C]], %[[ROW]]] at %{{.*}} to %{{.*}} bytes %[[BYTES]] reports %[[BARRIER]]
// BULK: sdm.wait_parity %[[BARRIER]], %{{.*}}
// PIECES: scf.for %[[PIECE:.*]] = %[[THREAD]] to %{{.*}} step %[[THREADS]]
// PIECES: %[[ROW:.*]] = arith.{{divui|shrui}} %[[PIECE]]
// PIECES: sdm.copy_async %[[X]][%[[C]], %[[ROW]]] at %{{.*}} to %{{.*}} {bytes = 16 : i64}
// PIECES: sdm.commit
// PIECES: sdm.wait_group 0
// PIECES: sdm.cta_barrier
// CHECK-NOT: sdm.{{stage|publish}}
// CHECK: sdm.take
func.func @rows(%x: !sdm.rows<?x?x128xf32>, %c: i32, %out: !sdm.rows<?x128xf32>) attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
  %slab = sdm.stage %x[%c] : !sdm.rows<?x?x128xf32> [i32] -> !sdm.slab<1x128xf32>
  sdm.publish %slab : !sdm.slab<1x128xf32>
  %r = sdm.take %slab[%c] : !sdm.slab<1x128xf32> [i32] -> vector<1x128xf32>
  sdm.store_row %r, %out[%c] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  return
}

// Pieces of 8 bytes, in rows or as the launcher found the operand: no bulk copies on any chip.
// CHECK-LABEL: func.func @narrow_pieces(
// CHECK-NOT: sdm.copy_bulk
// CHECK: sdm.copy_async {{.*}} {bytes = 8 : i64} : <?x132xbf16>
// CHECK-NOT: sdm.copy_bulk
// CHECK: sdm.copy_async {{.*}} {bytes = 4 : i64} : <?x128xf32, piece = 4>
// CHECK: sdm.wait_group 0
// CHECK-NEXT: sdm.cta_barrier
func.func @narrow_pieces(%x: !sdm.rows<?x132xbf16>, %y: !sdm.rows<?x128xf32, piece = 4>, %i: i32, %s: i32) attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
  %a = sdm.stage %x[] slice %s : !sdm.rows<?x132xbf16> -> !sdm.slab<1x68xbf16>
  %b = sdm.stage %y[] : !sdm.rows<?x128xf32, piece = 4> -> !sdm.slab<1x128xf32>
  sdm.publish %a, %b : !sdm.slab<1x68xbf16>, !sdm.slab<1x128xf32>
  return
}

// The last slice of 260 f32 columns is 84 wide: its bytes are asked at run time. The next slab lies behind this one.
// CHECK-LABEL: func.func @slices(
// CHECK-SAME: %[[S:[^:]*]]: i32
// CHECK-DAG: %[[FULL:.*]] = arith.constant 352 : i32
// CHECK-DAG: %[[ROW:.*]] = arith.constant 1040 : i32
// CHECK: %[[START:.*]] = arith.muli %[[S]], %[[FULL]]
// CHECK: %[[REST:.*]] = arith.subi %[[ROW]], %[[START]]
// CHECK: %[[BYTES:.*]] = arith.minsi %[[REST]], %[[FULL]]
// BULK: sdm.copy_bulk %{{.*}} at %[[START]] to %{{.*}} bytes %[[BYTES]]
// BULK: sdm.copy_bulk
// PIECES: %[[IN:.*]] = arith.cmpi slt, %{{.*}}, %[[BYTES]]
// PIECES: scf.if %[[IN]]
func.func @slices(%x: !sdm.rows<?x260xf32>, %s: i32) attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 3, warps = 4>} {
  %a = sdm.stage %x[] slice %s : !sdm.rows<?x260xf32> -> !sdm.slab<1x88xf32>
  %b = sdm.stage %x[] slice %s : !sdm.rows<?x260xf32> -> !sdm.slab<1x88xf32>
  sdm.publish %a, %b : !sdm.slab<1x88xf32>, !sdm.slab<1x88xf32>
  return
}

// Nothing staged, nothing waited for.
// CHECK-LABEL: func.func @nothing(
// CHECK-NEXT: return
func.func @nothing() attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
  return
}
