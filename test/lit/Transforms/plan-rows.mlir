// The rule: split or whole, resident or direct, and what a request overrides. One answer for each side of each rule.
// RUN: sdm-opt %s --pass-pipeline='builtin.module(sdm-plan-rows{chip=sm_90 extents=1:1:64,2:0:64,2:1:64,3:0:64})' | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: sdm-opt %s --pass-pipeline='builtin.module(sdm-plan-rows{chip=host extents=1:1:64,2:0:64,2:1:64,3:0:64})' | FileCheck %s --check-prefixes=CHECK,HOST
// RUN: sdm-opt %s --pass-pipeline='builtin.module(sdm-plan-rows{chip=sm_90})' | FileCheck %s --check-prefix=UNKNOWN
// RUN: sdm-opt %s --pass-pipeline='builtin.module(sdm-plan-rows{chip=sm_90 extents=1:1:64 schedule=whole,warps=4,1=direct})' | FileCheck %s --check-prefix=ASKED

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>]>

// An unknown slab is not kept.
// UNKNOWN-NOT: placed resident

// Every reduction is only stored: split. Its rows stand in one slab of the chunk.
// CHECK-LABEL: func.func @split(
// SM90: sdm.walk {{.*}} schedule <flat, split, warps = {{[0-9]+}}, unit = {{[0-9]+}}, depth = 2> attributes {reasons = ["split: every reduction is only stored", "operand 1: resident, 16384 bytes of shared memory", "{{[0-9]+}} warps, {{.*}} bytes of shared memory"]}
// HOST: sdm.walk {{.*}} schedule <nest, split, warps = 8{{.*}}> attributes {reasons = ["split: every reduction is only stored"]}
// SM90: sdm.load_row {{.*}} placed resident
// HOST-NOT: placed
// ASKED-LABEL: func.func @split(
// ASKED: sdm.walk {{.*}} schedule <flat, whole, warps = 4{{.*}}> attributes {reasons = ["whole: asked for", {{.*}}]}
// ASKED-NOT: placed resident
func.func @split(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x?x256xbf16>, %d: !sdm.cells<?x?x?xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    sdm.members %read in %group {
      %chunk = sdm.property %group chunk : !sdm.group -> i32
      %token = sdm.field %read "token" : i32
      %lane = sdm.field %read "lane" : i32
      %r = sdm.load_row %x[%chunk, %token] : !sdm.rows<?x?x256xbf16> [i32, i32] -> vector<2x128xbf16>
      %f = arith.extf %r : vector<2x128xbf16> to vector<2x128xf32>
      %dot = sdm.dot %f, %f {width = 256 : i64} : vector<2x128xf32>
      sdm.store_cell %dot, %d[%chunk, %token, %lane] : f32, !sdm.cells<?x?x?xf32> [i32, i32, i32]
    }
  }
  return
}

// A reduction that is used again.
// CHECK-LABEL: func.func @used_again(
// CHECK: schedule <nest, whole, warps = 8{{.*}}> attributes {reasons = ["whole: a reduction has a use other than one plain store"
func.func @used_again(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x256xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x256xf32> [i32] -> vector<2x128xf32>
    %dot = sdm.dot %r, %r {width = 256 : i64} : vector<2x128xf32>
    %b = vector.broadcast %dot : f32 to vector<2x128xf32>
    sdm.store_row %b, %x[%key] : vector<2x128xf32>, !sdm.rows<?x256xf32> [i32]
  }
  return
}

// A reduction that a condition keeps from its cell.
// CHECK-LABEL: func.func @under_a_condition(
// CHECK: schedule <nest, whole, warps = 8{{.*}}> attributes {reasons = ["whole: a reduction is stored under a condition"
func.func @under_a_condition(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x256xf32>, %d: !sdm.cells<?xf32>, %if: i1) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x256xf32> [i32] -> vector<2x128xf32>
    %sum = sdm.reduce sum %r {width = 256 : i64} : vector<2x128xf32>
    scf.if %if {
      sdm.store_cell %sum, %d[%key] : f32, !sdm.cells<?xf32> [i32]
    }
  }
  return
}

