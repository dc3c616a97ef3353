// What the gate lets through, unchanged but for the promise of one chunk.
// RUN: sdm-opt %s --sdm-check-kernel | FileCheck %s

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
#use = #sdm.layout<"Use", key = "slot", planes = [8, 4, 4], fields = [
  <"slot" : i64 in 0 at 0>, <"$index" : i32 in 1 at 0>, <"$ordinal" : i32 in 2 at 0 bits 0 to 28>,
  <"$first" : i1 in 2 at 0 bits 31 to 31>, <"$last" : i1 in 2 at 0 bits 30 to 30>, <"$invalid" : i1 in 2 at 0 bits 29 to 29>]>

// Writers of a group: its key, of any index type.
// CHECK-LABEL: func.func @group_key(
// CHECK-SAME: attributes {sdm.kernel} {
func.func @group_key(%uses: !sdm.sorted<#use>, %y: !sdm.rows<?x128xf32>, %n: !sdm.cells<?xi32>) attributes {sdm.kernel} {
  %zero = arith.constant dense<0.0> : vector<1x128xf32>
  sdm.walk %group in %uses : !sdm.sorted<#use> {
    %key = sdm.key %group : i64
    %size = sdm.property %group size : !sdm.group -> i32
    sdm.store_row %zero, %y[%key] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i64]
    sdm.store_cell %size, %n[%key] : i32, !sdm.cells<?xi32> [i64]
  }
  return
}

// Its ordinal is counted within a chunk: with the chunk beside it, in either order, or the launch has one.
// CHECK-LABEL: func.func @group_ordinal(
// CHECK-SAME: attributes {sdm.kernel} {
func.func @group_ordinal(%uses: !sdm.sorted<#use>, %n: !sdm.cells<?x?xi32>) attributes {sdm.kernel} {
  sdm.walk %group in %uses : !sdm.sorted<#use> {
    %chunk = sdm.property %group chunk : !sdm.group -> i32
    %ordinal = sdm.property %group index : !sdm.group -> i32
    sdm.store_cell %ordinal, %n[%ordinal, %chunk] : i32, !sdm.cells<?x?xi32> [i32, i32]
  }
  return
}

// CHECK-LABEL: func.func @group_ordinal_alone(
// CHECK-SAME: attributes {sdm.kernel, sdm.one_chunk} {
func.func @group_ordinal_alone(%uses: !sdm.sorted<#use>, %n: !sdm.cells<?xi32>) attributes {sdm.kernel} {
  sdm.walk %group in %uses : !sdm.sorted<#use> {
    %ordinal = sdm.property %group index : !sdm.group -> i32
    sdm.store_cell %ordinal, %n[%ordinal] : i32, !sdm.cells<?xi32> [i32]
  }
  return
}

// Writers of a member: its place in the unsorted list, its position, all its unique fields.
// CHECK-LABEL: func.func @member_places(
// CHECK-SAME: attributes {sdm.kernel} {
func.func @member_places(%uses: !sdm.sorted<#use>, %a: !sdm.cells<?x?xi32>, %b: !sdm.rows<?x?x128xf32>) attributes {sdm.kernel} {
  %zero = arith.constant dense<0.0> : vector<1x128xf32>
  sdm.walk %group in %uses : !sdm.sorted<#use> {
    %chunk = sdm.property %group chunk : !sdm.group -> i32
    sdm.members %use in %group {
      %index = sdm.property %use index : !sdm.member -> i32
      %pos = sdm.property %use pos : !sdm.member -> i32
      sdm.store_cell %pos, %a[%chunk, %index] : i32, !sdm.cells<?x?xi32> [i32, i32]
      sdm.store_row %zero, %b[%chunk, %pos] : vector<1x128xf32>, !sdm.rows<?x?x128xf32> [i32, i32]
    }
  }
  return
}

// CHECK-LABEL: func.func @member_alone(
// CHECK-SAME: attributes {sdm.kernel, sdm.one_chunk} {
func.func @member_alone(%uses: !sdm.sorted<#use>, %a: !sdm.cells<?xi32>) attributes {sdm.kernel} {
  sdm.each_record %use in %uses : !sdm.sorted<#use> {
    %index = sdm.property %use index : !sdm.member -> i32
    sdm.store_cell %index, %a[%index] : i32, !sdm.cells<?xi32> [i32]
  }
  return
}

// The fields are in any order, among other indices.
// CHECK-LABEL: func.func @member_unique(
// CHECK-SAME: attributes {sdm.kernel} {
func.func @member_unique(%reads: !sdm.sorted<#read>, %a: !sdm.cells<?x?x?x?xf32>) attributes {sdm.kernel} {
  %three = arith.constant 3 : i32
  sdm.each_record %read in %reads : !sdm.sorted<#read> {
    %chunk = sdm.property %read chunk : !sdm.member -> i32
    %token = sdm.field %read "token" : i32
    %lane = sdm.field %read "lane" : i32
    %scale = sdm.field %read "scale" : f32
    sdm.store_cell %scale, %a[%lane, %three, %token, %chunk] : f32, !sdm.cells<?x?x?x?xf32> [i32, i32, i32, i32]
  }
  return
}

