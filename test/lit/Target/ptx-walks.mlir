// Other kernels than the mover: products and sums that stay apart, f32 rows, packed records of 8 bytes, whole rows, records.
// RUN: sdm-opt %s --pass-pipeline='builtin.module(sdm-to-nvvm-pipeline{chip=sm_80 extents=2:1:64})' | sdm-translate --sdm-to-ptx --chip=sm_80 | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: sdm-opt %s --pass-pipeline='builtin.module(sdm-to-nvvm-pipeline{chip=sm_90 extents=2:1:64})' | sdm-translate --sdm-to-ptx --chip=sm_90 | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: sdm-opt %s --pass-pipeline='builtin.module(sdm-to-nvvm-pipeline{chip=sm_120 extents=2:1:64})' | sdm-translate --sdm-to-ptx --chip=sm_120 | FileCheck %s --check-prefixes=CHECK,SM120
// RUN: sdm-opt %s --pass-pipeline='builtin.module(sdm-to-nvvm-pipeline{chip=sm_90 schedule=nest})' | sdm-translate --sdm-to-ptx --chip=sm_90 | FileCheck %s --check-prefixes=CHECK,NEST

// Without bulk copies sm_90 needs 7.8 only.
// SM80: .version 7.0
// SM90: .version 8.0
// SM120: .version 8.7
// NEST: .version 7.8

#use = #sdm.layout<"Use", key = "slot", unique = ["out"], planes = [8, 4], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"out" : i32 in 0 at 0 bits 0 to 8>, <"scale" : f32 in 1 at 0>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>

// a * b + c is two roundings, on rows and on scalars; math.fma is one.
// CHECK-LABEL: .visible .entry apart_0(
// CHECK-NOT: fma
// CHECK-DAG: mul.rn.f32
// CHECK-DAG: {{add|sub}}.rn.f32
// CHECK-NOT: fma
// CHECK: ret;
// CHECK-LABEL: .visible .entry fused_0(
// CHECK: fma.rn.f32
// CHECK-NOT: {{mul|add}}.rn.f32
// CHECK: ret;
func.func @apart(%x: !sdm.rows<?x128xf32>, %d: !sdm.cells<?xf32>, %a: f32, %b: f32) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x128xf32> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    %s = vector.broadcast %a : f32 to vector<1x128xf32>
    %p = arith.mulf %r, %s : vector<1x128xf32>
    %q = arith.addf %p, %r : vector<1x128xf32>
    sdm.store_row %q, %x[%row] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
    %u = arith.mulf %a, %b : f32
    %v = arith.subf %u, %a : f32
    sdm.store_cell %v, %d[%row] : f32, !sdm.cells<?xf32> [i32]
  }
  return
}
func.func @fused(%x: !sdm.rows<?x128xf32>, %a: f32) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x128xf32> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    %s = vector.broadcast %a : f32 to vector<1x128xf32>
    %p = math.fma %r, %s, %r : vector<1x128xf32>
    sdm.store_row %p, %x[%row] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// f32 rows of 260 columns and records of two planes: planes are added by a second launch.
