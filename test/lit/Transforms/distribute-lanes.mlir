// A row becomes four columns of each slice; reductions become partials and butterflies; one lane stores a scalar.
// RUN: sdm-opt %s --split-input-file --sdm-distribute-lanes | FileCheck %s

// CHECK-LABEL: func.func @one_slice(
// CHECK-SAME: %[[X:[^:]*]]: !sdm.rows<?x128xbf16>, %[[OUT:[^:]*]]: !sdm.rows<?x128xf32>, %[[D:[^:]*]]: !sdm.cells<?xf32>, %[[I:[^:]*]]: i32
func.func @one_slice(%x: !sdm.rows<?x128xbf16>, %out: !sdm.rows<?x128xf32>, %d: !sdm.cells<?xf32>, %i: i32, %a: f32, %if: i1) {
  // CHECK: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : vector<1x4xf32>
  %one = arith.constant dense<1.0> : vector<1x128xf32>
  // CHECK: %[[R:.*]] = sdm.load_piece %[[X]][%[[I]]] : <?x128xbf16>[i32] -> vector<1x4xbf16>
  %r = sdm.load_row %x[%i] : !sdm.rows<?x128xbf16> [i32] -> vector<1x128xbf16>
  // CHECK: sdm.load_piece %[[X]][%[[I]]] where %{{.*}} : <?x128xbf16>[i32] -> vector<1x4xbf16>
  %masked = sdm.load_row %x[%i] where %if : !sdm.rows<?x128xbf16> [i32] -> vector<1x128xbf16>
  // CHECK: %[[F:.*]] = arith.extf %[[R]] : vector<1x4xbf16> to vector<1x4xf32>
  %f = arith.extf %r : vector<1x128xbf16> to vector<1x128xf32>
  // CHECK: vector.broadcast %{{.*}} : f32 to vector<1x4xf32>
  %b = vector.broadcast %a : f32 to vector<1x128xf32>
  // CHECK: %[[S:.*]] = math.fma %[[F]], %{{.*}}, %[[ONE]] : vector<1x4xf32>
  %s = math.fma %f, %b, %one : vector<1x128xf32>
  // Block arguments of loops and conditions too.
  // CHECK: scf.if %{{.*}} -> (vector<1x4xf32>)
  %t = scf.if %if -> (vector<1x128xf32>) {
    scf.yield %s : vector<1x128xf32>
  } else {
    scf.yield %f : vector<1x128xf32>
  }
  // CHECK: sdm.store_piece %{{.*}}, %[[OUT]][%[[I]]] : vector<1x4xf32>, <?x128xf32>[i32]
  sdm.store_row %t, %out[%i] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  // CHECK: sdm.store_piece %[[R]], %[[X]][%[[I]]] bits : vector<1x4xbf16>, <?x128xbf16>[i32]
  sdm.store_row %r, %x[%i] bits : vector<1x128xbf16>, !sdm.rows<?x128xbf16> [i32]
  // CHECK: %[[P:.*]] = sdm.partial dot %{{.*}}, %[[F]] {slice_width = 128 : i64, width = 128 : i64} : vector<1x4xf32>, vector<1x4xf32> -> f32
  // CHECK: %[[TOTAL:.*]] = sdm.butterfly sum %[[P]]
  %dot = sdm.dot %t, %f {width = 128 : i64} : vector<1x128xf32>
  // CHECK: %[[LANE:.*]] = sdm.lane
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[LANE]], %[[ZERO]]
  // CHECK: sdm.store_cell %[[TOTAL]], %[[D]][%[[I]]] where %[[FIRST]]
  sdm.store_cell %dot, %d[%i] : f32, !sdm.cells<?xf32> [i32]
  // A store that says which lanes write keeps them.
  // CHECK: sdm.store_cell %[[TOTAL]], %[[D]][%[[I]]] where %{{.*}} : f32
  sdm.store_cell %dot, %d[%i] where %if : f32, !sdm.cells<?xf32> [i32]
  return
}

// -----

// Whole rows: the slices' values follow one another from the first, by the reduction's operation.
// CHECK-LABEL: func.func @whole(
func.func @whole(%x: !sdm.rows<?x260xf32>, %i: i32) -> (f32, f32, f32, f32) {
  // CHECK: %[[W:.*]] = sdm.load_piece %{{.*}} -> vector<3x4xf32>
  %w = sdm.load_row %x[%i] : !sdm.rows<?x260xf32> [i32] -> vector<3x88xf32>
  // CHECK: %[[P:.*]]:3 = sdm.partial dot %[[W]], %[[W]] {slice_width = 88 : i64, width = 260 : i64} : vector<3x4xf32>, vector<3x4xf32> -> f32, f32, f32
  // CHECK: %[[A:.*]] = sdm.butterfly sum %[[P]]#0
  // CHECK: %[[B:.*]] = sdm.butterfly sum %[[P]]#1
  // CHECK: %[[AB:.*]] = arith.addf %[[A]], %[[B]]
  // CHECK: %[[C:.*]] = sdm.butterfly sum %[[P]]#2
  // CHECK: arith.addf %[[AB]], %[[C]]
  %a = sdm.dot %w, %w {width = 260 : i64} : vector<3x88xf32>
  // CHECK: sdm.partial max
  // CHECK: sdm.butterfly max
  // CHECK: arith.maximumf
  %b = sdm.reduce max %w {width = 260 : i64} : vector<3x88xf32>
  // CHECK: sdm.partial min
  // CHECK: sdm.butterfly min
  // CHECK: arith.minimumf
  %c = sdm.reduce min %w {width = 260 : i64} : vector<3x88xf32>
  // CHECK: sdm.partial amax
  // CHECK: sdm.butterfly amax
  // CHECK: arith.maximumf
  %d = sdm.reduce amax %w {width = 260 : i64} : vector<3x88xf32>
  return %a, %b, %c, %d : f32, f32, f32, f32
}

// -----

// One slice of three, staged: the row's width goes with the piece.
// CHECK-LABEL: func.func @slice(
// CHECK: %[[SLAB:.*]] = sdm.stage %{{.*}}[] slice %[[S:.*]] :
// CHECK: %[[T:.*]] = sdm.take_piece %[[SLAB]][%{{.*}}] slice %[[S]] {width = 260 : i64} : <1x88xf32>[i32] -> vector<1x4xf32>
// CHECK: sdm.partial sum %[[T]] slice %[[S]] {slice_width = 88 : i64, width = 260 : i64} : vector<1x4xf32> -> f32
func.func @slice(%x: !sdm.rows<?x260xf32>, %i: i32, %s: i32) -> f32 {
  %slab = sdm.stage %x[] slice %s : !sdm.rows<?x260xf32> -> !sdm.slab<1x88xf32>
  sdm.publish %slab : !sdm.slab<1x88xf32>
  %t = sdm.take %slab[%i] : !sdm.slab<1x88xf32> [i32] -> vector<1x88xf32>
  %a = sdm.reduce sum %t slice %s {width = 260 : i64} : vector<1x88xf32>
  return %a : f32
}

// -----

// Lanes with a record each store for themselves.
// CHECK-LABEL: func.func @per_lane(
// CHECK-NEXT: sdm.store_cell %{{.*}}, %{{.*}}[%{{.*}}] : f32
func.func @per_lane(%d: !sdm.cells<?xf32>, %v: f32, %i: i32) attributes {sdm.per_lane} {
  sdm.store_cell %v, %d[%i] : f32, !sdm.cells<?xf32> [i32]
  return
}
