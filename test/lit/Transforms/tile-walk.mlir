// A walk becomes the loops of one warp (the nest form): groups that start in the tile, each walked to its end.
// RUN: sdm-opt %s --sdm-tile-walk --canonicalize --cse | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: sdm-opt %s --pass-pipeline='builtin.module(sdm-tile-walk{lanes=32},canonicalize,cse)' | FileCheck %s --check-prefixes=CHECK,LANES

#read = #sdm.layout<"Read", key = "slot", planes = [8], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"$index" : i32 in 0 at 0>, <"$ordinal" : i32 in 0 at 0 bits 0 to 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
#all = #sdm.layout<"All", key = "slot", planes = [8], fields = [
  <"slot" : i64 in 0 at 0>, <"$first" : i1 = true>, <"$last" : i1 = true>]>

// CHECK-LABEL: func.func @groups(
// CHECK-SAME: %[[READS:[^:]*]]: !sdm.sorted<#read>, %[[N:[^:]*]]: !sdm.cells<?xi32>, %[[P:[^:]*]]: !sdm.cells<?x?xi32>
func.func @groups(%reads: !sdm.sorted<#read>, %n: !sdm.cells<?xi32>, %p: !sdm.cells<?x?xi32>) attributes {sdm.launch = #sdm.launch<groups, operand = 0, slices = 1, warps = 8>} {
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK-DAG: %[[NEXT:.*]] = arith.constant 1 : i32
  // CHECK: %[[CHUNK:.*]], %{{.*}}, %[[BEGIN:.*]], %[[END:.*]] = sdm.tile %[[READS]]
  // CHECK: %[[EXTENT:.*]] = sdm.dim %[[READS]], 0
  // CHECK: %[[LENGTH:.*]] = arith.trunci %[[EXTENT]] : i64 to i32
  // The first group of the tile: nothing is read at or past the tile's end.
  // CHECK: %[[START:.*]] = scf.while (%[[AT:.*]] = %[[BEGIN]])
  // CHECK-NEXT: %[[INSIDE:.*]] = arith.cmpi slt, %[[AT]], %[[END]]
  // CHECK-NEXT: scf.if %[[INSIDE]]
  // CHECK-NEXT: sdm.fetch %[[READS]][%[[CHUNK]], %[[AT]]] "$first"
  // CHECK: scf.while (%[[AT:.*]] = %[[START]])
  // CHECK: arith.cmpi slt, %[[AT]], %[[END]]
  // CHECK: ^{{.*}}(%[[GROUP:.*]]: i32):
  // CHECK: %[[INVALID:.*]] = sdm.fetch %[[READS]][%[[CHUNK]], %[[GROUP]]] "$invalid"
  // CHECK: scf.if %[[INVALID]]
  // An invalid record is a group of its own: its per-record store is +0, its store at the key is dropped.
  // CHECK-NEXT: sdm.store_cell %[[ZERO]], %[[P]][%[[CHUNK]], %[[GROUP]]]
  // CHECK-NEXT: %[[AFTER:.*]] = arith.addi %[[GROUP]], %[[NEXT]]
  // CHECK-NEXT: scf.yield %[[AFTER]]
  // CHECK-NEXT: } else {
  // CHECK: %[[KEY:.*]] = sdm.fetch %[[READS]][%[[CHUNK]], %[[GROUP]]] "slot"
  // CHECK: %[[SUMS:.*]]:2 = scf.while (%[[POS:.*]] = %[[GROUP]], %[[A:.*]] = %[[ZERO]])
  // CHECK: %[[TOKEN:.*]] = sdm.fetch %[[READS]][%[[CHUNK]], %[[POS]]] "token"
  // CHECK: %[[B:.*]] = arith.addi %[[A]], %[[TOKEN]]
  // CHECK: sdm.store_cell %[[B]], %[[P]][%[[CHUNK]], %[[POS]]]
  // The last record of the group ends the loop, and so does the list's end.
  // CHECK: %[[LAST:.*]] = sdm.fetch %[[READS]][%[[CHUNK]], %[[POS]]] "$last"
  // CHECK: %[[AFTER:.*]] = arith.addi %[[POS]], %[[NEXT]]
  // CHECK: %[[INSIDE:.*]] = arith.cmpi slt, %[[AFTER]], %[[LENGTH]]
  // CHECK: %[[NOT_LAST:.*]] = arith.xori %[[LAST]]
  // CHECK: %[[MORE:.*]] = arith.andi %[[NOT_LAST]], %[[INSIDE]]
  // CHECK: scf.condition(%[[MORE]]) %[[AFTER]], %[[B]]
  // CHECK: sdm.store_cell %[[SUMS]]#1, %[[N]][%[[KEY]]]
  // CHECK-NEXT: scf.yield %[[SUMS]]#0
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %zero = arith.constant 0 : i32
    %sum = sdm.members %read in %group iter_args(%a = %zero) : (i32) {
      %token = sdm.field %read "token" : i32
      %b = arith.addi %a, %token : i32
      %chunk = sdm.property %read chunk : !sdm.member -> i32
      %pos = sdm.property %read pos : !sdm.member -> i32
      sdm.store_cell %b, %p[%chunk, %pos] : i32, !sdm.cells<?x?xi32> [i32, i32]
      sdm.yield %b : i32
    }
    sdm.store_cell %sum, %n[%key] : i32, !sdm.cells<?xi32> [i32]
  }
  return
}

