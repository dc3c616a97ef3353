// Rows in registers: the loop's values hold those of the units under way, loads stand a unit or more ahead.
// RUN: sdm-opt %s --sdm-pipeline-rows --canonicalize --cse | FileCheck %s
// RUN: sed -e 's/sdm.depth = 2/sdm.depth = 3/' %s | sdm-opt --sdm-pipeline-rows --canonicalize --cse | FileCheck %s --check-prefix=DEEP
// RUN: sed -e 's/sdm.depth = 2/sdm.depth = 1/' %s | sdm-opt --sdm-pipeline-rows --canonicalize --cse | FileCheck %s --check-prefix=FLAT

// CHECK-LABEL: func.func @held(
// CHECK-SAME: %[[X:[^:]*]]: !sdm.rows<?x128xbf16>, %[[OUT:[^:]*]]: !sdm.rows<?x128xbf16>
// CHECK: %{{.*}}, %{{.*}}, %[[BEGIN:.*]], %[[END:.*]] = sdm.tile
// Nothing is read before the previous kernel is waited for.
// CHECK: sdm.dependency_wait
// CHECK: %[[THERE:.*]] = arith.cmpi slt, %[[BEGIN]], %[[END]] : i32
// CHECK: %[[A:.*]] = sdm.load_row %[[X]][%[[BEGIN]]] where %[[THERE]] : <?x128xbf16>[i32] -> vector<1x128xbf16>
// CHECK: %[[B:.*]] = sdm.load_row %[[X]][%{{.*}}] where %{{.*}} : <?x128xbf16>[i32] -> vector<1x128xbf16>
// CHECK: scf.for %[[K:.*]] = %[[BEGIN]] to %[[END]] step %{{.*}} iter_args(%[[HELD0:.*]] = %[[A]], %[[HELD1:.*]] = %[[B]]) -> (vector<1x128xbf16>, vector<1x128xbf16>)
// CHECK: %[[AHEAD:.*]] = arith.addi %[[K]], %{{.*}} : i32
// CHECK: %[[IN:.*]] = arith.cmpi slt, %[[AHEAD]], %[[END]] : i32
// CHECK: %[[NEXT0:.*]] = sdm.load_row %[[X]][%[[AHEAD]]] where %[[IN]]
// CHECK: %[[NEXT1:.*]] = sdm.load_row %[[X]][%{{.*}}] where %{{.*}}
// CHECK-NOT: sdm.load_row
// CHECK: sdm.store_row %[[HELD0]], %[[OUT]][%[[K]]] bits
// CHECK: sdm.store_row %[[HELD1]], %[[OUT]][%{{.*}}] bits
// CHECK: scf.yield %[[NEXT0]], %[[NEXT1]]
// CHECK: {sdm.depth = 2 : i64, sdm.unit = 2 : i64}

// The window moves by a unit.
// DEEP-COUNT-4: sdm.load_row
// DEEP: scf.for {{.*}} iter_args(%[[A0:.*]] = %{{.*}}, %[[A1:.*]] = %{{.*}}, %[[B0:.*]] = %{{.*}}, %[[B1:.*]] = %{{[^)]*}})
// DEEP: %[[C0:.*]] = sdm.load_row
// DEEP: %[[C1:.*]] = sdm.load_row
// DEEP: sdm.store_row %[[A0]],
// DEEP: sdm.store_row %[[A1]],
// DEEP: scf.yield %[[B0]], %[[B1]], %[[C0]], %[[C1]]

// A depth of one: the unit's own rows, read at its head.
// FLAT: scf.for
// FLAT-NOT: iter_args
// FLAT: %[[C0:.*]] = sdm.load_row
// FLAT: %[[C1:.*]] = sdm.load_row
// FLAT: sdm.store_row %[[C0]],
// FLAT: sdm.store_row %[[C1]],
func.func @held(%x: !sdm.rows<?x128xbf16>, %out: !sdm.rows<?x128xbf16>)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x128xbf16>
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  scf.for %k = %begin to %end step %two : i32 {
    %in = arith.cmpi slt, %k, %end : i32
    %row = sdm.load_row %x[%k] where %in placed registers {sdm.position = 0 : i64} : !sdm.rows<?x128xbf16> [i32] -> vector<1x128xbf16>
    %next = arith.addi %k, %one : i32
    %next_in = arith.cmpi slt, %next, %end : i32
    %next_row = sdm.load_row %x[%next] where %next_in placed registers {sdm.position = 1 : i64} : !sdm.rows<?x128xbf16> [i32] -> vector<1x128xbf16>
    scf.if %in {
      sdm.store_row %row, %out[%k] bits : vector<1x128xbf16>, !sdm.rows<?x128xbf16> [i32]
    }
    scf.if %next_in {
      sdm.store_row %next_row, %out[%next] bits : vector<1x128xbf16>, !sdm.rows<?x128xbf16> [i32]
    }
  } {sdm.unit = 2 : i64, sdm.depth = 2 : i64}
  return
}
