// RUN: sdm-opt %s --split-input-file --verify-diagnostics --sdm-to-host

// expected-error @+1 {{expected rows, cells, sorted records or a scalar (i1, i32, i64, f32) as argument arg1 of bad_argument, got i8}}
func.func @bad_argument(%x: !sdm.rows<?x128xf32>, %a: i8)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 1>} {
  return
}

// -----

// expected-error @+1 {{expected structured control flow (one block), got 2 blocks}}
func.func @blocks(%x: !sdm.rows<?x128xf32>)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 1>} {
  cf.br ^next
^next:
  return
}

// -----

func.func @scheduled_for_lanes(%x: !sdm.rows<?x128xf32>)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 1>} {
  // expected-error @+1 {{expected operations of the level that this pass lowers, got sdm.stage}}
  %slab = sdm.stage %x[] : !sdm.rows<?x128xf32> -> !sdm.slab<1x128xf32>
  return
}