// Without $invalid there is one path; a group without a loop over members is searched for its end.
// CHECK-LABEL: func.func @no_members(
// CHECK-NOT: "$invalid"
// CHECK: scf.while
// CHECK: scf.while
// CHECK: ^{{.*}}(%[[GROUP:.*]]: i32):
// CHECK: %[[KEY:.*]] = sdm.fetch %{{.*}}[%{{.*}}, %[[GROUP]]] "slot" : <#all> -> i64
// CHECK: sdm.store_cell %{{.*}}[%[[KEY]]]
// CHECK: %[[END:.*]] = scf.while (%{{.*}} = %[[GROUP]])
// CHECK: sdm.fetch %{{.*}} "$last"
// CHECK: scf.yield %[[END]]
func.func @no_members(%list: !sdm.sorted<#all>, %n: !sdm.cells<?xi32>) attributes {sdm.launch = #sdm.launch<groups, operand = 0, slices = 1, warps = 8>} {
  sdm.walk %group in %list : !sdm.sorted<#all> {
    %key = sdm.key %group : i64
    %one = arith.constant 1 : i32
    sdm.store_cell %one, %n[%key] : i32, !sdm.cells<?xi32> [i64]
  }
  return
}

// The size is known before the first member; a loop under a condition does not say where the group ends.
// CHECK-LABEL: func.func @size_first(
// CHECK: ^{{.*}}(%[[GROUP:.*]]: i32):
// CHECK: %[[END:.*]] = scf.while (%{{.*}} = %[[GROUP]])
// CHECK: %[[SIZE:.*]] = arith.subi %[[END]], %[[GROUP]]
// CHECK: sdm.store_cell %[[SIZE]]
// CHECK: scf.if
// CHECK: scf.while
// CHECK: %[[NEXT:.*]] = scf.while (%{{.*}} = %[[GROUP]])
// CHECK: scf.yield %[[NEXT]]
func.func @size_first(%list: !sdm.sorted<#all>, %n: !sdm.cells<?xi32>, %p: !sdm.cells<?x?xi32>, %if: i1) attributes {sdm.launch = #sdm.launch<groups, operand = 0, slices = 1, warps = 8>} {
  sdm.walk %group in %list : !sdm.sorted<#all> {
    %key = sdm.key %group : i64
    %size = sdm.property %group size : !sdm.group -> i32
    sdm.store_cell %size, %n[%key] : i32, !sdm.cells<?xi32> [i64]
    scf.if %if {
      sdm.members %use in %group {
        %chunk = sdm.property %use chunk : !sdm.member -> i32
        %pos = sdm.property %use pos : !sdm.member -> i32
        sdm.store_cell %pos, %p[%chunk, %pos] : i32, !sdm.cells<?x?xi32> [i32, i32]
      }
    }
  }
  return
}

