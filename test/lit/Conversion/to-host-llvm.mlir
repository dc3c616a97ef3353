// RUN: sdm-opt %s --sdm-host-to-llvm | FileCheck %s
// RUN: sdm-opt %s --sdm-host-to-llvm | FileCheck %s --check-prefix=NONE

// Everything ends in the llvm dialect; no operation contracts, and nothing rounds by fptrunc.
// NONE-NOT: {{fptrunc|fmuladd|unrealized|fastmath}}

// CHECK-LABEL: llvm.func @fold(
// CHECK-SAME: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64)
// CHECK: llvm.intr.fma
// CHECK: llvm.intr.maximum
// CHECK: llvm.return
func.func @fold(%x: !sdm.rows<?x260xbf16>, %y: !sdm.rows<?x260xbf16>, %out: !sdm.cells<f32>, %a: f32, %on: i1)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 1>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x260xbf16>
  %one = arith.constant 1 : i32
  %zero = arith.constant dense<0.0> : vector<3x88xf32>
  %stop, %acc = scf.while (%i = %begin, %acc = %zero) : (i32, vector<3x88xf32>) -> (i32, vector<3x88xf32>) {
    %go = arith.cmpi slt, %i, %end : i32
    scf.condition(%go) %i, %acc : i32, vector<3x88xf32>
  } do {
  ^bb0(%i: i32, %acc: vector<3x88xf32>):
    %b = sdm.load_row %x[%i] : !sdm.rows<?x260xbf16> [i32] -> vector<3x88xbf16>
    %f = arith.extf %b : vector<3x88xbf16> to vector<3x88xf32>
    %s = vector.broadcast %a : f32 to vector<3x88xf32>
    %sum = math.fma %s, %f, %acc : vector<3x88xf32>
    %less = arith.cmpf olt, %sum, %f : vector<3x88xf32>
    %kept = arith.select %less, %sum, %f : vector<3x88xi1>, vector<3x88xf32>
    %next = arith.addi %i, %one : i32
    scf.yield %next, %kept : i32, vector<3x88xf32>
  }
  %m = sdm.reduce max %acc {width = 260 : i64} : vector<3x88xf32>
  scf.if %on {
    sdm.store_row %acc, %y[%begin] : vector<3x88xf32>, !sdm.rows<?x260xbf16> [i32]
    sdm.store_cell %m, %out[] : f32, !sdm.cells<f32>
  }
  return
}

// What else the front end makes, on rows of several slices.
// CHECK-LABEL: llvm.func @arithmetic(
// CHECK-NOT: {{arith|math|vector|scf|cf}}.
// CHECK: llvm.return
func.func @arithmetic(%x: !sdm.rows<?x260xf32>, %y: !sdm.rows<?x260xbf16>, %out: !sdm.cells<?xi32>, %a: f32, %on: i1, %n: i64)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 1>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x260xf32>
  %r = sdm.load_row %x[%begin] : !sdm.rows<?x260xf32> [i32] -> vector<3x88xf32>
  %masks = vector.broadcast %on : i1 to vector<3x88xi1>
  %s = vector.broadcast %a : f32 to vector<3x88xf32>
  %0 = arith.divf %r, %s : vector<3x88xf32>
  %1 = arith.negf %0 : vector<3x88xf32>
  %2 = math.sqrt %1 : vector<3x88xf32>
  %3 = math.absf %2 : vector<3x88xf32>
  %4 = arith.minimumf %3, %r : vector<3x88xf32>
  %5 = arith.cmpf ule, %4, %s : vector<3x88xf32>
  %6 = arith.xori %5, %masks : vector<3x88xi1>
  %7 = arith.select %6, %4, %r : vector<3x88xi1>, vector<3x88xf32>
  %8 = arith.select %on, %7, %r : vector<3x88xf32>
  %9 = scf.if %on -> (vector<3x88xf32>) {
    scf.yield %8 : vector<3x88xf32>
  } else {
    scf.yield %s : vector<3x88xf32>
  }
  %rounded = arith.truncf %9 : vector<3x88xf32> to vector<3x88xbf16>
  sdm.store_row %rounded, %y[%begin] bits : vector<3x88xbf16>, !sdm.rows<?x260xbf16> [i32]
  %i = arith.trunci %n : i64 to i32
  %abs = math.absi %i : i32
  %half = arith.ceildivsi %abs, %end : i32
  sdm.store_cell %half, %out[%begin] where %on : i32, !sdm.cells<?xi32> [i32]
  return
}
