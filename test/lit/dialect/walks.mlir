// Walks, members and what they know: printed as written.
// RUN: sdm-opt %s | sdm-opt | FileCheck %s
// RUN: sdm-opt %s --mlir-print-op-generic | sdm-opt | FileCheck %s

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>]>
#use = #sdm.layout<"Use", key = "slot", planes = [8, 4, 4], fields = [
  <"slot" : i64 in 0 at 0>, <"$index" : i32 in 1 at 0>, <"$ordinal" : i32 in 2 at 0 bits 0 to 28>, <"weight" : f32 = 5.0e-01 : f32>,
  <"$first" : i1 in 2 at 0 bits 31 to 31>, <"$last" : i1 in 2 at 0 bits 30 to 30>, <"$invalid" : i1 in 2 at 0 bits 29 to 29>]>
#bare = #sdm.layout<"Bare", planes = [4], fields = [<"x" : f32 in 0 at 0>]>

// Layouts print in full once, and as an alias where they are used.
// CHECK-DAG: #read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [<"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>]>
// CHECK-DAG: #use = #sdm.layout<"Use", key = "slot", planes = [8, 4, 4], fields = [<"slot" : i64 in 0 at 0>, {{.*}}, <"weight" : f32 = 5.000000e-01 : f32>, {{.*}}]>
// CHECK-DAG: #bare = #sdm.layout<"Bare", planes = [4], fields = [<"x" : f32 in 0 at 0>]>

// CHECK-LABEL: func.func @walk(
// CHECK-SAME: %[[READS:.*]]: !sdm.sorted<#read>
func.func @walk(%reads: !sdm.sorted<#read>) {
  // CHECK: sdm.walk %[[GROUP:.*]] in %[[READS]] : !sdm.sorted<#read> {
  // CHECK-NEXT: sdm.key %[[GROUP]] : i32
  // CHECK-NEXT: sdm.property %[[GROUP]] chunk : !sdm.group -> i32
  // CHECK-NEXT: sdm.property %[[GROUP]] pos : !sdm.group -> i32
  // CHECK-NEXT: sdm.property %[[GROUP]] size : !sdm.group -> i32
  // CHECK-NEXT: sdm.property %[[GROUP]] valid : !sdm.group -> i1
  // CHECK-NEXT: }
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %chunk = sdm.property %group chunk : !sdm.group -> i32
    %pos = sdm.property %group pos : !sdm.group -> i32
    %size = sdm.property %group size : !sdm.group -> i32
    %valid = sdm.property %group valid : !sdm.group -> i1
  }
  return
}

// CHECK-LABEL: func.func @slices(
func.func @slices(%reads: !sdm.sorted<#read>, %rows: !sdm.rows<?x256xf32>) {
  // CHECK: sdm.walk %{{.*}}, %{{.*}} in %{{.*}} slices 4 schedule <nest, split, warps = 8{{.*}}> attributes {note = "kept"} : !sdm.sorted<#read> {
  sdm.walk %group, %slice in %reads slices 4 schedule <nest, split, warps = 8> attributes {note = "kept"} : !sdm.sorted<#read> {
  }
  // CHECK: sdm.each_record %{{.*}}, %{{.*}} in %{{.*}} slices 2 : !sdm.sorted<#read> {
  sdm.each_record %record, %slice in %reads slices 2 : !sdm.sorted<#read> {
  }
  // CHECK: sdm.each_row %{{.*}}, %{{.*}} in %{{.*}} slices 2 schedule <nest, whole, warps = 4{{.*}}> : !sdm.rows<?x256xf32> {
  sdm.each_row %row, %slice in %rows slices 2 schedule <nest, whole, warps = 4> : !sdm.rows<?x256xf32> {
  }
  return
}

// An i64 key, ordinals, positions in the unsorted list.
// CHECK-LABEL: func.func @uses(
func.func @uses(%uses: !sdm.sorted<#use>) {
  sdm.walk %group in %uses : !sdm.sorted<#use> {
    // CHECK: sdm.key %{{.*}} : i64
    %key = sdm.key %group : i64
    // CHECK: sdm.property %{{.*}} index : !sdm.group -> i32
    %ordinal = sdm.property %group index : !sdm.group -> i32
    // CHECK: sdm.members %[[USE:.*]] in %{{.*}} {
    // CHECK-NEXT: sdm.property %[[USE]] index : !sdm.member -> i32
    // CHECK-NEXT: sdm.field %[[USE]] "weight" : f32
    // CHECK-NEXT: sdm.field %[[USE]] "slot" : i64
    // CHECK-NEXT: }
    sdm.members %use in %group {
      %index = sdm.property %use index : !sdm.member -> i32
      %weight = sdm.field %use "weight" : f32
      %slot = sdm.field %use "slot" : i64
    }
  }
  return
}

// CHECK-LABEL: func.func @members(
func.func @members(%reads: !sdm.sorted<#read>, %a: f32, %n: i32) {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    // CHECK: %[[ALL:.*]]:2 = sdm.members %[[READ:.*]] in %{{.*}} iter_args(%[[SUM:.*]] = %{{.*}}, %[[COUNT:.*]] = %{{.*}}) : (f32, i32) attributes {note = "kept"} {
    %all:2 = sdm.members %read in %group iter_args(%sum = %a, %count = %n) : (f32, i32) attributes {note = "kept"} {
      // CHECK-NEXT: sdm.property %[[READ]] pos : !sdm.member -> i32
      // CHECK-NEXT: sdm.yield %[[SUM]], %[[COUNT]] : f32, i32
      %pos = sdm.property %read pos : !sdm.member -> i32
      sdm.yield %sum, %count : f32, i32
    }
  }
  return
}

// Records need neither key nor flags.
// CHECK-LABEL: func.func @each(
func.func @each(%list: !sdm.sorted<#bare>, %rows: !sdm.rows<?x128xbf16>) {
  // CHECK: sdm.each_record %[[RECORD:.*]] in %{{.*}} : !sdm.sorted<#bare> {
  // CHECK-NEXT: sdm.field %[[RECORD]] "x" : f32
  sdm.each_record %record in %list : !sdm.sorted<#bare> {
    %x = sdm.field %record "x" : f32
  }
  // CHECK: sdm.each_row %[[ROW:.*]] in %{{.*}} : !sdm.rows<?x128xbf16> {
  // CHECK-NEXT: arith.addi %[[ROW]], %[[ROW]] : i32
  sdm.each_row %row in %rows : !sdm.rows<?x128xbf16> {
    %twice = arith.addi %row, %row : i32
  }
  return
}
