// A split walk runs once for each slice; its reductions meet in planes, before any later walk can read the cells.
// RUN: sdm-opt %s --split-input-file --sdm-split-slices | FileCheck %s

#read = #sdm.layout<"Read", key = "slot", unique = ["token"], planes = [8], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"$ordinal" : i32 in 0 at 0 bits 0 to 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>]>

// CHECK-LABEL: func.func @two_levels(
// CHECK-SAME: %[[READS:[^:]*]]: !sdm.sorted<#read>, %[[X:[^:]*]]: !sdm.rows<?x256xf32>, %[[D:[^:]*]]: !sdm.cells<?x?xf32>, %[[E:[^:]*]]: !sdm.cells<?xf32>, %[[O:[^:]*]]: !sdm.cells<?xf32>,
// CHECK-SAME: %[[DOTS:[^:]*]]: !sdm.cells<?x?x?xf32> {sdm.scratch = 2 : i64}, %[[MAXIMA:[^:]*]]: !sdm.cells<?x?x?xf32> {sdm.scratch = 2 : i64})
func.func @two_levels(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x256xf32>, %d: !sdm.cells<?x?xf32>, %e: !sdm.cells<?xf32>, %o: !sdm.cells<?xf32>) attributes {sdm.kernel} {
  // CHECK: sdm.walk %[[GROUP:.*]], %[[SLICE:.*]] in %[[READS]] slices 2 schedule <nest, split, warps = 8
  // The group's own place in a plane, while its first record is at hand.
  // CHECK-NEXT: %[[GROUP_CHUNK:.*]] = sdm.property %[[GROUP]] chunk
  // CHECK-NEXT: %[[GROUP_POS:.*]] = sdm.property %[[GROUP]] pos
  sdm.walk %group in %reads schedule <nest, split, warps = 8> : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    // CHECK: %[[R:.*]] = sdm.load_row %[[X]][%{{.*}}] slice %[[SLICE]] : {{.*}} -> vector<1x128xf32>
    %r = sdm.load_row %x[%key] : !sdm.rows<?x256xf32> [i32] -> vector<2x128xf32>
    // CHECK: %[[S:.*]] = arith.addf %[[R]], %[[R]] : vector<1x128xf32>
    %s = arith.addf %r, %r : vector<2x128xf32>
    // CHECK: sdm.members %[[READ:.*]] in %[[GROUP]]
    sdm.members %read in %group {
      %chunk = sdm.property %group chunk : !sdm.group -> i32
      %token = sdm.field %read "token" : i32
      // CHECK: %[[DOT:.*]] = sdm.dot %[[S]], %[[R]] slice %[[SLICE]] {width = 256 : i64} : vector<1x128xf32>
      %dot = sdm.dot %s, %r {width = 256 : i64} : vector<2x128xf32>
      // CHECK: %[[CHUNK:.*]] = sdm.property %[[READ]] chunk
      // CHECK: %[[POS:.*]] = sdm.property %[[READ]] pos
      // CHECK: sdm.store_cell %[[DOT]], %[[DOTS]][%[[SLICE]], %[[CHUNK]], %[[POS]]]
      // CHECK-NOT: sdm.store_cell
      sdm.store_cell %dot, %d[%chunk, %token] : f32, !sdm.cells<?x?xf32> [i32, i32]
    }
    // CHECK: %[[MAX:.*]] = sdm.reduce max %[[S]] slice %[[SLICE]]
    %m = sdm.reduce max %s {width = 256 : i64} : vector<2x128xf32>
    // CHECK: sdm.store_cell %[[MAX]], %[[MAXIMA]][%[[SLICE]], %[[GROUP_CHUNK]], %[[GROUP_POS]]]
    sdm.store_cell %m, %e[%key] : f32, !sdm.cells<?xf32> [i32]
    // CHECK: sdm.store_row %[[S]], %[[X]][%{{.*}}] slice %[[SLICE]] : vector<1x128xf32>
    sdm.store_row %s, %x[%key] : vector<2x128xf32>, !sdm.rows<?x256xf32> [i32]
  }
  // Members' planes: record by record, in slice order, by the reduction's own operation.
  // CHECK: sdm.each_record %[[RECORD:.*]] in %[[READS]] schedule <nest, whole, warps = 8
  // CHECK: %[[CHUNK:.*]] = sdm.property %[[RECORD]] chunk
  // CHECK: %[[POS:.*]] = sdm.property %[[RECORD]] pos
  // CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK: %[[A:.*]] = sdm.load_cell %[[DOTS]][%[[ZERO]], %[[CHUNK]], %[[POS]]]
  // CHECK: %[[ONE:.*]] = arith.constant 1 : i32
  // CHECK: %[[B:.*]] = sdm.load_cell %[[DOTS]][%[[ONE]], %[[CHUNK]], %[[POS]]]
  // CHECK: %[[TOTAL:.*]] = arith.addf %[[A]], %[[B]] : f32
  // CHECK: sdm.store_cell %[[TOTAL]], %[[D]][
  // Groups' planes: group by group.
  // CHECK: sdm.walk %[[GROUP:.*]] in %[[READS]] schedule <nest, whole, warps = 8
  // CHECK: sdm.load_cell %[[MAXIMA]]
  // CHECK: sdm.load_cell %[[MAXIMA]]
  // CHECK: %[[TOTAL:.*]] = arith.maximumf
  // CHECK: %[[KEY:.*]] = sdm.key %[[GROUP]]
  // CHECK: sdm.store_cell %[[TOTAL]], %[[E]][%[[KEY]]]
  // Only then the walk that reads them.
  // CHECK: sdm.walk
  // CHECK: sdm.load_cell %[[E]]
  // CHECK-NOT: sdm.{{walk|each_record}}
  sdm.walk %group in %reads schedule <nest, split, warps = 8> : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %m = sdm.load_cell %e[%key] : !sdm.cells<?xf32> [i32] -> f32
    sdm.store_cell %m, %o[%key] : f32, !sdm.cells<?xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token"], planes = [8], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"$ordinal" : i32 in 0 at 0 bits 0 to 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>]>