// CHECK-LABEL: .visible .entry sums_0(
// CHECK: shfl.sync.bfly.b32
// CHECK: ret;
// CHECK-LABEL: .visible .entry sums_1(
// CHECK-NOT: shfl.sync
// CHECK: add.rn.f32
// CHECK: ret;
func.func @sums(%uses: !sdm.sorted<#use>, %bank: !sdm.rows<?x260xf32>, %tokens: !sdm.rows<?x?x260xf32>, %grad: !sdm.rows<?x260xf32>,
                %d: !sdm.cells<?x?xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %uses : !sdm.sorted<#use> {
    %slot = sdm.key %group : i32
    %m = sdm.load_row %bank[%slot] : !sdm.rows<?x260xf32> [i32] -> vector<3x88xf32>
    %zero = arith.constant dense<0.0> : vector<3x88xf32>
    %sum = sdm.members %use in %group iter_args(%acc = %zero) : (vector<3x88xf32>) {
      %chunk = sdm.property %group chunk : !sdm.group -> i32
      %token = sdm.field %use "token" : i32
      %x = sdm.load_row %tokens[%chunk, %token] : !sdm.rows<?x?x260xf32> [i32, i32] -> vector<3x88xf32>
      %scale = sdm.field %use "scale" : f32
      %scales = vector.broadcast %scale : f32 to vector<3x88xf32>
      %next = math.fma %scales, %x, %acc : vector<3x88xf32>
      %dot = sdm.dot %x, %m {width = 260 : i64} : vector<3x88xf32>
      %out = sdm.field %use "out" : i32
      sdm.store_cell %dot, %d[%chunk, %out] : f32, !sdm.cells<?x?xf32> [i32, i32]
      sdm.yield %next : vector<3x88xf32>
    }
    sdm.store_row %sum, %grad[%slot] : vector<3x88xf32>, !sdm.rows<?x260xf32> [i32]
  }
  return
}

// A whole row of 1,024 columns: correctly rounded root and quotient.
// CHECK-LABEL: .visible .entry norm_0(
// CHECK-DAG: sqrt.rn.f32
// CHECK-DAG: div.rn.f32
// CHECK-NOT: {{sqrt|div|rcp|rsqrt}}.approx
// CHECK: cvt.rn.bf16x2.f32
// CHECK: ret;
func.func @norm(%x: !sdm.rows<?x1024xbf16>, %g: !sdm.rows<1024xf32>, %y: !sdm.rows<?x1024xbf16>, %eps: f32) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x1024xbf16> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x1024xbf16> [i32] -> vector<8x128xbf16>
    %f = arith.extf %r : vector<8x128xbf16> to vector<8x128xf32>
    %s = sdm.dot %f, %f {width = 1024 : i64} : vector<8x128xf32>
    %t = arith.addf %s, %eps : f32
    %root = math.sqrt %t : f32
    %b = vector.broadcast %root : f32 to vector<8x128xf32>
    %w = sdm.load_row %g[] : !sdm.rows<1024xf32> -> vector<8x128xf32>
    %q = arith.divf %f, %b : vector<8x128xf32>
    %v = arith.mulf %q, %w : vector<8x128xf32>
    sdm.store_row %v, %y[%row] : vector<8x128xf32>, !sdm.rows<?x1024xbf16> [i32]
  }
  return
}

// Records without groups: a dot for each, stored by one lane.
// CHECK-LABEL: .visible .entry sddmm_0(
// CHECK-COUNT-5: shfl.sync.bfly.b32
// CHECK: ret;
func.func @sddmm(%edges: !sdm.sorted<#use>, %a: !sdm.rows<?x128xbf16>, %b: !sdm.rows<?x?x128xbf16>, %d: !sdm.cells<?x?xf32>) attributes {sdm.kernel} {
  sdm.each_record %edge in %edges : !sdm.sorted<#use> {
    %chunk = sdm.property %edge chunk : !sdm.member -> i32
    %pos = sdm.property %edge pos : !sdm.member -> i32
    %i = sdm.field %edge "slot" : i32
    %j = sdm.field %edge "token" : i32
    %p = sdm.load_row %a[%i] : !sdm.rows<?x128xbf16> [i32] -> vector<1x128xbf16>
    %q = sdm.load_row %b[%chunk, %j] : !sdm.rows<?x?x128xbf16> [i32, i32] -> vector<1x128xbf16>
    %x = arith.extf %p : vector<1x128xbf16> to vector<1x128xf32>
    %y = arith.extf %q : vector<1x128xbf16> to vector<1x128xf32>
    %dot = sdm.dot %x, %y {width = 128 : i64} : vector<1x128xf32>
    sdm.store_cell %dot, %d[%chunk, %pos] : f32, !sdm.cells<?x?xf32> [i32, i32]
  }
  return
}
