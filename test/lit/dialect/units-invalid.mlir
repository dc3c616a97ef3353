// Each numbered constraint of cuts, staged records and issues.
// RUN: sdm-opt %s --split-input-file --verify-diagnostics

#bare = #sdm.layout<"Bare", planes = [4], fields = [<"x" : f32 in 0 at 0>]>
func.func @seek_c1(%list: !sdm.sorted<#bare>, %i: i32) {
  // expected-error @+1 {{'sdm.seek' op expected a layout with '$first' (groups are found by it), got record 'Bare' without}}
  %p = sdm.seek %list[%i] from %i : !sdm.sorted<#bare> -> i32
  return
}

// -----

#read = #sdm.layout<"Read", planes = [4], fields = [<"$first" : i1 in 0 at 0 bits 31 to 31>]>
func.func @seek_c2(%list: !sdm.sorted<#read>, %i: i32) {
  // expected-error @+1 {{'sdm.seek' op expected a result for each of 2 positions, got 1}}
  %p = sdm.seek %list[%i] from %i, %i : !sdm.sorted<#read> -> i32
  return
}

// -----

#bare = #sdm.layout<"Bare", planes = [4], fields = [<"x" : f32 in 0 at 0>]>
func.func @peek_c1(%buffer: !sdm.buffer<#bare, batch = 32>, %i: i32) {
  // expected-error @+1 {{'sdm.peek' op expected a field of record 'Bare', got 'y'}}
  %y = sdm.peek %buffer[%i] "y" : !sdm.buffer<#bare, batch = 32> -> f32
  return
}

// -----

#bare = #sdm.layout<"Bare", planes = [4], fields = [<"x" : f32 in 0 at 0>]>
func.func @peek_c2(%buffer: !sdm.buffer<#bare, batch = 32>, %i: i32) {
  // expected-error @+1 {{'sdm.peek' op expected the type 'f32' of field 'x', got 'i32'}}
  %x = sdm.peek %buffer[%i] "x" : !sdm.buffer<#bare, batch = 32> -> i32
  return
}

// -----

func.func @issue_c1(%x: !sdm.rows<?x128xf32>, %ring: !sdm.slab<1x128xf32>, %i: i32, %if: i1) {
  // expected-error @+1 {{'sdm.issue' op expected a ring, a mask and an index count for each of 1 rows, got 1, 2 and 1}}
  sdm.issue %x[%i] to %ring slot %i where %if, %if {index_counts = array<i64: 1>} : !sdm.rows<?x128xf32> [i32] -> !sdm.slab<1x128xf32>
  return
}

// -----

func.func @issue_c2(%x: !sdm.rows<?x128xf32>, %ring: !sdm.slab<1x128xf32>, %i: i32, %if: i1) {
  // expected-error @+1 {{'sdm.issue' op expected an index for each index axis of '!sdm.rows<?x128xf32>', got 2}}
  sdm.issue %x[%i, %i] to %ring slot %i where %if {index_counts = array<i64: 2>} : !sdm.rows<?x128xf32> [i32, i32] -> !sdm.slab<1x128xf32>
  return
}

// -----

func.func @issue_c2_total(%x: !sdm.rows<?x128xf32>, %ring: !sdm.slab<1x128xf32>, %i: i32, %if: i1) {
  // expected-error @+1 {{'sdm.issue' op expected 1 indices, got 2}}
  sdm.issue %x[%i, %i] to %ring slot %i where %if {index_counts = array<i64: 1>} : !sdm.rows<?x128xf32> [i32, i32] -> !sdm.slab<1x128xf32>
  return
}

// -----

func.func @issue_bulk_c1(%x: !sdm.rows<?x128xf32>, %ring: !sdm.slab<1x128xf32>, %i: i32, %if: i1) {
  // expected-error @+1 {{'sdm.issue_bulk' op expected a ring, a mask and an index count for each of 1 rows, got 1, 2 and 1}}
  sdm.issue_bulk 4 of %x[%i] to %ring slot %i where %if, %if reports %i {index_counts = array<i64: 1>} : !sdm.rows<?x128xf32> [i32] -> !sdm.slab<1x128xf32>
  return
}

// -----

func.func @issue_bulk_c2(%x: !sdm.rows<?x128xf32>, %ring: !sdm.slab<1x128xf32>, %i: i32, %if: i1) {
  // expected-error @+1 {{'sdm.issue_bulk' op expected an index for each index axis of '!sdm.rows<?x128xf32>', got 2}}
  sdm.issue_bulk 4 of %x[%i, %i] to %ring slot %i where %if reports %i {index_counts = array<i64: 2>} : !sdm.rows<?x128xf32> [i32, i32] -> !sdm.slab<1x128xf32>
  return
}

// -----

func.func @issue_bulk_c3(%x: !sdm.rows<?x130xbf16>, %ring: !sdm.slab<1x68xbf16>, %i: i32, %if: i1) {
  // expected-error @+1 {{'sdm.issue_bulk' op expected rows in pieces of 16 bytes (what the copy engine moves), got '!sdm.rows<?x130xbf16>'}}
  sdm.issue_bulk 4 of %x[%i] to %ring slot %i where %if reports %i {index_counts = array<i64: 1>} : !sdm.rows<?x130xbf16> [i32] -> !sdm.slab<1x68xbf16>
  return
}
