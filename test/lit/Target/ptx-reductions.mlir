// Reductions: five exchanges each; maximum and minimum carry NaN, a sum of products starts with a product.
// DEFINE: %{chip} =
// DEFINE: %{ptx} = sdm-opt %s --pass-pipeline='builtin.module(sdm-to-nvvm-pipeline{chip=%{chip} schedule=nest})' | sdm-translate --sdm-to-ptx --chip=%{chip} | FileCheck %s
// REDEFINE: %{chip} = sm_80
// RUN: %{ptx}
// REDEFINE: %{chip} = sm_90
// RUN: %{ptx}
// REDEFINE: %{chip} = sm_120
// RUN: %{ptx}

// CHECK-LABEL: .entry dot_0(
// CHECK: mul.rn.f32
// CHECK-COUNT-3: fma.rn.f32
// CHECK: shfl.sync.bfly.b32 %{{.*}}, %{{.*}}, 16, 31, -1;
// CHECK: add.rn.f32
// CHECK: shfl.sync.bfly.b32 %{{.*}}, %{{.*}}, 8, 31, -1;
// CHECK: shfl.sync.bfly.b32 %{{.*}}, %{{.*}}, 4, 31, -1;
// CHECK: shfl.sync.bfly.b32 %{{.*}}, %{{.*}}, 2, 31, -1;
// CHECK: shfl.sync.bfly.b32 %{{.*}}, %{{.*}}, 1, 31, -1;
// CHECK-NOT: shfl
// CHECK: ret;
func.func @dot(%x: !sdm.rows<?x128xf32>, %d: !sdm.cells<?xf32>) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x128xf32> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    %v = sdm.dot %r, %r {width = 128 : i64} : vector<1x128xf32>
    sdm.store_cell %v, %d[%row] : f32, !sdm.cells<?xf32> [i32]
  }
  return
}

// CHECK-LABEL: .entry maximum_0(
// CHECK: max.NaN.f32
// CHECK-NOT: max.f32
// CHECK: ret;
func.func @maximum(%x: !sdm.rows<?x128xf32>, %d: !sdm.cells<?xf32>) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x128xf32> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    %v = sdm.reduce max %r {width = 128 : i64} : vector<1x128xf32>
    sdm.store_cell %v, %d[%row] : f32, !sdm.cells<?xf32> [i32]
  }
  return
}

// CHECK-LABEL: .entry minimum_0(
// CHECK: min.NaN.f32
// CHECK-NOT: min.f32
// CHECK: ret;
func.func @minimum(%x: !sdm.rows<?x128xf32>, %d: !sdm.cells<?xf32>) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x128xf32> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    %v = sdm.reduce min %r {width = 128 : i64} : vector<1x128xf32>
    sdm.store_cell %v, %d[%row] : f32, !sdm.cells<?xf32> [i32]
  }
  return
}

// Whole rows of three slices: their values follow one another behind the exchanges.
// CHECK-LABEL: .entry slices_0(
// CHECK-COUNT-15: shfl.sync.bfly.b32
// CHECK-NOT: shfl
// CHECK: ret;
func.func @slices(%x: !sdm.rows<?x384xf32>, %d: !sdm.cells<?xf32>) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x384xf32> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x384xf32> [i32] -> vector<3x128xf32>
    %v = sdm.reduce sum %r {width = 384 : i64} : vector<3x128xf32>
    sdm.store_cell %v, %d[%row] : f32, !sdm.cells<?xf32> [i32]
  }
  return
}
