// The flat form: positions of all groups in units, rows through rings, edges of groups under their flags.
// RUN: sdm-opt %s --pass-pipeline='builtin.module(sdm-check-kernel,sdm-plan-rows{chip=sm_90 schedule=flat,unit=2},sdm-split-slices,sdm-outline-walks,sdm-tile-walk{lanes=32},sdm-pipeline-rows)' | FileCheck %s

#read = #sdm.layout<"Read", key = "slot", unique = ["token"], planes = [8], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"scale" : f32 = 1.0 : f32>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>

// The waits for copies come before what reads them, behind a barrier of the warp; no copy is in flight at the end.
// CHECK-LABEL: func.func @carried_0(
// CHECK: sdm.tile
// CHECK: sdm.dependency_wait
// CHECK: sdm.records
// CHECK: sdm.seek
// CHECK: sdm.commit
// CHECK: sdm.wait_group
// CHECK: sdm.warp_barrier
// CHECK: %[[RING:.*]] = sdm.ring 4
// CHECK-COUNT-2: sdm.issue {{.*}} to %[[RING]]
// CHECK: sdm.commit
// CHECK: scf.for
// CHECK: sdm.refill
// CHECK-COUNT-2: sdm.issue {{.*}} to %[[RING]]
// CHECK: sdm.commit
// CHECK: sdm.peek {{.*}} "$first"
// CHECK: sdm.wait_group
// CHECK-NEXT: sdm.warp_barrier
// CHECK-NOT: sdm.peek
// CHECK: sdm.take %[[RING]]
// CHECK: arith.addf
// CHECK: sdm.store_row
// CHECK: sdm.wait_group 0
// CHECK: return
func.func @carried(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x?x128xf32>, %y: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %zero = arith.constant dense<0.0> : vector<1x128xf32>
    %sum = sdm.members %read in %group iter_args(%a = %zero) : (vector<1x128xf32>) {
      %chunk = sdm.property %group chunk : !sdm.group -> i32
      %token = sdm.field %read "token" : i32
      %r = sdm.load_row %x[%chunk, %token] : !sdm.rows<?x?x128xf32> [i32, i32] -> vector<1x128xf32>
      %b = arith.addf %a, %r : vector<1x128xf32>
      sdm.yield %b : vector<1x128xf32>
    }
    sdm.store_row %sum, %y[%key] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// Nothing carried from member to member, no reduction, nothing at the group's begin or end.
// CHECK-LABEL: func.func @nothing_carried_0(
// CHECK: sdm.take
// CHECK: sdm.store_row
func.func @nothing_carried(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x?x128xf32>, %y: !sdm.rows<?x?x128xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    sdm.members %read in %group {
      %chunk = sdm.property %group chunk : !sdm.group -> i32
      %token = sdm.field %read "token" : i32
      %r = sdm.load_row %x[%chunk, %token] : !sdm.rows<?x?x128xf32> [i32, i32] -> vector<1x128xf32>
      sdm.store_row %r, %y[%chunk, %token] : vector<1x128xf32>, !sdm.rows<?x?x128xf32> [i32, i32]
    }
  }
  return
}

// CHECK-LABEL: func.func @nothing_carried_but_sums_0(
// CHECK: sdm.butterfly
// CHECK: sdm.store_cell
func.func @nothing_carried_but_sums(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x?x128xf32>, %d: !sdm.cells<?x?xf32>, %n: !sdm.cells<?xi32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    sdm.members %read in %group {
      %chunk = sdm.property %group chunk : !sdm.group -> i32
      %token = sdm.field %read "token" : i32
      %r = sdm.load_row %x[%chunk, %token] : !sdm.rows<?x?x128xf32> [i32, i32] -> vector<1x128xf32>
      %dot = sdm.dot %r, %r {width = 128 : i64} : vector<1x128xf32>
      sdm.store_cell %dot, %d[%chunk, %token] : f32, !sdm.cells<?x?xf32> [i32, i32]
    }
    sdm.store_cell %key, %n[%key] : i32, !sdm.cells<?xi32> [i32]
  }
  return
}

// A walk whose slices lie on different warps: a unit's sums are one batch too, for a plane of them is one store apart.
// CHECK-LABEL: func.func @sums_of_slices_0(
// CHECK: scf.for
// CHECK-NOT: sdm.reduce
// CHECK: sdm.butterfly sum %{{[^,]*}}, %
// CHECK: sdm.store_cell
// CHECK-LABEL: func.func @sums_of_slices_1(
func.func @sums_of_slices(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x?x256xf32>, %d: !sdm.cells<?x?xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    sdm.members %read in %group {
      %chunk = sdm.property %group chunk : !sdm.group -> i32
      %token = sdm.field %read "token" : i32
      %r = sdm.load_row %x[%chunk, %token] : !sdm.rows<?x?x256xf32> [i32, i32] -> vector<2x128xf32>
      %sum = sdm.reduce sum %r {width = 256 : i64} : vector<2x128xf32>
      sdm.store_cell %sum, %d[%chunk, %token] : f32, !sdm.cells<?x?xf32> [i32, i32]
    }
  }
  return
}

// CHECK-LABEL: func.func @rows_0(
// CHECK: sdm.ring
// CHECK: sdm.take
// CHECK: sdm.store_row
func.func @rows(%x: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x128xf32> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    %s = arith.addf %r, %r : vector<1x128xf32>
    sdm.store_row %s, %x[%row] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// A reduction's cell that is written again does not wait for the unit's end: what is last stays last.
// CHECK-LABEL: func.func @overwritten_0(
// CHECK-NOT: sdm.butterfly
// CHECK: sdm.reduce sum
// CHECK: sdm.store_cell %{{.*}}, %[[D:.*]][
// CHECK: sdm.store_cell %{{.*}}, %[[D]][
// CHECK-NOT: sdm.butterfly
// CHECK: return
func.func @overwritten(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x?x128xf32>, %d: !sdm.cells<?x?xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    sdm.members %read in %group {
      %chunk = sdm.property %group chunk : !sdm.group -> i32
      %token = sdm.field %read "token" : i32
      %scale = sdm.field %read "scale" : f32
      %r = sdm.load_row %x[%chunk, %token] : !sdm.rows<?x?x128xf32> [i32, i32] -> vector<1x128xf32>
      %sum = sdm.reduce sum %r {width = 128 : i64} : vector<1x128xf32>
      sdm.store_cell %sum, %d[%chunk, %token] : f32, !sdm.cells<?x?xf32> [i32, i32]
      sdm.store_cell %scale, %d[%chunk, %token] : f32, !sdm.cells<?x?xf32> [i32, i32]
    }
  }
  return
}
