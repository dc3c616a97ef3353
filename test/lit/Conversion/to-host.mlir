// RUN: sdm-opt %s --split-input-file --sdm-to-host | FileCheck %s

// A unit is one tile of one slice of one chunk, tiles fastest; the tile is cut at the list's end.
#use = #sdm.layout<"Use", key = "slot", planes = [8, 12], fields = [
  <"slot" : i64 in 0 at 0>, <"token" : i32 in 1 at 4 bits 9 to 16>, <"scale" : f32 in 1 at 8>, <"weight" : f32 = 0.5 : f32>,
  <"$first" : i1 in 1 at 4 bits 31 to 31>]>

// CHECK-LABEL: func.func @units(
// CHECK-SAME: %[[ARGS:.*]]: !llvm.ptr, %[[FROM:.*]]: i64, %[[TO:.*]]: i64)
// CHECK-DAG: %[[SLICES:.*]] = arith.constant 3 : i64
// CHECK: llvm.getelementptr %[[ARGS]][32]
// CHECK-NEXT: %[[N:.*]] = llvm.load
// CHECK: llvm.getelementptr %[[ARGS]][96]
// CHECK-NEXT: %[[FIRST_CHUNK:.*]] = llvm.load
// CHECK: llvm.getelementptr %[[ARGS]][112]
// CHECK-NEXT: %[[LENGTH:.*]] = llvm.load
// CHECK: llvm.getelementptr %[[ARGS]][120]
// CHECK-NEXT: %[[TILES:.*]] = llvm.load
// CHECK: scf.for %[[UNIT:.*]] = %[[FROM]] to %[[TO]]
// CHECK: %[[TILE:.*]] = arith.remui %[[UNIT]], %[[TILES]]
// CHECK: %[[REST:.*]] = arith.divui %[[UNIT]], %[[TILES]]
// CHECK: %[[SLICE:.*]] = arith.remui %[[REST]], %[[SLICES]]
// CHECK: %[[CHUNKS:.*]] = arith.divui %[[REST]], %[[SLICES]]
// CHECK: arith.addi %[[FIRST_CHUNK]], %[[CHUNKS]]
// CHECK: %[[BEGIN:.*]] = arith.muli %[[TILE]], %[[LENGTH]]
// CHECK: %[[END:.*]] = arith.addi %[[BEGIN]], %[[LENGTH]]
// CHECK: arith.minsi %[[BEGIN]], %[[N]]
// CHECK: arith.minsi %[[END]], %[[N]]
// CHECK: return
func.func @units(%uses: !sdm.sorted<#use>, %out: !sdm.cells<?x?x?xi32>)
    attributes {sdm.launch = #sdm.launch<records, operand = 0, slices = 3, warps = 1>} {
  %chunk, %slice, %begin, %end = sdm.tile %uses : !sdm.sorted<#use>
  sdm.store_cell %begin, %out[%slice, %chunk, %end] : i32, !sdm.cells<?x?x?xi32> [i32, i32, i32]
  return
}

// -----

#use = #sdm.layout<"Use", key = "slot", planes = [8, 12], fields = [
  <"slot" : i64 in 0 at 0>, <"token" : i32 in 1 at 4 bits 9 to 16>, <"scale" : f32 in 1 at 8>, <"weight" : f32 = 0.5 : f32>,
  <"$first" : i1 in 1 at 4 bits 31 to 31>]>

