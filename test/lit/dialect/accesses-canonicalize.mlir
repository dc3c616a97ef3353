// A row's width is a constant; an unused load goes, an unused store does not; two loads are one only without a store between.
// RUN: sdm-opt %s --canonicalize --cse | FileCheck %s

// CHECK-LABEL: func.func @width(
func.func @width(%x: !sdm.rows<?x?x130xbf16>, %out: !sdm.cells<?xi64>, %i: i32) {
  // CHECK-DAG: %[[WIDTH:.*]] = arith.constant 130 : i64
  // CHECK-DAG: %[[EXTENT:.*]] = sdm.dim %{{.*}}, 1
  // CHECK-NOT: sdm.dim
  %w = sdm.dim %x, 2 : !sdm.rows<?x?x130xbf16>
  %n = sdm.dim %x, 1 : !sdm.rows<?x?x130xbf16>
  %m = sdm.dim %x, 1 : !sdm.rows<?x?x130xbf16>
  // CHECK: sdm.store_cell %[[WIDTH]]
  sdm.store_cell %w, %out[%i] : i64, !sdm.cells<?xi64> [i32]
  // CHECK: %[[SUM:.*]] = arith.addi %[[EXTENT]], %[[EXTENT]]
  %s = arith.addi %n, %m : i64
  // CHECK: sdm.store_cell %[[SUM]]
  sdm.store_cell %s, %out[%i] : i64, !sdm.cells<?xi64> [i32]
  return
}

// CHECK-LABEL: func.func @unused(
// CHECK-NEXT: return
func.func @unused(%x: !sdm.rows<?x128xf32>, %c: !sdm.cells<?xf32>, %i: i32) {
  %r = sdm.load_row %x[%i] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
  %s = sdm.load_cell %c[%i] : !sdm.cells<?xf32> [i32] -> f32
  return
}

// CHECK-LABEL: func.func @between(
func.func @between(%c: !sdm.cells<?xf32>, %i: i32) {
  // CHECK: %[[BEFORE:.*]] = sdm.load_cell
  // CHECK-NEXT: %[[TWICE:.*]] = arith.addf %[[BEFORE]], %[[BEFORE]]
  // CHECK-NEXT: sdm.store_cell %[[TWICE]]
  %a = sdm.load_cell %c[%i] : !sdm.cells<?xf32> [i32] -> f32
  %b = sdm.load_cell %c[%i] : !sdm.cells<?xf32> [i32] -> f32
  %s = arith.addf %a, %b : f32
  sdm.store_cell %s, %c[%i] : f32, !sdm.cells<?xf32> [i32]
  // CHECK-NEXT: %[[AFTER:.*]] = sdm.load_cell
  // CHECK-NEXT: sdm.store_cell %[[AFTER]]
  %d = sdm.load_cell %c[%i] : !sdm.cells<?xf32> [i32] -> f32
  sdm.store_cell %d, %c[%i] : f32, !sdm.cells<?xf32> [i32]
  return
}
