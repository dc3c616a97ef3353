// Rows move in the pieces that their type allows; stores round once; cells and scalars have one lane.
// DEFINE: %{chip} =
// DEFINE: %{ptx} = sdm-opt %s --pass-pipeline='builtin.module(sdm-to-nvvm-pipeline{chip=%{chip} schedule=nest})' | sdm-translate --sdm-to-ptx --chip=%{chip} | FileCheck %s
// REDEFINE: %{chip} = sm_80
// RUN: %{ptx}
// REDEFINE: %{chip} = sm_90
// RUN: %{ptx}
// REDEFINE: %{chip} = sm_120
// RUN: %{ptx}

// Four f32 columns a lane are 16 bytes.
// CHECK-LABEL: .entry quads_0(
// CHECK: ld.global.{{[a-z:0-9._]*}}v4.b32
// CHECK: st.global.v4.b32
// CHECK: ret;
func.func @quads(%x: !sdm.rows<?x128xf32>, %y: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x128xf32> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    sdm.store_row %r, %y[%row] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// Four bf16 columns are 8; a launcher that found 4-byte addresses gets words, one that found 2-byte addresses elements.
// CHECK-LABEL: .entry pairs_0(
// CHECK: ld.global.{{[a-z:0-9._]*}}v2.b32
// CHECK: st.global.v2.b32
// CHECK: ret;
// CHECK-LABEL: .entry words_0(
// CHECK-COUNT-2: ld.global.{{[a-z:0-9._]*}}b32
// CHECK-COUNT-2: st.global.b32
// CHECK: ret;
// CHECK-LABEL: .entry elements_0(
// CHECK-COUNT-4: ld.global.{{[a-z:0-9._]*}}b16
// CHECK-COUNT-4: st.global.b16
// CHECK: ret;
func.func @pairs(%x: !sdm.rows<?x128xbf16>, %y: !sdm.rows<?x128xbf16>) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x128xbf16> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x128xbf16> [i32] -> vector<1x128xbf16>
    sdm.store_row %r, %y[%row] bits : vector<1x128xbf16>, !sdm.rows<?x128xbf16> [i32]
  }
  return
}
func.func @words(%x: !sdm.rows<?x128xbf16, piece = 4>, %y: !sdm.rows<?x128xbf16, piece = 4>) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x128xbf16, piece = 4> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x128xbf16, piece = 4> [i32] -> vector<1x128xbf16>
    sdm.store_row %r, %y[%row] bits : vector<1x128xbf16>, !sdm.rows<?x128xbf16, piece = 4> [i32]
  }
  return
}
func.func @elements(%x: !sdm.rows<?x128xbf16, piece = 2>, %y: !sdm.rows<?x128xbf16, piece = 2>) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x128xbf16, piece = 2> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x128xbf16, piece = 2> [i32] -> vector<1x128xbf16>
    sdm.store_row %r, %y[%row] bits : vector<1x128xbf16>, !sdm.rows<?x128xbf16, piece = 2> [i32]
  }
  return
}

// f16 widens by an instruction, and both 16-bit formats are rounded by pairs.
// CHECK-LABEL: .entry formats_0(
// CHECK: cvt.f32.f16
// CHECK: cvt.rn.bf16x2.f32
// CHECK: ret;
func.func @formats(%x: !sdm.rows<?x128xf16>, %y: !sdm.rows<?x128xbf16>) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x128xf16> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x128xf16> [i32] -> vector<1x128xf16>
    %f = arith.extf %r : vector<1x128xf16> to vector<1x128xf32>
    sdm.store_row %f, %y[%row] : vector<1x128xf32>, !sdm.rows<?x128xbf16> [i32]
  }
  return
}

// Loads past the first cache never go through the non-coherent path.
// CHECK-NOT: ld.global.nc