// A record knows its group's key and ordinal by its own fields; three slices of uneven width; min and amax.
// CHECK-LABEL: func.func @indices(
func.func @indices(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x260xf32>, %d: !sdm.cells<?x?x?x?xf32>, %e: !sdm.cells<?xf32>, %s: i32) attributes {sdm.kernel} {
  // CHECK: sdm.walk %{{.*}}, %{{.*}} in %{{.*}} slices 3
  sdm.walk %group in %reads schedule <nest, split, warps = 4> : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %ordinal = sdm.property %group index : !sdm.group -> i32
    // CHECK: vector<1x88xf32>
    %r = sdm.load_row %x[%key] : !sdm.rows<?x260xf32> [i32] -> vector<3x88xf32>
    sdm.members %read in %group {
      %token = sdm.field %read "token" : i32
      %moved = arith.addi %key, %s : i32
      %m = sdm.reduce min %r {width = 260 : i64} : vector<3x88xf32>
      sdm.store_cell %m, %d[%ordinal, %token, %moved, %s] : f32, !sdm.cells<?x?x?x?xf32> [i32, i32, i32, i32]
    }
    %a = sdm.reduce amax %r {width = 260 : i64} : vector<3x88xf32>
    sdm.store_cell %a, %e[%key] : f32, !sdm.cells<?xf32> [i32]
  }
  // CHECK: sdm.each_record %[[RECORD:.*]] in %{{.*}} schedule <nest, whole, warps = 4
  // CHECK: %[[FIRST:.*]] = arith.minimumf %{{.*}}, %{{.*}} : f32
  // CHECK: %[[TOTAL:.*]] = arith.minimumf %[[FIRST]], %{{.*}} : f32
  // CHECK: %[[ORDINAL:.*]] = sdm.field %[[RECORD]] "$ordinal"
  // CHECK: %[[TOKEN:.*]] = sdm.field %[[RECORD]] "token"
  // CHECK: %[[KEY:.*]] = sdm.field %[[RECORD]] "slot"
  // CHECK: %[[MOVED:.*]] = arith.addi %[[KEY]], %[[S:.*]] : i32
  // CHECK: sdm.store_cell %[[TOTAL]], %{{.*}}[%[[ORDINAL]], %[[TOKEN]], %[[MOVED]], %[[S]]]
  // CHECK: sdm.walk
  // CHECK: arith.maximumf
  // CHECK: arith.maximumf
  return
}

// -----

