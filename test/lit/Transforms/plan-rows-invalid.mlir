// Requests that a rule forbids.
// RUN: sdm-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(sdm-plan-rows{chip=sm_86 extents=0:0:64,2:0:1024 schedule=split,2=resident})'
// RUN: not sdm-opt %S/Inputs/empty.mlir --pass-pipeline='builtin.module(sdm-plan-rows{schedule=flying})' 2>&1 | FileCheck %s --check-prefix=WORD
// RUN: not sdm-opt %S/Inputs/empty.mlir --pass-pipeline='builtin.module(sdm-plan-rows{schedule=warps=33})' 2>&1 | FileCheck %s --check-prefix=WARPS
// RUN: not sdm-opt %S/Inputs/empty.mlir --pass-pipeline='builtin.module(sdm-plan-rows{extents=1:64})' 2>&1 | FileCheck %s --check-prefix=EXTENT
// RUN: not sdm-opt %S/Inputs/empty.mlir --pass-pipeline='builtin.module(sdm-plan-rows{chip=sm_1})' 2>&1 | FileCheck %s --check-prefix=CHIP

// WORD: error: expected {{.*}} in a schedule, got 'flying'
// WARPS: error: expected 1 to 32 warps of a CTA, got '33'
// RUN: not sdm-opt %S/Inputs/empty.mlir --pass-pipeline='builtin.module(sdm-plan-rows{extents=1:1:-64})' 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// EXTENT: error: expected an extent as operand:axis:extent, got '1:64'
// NEGATIVE: error: expected an extent as operand:axis:extent, got '1:1:-64'
// CHIP: error: expected one of the targets sm_80, {{.*}}, host, got 'sm_1'

func.func @reduces(%x: !sdm.rows<?x256xf32>, %d: !sdm.cells<?xf32>) attributes {sdm.kernel} {
  // expected-error @+1 {{expected a whole walk (a walk over rows has no records whose positions could name a plane's cells), got a schedule that splits it}}
  sdm.each_row %row in %x : !sdm.rows<?x256xf32> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x256xf32> [i32] -> vector<2x128xf32>
    %s = sdm.dot %r, %r {width = 256 : i64} : vector<2x128xf32>
    sdm.store_cell %s, %d[%row] : f32, !sdm.cells<?xf32> [i32]
  }
  return
}

// -----

func.func @written(%x: !sdm.rows<?x128xf32>, %y: !sdm.rows<?x128xf32>, %z: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  // expected-error @+1 {{expected another placement of operand 2 (resident rows need chunk or launch scalars in all indices but the last, one slab an operand, and no store to the operand), got resident}}
  sdm.each_row %row in %x : !sdm.rows<?x128xf32> {
    %r = sdm.load_row %z[%row] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    sdm.store_row %r, %z[%row] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// -----

func.func @too_large(%x: !sdm.rows<?x128xf32>, %y: !sdm.rows<?x128xf32>, %z: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  // expected-error @+1 {{expected a schedule that fits 101376 bytes of shared memory of sm_86, got 524416}}
  sdm.each_row %row in %x : !sdm.rows<?x128xf32> {
    %r = sdm.load_row %z[%row] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    sdm.store_row %r, %y[%row] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// -----

func.func @unknown(%x: !sdm.rows<?x128xf32>, %y: !sdm.rows<?x?x128xf32>, %z: !sdm.rows<?x?x128xf32>, %n: i32) attributes {sdm.kernel} {
  // expected-error @+1 {{expected another placement of operand 2 (a resident slab needs a known extent), got resident}}
  sdm.each_row %row in %x : !sdm.rows<?x128xf32> {
    %r = sdm.load_row %z[%n, %row] : !sdm.rows<?x?x128xf32> [i32, i32] -> vector<1x128xf32>
    sdm.store_row %r, %x[%row] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}