// Cells that the walk reads, were they another store's: each slice would read and write them.
// CHECK-LABEL: func.func @reads_its_cells(
// CHECK: schedule <nest, whole, warps = 8{{.*}}> attributes {reasons = ["whole: the walk reads cells that it writes, which every slice would do"
func.func @reads_its_cells(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x256xf32>, %n: !sdm.cells<?xi32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x256xf32> [i32] -> vector<2x128xf32>
    sdm.store_row %r, %x[%key] : vector<2x128xf32>, !sdm.rows<?x256xf32> [i32]
    %before = sdm.load_cell %n[%key] : !sdm.cells<?xi32> [i32] -> i32
    %one = arith.constant 1 : i32
    %after = arith.addi %before, %one : i32
    sdm.store_cell %after, %n[%key] : i32, !sdm.cells<?xi32> [i32]
  }
  return
}

// A reduction's cells that something else overwrites: the planes would come last.
// CHECK-LABEL: func.func @overwritten(
// CHECK: schedule <nest, whole, warps = 8{{.*}}> attributes {reasons = ["whole: a reduction's cells are written otherwise too"
func.func @overwritten(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x256xf32>, %d: !sdm.cells<?xf32>, %v: f32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x256xf32> [i32] -> vector<2x128xf32>
    %sum = sdm.reduce sum %r {width = 256 : i64} : vector<2x128xf32>
    sdm.store_cell %sum, %d[%key] : f32, !sdm.cells<?xf32> [i32]
    sdm.store_cell %v, %d[%key] : f32, !sdm.cells<?xf32> [i32]
  }
  return
}

// A reduction whose bits are moved is no plain store.
// CHECK-LABEL: func.func @bits(
// CHECK: schedule <nest, whole, warps = 8{{.*}}> attributes {reasons = ["whole: a reduction's cells are written otherwise too"
func.func @bits(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x256xf32>, %d: !sdm.cells<?xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x256xf32> [i32] -> vector<2x128xf32>
    %sum = sdm.reduce sum %r {width = 256 : i64} : vector<2x128xf32>
    sdm.store_cell %sum, %d[%key] bits : f32, !sdm.cells<?xf32> [i32]
  }
  return
}

// A place that the record alone does not give: loaded, or beside the unique fields the group's size.
// CHECK-LABEL: func.func @loaded_place(
// CHECK: schedule <nest, whole, warps = 8{{.*}}> attributes {reasons = ["whole: a reduction is stored at an index that its record alone does not give"
func.func @loaded_place(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x256xf32>, %d: !sdm.cells<?x?xf32>, %t: !sdm.cells<?xi32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %where = sdm.load_cell %t[%key] : !sdm.cells<?xi32> [i32] -> i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x256xf32> [i32] -> vector<2x128xf32>
    %sum = sdm.reduce sum %r {width = 256 : i64} : vector<2x128xf32>
    sdm.store_cell %sum, %d[%key, %where] : f32, !sdm.cells<?x?xf32> [i32, i32]
  }
  return
}

// CHECK-LABEL: func.func @several_widths(
// CHECK: schedule <nest, whole, warps = 8{{.*}}> attributes {reasons = ["whole: the walk computes with rows of several widths"
func.func @several_widths(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x256xf32>, %y: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x256xf32> [i32] -> vector<2x128xf32>
    %s = sdm.load_row %y[%key] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    sdm.store_row %r, %x[%key] : vector<2x128xf32>, !sdm.rows<?x256xf32> [i32]
    sdm.store_row %s, %y[%key] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// A walk over rows splits as long as it reduces nothing.
// CHECK-LABEL: func.func @rows(
// CHECK: sdm.each_row {{.*}} schedule <{{nest|flat}}, split, warps = 8{{.*}}> attributes {reasons = ["split: every reduction is only stored"
// CHECK: sdm.each_row {{.*}} schedule <{{nest|flat}}, whole, warps = 8{{.*}}> attributes {reasons = ["whole: a walk over rows has no records whose positions could name a plane's cells"
func.func @rows(%x: !sdm.rows<?x256xf32>, %d: !sdm.cells<?xf32>) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x256xf32> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x256xf32> [i32] -> vector<2x128xf32>
    %s = arith.addf %r, %r : vector<2x128xf32>
    sdm.store_row %s, %x[%row] : vector<2x128xf32>, !sdm.rows<?x256xf32> [i32]
  }
  sdm.each_row %row in %x : !sdm.rows<?x256xf32> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x256xf32> [i32] -> vector<2x128xf32>
    %s = sdm.dot %r, %r {width = 256 : i64} : vector<2x128xf32>
    sdm.store_cell %s, %d[%row] : f32, !sdm.cells<?xf32> [i32]
  }
  return
}