// CHECK-LABEL: func.func @fields(
func.func @fields(%uses: !sdm.sorted<#use>, %keys: !sdm.cells<?xi64>, %words: !sdm.cells<?xi32>, %scales: !sdm.cells<?xf32>)
    attributes {sdm.launch = #sdm.launch<records, operand = 0, slices = 1, warps = 1>} {
  %chunk, %slice, %begin, %end = sdm.tile %uses : !sdm.sorted<#use>
  // CHECK-DAG: %[[NAN:.*]] = arith.constant 2147483647 : i32
  // CHECK-DAG: %[[WEIGHT:.*]] = llvm.mlir.constant(5.000000e-01 : f32)
  // CHECK: scf.for
  // CHECK: %[[KEY:.*]] = llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr -> i64
  // CHECK: llvm.store %[[KEY]],
  %key = sdm.fetch %uses[%chunk, %begin] "slot" : !sdm.sorted<#use> -> i64
  sdm.store_cell %key, %keys[%begin] : i64, !sdm.cells<?xi64> [i32]
  // CHECK: %[[WORD:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr -> i32
  // CHECK: %[[SHIFTED:.*]] = llvm.lshr %[[WORD]]
  // CHECK: %[[TOKEN:.*]] = llvm.and %[[SHIFTED]]
  %token = sdm.fetch %uses[%chunk, %begin] "token" : !sdm.sorted<#use> -> i32
  // CHECK: llvm.lshr
  // CHECK-NEXT: llvm.trunc %{{.*}} : i32 to i1
  %first = sdm.fetch %uses[%chunk, %begin] "$first" : !sdm.sorted<#use> -> i1
  // CHECK: scf.if
  // CHECK: llvm.store %[[TOKEN]],
  scf.if %first {
    sdm.store_cell %token, %words[%begin] : i32, !sdm.cells<?xi32> [i32]
  }
  // CHECK: %[[SCALE:.*]] = llvm.bitcast %{{.*}} : i32 to f32
  // CHECK: %[[PRODUCT:.*]] = arith.mulf %[[SCALE]], %[[WEIGHT]]
  // CHECK: %[[IS_NAN:.*]] = arith.cmpf uno, %[[PRODUCT]], %[[PRODUCT]]
  // CHECK: %[[WORD:.*]] = arith.bitcast %[[PRODUCT]] : f32 to i32
  // CHECK: %[[STORED:.*]] = arith.select %[[IS_NAN]], %[[NAN]], %[[WORD]]
  // CHECK: llvm.store %[[STORED]],
  %scale = sdm.fetch %uses[%chunk, %begin] "scale" : !sdm.sorted<#use> -> f32
  %weight = sdm.fetch %uses[%chunk, %begin] "weight" : !sdm.sorted<#use> -> f32
  %product = arith.mulf %scale, %weight : f32
  sdm.store_cell %product, %scales[%begin] : f32, !sdm.cells<?xf32> [i32]
  // A cell that is moved keeps its bits.
  // CHECK: llvm.store %[[SCALE]],
  sdm.store_cell %scale, %scales[%end] bits : f32, !sdm.cells<?xf32> [i32]
  return
}

// -----

// 130 columns: slices of 68 and 62. Nothing past the last column is read or written; what the value has more is +0.
// CHECK-LABEL: func.func @whole(
func.func @whole(%x: !sdm.rows<?x130xbf16>, %y: !sdm.rows<?x130xf32>)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 1>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x130xbf16>
  // CHECK: llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr -> vector<68xi16>
  // CHECK: llvm.getelementptr %{{.*}}[136]
  // CHECK: %[[NARROW:.*]] = llvm.load %{{.*}} {alignment = 2 : i64} : !llvm.ptr -> vector<62xi16>
  // CHECK: vector.shuffle %[[NARROW]]
  // CHECK: arith.extui %{{.*}} : vector<2x68xi16> to vector<2x68xi32>
  // CHECK: arith.shli
  // CHECK-NOT: arith.extf
  %b = sdm.load_row %x[%begin] : !sdm.rows<?x130xbf16> [i32] -> vector<2x68xbf16>
  %f = arith.extf %b : vector<2x68xbf16> to vector<2x68xf32>
  // CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : vector<68xi32>
  // CHECK: arith.cmpf uno, %{{.*}} : vector<62xf32>
  // CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : vector<62xi32>
  sdm.store_row %f, %y[%begin] : vector<2x68xf32>, !sdm.rows<?x130xf32> [i32]
  return
}

// -----