// Rows that are computed in front of the walk narrow with it; another walk keeps its own.
// CHECK-LABEL: func.func @rows_in_front(
func.func @rows_in_front(%x: !sdm.rows<?x256xf32>, %a: f32) attributes {sdm.kernel} {
  %one = arith.constant dense<1.0> : vector<2x128xf32>
  %all = vector.broadcast %a : f32 to vector<2x128xf32>
  %sum = arith.addf %one, %all : vector<2x128xf32>
  // CHECK: sdm.each_row %[[ROW:.*]], %[[SLICE:.*]] in %{{.*}} slices 2
  // CHECK-DAG: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : vector<1x128xf32>
  // CHECK-DAG: %[[ALL:.*]] = vector.broadcast %{{.*}} : f32 to vector<1x128xf32>
  // CHECK: %[[SUM:.*]] = arith.addf %[[ONE]], %[[ALL]] : vector<1x128xf32>
  // CHECK: sdm.store_row %[[SUM]], %{{.*}}[%[[ROW]]] slice %[[SLICE]] : vector<1x128xf32>
  sdm.each_row %row in %x schedule <nest, split, warps = 8> : !sdm.rows<?x256xf32> {
    sdm.store_row %sum, %x[%row] : vector<2x128xf32>, !sdm.rows<?x256xf32> [i32]
  }
  // CHECK: sdm.each_row %[[ROW:.*]] in
  // CHECK: sdm.store_row %{{.*}}, %{{.*}}[%[[ROW]]] : vector<2x128xf32>
  sdm.each_row %row in %x schedule <nest, whole, warps = 8> : !sdm.rows<?x256xf32> {
    sdm.store_row %sum, %x[%row] : vector<2x128xf32>, !sdm.rows<?x256xf32> [i32]
  }
  return
}

// -----

// One slice is whole already; a whole walk keeps its slices.
// CHECK-LABEL: func.func @untouched(
// CHECK-NOT: slice
// CHECK: return
func.func @untouched(%x: !sdm.rows<?x128xf32>, %y: !sdm.rows<?x256xf32>, %d: !sdm.cells<?xf32>) attributes {sdm.kernel} {
  sdm.each_row %row in %x schedule <nest, split, warps = 8> : !sdm.rows<?x128xf32> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    sdm.store_row %r, %x[%row] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  sdm.each_row %row in %y schedule <nest, whole, warps = 8> : !sdm.rows<?x256xf32> {
    %r = sdm.load_row %y[%row] : !sdm.rows<?x256xf32> [i32] -> vector<2x128xf32>
    %s = sdm.dot %r, %r {width = 256 : i64} : vector<2x128xf32>
    sdm.store_cell %s, %d[%row] : f32, !sdm.cells<?xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token"], planes = [8], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"$ordinal" : i32 in 0 at 0 bits 0 to 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>]>

// A cell that holds no reduction is the same in every slice: one writer, the first.
// CHECK-LABEL: func.func @once(
// CHECK: sdm.walk %{{.*}}, %[[SLICE:.*]] in %{{.*}} slices 2
// CHECK: %[[ZERO:.*]] = arith.constant 0 : i32
// CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[SLICE]], %[[ZERO]] : i32
func.func @once(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x256xf32>, %d: !sdm.cells<?x?xi32>, %e: !sdm.cells<?xi32>, %f: !sdm.cells<?xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads schedule <nest, split, warps = 8> : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x256xf32> [i32] -> vector<2x128xf32>
    sdm.members %read in %group {
      %chunk = sdm.property %group chunk : !sdm.group -> i32
      %token = sdm.field %read "token" : i32
      // CHECK: scf.if %[[FIRST]] {
      // CHECK-NEXT: sdm.store_cell %[[TOKEN:.*]], %{{.*}}[%{{.*}}, %[[TOKEN]]] : i32
      // CHECK-NEXT: }
      sdm.store_cell %token, %d[%chunk, %token] : i32, !sdm.cells<?x?xi32> [i32, i32]
    }
    // CHECK: %[[MAX:.*]] = sdm.reduce max
    // CHECK-NEXT: sdm.store_cell %[[MAX]], %{{.*}}[%[[SLICE]],
    %m = sdm.reduce max %r {width = 256 : i64} : vector<2x128xf32>
    sdm.store_cell %m, %f[%key] : f32, !sdm.cells<?xf32> [i32]
    // CHECK-NEXT: scf.if %[[FIRST]] {
    // CHECK-NEXT: sdm.store_cell
    sdm.store_cell %key, %e[%key] : i32, !sdm.cells<?xi32> [i32]
  }
  return
}
