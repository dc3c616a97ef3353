// Loads and stores of rows and cells: printed as written; every form of a row's and a cell's type.
// RUN: sdm-opt %s | sdm-opt | FileCheck %s
// RUN: sdm-opt %s --mlir-print-op-generic | sdm-opt | FileCheck %s

// CHECK-LABEL: func.func @rows(
// CHECK-SAME: %[[BANK:.*]]: !sdm.rows<?x128xbf16>, %[[TOKENS:.*]]: !sdm.rows<?x?x128xf32>, %[[ODD:.*]]: !sdm.rows<?x130xf16>, %[[ONE:.*]]: !sdm.rows<200xf32>, %[[FIXED:.*]]: !sdm.rows<4x8x1xf32>
func.func @rows(%bank: !sdm.rows<?x128xbf16>, %tokens: !sdm.rows<?x?x128xf32>, %odd: !sdm.rows<?x130xf16>,
                %one: !sdm.rows<200xf32>, %fixed: !sdm.rows<4x8x1xf32>, %i: i32, %j: i64, %s: i32) {
  // CHECK: %[[B:.*]] = sdm.load_row %[[BANK]][%[[I:.*]]] : <?x128xbf16>[i32] -> vector<1x128xbf16>
  %b = sdm.load_row %bank[%i] : !sdm.rows<?x128xbf16> [i32] -> vector<1x128xbf16>
  // CHECK: %[[T:.*]] = sdm.load_row %[[TOKENS]][%[[I]], %[[J:.*]]] placed resident : <?x?x128xf32>[i32, i64] -> vector<1x128xf32>
  %t = sdm.load_row %tokens[%i, %j] placed resident : !sdm.rows<?x?x128xf32> [i32, i64] -> vector<1x128xf32>
  // CHECK: sdm.load_row %[[ODD]][%[[J]]] : <?x130xf16>[i64] -> vector<2x68xf16>
  %o = sdm.load_row %odd[%j] : !sdm.rows<?x130xf16> [i64] -> vector<2x68xf16>
  // CHECK: %[[H:.*]] = sdm.load_row %[[ODD]][%[[J]]] slice %[[S:.*]] placed ring : <?x130xf16>[i64] -> vector<1x68xf16>
  %h = sdm.load_row %odd[%j] slice %s placed ring : !sdm.rows<?x130xf16> [i64] -> vector<1x68xf16>
  // No index axis: one row.
  // CHECK: sdm.load_row %[[ONE]][] : <200xf32> -> vector<2x100xf32>
  %w = sdm.load_row %one[] : !sdm.rows<200xf32> -> vector<2x100xf32>
  // CHECK: sdm.load_row %[[FIXED]][%[[I]], %[[I]]] : <4x8x1xf32>[i32, i32] -> vector<1x4xf32>
  %f = sdm.load_row %fixed[%i, %i] : !sdm.rows<4x8x1xf32> [i32, i32] -> vector<1x4xf32>
  // CHECK: sdm.store_row %[[T]], %[[BANK]][%[[I]]] : vector<1x128xf32>, <?x128xbf16>[i32]
  sdm.store_row %t, %bank[%i] : vector<1x128xf32>, !sdm.rows<?x128xbf16> [i32]
  // CHECK: sdm.store_row %[[B]], %[[BANK]][%[[J]]] bits : vector<1x128xbf16>, <?x128xbf16>[i64]
  sdm.store_row %b, %bank[%j] bits : vector<1x128xbf16>, !sdm.rows<?x128xbf16> [i64]
  // CHECK: sdm.store_row %[[H]], %[[ODD]][%[[I]]] slice %[[S]] bits : vector<1x68xf16>, <?x130xf16>[i32]
  sdm.store_row %h, %odd[%i] slice %s bits : vector<1x68xf16>, !sdm.rows<?x130xf16> [i32]
  return
}

