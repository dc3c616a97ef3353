// What the passes before sdm-to-nvvm have not lowered, and arguments that no buffer holds.
// RUN: sdm-opt %s --split-input-file --verify-diagnostics --sdm-to-nvvm

func.func @rows(%x: !sdm.rows<?x128xf32>, %i: i32)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
  // expected-error @+1 {{expected operations of the level that this pass lowers, got sdm.load_row}}
  %r = sdm.load_row %x[%i] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
  return
}

// -----

func.func @staged(%x: !sdm.rows<?x128xf32>)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
  // expected-error @+1 {{expected operations of the level that this pass lowers, got sdm.stage}}
  %slab = sdm.stage %x[] : !sdm.rows<?x128xf32> -> !sdm.slab<1x128xf32>
  return
}

// -----

// expected-error @+1 {{expected rows, cells, sorted records or a scalar (i1, i32, i64, f32) as argument arg1 of bad_argument, got i8}}
func.func @bad_argument(%x: !sdm.rows<?x128xf32>, %a: i8)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
  return
}

// -----

// expected-error @+1 {{expected structured control flow (one block), got 2 blocks}}
func.func @blocks(%x: !sdm.rows<?x128xf32>)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
  cf.br ^next
^next:
  return
}
