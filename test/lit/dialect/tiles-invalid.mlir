// Each numbered constraint of fetches, staged rows, partials and butterflies.
// RUN: sdm-opt %s --split-input-file --verify-diagnostics

#read = #sdm.layout<"Read", planes = [4], fields = [<"x" : f32 in 0 at 0>]>
func.func @fetch_c1(%reads: !sdm.sorted<#read>, %i: i32) {
  // expected-error @+1 {{'sdm.fetch' op expected a field of record 'Read', got 'y'}}
  %y = sdm.fetch %reads[%i, %i] "y" : !sdm.sorted<#read> -> f32
  return
}

// -----

#read = #sdm.layout<"Read", planes = [4], fields = [<"x" : f32 in 0 at 0>]>
func.func @fetch_c2(%reads: !sdm.sorted<#read>, %i: i32) {
  // expected-error @+1 {{'sdm.fetch' op expected the type 'f32' of field 'x', got 'i32'}}
  %x = sdm.fetch %reads[%i, %i] "x" : !sdm.sorted<#read> -> i32
  return
}

// -----

func.func @stage_c1(%x: !sdm.rows<?x?x128xf32>) {
  // expected-error @+1 {{'sdm.stage' op expected 1 indices (every index axis of '!sdm.rows<?x?x128xf32>' but the last), got 0}}
  %s = sdm.stage %x[] : !sdm.rows<?x?x128xf32> -> !sdm.slab<1x128xf32>
  return
}

// -----

func.func @stage_c2(%x: !sdm.rows<?x128xbf16>) {
  // expected-error @+1 {{'sdm.stage' op expected a slab of 'vector<1x128xbf16>', got '!sdm.slab<1x128xf32>'}}
  %s = sdm.stage %x[] : !sdm.rows<?x128xbf16> -> !sdm.slab<1x128xf32>
  return
}

// -----

func.func @stage_c2_slice(%x: !sdm.rows<?x256xf32>, %i: i32) {
  // expected-error @+1 {{'sdm.stage' op expected a slab of 'vector<1x128xf32>', got '!sdm.slab<2x128xf32>'}}
  %s = sdm.stage %x[] slice %i : !sdm.rows<?x256xf32> -> !sdm.slab<2x128xf32>
  return
}

// -----

func.func @take_c1(%s: !sdm.slab<2x128xf32>, %i: i32) {
  // expected-error @+1 {{'sdm.take' op expected a result of type 'vector<2x128xf32>', got 'vector<1x128xf32>'}}
  %r = sdm.take %s[%i] : !sdm.slab<2x128xf32> [i32] -> vector<1x128xf32>
  return
}

// -----

// expected-error @+1 {{expected a slab of rows as slices and columns of f32, bf16, f16, f8E4M3FN or i4, got 128x'f32'}}
func.func private @slab_rank(!sdm.slab<128xf32>)

// -----

// expected-error @+1 {{expected a slab of rows as slices and columns of f32, bf16, f16, f8E4M3FN or i4, got 1x128x'!sdm.group'}}
func.func private @slab_type(!sdm.slab<1x128x!sdm.group>)

// -----

func.func @partial_c1_dot(%x: vector<1x4xf32>) {
  // expected-error @+1 {{'sdm.partial' op expected 2 rows for dot, got 1}}
  %p = sdm.partial dot %x {width = 128 : i64, slice_width = 128 : i64} : vector<1x4xf32> -> f32
  return
}

// -----

func.func @partial_c1_sum(%x: vector<1x4xf32>) {
  // expected-error @+1 {{'sdm.partial' op expected 1 rows for sum, got 2}}
  %p = sdm.partial sum %x, %x {width = 128 : i64, slice_width = 128 : i64} : vector<1x4xf32>, vector<1x4xf32> -> f32
  return
}

// -----

func.func @partial_c2(%x: vector<2x4xf32>) {
  // expected-error @+1 {{'sdm.partial' op expected a partial for each of 2 slices, got 1}}
  %p = sdm.partial sum %x {width = 256 : i64, slice_width = 128 : i64} : vector<2x4xf32> -> f32
  return
}

// -----

func.func @butterfly_c1(%p: f32) {
  // expected-error @+1 {{'sdm.butterfly' op expected a batch of 1, 2, 4, 8, 16 or 32 partials, got 3}}
  %r = sdm.butterfly sum %p, %p, %p
  return
}

// -----

func.func @butterfly_c1_none() {
  // expected-error @+1 {{'sdm.butterfly' op expected a batch of 1, 2, 4, 8, 16 or 32 partials, got 0}}
  %r = "sdm.butterfly"() <{kind = #sdm<reduction sum>}> : () -> f32
  return
}
