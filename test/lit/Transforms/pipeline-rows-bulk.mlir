// Rings that bulk copies fill: barriers for the stages, lane p asks for the rows of position p, all lanes wait for a phase.
// RUN: sdm-opt %s --sdm-pipeline-rows --canonicalize --cse | FileCheck %s
// RUN: sed -e 's/sdm.depth = 2/sdm.depth = 3/' %s | sdm-opt --sdm-pipeline-rows --canonicalize --cse | FileCheck %s --check-prefix=DEEP

// CHECK-LABEL: func.func @filled(
// CHECK-SAME: %[[X:[^:]*]]: !sdm.rows<?x128xbf16>, %[[OUT:[^:]*]]: !sdm.rows<?x128xbf16>
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : i32
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : i32
// CHECK-DAG: %[[C8:.*]] = arith.constant 8 : i32
// CHECK: %{{.*}}, %{{.*}}, %[[BEGIN:.*]], %[[END:.*]] = sdm.tile
// CHECK: sdm.dependency_wait
// CHECK: %[[RING:.*]] = sdm.ring 4 width 128 : <1x128xbf16>
// CHECK: %[[BARRIERS:.*]] = sdm.ring_barriers 2 arrivals 2
// CHECK-NEXT: sdm.warp_barrier
// CHECK: %[[LANE:.*]] = sdm.lane
// CHECK: %[[MINE:.*]] = arith.andi %[[LANE]], %[[C1]] : i32
// CHECK: %[[AT:.*]] = arith.addi %[[BEGIN]], %[[MINE]] : i32
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[AT]], %[[END]] : i32
// CHECK: sdm.issue_bulk 2 of %[[X]][%[[AT]]] to %[[RING]] slot %[[MINE]] where %[[IN]] reports %[[BARRIERS]]
// CHECK: scf.for %[[K:.*]] = %[[BEGIN]]
// Every lane has read the stage that is filled next, and seen its phase end.
// CHECK-NEXT: sdm.warp_barrier
// CHECK: %[[DONE:.*]] = arith.subi %[[K]], %[[BEGIN]] : i32
// CHECK: %[[NUMBER:.*]] = arith.divui %[[DONE]], %[[C2]] : i32
// CHECK: %[[LATER:.*]] = arith.addi %[[NUMBER]], %[[C1]] : i32
// CHECK: %[[NEXT:.*]] = arith.remui %[[LATER]], %[[C2]] : i32
// CHECK: %[[STEP:.*]] = arith.muli %[[NEXT]], %[[C8]] : i32
// CHECK: %[[REPORTS:.*]] = arith.addi %[[BARRIERS]], %[[STEP]] : i32
// CHECK: sdm.issue_bulk 2 of %[[X]][%{{.*}}] to %[[RING]] slot %{{.*}} where %{{.*}} reports %[[REPORTS]]
// CHECK: %[[STAGE:.*]] = arith.remui %[[NUMBER]], %[[C2]] : i32
// CHECK: %[[PHASE:.*]] = arith.divui %[[NUMBER]], %[[C2]] : i32
// CHECK: %[[PARITY:.*]] = arith.andi %[[PHASE]], %[[C1]] : i32
// CHECK: %[[THIS:.*]] = arith.muli %[[STAGE]], %[[C8]] : i32
// CHECK: %[[BARRIER:.*]] = arith.addi %[[BARRIERS]], %[[THIS]] : i32
// CHECK: sdm.wait_parity %[[BARRIER]], %[[PARITY]]
// CHECK: sdm.take %[[RING]]
// CHECK: sdm.take %[[RING]]
// CHECK-NOT: sdm.load_row

// DEEP: sdm.ring 6 width 128
// DEEP: sdm.ring_barriers 3 arrivals 2
// DEEP: sdm.issue_bulk
// DEEP: sdm.issue_bulk
// DEEP: scf.for
// DEEP: sdm.issue_bulk
// DEEP: arith.divui %{{.*}}, %c3_i32
func.func @filled(%x: !sdm.rows<?x128xbf16>, %out: !sdm.rows<?x128xbf16>)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x128xbf16>
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  scf.for %k = %begin to %end step %two : i32 {
    %in = arith.cmpi slt, %k, %end : i32
    %row = sdm.load_row %x[%k] where %in placed bulk_ring {sdm.position = 0 : i64} : !sdm.rows<?x128xbf16> [i32] -> vector<1x128xbf16>
    %next = arith.addi %k, %one : i32
    %next_in = arith.cmpi slt, %next, %end : i32
    %next_row = sdm.load_row %x[%next] where %next_in placed bulk_ring {sdm.position = 1 : i64} : !sdm.rows<?x128xbf16> [i32] -> vector<1x128xbf16>
    scf.if %in {
      sdm.store_row %row, %out[%k] bits : vector<1x128xbf16>, !sdm.rows<?x128xbf16> [i32]
    }
    scf.if %next_in {
      sdm.store_row %next_row, %out[%next] bits : vector<1x128xbf16>, !sdm.rows<?x128xbf16> [i32]
    }
  } {sdm.unit = 2 : i64, sdm.depth = 2 : i64}
  return
}