// A loop in a loop starts at the group's first member again, and each handle is read at its own position.
// CHECK-LABEL: func.func @loop_in_a_loop(
// CHECK: ^{{.*}}(%[[GROUP:.*]]: i32):
// CHECK: "$invalid"
// CHECK: } else {
// CHECK: scf.while (%[[OUTER:.*]] = %[[GROUP]])
// CHECK: scf.while (%[[INNER:.*]] = %[[GROUP]], %{{.*}} = %{{.*}})
// CHECK-DAG: %[[T:.*]] = sdm.fetch %{{.*}}[%{{.*}}, %[[INNER]]] "token"
// CHECK-DAG: %[[U:.*]] = sdm.fetch %{{.*}}[%{{.*}}, %[[OUTER]]] "token"
// CHECK: arith.cmpi slt, %[[T]], %[[U]]
// CHECK: sdm.store_cell %{{.*}}[%{{.*}}, %[[OUTER]]]
func.func @loop_in_a_loop(%reads: !sdm.sorted<#read>, %rank: !sdm.cells<?x?xi32>) attributes {sdm.launch = #sdm.launch<groups, operand = 0, slices = 1, warps = 8>} {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    sdm.members %read in %group {
      %smaller = sdm.members %other in %group iter_args(%a = %zero) : (i32) {
        %t = sdm.field %other "token" : i32
        %u = sdm.field %read "token" : i32
        %less = arith.cmpi slt, %t, %u : i32
        %more = arith.addi %a, %one : i32
        %b = arith.select %less, %more, %a : i32
        sdm.yield %b : i32
      }
      %chunk = sdm.property %read chunk : !sdm.member -> i32
      %pos = sdm.property %read pos : !sdm.member -> i32
      sdm.store_cell %smaller, %rank[%chunk, %pos] : i32, !sdm.cells<?x?xi32> [i32, i32]
    }
  }
  return
}

// What an invalid record loads is +0, in conditions too.
// CHECK-LABEL: func.func @invalid_loads(
// CHECK: scf.for %[[POS:.*]] =
// CHECK: %[[INVALID:.*]] = sdm.fetch %{{.*}} "$invalid"
// CHECK: scf.if %[[INVALID]] {
// CHECK-NOT: sdm.load
// CHECK: sdm.store_row %[[ROW:.*]], %{{.*}}[%{{.*}}, %[[POS]]] : vector<1x128xf32>
// CHECK-NOT: sdm.load
// CHECK: } else {
// CHECK: sdm.load_row
func.func @invalid_loads(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x128xf32>, %y: !sdm.rows<?x?x128xf32>) attributes {sdm.launch = #sdm.launch<records, operand = 0, slices = 1, warps = 8>} {
  sdm.each_record %read in %reads : !sdm.sorted<#read> {
    %chunk = sdm.property %read chunk : !sdm.member -> i32
    %pos = sdm.property %read pos : !sdm.member -> i32
    %slot = sdm.field %read "slot" : i32
    %r = sdm.load_row %x[%slot] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    %one = arith.constant dense<1.0> : vector<1x128xf32>
    %s = arith.addf %r, %one : vector<1x128xf32>
    sdm.store_row %s, %y[%chunk, %pos] : vector<1x128xf32>, !sdm.rows<?x?x128xf32> [i32, i32]
  }
  return
}