// Resident: the chunk or a launch scalar in all indices but the last. One slab for an operand; another chunk's rows, rows at a
// record's field in an index before the last, a group's own rows and one row go through a ring. Direct: pieces below 4 bytes.
// CHECK-LABEL: func.func @placements(
// SM90: sdm.load_row %{{.*}}[%{{.*}}, %{{.*}}] placed ring : <?x?x128xf32>
// SM90: sdm.load_row %{{.*}}[%{{.*}}, %{{.*}}] placed resident : <?x?x128xf32>
// SM90: sdm.load_row %{{.*}}[%{{.*}}, %{{.*}}] placed ring : <?x?x128xf32>
// SM90: sdm.load_row %{{.*}}[%{{.*}}, %{{.*}}] placed ring : <?x?x128xf16>
// SM90: sdm.load_row %{{.*}}[%{{.*}}] : <?x129xbf16>
// SM90: sdm.load_row %{{.*}}[] placed ring : <128xf32>
// SM90: sdm.load_row %{{.*}}[%{{.*}}] placed ring : <?x64xf32>
// ASKED-LABEL: func.func @placements(
// ASKED-NOT: placed resident
func.func @placements(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x?x128xf32>, %t: !sdm.rows<?x?x128xf16>, %odd: !sdm.rows<?x129xbf16>,
                      %one: !sdm.rows<128xf32>, %y: !sdm.rows<?x64xf32>, %s: i32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %chunk = sdm.property %group chunk : !sdm.group -> i32
    %a = sdm.load_row %x[%chunk, %key] : !sdm.rows<?x?x128xf32> [i32, i32] -> vector<1x128xf32>
    sdm.members %read in %group {
      %token = sdm.field %read "token" : i32
      %same = sdm.property %read chunk : !sdm.member -> i32
      %b = sdm.load_row %x[%same, %token] : !sdm.rows<?x?x128xf32> [i32, i32] -> vector<1x128xf32>
      %c = sdm.load_row %x[%s, %token] : !sdm.rows<?x?x128xf32> [i32, i32] -> vector<1x128xf32>
      %d = sdm.load_row %t[%token, %chunk] : !sdm.rows<?x?x128xf16> [i32, i32] -> vector<1x128xf16>
    }
    %e = sdm.load_row %odd[%key] : !sdm.rows<?x129xbf16> [i32] -> vector<2x68xbf16>
    %f = sdm.load_row %one[] : !sdm.rows<128xf32> -> vector<1x128xf32>
    %g = sdm.load_row %y[%key] : !sdm.rows<?x64xf32> [i32] -> vector<1x64xf32>
    sdm.store_row %g, %y[%key] : vector<1x64xf32>, !sdm.rows<?x64xf32> [i32]
  }
  return
}

// What the walk writes, in the nest form, is direct; what an older plan wrote does not stay.
// CHECK-LABEL: func.func @planned(
// CHECK: schedule <nest, split, warps = 8{{.*}}>
// CHECK-NOT: placed
func.func @planned(%reads: !sdm.sorted<#read>, %y: !sdm.rows<?x64xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads schedule <nest, whole, warps = 2> : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %g = sdm.load_row %y[%key] placed resident : !sdm.rows<?x64xf32> [i32] -> vector<1x64xf32>
    sdm.store_row %g, %y[%key] : vector<1x64xf32>, !sdm.rows<?x64xf32> [i32]
  }
  return
}
