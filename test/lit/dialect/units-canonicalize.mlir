// Peeks of one field are one until something is staged; copies stay in their order; unused rings and cuts go.
// RUN: sdm-opt %s --canonicalize --cse | FileCheck %s

#read = #sdm.layout<"Read", planes = [8], fields = [<"x" : i32 in 0 at 0>, <"$first" : i1 in 0 at 4 bits 31 to 31>]>

// CHECK-LABEL: func.func @peeks(
// CHECK-SAME: %[[BUFFER:[^:]*]]: !sdm.buffer
// CHECK: %[[X:.*]] = sdm.peek %[[BUFFER]]
// CHECK-NEXT: %[[SUM:.*]] = arith.addi %[[X]], %[[X]]
// CHECK-NEXT: sdm.refill %[[BUFFER]]
// CHECK-NEXT: %[[Y:.*]] = sdm.peek %[[BUFFER]]
// CHECK-NEXT: arith.addi %[[SUM]], %[[Y]]
func.func @peeks(%buffer: !sdm.buffer<#read, batch = 32>, %i: i32) -> i32 {
  %a = sdm.peek %buffer[%i] "x" : !sdm.buffer<#read, batch = 32> -> i32
  %b = sdm.peek %buffer[%i] "x" : !sdm.buffer<#read, batch = 32> -> i32
  %c = arith.addi %a, %b : i32
  sdm.refill %buffer at %i from %i to %i : !sdm.buffer<#read, batch = 32>
  %d = sdm.peek %buffer[%i] "x" : !sdm.buffer<#read, batch = 32> -> i32
  %e = arith.addi %c, %d : i32
  return %e : i32
}

// CHECK-LABEL: func.func @kept(
// CHECK-NOT: sdm.seek
// CHECK: %[[RING:.*]] = sdm.ring
// CHECK-NOT: sdm.ring
// CHECK: sdm.issue
// CHECK-NEXT: sdm.commit
// CHECK-NEXT: sdm.issue
// CHECK-NEXT: sdm.commit
// CHECK-NEXT: sdm.prefetch
// CHECK-NEXT: return
func.func @kept(%list: !sdm.sorted<#read>, %x: !sdm.rows<?x128xf32>, %i: i32, %if: i1) {
  %ring = sdm.ring 4 width 128 : !sdm.slab<1x128xf32>
  %unused = sdm.ring 8 width 128 : !sdm.slab<1x128xf32>
  %cut = sdm.seek %list[%i] from %i : !sdm.sorted<#read> -> i32
  sdm.issue %x[%i] to %ring slot %i where %if {index_counts = array<i64: 1>} : !sdm.rows<?x128xf32> [i32] -> !sdm.slab<1x128xf32>
  sdm.commit
  sdm.issue %x[%i] to %ring slot %i where %if {index_counts = array<i64: 1>} : !sdm.rows<?x128xf32> [i32] -> !sdm.slab<1x128xf32>
  sdm.commit
  sdm.prefetch %x[%i] where %if : !sdm.rows<?x128xf32> [i32]
  return
}
