// Each walk becomes a function with every operand of the kernel, in the kernel's order, and what it uses of the scalars.
// RUN: sdm-opt %s --sdm-outline-walks | FileCheck %s

#read = #sdm.layout<"Read", key = "slot", planes = [8], fields = [
  <"slot" : i32 in 0 at 4>, <"x" : f32 in 0 at 0>, <"$first" : i1 in 0 at 4 bits 31 to 31>, <"$last" : i1 in 0 at 4 bits 30 to 30>]>

// CHECK-NOT: sdm.kernel
// CHECK-LABEL: func.func @three_0(
// CHECK-SAME: %{{.*}}: f32, %[[READS:.*]]: !sdm.sorted<#read>, %{{.*}}: !sdm.rows<?x256xf32>, %{{.*}}: !sdm.cells<?x?x?xf32> {sdm.scratch = 2 : i64})
// CHECK-SAME: attributes {sdm.launch = #sdm.launch<groups, operand = 1, slices = 2, warps = 4{{.*}}>, sdm.one_chunk}
// CHECK: sdm.walk
// CHECK-NOT: sdm.each
// CHECK: return
// CHECK-LABEL: func.func @three_1(
// CHECK-SAME: %[[A:[^:]*]]: f32
// CHECK-SAME: sdm.launch = #sdm.launch<records, operand = 1, slices = 1, warps = 8{{.*}}>
// CHECK: %[[TWICE:.*]] = arith.addf %[[A]], %[[A]]
// CHECK: sdm.each_record
// CHECK: arith.mulf %[[TWICE]], %[[TWICE]]
// CHECK: return
// CHECK-LABEL: func.func @three_2(
// CHECK-SAME: sdm.launch = #sdm.launch<rows, operand = 2, slices = 1, warps = 8{{.*}}>
// CHECK: sdm.each_row
// CHECK: return
func.func @three(%a: f32, %reads: !sdm.sorted<#read>, %x: !sdm.rows<?x256xf32>, %planes: !sdm.cells<?x?x?xf32> {sdm.scratch = 2 : i64})
    attributes {sdm.kernel, sdm.one_chunk} {
  %twice = arith.addf %a, %a : f32
  sdm.walk %group, %slice in %reads slices 2 schedule <nest, split, warps = 4> : !sdm.sorted<#read> {
  }
  sdm.each_record %record in %reads schedule <nest, whole, warps = 8> : !sdm.sorted<#read> {
    %four = arith.mulf %twice, %twice : f32
  }
  sdm.each_row %row in %x : !sdm.rows<?x256xf32> {
  }
  return
}

// A function that is no kernel stays; a kernel without walks launches nothing.
// CHECK-LABEL: func.func @other(
// CHECK-NOT: @empty
func.func @other(%a: f32) {
  return
}
func.func @empty(%a: f32) attributes {sdm.kernel} {
  return
}
