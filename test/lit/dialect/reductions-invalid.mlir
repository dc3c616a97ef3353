// Each numbered constraint of reductions: a value of other slices would be another tree.
// RUN: sdm-opt %s --split-input-file --verify-diagnostics

func.func @dot_c1(%x: vector<2x68xf32>) {
  // expected-error @+1 {{'sdm.dot' op expected a value of 2 slices of 72 columns (width 140), got 'vector<2x68xf32>'}}
  %d = sdm.dot %x, %x {width = 140 : i64} : vector<2x68xf32>
  return
}

// -----

func.func @dot_c1_slice(%x: vector<2x68xf32>, %s: i32) {
  // expected-error @+1 {{'sdm.dot' op expected a value of 2 slices of 68 columns (width 130), one slice of it, got 'vector<2x68xf32>'}}
  %d = sdm.dot %x, %x slice %s {width = 130 : i64} : vector<2x68xf32>
  return
}

// -----

func.func @dot_types(%x: vector<1x128xf32>, %y: vector<1x64xf32>) {
  // expected-error @+1 {{'sdm.dot' op failed to verify that all of {lhs, rhs} have same type}}
  %d = "sdm.dot"(%x, %y) <{width = 128 : i64}> : (vector<1x128xf32>, vector<1x64xf32>) -> f32
  return
}

// -----

func.func @dot_storage(%x: vector<1x128xbf16>) {
  // expected-error @+1 {{'sdm.dot' op operand #0 must be}}
  %d = sdm.dot %x, %x {width = 128 : i64} : vector<1x128xbf16>
  return
}

// -----

func.func @dot_width(%x: vector<1x128xf32>) {
  // expected-error @+1 {{'sdm.dot' op attribute 'width' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %d = sdm.dot %x, %x {width = 0 : i64} : vector<1x128xf32>
  return
}

// -----

func.func @reduce_c1(%x: vector<1x128xf32>) {
  // expected-error @+1 {{'sdm.reduce' op expected a value of 2 slices of 128 columns (width 256), got 'vector<1x128xf32>'}}
  %d = sdm.reduce sum %x {width = 256 : i64} : vector<1x128xf32>
  return
}

// -----

func.func @reduce_kind(%x: vector<1x128xf32>) {
  // expected-error @+2 {{expected ::mlir::sdm::ReduceKind to be one of: sum, max, min, amax}}
  // expected-error @+1 {{failed to parse}}
  %d = sdm.reduce mean %x {width = 128 : i64} : vector<1x128xf32>
  return
}