// With a slice's number the last, narrower slice is told from the others when it runs.
// CHECK-LABEL: func.func @sliced(
func.func @sliced(%x: !sdm.rows<?x130xf32>, %y: !sdm.rows<?x130xbf16>)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 2, warps = 1>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x130xf32>
  // CHECK: scf.if %{{.*}} -> (vector<68xf32>)
  // CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<62xf32>
  // CHECK: else
  // CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<68xf32>
  %b = sdm.load_row %x[%begin] slice %slice : !sdm.rows<?x130xf32> [i32] -> vector<1x68xf32>
  // CHECK: scf.if
  // CHECK-NOT: arith.truncf
  // CHECK: arith.trunci %{{.*}} : vector<62xi32> to vector<62xi16>
  // CHECK: llvm.store %{{.*}} {alignment = 2 : i64} : vector<62xi16>
  // CHECK: else
  // CHECK: llvm.store %{{.*}} {alignment = 2 : i64} : vector<68xi16>
  sdm.store_row %b, %y[%begin] slice %slice : vector<1x68xf32>, !sdm.rows<?x130xbf16> [i32]
  return
}

// -----

// Slices of equal length need no question.
// CHECK-LABEL: func.func @even(
// CHECK-NOT: scf.if
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> vector<100xi16>
// CHECK: llvm.store %{{.*}} : vector<100xi16>, !llvm.ptr
func.func @even(%x: !sdm.rows<?x200xf16>, %y: !sdm.rows<?x200xf16>)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 2, warps = 1>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x200xf16>
  %b = sdm.load_row %x[%begin] slice %slice : !sdm.rows<?x200xf16> [i32] -> vector<1x100xf16>
  sdm.store_row %b, %y[%begin] slice %slice bits : vector<1x100xf16>, !sdm.rows<?x200xf16> [i32]
  return
}

// -----

// CHECK-LABEL: func.func @not_a_launch(%{{.*}}: i32)
func.func @not_a_launch(%a: i32) {
  return
}

// -----

// Bytes are cut into numbers and put together by integers: no conversion of LLVM's knows e4m3, and a row of 130 columns of i4 is 65 bytes.
// CHECK-LABEL: func.func @quantized(
func.func @quantized(%x: !sdm.rows<?x128xf8E4M3FN>, %n: !sdm.rows<?x130xi4>)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 1>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x128xf8E4M3FN>
  // CHECK-NOT: arith.extf
  // CHECK-NOT: arith.truncf
  // CHECK: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<128xi8>
  // The exponent's bias is a product by 2^120.
  // CHECK: arith.mulf %{{.*}} : vector<1x128xf32>
  %r = sdm.load_row %x[%begin] : !sdm.rows<?x128xf8E4M3FN> [i32] -> vector<1x128xf8E4M3FN>
  %f = arith.extf %r : vector<1x128xf8E4M3FN> to vector<1x128xf32>
  // CHECK: arith.minui
  // CHECK: llvm.store %{{.*}} {alignment = 1 : i64} : vector<128xi8>, !llvm.ptr
  sdm.store_row %f, %x[%begin] : vector<1x128xf32>, !sdm.rows<?x128xf8E4M3FN> [i32]
  // CHECK: %[[BYTES:.*]] = llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<34xi8>
  // CHECK: %[[HIGH:.*]] = arith.shrsi %[[BYTES]]
  // CHECK: %[[UP:.*]] = arith.shli %[[BYTES]]
  // CHECK: %[[LOW:.*]] = arith.shrsi %[[UP]]
  // CHECK: vector.interleave %[[HIGH]], %[[LOW]] : vector<34xi8> -> vector<68xi8>
  // CHECK: llvm.load %{{.*}} {alignment = 1 : i64} : !llvm.ptr -> vector<31xi8>
  %q = sdm.load_row %n[%begin] : !sdm.rows<?x130xi4> [i32] -> vector<2x68xi8>
  // CHECK: vector.deinterleave %{{.*}} : vector<68xi8> -> vector<34xi8>
  // CHECK: llvm.store %{{.*}} {alignment = 1 : i64} : vector<34xi8>, !llvm.ptr
  // CHECK: llvm.store %{{.*}} {alignment = 1 : i64} : vector<31xi8>, !llvm.ptr
  sdm.store_row %q, %n[%end] bits : vector<2x68xi8>, !sdm.rows<?x130xi4> [i32]
  return
}
