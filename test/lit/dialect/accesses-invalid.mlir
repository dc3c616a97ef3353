// Each numbered constraint of loads and stores, and what makes rows and cells well formed.
// RUN: sdm-opt %s --split-input-file --verify-diagnostics

func.func @load_row_c1(%x: !sdm.rows<?x?x128xf32>, %i: i32) {
  // expected-error @+1 {{'sdm.load_row' op expected 2 indices (one for each index axis of '!sdm.rows<?x?x128xf32>'), got 1}}
  %r = sdm.load_row %x[%i] : !sdm.rows<?x?x128xf32> [i32] -> vector<1x128xf32>
  return
}

// -----

func.func @load_row_c2(%x: !sdm.rows<?x128xbf16>, %i: i32) {
  // expected-error @+1 {{'sdm.load_row' op expected a result of type 'vector<1x128xbf16>', got 'vector<1x128xf32>'}}
  %r = sdm.load_row %x[%i] : !sdm.rows<?x128xbf16> [i32] -> vector<1x128xf32>
  return
}

// -----

// 260 columns are three slices of 88.
func.func @load_row_c2_slice(%x: !sdm.rows<?x260xf32>, %i: i32) {
  // expected-error @+1 {{'sdm.load_row' op expected a result of type 'vector<1x88xf32>', got 'vector<3x88xf32>'}}
  %r = sdm.load_row %x[%i] slice %i : !sdm.rows<?x260xf32> [i32] -> vector<3x88xf32>
  return
}

// -----

func.func @store_row_c1(%x: !sdm.rows<128xf32>, %v: vector<1x128xf32>, %i: i32) {
  // expected-error @+1 {{'sdm.store_row' op expected 0 indices (one for each index axis of '!sdm.rows<128xf32>'), got 1}}
  sdm.store_row %v, %x[%i] : vector<1x128xf32>, !sdm.rows<128xf32> [i32]
  return
}

// -----

func.func @store_row_c2(%x: !sdm.rows<?x130xf32>, %v: vector<2x65xf32>, %i: i32) {
  // expected-error @+1 {{'sdm.store_row' op expected a value of type 'vector<2x68xf32>', got 'vector<2x65xf32>'}}
  sdm.store_row %v, %x[%i] : vector<2x65xf32>, !sdm.rows<?x130xf32> [i32]
  return
}

// -----

func.func @store_row_c3(%x: !sdm.rows<?x128xbf16>, %v: vector<1x128xbf16>, %i: i32) {
  // expected-error @+1 {{'sdm.store_row' op expected a value of type 'vector<1x128xf32>', got 'vector<1x128xbf16>'}}
  sdm.store_row %v, %x[%i] : vector<1x128xbf16>, !sdm.rows<?x128xbf16> [i32]
  return
}

// -----

func.func @store_row_c3_bits(%x: !sdm.rows<?x128xbf16>, %v: vector<1x128xf32>, %i: i32) {
  // expected-error @+1 {{'sdm.store_row' op expected a value of type 'vector<1x128xbf16>', got 'vector<1x128xf32>'}}
  sdm.store_row %v, %x[%i] bits : vector<1x128xf32>, !sdm.rows<?x128xbf16> [i32]
  return
}

// -----

func.func @load_cell_c1(%x: !sdm.cells<?xf32>) {
  // expected-error @+1 {{'sdm.load_cell' op expected 1 indices (one for each index axis of '!sdm.cells<?xf32>'), got 0}}
  %r = sdm.load_cell %x[] : !sdm.cells<?xf32> -> f32
  return
}

// -----

func.func @load_cell_c2(%x: !sdm.cells<?xf32>, %i: i32) {
  // expected-error @+1 {{'sdm.load_cell' op expected a result of type 'f32', got 'i32'}}
  %r = sdm.load_cell %x[%i] : !sdm.cells<?xf32> [i32] -> i32
  return
}

// -----

func.func @store_cell_c1(%x: !sdm.cells<?x?xf32>, %v: f32, %i: i32) {
  // expected-error @+1 {{'sdm.store_cell' op expected 2 indices (one for each index axis of '!sdm.cells<?x?xf32>'), got 3}}
  sdm.store_cell %v, %x[%i, %i, %i] : f32, !sdm.cells<?x?xf32> [i32, i32, i32]
  return
}

// -----

func.func @store_cell_c2(%x: !sdm.cells<?xi64>, %v: i32, %i: i32) {
  // expected-error @+1 {{'sdm.store_cell' op expected a value of type 'i64', got 'i32'}}
  sdm.store_cell %v, %x[%i] : i32, !sdm.cells<?xi64> [i32]
  return
}

// -----

func.func @dim_c1(%x: !sdm.rows<?x128xf32>) {
  // expected-error @+1 {{'sdm.dim' op expected an axis below 2 of '!sdm.rows<?x128xf32>', got 2}}
  %n = sdm.dim %x, 2 : !sdm.rows<?x128xf32>
  return
}

// -----

func.func @stride_c1(%x: !sdm.rows<?x128xf32>) {
  // expected-error @+1 {{'sdm.stride' op expected an index axis below 1 of '!sdm.rows<?x128xf32>', got 1}}
  %n = sdm.stride %x, 1 : !sdm.rows<?x128xf32>
  return
}

// -----

#bare = #sdm.layout<"Bare", planes = [4], fields = [<"x" : f32 in 0 at 0>]>
func.func @dim_c1_sorted(%x: !sdm.sorted<#bare>) {
  // expected-error @+1 {{'sdm.dim' op expected an axis below 1 of '!sdm.sorted<<"Bare", planes = [4], fields = [<"x" : f32 in 0 at 0>]>>', got 1}}
  %n = sdm.dim %x, 1 : !sdm.sorted<#bare>
  return
}

// -----

// expected-error @+1 {{expected rows of a known positive width}}
func.func private @rows_width(!sdm.rows<?x?xf32>)

// -----

// expected-error @+1 {{expected rows of a known positive width}}
func.func private @rows_empty(!sdm.rows<?x0xf32>)

// -----

// expected-error @+1 {{expected rows of f32, bf16 or f16, got 'f64'}}
func.func private @rows_type(!sdm.rows<?x8xf64>)

// -----

// 130 bf16 columns are 260 bytes: 4 divides them and both slices.
// expected-error @+1 {{expected a piece that is a power of two from 2 to 4 bytes (what the width allows), got 8}}
func.func private @rows_piece(!sdm.rows<?x130xbf16, piece = 8>)

// -----

// expected-error @+1 {{expected a piece that is a power of two from 4 to 16 bytes (what the width allows), got 2}}
func.func private @rows_piece_below(!sdm.rows<?x128xf32, piece = 2>)

// -----

// expected-error @+1 {{expected a piece that is a power of two from 2 to 16 bytes (what the width allows), got 12}}
func.func private @rows_piece_odd(!sdm.rows<?x128xbf16, piece = 12>)

// -----

// expected-error @+1 {{expected cells of f32, i32 or i64, got 'bf16'}}
func.func private @cells_type(!sdm.cells<?xbf16>)
