// Nest and flat: the flat form needs one member loop, begin values that go to members, no size before the end.
// RUN: sdm-opt %s --pass-pipeline='builtin.module(sdm-plan-rows{chip=sm_90})' | FileCheck %s
// RUN: not sdm-opt %s --pass-pipeline='builtin.module(sdm-plan-rows{chip=sm_90 schedule=flat})' 2>&1 | FileCheck %s --check-prefix=FLAT
// RUN: sdm-opt %s --pass-pipeline='builtin.module(sdm-plan-rows{chip=sm_90 schedule=nest})' | FileCheck %s --check-prefix=NEST
// RUN: sdm-opt %s --pass-pipeline='builtin.module(sdm-plan-rows)' | FileCheck %s --check-prefix=NEST

// NEST-NOT: <flat
// NEST-NOT: placed ring
// FLAT: error: expected the nest form ({{.*}}), got flat

#read = #sdm.layout<"Read", key = "slot", unique = ["token"], planes = [8], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>]>

// CHECK-LABEL: func.func @one_loop(
// CHECK: schedule <flat, split, warps = {{[0-9]+}}, unit = {{[0-9]+}}, depth = 2> attributes {reasons = ["operand 2: through a ring of {{[0-9]+}} rows", "operand 1: through a ring of {{[0-9]+}} rows"
func.func @one_loop(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x?x128xf32>, %y: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %chunk = sdm.property %group chunk : !sdm.group -> i32
    %a = sdm.load_row %y[%key] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    %b = sdm.members %read in %group iter_args(%c = %a) : (vector<1x128xf32>) {
      %token = sdm.field %read "token" : i32
      %r = sdm.load_row %x[%chunk, %token] : !sdm.rows<?x?x128xf32> [i32, i32] -> vector<1x128xf32>
      %d = arith.addf %c, %r : vector<1x128xf32>
      sdm.yield %d : vector<1x128xf32>
    }
    sdm.store_row %b, %y[%key] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// CHECK-LABEL: func.func @two_loops(
// CHECK: schedule <nest, split, warps = 8> attributes {reasons = ["nest: the flat form needs exactly one member loop, unconditional"
func.func @two_loops(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x?x128xf32>, %y: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %zero = arith.constant dense<0.0> : vector<1x128xf32>
    %b = sdm.members %read in %group iter_args(%c = %zero) : (vector<1x128xf32>) {
      sdm.yield %c : vector<1x128xf32>
    }
    %e = sdm.members %read in %group iter_args(%c = %b) : (vector<1x128xf32>) {
      sdm.yield %c : vector<1x128xf32>
    }
    sdm.store_row %e, %y[%key] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// CHECK-LABEL: func.func @conditional_loop(
// CHECK: schedule <nest, split, warps = 8> attributes {reasons = ["nest: the flat form needs exactly one member loop, unconditional"
func.func @conditional_loop(%reads: !sdm.sorted<#read>, %y: !sdm.rows<?x128xf32>, %if: i1) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %zero = arith.constant dense<0.0> : vector<1x128xf32>
    scf.if %if {
      %b = sdm.members %read in %group iter_args(%c = %zero) : (vector<1x128xf32>) {
        sdm.yield %c : vector<1x128xf32>
      }
      sdm.store_row %b, %y[%key] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
    }
  }
  return
}

// CHECK-LABEL: func.func @size_in_members(
// CHECK: schedule <nest, split, warps = 8> attributes {reasons = ["nest: the group's size is used, which a stream of positions does not know"
func.func @size_in_members(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x128xf32>, %y: !sdm.cells<?x?xi32>, %z: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %size = sdm.property %group size : !sdm.group -> i32
    %chunk = sdm.property %group chunk : !sdm.group -> i32
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    sdm.members %read in %group {
      %token = sdm.field %read "token" : i32
      sdm.store_cell %size, %y[%chunk, %token] : i32, !sdm.cells<?x?xi32> [i32, i32]
    }
    sdm.store_row %r, %z[%key] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}
