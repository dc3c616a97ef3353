// Fetches of one field are one; what only a lane's arithmetic used goes; staged rows and waits stay.
// RUN: sdm-opt %s --canonicalize --cse | FileCheck %s

#read = #sdm.layout<"Read", key = "slot", planes = [8], fields = [<"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>]>

// CHECK-LABEL: func.func @fetches(
func.func @fetches(%reads: !sdm.sorted<#read>, %out: !sdm.cells<?xi32>, %i: i32) {
  // CHECK: %[[TOKEN:.*]] = sdm.fetch %{{.*}} "token"
  // CHECK-NOT: sdm.fetch
  // CHECK: arith.addi %[[TOKEN]], %[[TOKEN]]
  %a = sdm.fetch %reads[%i, %i] "token" : !sdm.sorted<#read> -> i32
  %b = sdm.fetch %reads[%i, %i] "token" : !sdm.sorted<#read> -> i32
  %unused = sdm.fetch %reads[%i, %i] "slot" : !sdm.sorted<#read> -> i32
  %s = arith.addi %a, %b : i32
  sdm.store_cell %s, %out[%i] : i32, !sdm.cells<?xi32> [i32]
  return
}

// CHECK-LABEL: func.func @staged(
// CHECK-NEXT: sdm.dependency_wait
// CHECK-NEXT: %[[SLAB:.*]] = sdm.stage
// CHECK-NEXT: sdm.publish %[[SLAB]]
// CHECK-NEXT: return
func.func @staged(%x: !sdm.rows<?x128xf32>, %i: i32) {
  sdm.dependency_wait
  %slab = sdm.stage %x[] : !sdm.rows<?x128xf32> -> !sdm.slab<1x128xf32>
  sdm.publish %slab : !sdm.slab<1x128xf32>
  %r = sdm.take %slab[%i] : !sdm.slab<1x128xf32> [i32] -> vector<1x128xf32>
  return
}

// CHECK-LABEL: func.func @lanes(
// CHECK-NEXT: return
func.func @lanes(%x: !sdm.rows<?x128xf32>, %i: i32) {
  %a = sdm.load_piece %x[%i] : !sdm.rows<?x128xf32> [i32] -> vector<1x4xf32>
  %p = sdm.partial sum %a {width = 128 : i64, slice_width = 128 : i64} : vector<1x4xf32> -> f32
  %b = sdm.butterfly sum %p
  return
}
