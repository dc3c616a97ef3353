// What lanes cannot share.
// RUN: sdm-opt %s --split-input-file --verify-diagnostics --sdm-distribute-lanes

func.func @columns() {
  // expected-error @+1 {{expected a constant row whose columns are equal}}
  %c = arith.constant dense<[[1.0, 2.0]]> : vector<1x2xf32>
  return
}

// -----

func.func @unstaged(%slab: !sdm.slab<1x128xf32>, %i: i32) {
  // expected-error @+1 {{expected a row of a staged slab or a ring, got a slab of another origin}}
  %r = sdm.take %slab[%i] : !sdm.slab<1x128xf32> [i32] -> vector<1x128xf32>
  return
}
