// What nobody uses goes, what two use is one; a store keeps its loop, and a key is one value.
// RUN: sdm-opt %s --canonicalize --cse | FileCheck %s

#use = #sdm.layout<"Use", key = "slot", planes = [8, 4, 4], fields = [
  <"slot" : i64 in 0 at 0>, <"$index" : i32 in 1 at 0>, <"$ordinal" : i32 in 2 at 0 bits 0 to 28>, <"weight" : f32 = 5.0e-01 : f32>,
  <"$first" : i1 in 2 at 0 bits 31 to 31>, <"$last" : i1 in 2 at 0 bits 30 to 30>]>

// CHECK-LABEL: func.func @unused(
// CHECK-NOT: sdm.{{key|field|property|members|load}}
// CHECK: return
func.func @unused(%uses: !sdm.sorted<#use>, %cells: !sdm.cells<?xf32>) {
  sdm.walk %group in %uses : !sdm.sorted<#use> {
    %key = sdm.key %group : i64
    %size = sdm.property %group size : !sdm.group -> i32
    %zero = arith.constant 0.0 : f32
    %sum = sdm.members %use in %group iter_args(%a = %zero) : (f32) {
      %weight = sdm.field %use "weight" : f32
      %cell = sdm.load_cell %cells[%key] : !sdm.cells<?xf32> [i64] -> f32
      %b = arith.addf %a, %weight : f32
      sdm.yield %b : f32
    }
  }
  return
}

// CHECK-LABEL: func.func @same(
func.func @same(%uses: !sdm.sorted<#use>, %cells: !sdm.cells<?xf32>) {
  sdm.walk %group in %uses : !sdm.sorted<#use> {
    // CHECK: %[[KEY:.*]] = sdm.key
    // CHECK-NOT: sdm.key
    %a = sdm.key %group : i64
    %b = sdm.key %group : i64
    // CHECK: sdm.members %[[USE:.*]] in
    sdm.members %use in %group {
      // CHECK: %[[WEIGHT:.*]] = sdm.field %[[USE]] "weight" : f32
      // CHECK-NOT: sdm.field
      %v = sdm.field %use "weight" : f32
      %w = sdm.field %use "weight" : f32
      // CHECK: arith.addf %[[WEIGHT]], %[[WEIGHT]]
      %x = arith.addf %v, %w : f32
      // CHECK: sdm.store_cell %{{.*}}, %{{.*}}[%[[KEY]]]
      sdm.store_cell %x, %cells[%b] : f32, !sdm.cells<?xf32> [i64]
    }
    // Two groups' fields are two values: nothing moves out of its walk.
    %y = sdm.load_cell %cells[%a] : !sdm.cells<?xf32> [i64] -> f32
  }
  return
}
