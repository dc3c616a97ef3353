// Resident rows are staged in front of the warp's loops, once for each slab; the wait for the previous kernel stands before
// whatever it may write.
// RUN: sdm-opt %s --sdm-pipeline-rows | FileCheck %s --check-prefixes=CHECK,LATE
// RUN: sdm-opt %s --pass-pipeline='builtin.module(sdm-pipeline-rows{early=0,1})' | FileCheck %s --check-prefixes=CHECK,EARLY

#read = #sdm.layout<"Read", key = "slot", planes = [8], fields = [<"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>]>

// CHECK-LABEL: func.func @staged(
// CHECK-SAME: %[[READS:[^:]*]]: !sdm.sorted<#read>, %[[X:[^:]*]]: !sdm.rows<?x?x128xf32>, %[[Y:[^:]*]]: !sdm.rows<?x128xbf16>
func.func @staged(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x?x128xf32>, %y: !sdm.rows<?x128xbf16>, %out: !sdm.rows<?x128xf32>)
    attributes {sdm.launch = #sdm.launch<records, operand = 0, slices = 1, warps = 8>} {
  // CHECK: %[[CHUNK:.*]], %{{.*}}, %{{.*}}, %{{.*}} = sdm.tile
  // EARLY-NEXT: %[[A:.*]] = sdm.stage %[[X]][%[[CHUNK]]] : <?x?x128xf32>[i32] -> <1x128xf32>
  // EARLY-NEXT: sdm.dependency_wait
  // LATE-NEXT: sdm.dependency_wait
  // LATE-NEXT: %[[A:.*]] = sdm.stage %[[X]][%[[CHUNK]]] : <?x?x128xf32>[i32] -> <1x128xf32>
  // CHECK-NEXT: %[[B:.*]] = sdm.stage %[[Y]][] : <?x128xbf16> -> <1x128xbf16>
  // CHECK-NEXT: sdm.publish %[[A]], %[[B]] : !sdm.slab<1x128xf32>, !sdm.slab<1x128xbf16>
  // CHECK: scf.for %[[POS:.*]] =
  %chunk, %slice, %begin, %end = sdm.tile %reads : !sdm.sorted<#read>
  %one = arith.constant 1 : i32
  scf.for %pos = %begin to %end step %one : i32 {
    // CHECK: %[[TOKEN:.*]] = sdm.fetch
    %token = sdm.fetch %reads[%chunk, %pos] "token" : !sdm.sorted<#read> -> i32
    // CHECK: sdm.take %[[A]][%[[TOKEN]]] : <1x128xf32>[i32] -> vector<1x128xf32>
    // CHECK: sdm.take %[[A]][%[[POS]]] : <1x128xf32>[i32] -> vector<1x128xf32>
    // CHECK: sdm.take %[[B]][%[[TOKEN]]] : <1x128xbf16>[i32] -> vector<1x128xbf16>
    // Direct rows stay loads.
    // CHECK: sdm.load_row %[[X]][%[[TOKEN]], %[[TOKEN]]]
    // CHECK-NOT: sdm.load_row
    %a = sdm.load_row %x[%chunk, %token] placed resident : !sdm.rows<?x?x128xf32> [i32, i32] -> vector<1x128xf32>
    %b = sdm.load_row %x[%chunk, %pos] placed resident : !sdm.rows<?x?x128xf32> [i32, i32] -> vector<1x128xf32>
    %c = sdm.load_row %y[%token] placed resident : !sdm.rows<?x128xbf16> [i32] -> vector<1x128xbf16>
    %d = sdm.load_row %x[%token, %token] : !sdm.rows<?x?x128xf32> [i32, i32] -> vector<1x128xf32>
    %e = arith.addf %a, %b : vector<1x128xf32>
    %f = arith.addf %d, %e : vector<1x128xf32>
    %g = arith.extf %c : vector<1x128xbf16> to vector<1x128xf32>
    %h = arith.addf %f, %g : vector<1x128xf32>
    sdm.store_row %h, %out[%pos] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// Launch scalars: an argument as it is, constants and extents written again in front of the loops; slices of their own.
// CHECK-LABEL: func.func @prefixes(
// CHECK-SAME: %[[X:[^:]*]]: !sdm.rows<?x?x256xf32>, %[[N:[^:]*]]: i32
// CHECK: %{{.*}}, %[[SLICE:.*]], %{{.*}}, %{{.*}} = sdm.tile
// CHECK: %[[THREE:.*]] = arith.constant 3 : i32
// CHECK: %[[A:.*]] = sdm.stage %[[X]][%[[THREE]]] slice %[[SLICE]] : <?x?x256xf32>[i32] -> <1x128xf32>
// CHECK: %[[B:.*]] = sdm.stage %[[X]][%[[N]]] slice %[[SLICE]]
// CHECK: sdm.publish %[[A]], %[[B]]
// CHECK: scf.for
// CHECK: sdm.take %[[A]]
// CHECK: sdm.take %[[B]]
// CHECK: sdm.take %[[A]]
func.func @prefixes(%x: !sdm.rows<?x?x256xf32>, %n: i32, %out: !sdm.rows<?x256xf32>)
    attributes {sdm.launch = #sdm.launch<rows, operand = 2, slices = 2, warps = 8>} {
  %chunk, %slice, %begin, %end = sdm.tile %out : !sdm.rows<?x256xf32>
  %one = arith.constant 1 : i32
  scf.for %row = %begin to %end step %one : i32 {
    %three = arith.constant 3 : i32
    %again = arith.constant 3 : i32
    %a = sdm.load_row %x[%three, %row] slice %slice placed resident : !sdm.rows<?x?x256xf32> [i32, i32] -> vector<1x128xf32>
    %b = sdm.load_row %x[%n, %row] slice %slice placed resident : !sdm.rows<?x?x256xf32> [i32, i32] -> vector<1x128xf32>
    %c = sdm.load_row %x[%again, %row] slice %slice placed resident : !sdm.rows<?x?x256xf32> [i32, i32] -> vector<1x128xf32>
    %d = math.fma %a, %b, %c : vector<1x128xf32>
    sdm.store_row %d, %out[%row] slice %slice : vector<1x128xf32>, !sdm.rows<?x256xf32> [i32]
  }
  return
}

// Without resident rows the wait is all there is.
// CHECK-LABEL: func.func @direct(
// CHECK: sdm.tile
// CHECK-NEXT: sdm.dependency_wait
// CHECK-NOT: sdm.{{stage|publish}}
// CHECK: return
func.func @direct(%reads: !sdm.sorted<#read>) attributes {sdm.launch = #sdm.launch<records, operand = 0, slices = 1, warps = 8>} {
  %chunk, %slice, %begin, %end = sdm.tile %reads : !sdm.sorted<#read>
  return
}

// What is not launched waits for nothing.
// CHECK-LABEL: func.func @other(
// CHECK-NEXT: return
func.func @other() {
  return
}
