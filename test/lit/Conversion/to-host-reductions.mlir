// RUN: sdm-opt %s --split-input-file --sdm-to-host | FileCheck %s

// Lane l has columns 4l to 4l+3; then halves of the lanes; then the slices from the first.
// CHECK-LABEL: func.func @dot(
func.func @dot(%x: !sdm.rows<?x256xf32>, %out: !sdm.cells<?xf32>)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 1>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x256xf32>
  %a = sdm.load_row %x[%begin] : !sdm.rows<?x256xf32> [i32] -> vector<2x128xf32>
  %b = sdm.load_row %x[%end] : !sdm.rows<?x256xf32> [i32] -> vector<2x128xf32>
  // CHECK: vector.shuffle %{{.*}} [0, 4, 8, 12,
  // CHECK: vector.shuffle %{{.*}} [1, 5, 9, 13,
  // CHECK: vector.shuffle %{{.*}} [2, 6, 10, 14,
  // CHECK: vector.shuffle %{{.*}} [3, 7, 11, 15,
  // CHECK: %[[P0:.*]] = arith.mulf %{{.*}} : vector<32xf32>
  // CHECK: %[[P1:.*]] = math.fma %{{.*}}, %{{.*}}, %[[P0]] : vector<32xf32>
  // CHECK: %[[P2:.*]] = math.fma %{{.*}}, %{{.*}}, %[[P1]] : vector<32xf32>
  // CHECK: %[[P3:.*]] = math.fma %{{.*}}, %{{.*}}, %[[P2]] : vector<32xf32>
  // CHECK: %[[LOW:.*]] = vector.shuffle %[[P3]], %[[P3]] [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
  // CHECK: %[[HIGH:.*]] = vector.shuffle %[[P3]], %[[P3]] [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]
  // CHECK: arith.addf %[[LOW]], %[[HIGH]] : vector<16xf32>
  // CHECK: arith.addf %{{.*}} : vector<8xf32>
  // CHECK: arith.addf %{{.*}} : vector<4xf32>
  // CHECK: arith.addf %{{.*}} : vector<2xf32>
  // CHECK: arith.addf %{{.*}} : vector<1xf32>
  // CHECK: %[[FIRST:.*]] = vector.extract %{{.*}}[0] : f32 from vector<1xf32>
  // CHECK: %[[SECOND:.*]] = vector.extract %{{.*}}[0] : f32 from vector<1xf32>
  // CHECK: arith.addf %[[FIRST]], %[[SECOND]] : f32
  %d = sdm.dot %a, %b {width = 256 : i64} : vector<2x128xf32>
  sdm.store_cell %d, %out[%begin] : f32, !sdm.cells<?xf32> [i32]
  return
}

// -----

// Columns past the width are the identity, whatever arithmetic left in them: a splat stands in their place.
// CHECK-LABEL: func.func @max(
func.func @max(%x: !sdm.rows<?x6xf32>, %out: !sdm.cells<?xf32>)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 1>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x6xf32>
  %a = sdm.load_row %x[%begin] : !sdm.rows<?x6xf32> [i32] -> vector<1x8xf32>
  // CHECK-DAG: %[[IDENTITY:.*]] = arith.constant dense<0xFF800000> : vector<8xf32>
  // CHECK: vector.shuffle %{{.*}}, %[[IDENTITY]] [0, 4, 8, 8,
  // CHECK: vector.shuffle %{{.*}}, %[[IDENTITY]] [1, 5, 8, 8,
  // CHECK: vector.shuffle %{{.*}}, %[[IDENTITY]] [2, 8, 8, 8,
  // CHECK: vector.shuffle %{{.*}}, %[[IDENTITY]] [3, 8, 8, 8,
  // CHECK: arith.maximumf %{{.*}} : vector<32xf32>
  %d = sdm.reduce max %a {width = 6 : i64} : vector<1x8xf32>
  sdm.store_cell %d, %out[%begin] : f32, !sdm.cells<?xf32> [i32]
  return
}

// -----

// CHECK-LABEL: func.func @amax_of_a_slice(
func.func @amax_of_a_slice(%x: !sdm.rows<?x130xf32>, %out: !sdm.cells<?x?xf32>)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 2, warps = 1>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x130xf32>
  %a = sdm.load_row %x[%begin] slice %slice : !sdm.rows<?x130xf32> [i32] -> vector<1x68xf32>
  // NaN counts as +0.
  // CHECK: %[[IS_NAN:.*]] = arith.cmpf uno
  // CHECK: %[[ABS:.*]] = math.absf
  // CHECK: %[[MAGNITUDE:.*]] = arith.select %[[IS_NAN]], %{{.*}}, %[[ABS]]
  // The last slice has 62 columns.
  // CHECK: %[[LAST:.*]] = arith.cmpi eq
  // CHECK: %[[MASKED:.*]] = vector.shuffle %[[MAGNITUDE]], %{{.*}} 61, 68, 68, 68, 68, 68, 68]
  // CHECK: arith.select %[[LAST]], %[[MASKED]], %[[MAGNITUDE]] : vector<68xf32>
  // CHECK: arith.maximumf
  %d = sdm.reduce amax %a slice %slice {width = 130 : i64} : vector<1x68xf32>
  sdm.store_cell %d, %out[%slice, %begin] : f32, !sdm.cells<?x?xf32> [i32, i32]
  return
}

// -----

// CHECK-LABEL: func.func @min(
// CHECK: arith.minimumf %{{.*}} : vector<32xf32>
func.func @min(%x: !sdm.rows<?x128xf32>, %out: !sdm.cells<?xf32>)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 1>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x128xf32>
  %a = sdm.load_row %x[%begin] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
  %d = sdm.reduce min %a {width = 128 : i64} : vector<1x128xf32>
  sdm.store_cell %d, %out[%begin] : f32, !sdm.cells<?xf32> [i32]
  return
}