// Records without rows: 32 lanes take a record each, where a warp has lanes.
// CHECK-LABEL: func.func @scalars(
// ONE-NOT: sdm.per_lane
// LANES-SAME: sdm.per_lane
// ONE-DAG: %[[STEP:.*]] = arith.constant 1 : i32
// LANES-DAG: %[[STEP:.*]] = arith.constant 32 : i32
// CHECK: %{{.*}}, %{{.*}}, %[[BEGIN:.*]], %[[END:.*]] = sdm.tile
// LANES: %[[LANE:.*]] = sdm.lane
// LANES: %[[FIRST:.*]] = arith.addi %[[BEGIN]], %[[LANE]]
// LANES: scf.for %{{.*}} = %[[FIRST]] to %[[END]] step %[[STEP]]
// ONE: scf.for %{{.*}} = %[[BEGIN]] to %[[END]] step %[[STEP]]
func.func @scalars(%list: !sdm.sorted<#all>, %p: !sdm.cells<?x?xi32>) attributes {sdm.launch = #sdm.launch<records, operand = 0, slices = 1, warps = 8>} {
  sdm.each_record %use in %list : !sdm.sorted<#all> {
    %chunk = sdm.property %use chunk : !sdm.member -> i32
    %pos = sdm.property %use pos : !sdm.member -> i32
    %valid = sdm.property %use valid : !sdm.member -> i1
    %n = arith.extui %valid : i1 to i32
    sdm.store_cell %n, %p[%chunk, %pos] : i32, !sdm.cells<?x?xi32> [i32, i32]
  }
  return
}

// Rows of a walk over rows: every index of the tile; slices come from the tile.
// CHECK-LABEL: func.func @rows(
// CHECK: %{{.*}}, %[[SLICE:.*]], %[[BEGIN:.*]], %[[END:.*]] = sdm.tile %[[X:.*]] : !sdm.rows<?x256xf32>
// CHECK: scf.for %[[ROW:.*]] = %[[BEGIN]] to %[[END]]
// CHECK: sdm.load_row %[[X]][%[[ROW]]] slice %[[SLICE]]
func.func @rows(%x: !sdm.rows<?x256xf32>) attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 2, warps = 8>} {
  sdm.each_row %row, %slice in %x slices 2 : !sdm.rows<?x256xf32> {
    %r = sdm.load_row %x[%row] slice %slice : !sdm.rows<?x256xf32> [i32] -> vector<1x128xf32>
    sdm.store_row %r, %x[%row] slice %slice : vector<1x128xf32>, !sdm.rows<?x256xf32> [i32]
  }
  return
}

// What a group and a member know, at their own positions.
// CHECK-LABEL: func.func @properties(
// CHECK: ^{{.*}}(%[[GROUP:.*]]: i32):
// CHECK: } else {
// CHECK: scf.while (%[[POS:.*]] = %[[GROUP]])
// CHECK-DAG: sdm.fetch %{{.*}}[%{{.*}}, %[[GROUP]]] "$ordinal"
// CHECK-DAG: sdm.fetch %{{.*}}[%{{.*}}, %[[POS]]] "$index"
// CHECK-DAG: arith.addi %{{.*}}, %[[GROUP]]
func.func @properties(%reads: !sdm.sorted<#read>, %p: !sdm.cells<?x?xi32>) attributes {sdm.launch = #sdm.launch<groups, operand = 0, slices = 1, warps = 8>} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    sdm.members %read in %group {
      %chunk = sdm.property %read chunk : !sdm.member -> i32
      %ordinal = sdm.property %group index : !sdm.group -> i32
      %first = sdm.property %group pos : !sdm.group -> i32
      %index = sdm.property %read index : !sdm.member -> i32
      %sum = arith.addi %ordinal, %first : i32
      sdm.store_cell %sum, %p[%chunk, %index] : i32, !sdm.cells<?x?xi32> [i32, i32]
    }
  }
  return
}
