// Each numbered constraint of copies.
// RUN: sdm-opt %s --split-input-file --verify-diagnostics

func.func @copy_async_c1(%x: !sdm.rows<?x128xf32>, %i: i32) {
  // expected-error @+1 {{'sdm.copy_async' op expected 4, 8 or 16 bytes, got 2}}
  sdm.copy_async %x[%i] at %i to %i {bytes = 2 : i64} : !sdm.rows<?x128xf32> [i32]
  return
}

// -----

func.func @wait_group_negative() {
  // expected-error @+1 {{'sdm.wait_group' op attribute 'pending' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  sdm.wait_group -1
  return
}

// -----

func.func @exchange_zero(%v: f32) {
  // expected-error @+1 {{'sdm.exchange' op attribute 'distance' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %e = sdm.exchange %v, 0
  return
}

// -----

func.func @copy_bulk_type(%x: !sdm.cells<?xf32>, %i: i32) {
  // expected-error @+1 {{invalid kind of type specified: expected sdm.rows, but found '!sdm.cells<?xf32>'}}
  sdm.copy_bulk %x[%i] at %i to %i bytes %i reports %i : !sdm.cells<?xf32> [i32]
  return
}
