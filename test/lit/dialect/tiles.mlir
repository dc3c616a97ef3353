// The scheduled level of tiles, staged rows and lanes: printed as written.
// RUN: sdm-opt %s | sdm-opt | FileCheck %s
// RUN: sdm-opt %s --mlir-print-op-generic | sdm-opt | FileCheck %s

#read = #sdm.layout<"Read", key = "slot", planes = [8], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>]>

// CHECK-LABEL: func.func @tiles(
// CHECK-SAME: %[[READS:.*]]: !sdm.sorted<#read>, %[[X:.*]]: !sdm.rows<?x?x260xbf16>
// CHECK-SAME: attributes {sdm.launch = #sdm.launch<groups, operand = 0, slices = 3, warps = 8{{.*}}>}
func.func @tiles(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x?x260xbf16>, %one: !sdm.rows<?x128xf32>, %i: i32, %j: i64)
    attributes {sdm.launch = #sdm.launch<groups, operand = 0, slices = 3, warps = 8>} {
  // CHECK: %[[CHUNK:.*]], %[[SLICE:.*]], %[[BEGIN:.*]], %{{.*}} = sdm.tile %[[READS]] : !sdm.sorted<#read>
  %chunk, %slice, %begin, %end = sdm.tile %reads : !sdm.sorted<#read>
  // CHECK: sdm.fetch %[[READS]][%[[CHUNK]], %[[BEGIN]]] "token" : <#read> -> i32
  %token = sdm.fetch %reads[%chunk, %begin] "token" : !sdm.sorted<#read> -> i32
  // CHECK: sdm.fetch %[[READS]][%[[CHUNK]], %[[BEGIN]]] "$last" : <#read> -> i1
  %last = sdm.fetch %reads[%chunk, %begin] "$last" : !sdm.sorted<#read> -> i1
  // CHECK: sdm.dependency_wait
  sdm.dependency_wait
  // CHECK: %[[SLAB:.*]] = sdm.stage %[[X]][%[[CHUNK]]] slice %[[SLICE]] : <?x?x260xbf16>[i32] -> <1x88xbf16>
  %slab = sdm.stage %x[%chunk] slice %slice : !sdm.rows<?x?x260xbf16> [i32] -> !sdm.slab<1x88xbf16>
  // CHECK: %[[WHOLE:.*]] = sdm.stage %[[X]][%[[CHUNK]]] : <?x?x260xbf16>[i32] -> <3x88xbf16>
  %whole = sdm.stage %x[%chunk] : !sdm.rows<?x?x260xbf16> [i32] -> !sdm.slab<3x88xbf16>
  // CHECK: %[[ONE:.*]] = sdm.stage %{{.*}}[] : <?x128xf32> -> <1x128xf32>
  %all = sdm.stage %one[] : !sdm.rows<?x128xf32> -> !sdm.slab<1x128xf32>
  // CHECK: sdm.publish %[[SLAB]], %[[WHOLE]], %[[ONE]] : !sdm.slab<1x88xbf16>, !sdm.slab<3x88xbf16>, !sdm.slab<1x128xf32>
  sdm.publish %slab, %whole, %all : !sdm.slab<1x88xbf16>, !sdm.slab<3x88xbf16>, !sdm.slab<1x128xf32>
  // CHECK: sdm.take %[[SLAB]][%{{.*}}] : <1x88xbf16>[i32] -> vector<1x88xbf16>
  %a = sdm.take %slab[%i] : !sdm.slab<1x88xbf16> [i32] -> vector<1x88xbf16>
  // CHECK: sdm.take %[[WHOLE]][%{{.*}}] : <3x88xbf16>[i64] -> vector<3x88xbf16>
  %b = sdm.take %whole[%j] : !sdm.slab<3x88xbf16> [i64] -> vector<3x88xbf16>
  return
}

// CHECK-LABEL: func.func @lanes(
// CHECK-SAME: %[[X:.*]]: !sdm.rows<?x260xbf16>, %[[SLAB:.*]]: !sdm.slab<1x88xbf16>, %[[I:.*]]: i32, %[[S:.*]]: i32
func.func @lanes(%x: !sdm.rows<?x260xbf16>, %slab: !sdm.slab<1x88xbf16>, %i: i32, %s: i32, %v: vector<1x4xf32>, %if: i1) {
  // CHECK: %[[A:.*]] = sdm.load_piece %[[X]][%[[I]]] : <?x260xbf16>[i32] -> vector<3x4xbf16>
  %a = sdm.load_piece %x[%i] : !sdm.rows<?x260xbf16> [i32] -> vector<3x4xbf16>
  // CHECK: %[[B:.*]] = sdm.load_piece %[[X]][%[[I]]] slice %[[S]] : <?x260xbf16>[i32] -> vector<1x4xbf16>
  %b = sdm.load_piece %x[%i] slice %s : !sdm.rows<?x260xbf16> [i32] -> vector<1x4xbf16>
  // CHECK: sdm.load_piece %[[X]][%[[I]]] slice %[[S]] where %{{.*}} : <?x260xbf16>[i32] -> vector<1x4xbf16>
  %masked = sdm.load_piece %x[%i] slice %s where %if : !sdm.rows<?x260xbf16> [i32] -> vector<1x4xbf16>
  // CHECK: sdm.take_piece %[[SLAB]][%[[I]]] slice %[[S]] {width = 260 : i64} : <1x88xbf16>[i32] -> vector<1x4xbf16>
  %c = sdm.take_piece %slab[%i] slice %s {width = 260 : i64} : !sdm.slab<1x88xbf16> [i32] -> vector<1x4xbf16>
  // CHECK: sdm.store_piece %[[A]], %[[X]][%[[I]]] bits : vector<3x4xbf16>, <?x260xbf16>[i32]
  sdm.store_piece %a, %x[%i] bits : vector<3x4xbf16>, !sdm.rows<?x260xbf16> [i32]
  // CHECK: sdm.store_piece %[[V:.*]], %[[X]][%[[I]]] slice %[[S]] : vector<1x4xf32>, <?x260xbf16>[i32]
  sdm.store_piece %v, %x[%i] slice %s : vector<1x4xf32>, !sdm.rows<?x260xbf16> [i32]
  // CHECK: %[[P:.*]] = sdm.partial dot %[[V]], %[[V]] slice %[[S]] {slice_width = 88 : i64, width = 260 : i64} : vector<1x4xf32>, vector<1x4xf32> -> f32
  %p = sdm.partial dot %v, %v slice %s {width = 260 : i64, slice_width = 88 : i64} : vector<1x4xf32>, vector<1x4xf32> -> f32
  // CHECK: %[[Q:.*]] = sdm.partial amax %[[V]] {slice_width = 128 : i64, width = 128 : i64} : vector<1x4xf32> -> f32
  %q = sdm.partial amax %v {width = 128 : i64, slice_width = 128 : i64} : vector<1x4xf32> -> f32
  // CHECK: sdm.butterfly sum %[[P]]{{$}}
  %t = sdm.butterfly sum %p
  // CHECK: sdm.butterfly max %[[P]], %[[Q]], %[[P]], %[[Q]]{{$}}
  %u = sdm.butterfly max %p, %q, %p, %q
  return
}