// Pieces that a launcher asks for: down to an element.
// CHECK-LABEL: func.func @pieces(
// CHECK-SAME: !sdm.rows<?x128xbf16, piece = 2>, %{{.*}}: !sdm.rows<?x128xbf16, piece = 16>, %{{.*}}: !sdm.rows<?x130xf32, piece = 4>
func.func @pieces(%a: !sdm.rows<?x128xbf16, piece = 2>, %b: !sdm.rows<?x128xbf16, piece = 16>, %c: !sdm.rows<?x130xf32, piece = 4>) {
  return
}

// CHECK-LABEL: func.func @cells(
// CHECK-SAME: %[[X:.*]]: !sdm.cells<?x?xf32>, %[[N:.*]]: !sdm.cells<4xi64>, %[[A:.*]]: !sdm.cells<f32>
func.func @cells(%x: !sdm.cells<?x?xf32>, %n: !sdm.cells<4xi64>, %a: !sdm.cells<f32>, %i: i32, %j: i64, %if: i1) {
  // CHECK: %[[V:.*]] = sdm.load_cell %[[X]][%[[I:.*]], %[[J:.*]]] : <?x?xf32>[i32, i64] -> f32
  %v = sdm.load_cell %x[%i, %j] : !sdm.cells<?x?xf32> [i32, i64] -> f32
  // CHECK: %[[W:.*]] = sdm.load_cell %[[N]][%[[I]]] : <4xi64>[i32] -> i64
  %w = sdm.load_cell %n[%i] : !sdm.cells<4xi64> [i32] -> i64
  // CHECK: %[[S:.*]] = sdm.load_cell %[[A]][] : <f32> -> f32
  %s = sdm.load_cell %a[] : !sdm.cells<f32> -> f32
  // CHECK: sdm.store_cell %[[V]], %[[X]][%[[J]], %[[I]]] : f32, <?x?xf32>[i64, i32]
  sdm.store_cell %v, %x[%j, %i] : f32, !sdm.cells<?x?xf32> [i64, i32]
  // CHECK: sdm.store_cell %[[W]], %[[N]][%[[J]]] where %[[IF:.*]] : i64, <4xi64>[i64]
  sdm.store_cell %w, %n[%j] where %if : i64, !sdm.cells<4xi64> [i64]
  // CHECK: sdm.store_cell %[[S]], %[[A]][] bits : f32, <f32>
  sdm.store_cell %s, %a[] bits : f32, !sdm.cells<f32>
  return
}

#bare = #sdm.layout<"Bare", planes = [4], fields = [<"x" : f32 in 0 at 0>]>
// CHECK-LABEL: func.func @dims(
// CHECK-SAME: %[[X:.*]]: !sdm.rows<?x?x64xf32>, %[[C:.*]]: !sdm.cells<?xi32>, %[[R:.*]]: !sdm.sorted<#bare>
func.func @dims(%x: !sdm.rows<?x?x64xf32>, %c: !sdm.cells<?xi32>, %r: !sdm.sorted<#bare>) {
  // CHECK: sdm.dim %[[X]], 1 : !sdm.rows<?x?x64xf32>
  %a = sdm.dim %x, 1 : !sdm.rows<?x?x64xf32>
  // CHECK: sdm.dim %[[X]], 2 : !sdm.rows<?x?x64xf32>
  %w = sdm.dim %x, 2 : !sdm.rows<?x?x64xf32>
  // CHECK: sdm.stride %[[X]], 1 : <?x?x64xf32>
  %stride = sdm.stride %x, 1 : !sdm.rows<?x?x64xf32>
  // CHECK: sdm.dim %[[C]], 0 : !sdm.cells<?xi32>
  %b = sdm.dim %c, 0 : !sdm.cells<?xi32>
  // CHECK: sdm.dim %[[R]], 0 : !sdm.sorted<#bare>
  %n = sdm.dim %r, 0 : !sdm.sorted<#bare>
  return
}