// The writer of a row's walk is the row. What is written is read where it is written.
// CHECK-LABEL: func.func @row(
// CHECK-SAME: attributes {sdm.kernel} {
func.func @row(%x: !sdm.rows<?x128xf32>, %y: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x128xf32> {
    %a = sdm.load_row %x[%row] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    %b = sdm.load_row %y[%row] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    %c = arith.addf %a, %b : vector<1x128xf32>
    sdm.store_row %c, %y[%row] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
    %d = sdm.load_row %y[%row] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    sdm.store_row %d, %y[%row] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// The same place by two operations, and by the members of one group in two loops.
// CHECK-LABEL: func.func @one_place(
func.func @one_place(%reads: !sdm.sorted<#read>, %a: !sdm.cells<?x?x?xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    sdm.members %read in %group {
      %chunk = sdm.property %group chunk : !sdm.group -> i32
      %token = sdm.field %read "token" : i32
      %lane = sdm.field %read "lane" : i32
      %scale = sdm.field %read "scale" : f32
      sdm.store_cell %scale, %a[%chunk, %token, %lane] : f32, !sdm.cells<?x?x?xf32> [i32, i32, i32]
    }
    sdm.members %read in %group {
      %chunk = sdm.property %group chunk : !sdm.group -> i32
      %token = sdm.field %read "token" : i32
      %lane = sdm.field %read "lane" : i32
      %before = sdm.load_cell %a[%chunk, %token, %lane] : !sdm.cells<?x?x?xf32> [i32, i32, i32] -> f32
      %twice = arith.addf %before, %before : f32
      sdm.store_cell %twice, %a[%chunk, %token, %lane] : f32, !sdm.cells<?x?x?xf32> [i32, i32, i32]
    }
  }
  return
}

// Another walk may read anywhere what this one wrote: launches follow one another.
// CHECK-LABEL: func.func @two_walks(
func.func @two_walks(%reads: !sdm.sorted<#read>, %a: !sdm.cells<?xf32>, %b: !sdm.cells<?xf32>) attributes {sdm.kernel} {
  %zero = arith.constant 0 : i32
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %one = arith.constant 1.0 : f32
    sdm.store_cell %one, %a[%key] : f32, !sdm.cells<?xf32> [i32]
  }
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %other = sdm.load_cell %a[%zero] : !sdm.cells<?xf32> [i32] -> f32
    sdm.store_cell %other, %b[%key] : f32, !sdm.cells<?xf32> [i32]
  }
  return
}

// Conditions on scalars, rows computed column by column, scalars and constants in front of the walks.
// CHECK-LABEL: func.func @body(
func.func @body(%x: !sdm.rows<?x130xbf16>, %y: !sdm.rows<?x130xf32>, %a: f32, %n: i32) attributes {sdm.kernel} {
  %zero = arith.constant dense<0.0> : vector<2x68xf32>
  %half = arith.constant 5.000000e-01 : f32
  %scaled = arith.mulf %a, %half : f32
  %limit = arith.constant 7 : i32
  %few = arith.cmpi slt, %n, %limit : i32
  sdm.each_row %row in %x : !sdm.rows<?x130xbf16> {
    %stored = sdm.load_row %x[%row] : !sdm.rows<?x130xbf16> [i32] -> vector<2x68xbf16>
    %v = arith.extf %stored : vector<2x68xbf16> to vector<2x68xf32>
    %s = vector.broadcast %scaled : f32 to vector<2x68xf32>
    %f = math.fma %v, %s, %zero : vector<2x68xf32>
    %root = math.sqrt %f : vector<2x68xf32>
    %size = math.absf %root : vector<2x68xf32>
    %less = arith.cmpf olt, %size, %zero : vector<2x68xf32>
    %chosen = arith.select %less, %size, %zero : vector<2x68xi1>, vector<2x68xf32>
    %result = scf.if %few -> (vector<2x68xf32>) {
      %m = arith.maximumf %chosen, %v : vector<2x68xf32>
      scf.yield %m : vector<2x68xf32>
    } else {
      scf.yield %chosen : vector<2x68xf32>
    }
    sdm.store_row %result, %y[%row] : vector<2x68xf32>, !sdm.rows<?x130xf32> [i32]
  }
  return
}

// Functions that are no kernels and hold no walk are none of its business.
// CHECK-LABEL: func.func @not_a_kernel(
func.func @not_a_kernel(%a: f32) -> f32 {
  %b = math.exp %a fastmath<fast> : f32
  return %b : f32
}
