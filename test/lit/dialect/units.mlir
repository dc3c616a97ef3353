// The scheduled level of the flat form: cuts, staged records, rings and what starts their copies: printed as written.
// RUN: sdm-opt %s | sdm-opt | FileCheck %s
// RUN: sdm-opt %s --mlir-print-op-generic | sdm-opt | FileCheck %s

#read = #sdm.layout<"Read", key = "slot", planes = [8], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>]>

// CHECK-LABEL: func.func @records(
// CHECK-SAME: %[[READS:[^:]*]]: !sdm.sorted<#read>, %[[C:[^:]*]]: i32, %[[P:[^:]*]]: i32, %[[Q:[^:]*]]: i32
func.func @records(%reads: !sdm.sorted<#read>, %c: i32, %p: i32, %q: i32) {
  // CHECK: %[[CUTS:.*]]:2 = sdm.seek %[[READS]][%[[C]]] from %[[P]], %[[Q]] : {{.*}} -> i32, i32
  %cuts:2 = sdm.seek %reads[%c] from %p, %q : !sdm.sorted<#read> -> i32, i32
  // CHECK: %[[BUFFER:.*]] = sdm.records %[[READS]][%[[C]]] from %[[CUTS]]#0 to %[[CUTS]]#1 : {{.*}} -> {{.*}}
  %buffer = sdm.records %reads[%c] from %cuts#0 to %cuts#1 : !sdm.sorted<#read> -> !sdm.buffer<#read, batch = 32>
  // CHECK: sdm.trim %[[BUFFER]] from %[[P]] to %[[Q]] :
  sdm.trim %buffer from %p to %q : !sdm.buffer<#read, batch = 32>
  // CHECK: sdm.refill %[[BUFFER]] at %[[P]] from %[[P]] to %[[Q]] :
  sdm.refill %buffer at %p from %p to %q : !sdm.buffer<#read, batch = 32>
  // CHECK: sdm.peek %[[BUFFER]][%[[P]]] "$first" : {{.*}} -> i1
  %first = sdm.peek %buffer[%p] "$first" : !sdm.buffer<#read, batch = 32> -> i1
  // CHECK: sdm.peek %[[BUFFER]][%[[P]] plus 3] "token" : {{.*}} -> i32
  %token = sdm.peek %buffer[%p plus 3] "token" : !sdm.buffer<#read, batch = 32> -> i32
  // CHECK: sdm.buffer_at %[[P]] origin %[[Q]] :
  %at = sdm.buffer_at %p origin %q : !sdm.buffer<#read, batch = 64>
  // CHECK: sdm.copy_record %[[READS]][%[[C]], %[[P]]] plane 0 exists %{{.*}} to %[[Q]] :
  sdm.copy_record %reads[%c, %p] plane 0 exists %first to %q : !sdm.sorted<#read>
  // CHECK: sdm.clear_record 8 to %[[Q]] where %{{.*}}
  sdm.clear_record 8 to %q where %first
  return
}

// CHECK-LABEL: func.func @rings(
// CHECK-SAME: %[[X:[^:]*]]: !sdm.rows<?x128xbf16>, %[[Y:[^:]*]]: !sdm.rows<?x?x128xf32>, %[[I:[^:]*]]: i32, %[[S:[^:]*]]: i32, %[[IF:[^:]*]]: i1
func.func @rings(%x: !sdm.rows<?x128xbf16>, %y: !sdm.rows<?x?x128xf32>, %i: i32, %s: i32, %if: i1) {
  // CHECK: %[[A:.*]] = sdm.ring 16 width 128 :
  %a = sdm.ring 16 width 128 : !sdm.slab<1x128xbf16>
  // CHECK: %[[B:.*]] = sdm.ring 16 width 128 :
  %b = sdm.ring 16 width 128 : !sdm.slab<1x128xf32>
  // Rows of one position, each with its own indices, ring and mask.
  // CHECK: sdm.issue %[[X]], %[[Y]][%[[I]], %[[S]], %[[I]]] to %[[A]], %[[B]] slot %[[S]] where %[[IF]], %[[IF]] {index_counts = array<i64: 1, 2>}
  sdm.issue %x, %y[%i, %s, %i] to %a, %b slot %s where %if, %if {index_counts = array<i64: 1, 2>}
    : !sdm.rows<?x128xbf16>, !sdm.rows<?x?x128xf32> [i32, i32, i32] -> !sdm.slab<1x128xbf16>, !sdm.slab<1x128xf32>
  // CHECK: %[[BARRIERS:.*]] = sdm.ring_barriers 2 arrivals 8
  %barriers = sdm.ring_barriers 2 arrivals 8
  // The same rows by the copy engine.
  // CHECK: sdm.issue_bulk 8 of %[[X]], %[[Y]][%[[I]], %[[S]], %[[I]]] to %[[A]], %[[B]] slot %[[S]] where %[[IF]], %[[IF]] reports %[[BARRIERS]] {index_counts = array<i64: 1, 2>}
  sdm.issue_bulk 8 of %x, %y[%i, %s, %i] to %a, %b slot %s where %if, %if reports %barriers {index_counts = array<i64: 1, 2>}
    : !sdm.rows<?x128xbf16>, !sdm.rows<?x?x128xf32> [i32, i32, i32] -> !sdm.slab<1x128xbf16>, !sdm.slab<1x128xf32>
  // CHECK: sdm.prefetch %[[X]][%[[I]]] where %[[IF]]
  sdm.prefetch %x[%i] where %if : !sdm.rows<?x128xbf16> [i32]
  // CHECK: sdm.copy_shared %[[X]][%[[I]]] to %[[S]] where %[[IF]] {bytes = 16 : i64, first = 0 : i64, index_counts = array<i64: 1>, pieces = array<i64: 16>}
  sdm.copy_shared %x[%i] to %s where %if {index_counts = array<i64: 1>, pieces = array<i64: 16>, first = 0 : i64, bytes = 16 : i64} : !sdm.rows<?x128xbf16> [i32]
  // CHECK: sdm.take %[[A]][%[[S]]]
  %r = sdm.take %a[%s] : !sdm.slab<1x128xbf16> [i32] -> vector<1x128xbf16>
  // CHECK: sdm.load_row %[[X]][%[[I]]] where %[[IF]] :
  %l = sdm.load_row %x[%i] where %if : !sdm.rows<?x128xbf16> [i32] -> vector<1x128xbf16>
  return
}
