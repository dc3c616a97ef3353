// Operations that a kernel is not made of, one function for each.
// RUN: sdm-opt %s --split-input-file --verify-diagnostics --sdm-check-kernel

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @fast_math(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    // expected-error @+1 {{expected arithmetic without fast-math flags (every schedule gives the same bits), got arith.addf}}
    %s = arith.addf %r, %r fastmath<contract> : vector<1x128xf32>
    sdm.store_row %s, %x[%key] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @fast_fma(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    // expected-error @+1 {{expected arithmetic without fast-math flags (every schedule gives the same bits), got math.fma}}
    %s = math.fma %r, %r, %r fastmath<nnan> : vector<1x128xf32>
    sdm.store_row %s, %x[%key] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @vector_fma(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    // expected-error @+1 {{expected operations that have the same bits on every target (sdm, arith without target's choice, math.fma, sqrt, absf, absi, scf.if, vector.broadcast), got vector.fma}}
    %s = vector.fma %r, %r, %r : vector<1x128xf32>
    sdm.store_row %s, %x[%key] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @math_exp(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    // expected-error @+1 {{expected operations that have the same bits on every target (sdm, arith without target's choice, math.fma, sqrt, absf, absi, scf.if, vector.broadcast), got math.exp}}
    %s = math.exp %r : vector<1x128xf32>
    sdm.store_row %s, %x[%key] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @math_rsqrt(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    // expected-error @+1 {{expected operations that have the same bits on every target (sdm, arith without target's choice, math.fma, sqrt, absf, absi, scf.if, vector.broadcast), got math.rsqrt}}
    %s = math.rsqrt %r : vector<1x128xf32>
    sdm.store_row %s, %x[%key] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @math_floor(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    // expected-error @+1 {{expected operations that have the same bits on every target (sdm, arith without target's choice, math.fma, sqrt, absf, absi, scf.if, vector.broadcast), got math.floor}}
    %s = math.floor %r : vector<1x128xf32>
    sdm.store_row %s, %x[%key] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @remainder(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    // expected-error @+1 {{expected operations that have the same bits on every target (sdm, arith without target's choice, math.fma, sqrt, absf, absi, scf.if, vector.broadcast), got arith.remf}}
    %s = arith.remf %r, %r : vector<1x128xf32>
    sdm.store_row %s, %x[%key] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @maxnum(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    // expected-error @+1 {{expected operations that have the same bits on every target (sdm, arith without target's choice, math.fma, sqrt, absf, absi, scf.if, vector.broadcast), got arith.maxnumf}}
    %s = arith.maxnumf %r, %r : vector<1x128xf32>
    sdm.store_row %s, %x[%key] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @minnum(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    // expected-error @+1 {{expected operations that have the same bits on every target (sdm, arith without target's choice, math.fma, sqrt, absf, absi, scf.if, vector.broadcast), got arith.minnumf}}
    %s = arith.minnumf %r, %r : vector<1x128xf32>
    sdm.store_row %s, %x[%key] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @float_to_integer(%reads: !sdm.sorted<#read>, %a: !sdm.cells<?xi32>, %v: f32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    // expected-error @+1 {{expected operations that have the same bits on every target (sdm, arith without target's choice, math.fma, sqrt, absf, absi, scf.if, vector.broadcast), got arith.fptosi}}
    %i = arith.fptosi %v : f32 to i32
    sdm.store_cell %i, %a[%key] : i32, !sdm.cells<?xi32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
// Columns lie in different lanes.
func.func @column(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x128xf32>, %a: !sdm.cells<?xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    // expected-error @+1 {{expected operations that have the same bits on every target (sdm, arith without target's choice, math.fma, sqrt, absf, absi, scf.if, vector.broadcast), got vector.extract}}
    %s = vector.extract %r[0, 5] : f32 from vector<1x128xf32>
    sdm.store_cell %s, %a[%key] : f32, !sdm.cells<?xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @columns_of_a_vector(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x128xf32>, %w: vector<128xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    // expected-error @+1 {{expected a scalar in every column of a row, got 'vector<128xf32>'}}
    %s = vector.broadcast %w : vector<128xf32> to vector<1x128xf32>
    sdm.store_row %s, %x[%key] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @columns_of_a_constant(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    // expected-error-re @+1 {{expected a constant row whose columns are equal, got dense<{{.*}}> : vector<1x4xf32>}}
    %c = arith.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : vector<1x4xf32>
    %s = arith.addf %r, %r : vector<1x128xf32>
    sdm.store_row %s, %x[%key] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @flat_row(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x128xf32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %r = sdm.load_row %x[%key] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    // expected-error @+1 {{expected rows as vectors of slices and columns, got 'vector<128xf32>'}}
    %c = arith.constant dense<1.0> : vector<128xf32>
    %s = arith.addf %r, %r : vector<1x128xf32>
    sdm.store_row %s, %x[%key] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @loop(%reads: !sdm.sorted<#read>, %n: i32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %one = arith.constant 1 : i32
    // expected-error @+1 {{expected operations that have the same bits on every target (sdm, arith without target's choice, math.fma, sqrt, absf, absi, scf.if, vector.broadcast), got scf.for}}
    scf.for %i = %one to %n step %one : i32 {
    }
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @chosen_operand(%a: !sdm.cells<?xf32>, %b: !sdm.cells<?xf32>, %reads: !sdm.sorted<#read>, %if: i1) attributes {sdm.kernel} {
  // expected-error @+1 {{expected operands and handles used where they are (no operation chooses among them), got arith.select of type '!sdm.cells<?xf32>'}}
  %c = arith.select %if, %a, %b : !sdm.cells<?xf32>
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @carried_group(%reads: !sdm.sorted<#read>, %n: i32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    // expected-error @+1 {{expected operands and handles used where they are (no operation chooses among them), got sdm.members of type '!sdm.group'}}
    %g = sdm.members %read in %group iter_args(%h = %group) : (!sdm.group) {
      sdm.yield %h : !sdm.group
    }
  }
  return
}

// -----

func.func @slices(%x: !sdm.rows<?x256xf32>) attributes {sdm.kernel} {
  // expected-error @+1 {{expected whole rows (sdm-split-slices makes slices), got a slice}}
  sdm.each_row %row, %slice in %x slices 2 : !sdm.rows<?x256xf32> {
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @slice_of_a_row(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x256xf32>, %n: i32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    // expected-error @+1 {{expected whole rows (sdm-split-slices makes slices), got a slice}}
    %r = sdm.load_row %x[%n] slice %n : !sdm.rows<?x256xf32> [i32] -> vector<1x128xf32>
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @masked(%reads: !sdm.sorted<#read>, %a: !sdm.cells<?xf32>, %v: f32, %if: i1) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    // expected-error @+1 {{expected an access without 'where' (lanes have no name here; scf.if chooses), got one with it}}
    sdm.store_cell %v, %a[%key] where %if : f32, !sdm.cells<?xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @lane(%reads: !sdm.sorted<#read>, %n: i32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    // expected-error @+1 {{expected operations that have the same bits on every target (sdm, arith without target's choice, math.fma, sqrt, absf, absi, scf.if, vector.broadcast), got sdm.lane}}
    %lane = sdm.lane
  }
  return
}

// -----

func.func @top_level_store(%a: !sdm.cells<?xf32>, %v: f32, %n: i32) attributes {sdm.kernel} {
  // expected-error @+1 {{expected walks, constants and scalars at the kernel's top level (each walk is a launch of its own), got sdm.store_cell}}
  sdm.store_cell %v, %a[%n] : f32, !sdm.cells<?xf32> [i32]
  return
}

// -----

func.func @top_level_load(%a: !sdm.cells<?xf32>, %n: i32) attributes {sdm.kernel} {
  // expected-error @+1 {{expected walks, constants and scalars at the kernel's top level (each walk is a launch of its own), got sdm.load_cell}}
  %v = sdm.load_cell %a[%n] : !sdm.cells<?xf32> [i32] -> f32
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func private @f()
func.func @call(%reads: !sdm.sorted<#read>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    // expected-error @+1 {{expected operations that have the same bits on every target (sdm, arith without target's choice, math.fma, sqrt, absf, absi, scf.if, vector.broadcast), got func.call}}
    func.call @f() : () -> ()
  }
  return
}

// -----

// expected-error @+1 {{expected a kernel whose body is one block, got 2 blocks}}
func.func @blocks(%a: f32) attributes {sdm.kernel} {
  cf.br ^next
^next:
  return
}

// -----

// expected-error @+1 {{expected a kernel whose body is one block, got 0 blocks}}
func.func private @declared(f32) attributes {sdm.kernel}

// -----

// expected-error @+1 {{expected a kernel without results (it is launched), got 1}}
func.func @results(%a: f32) -> f32 attributes {sdm.kernel} {
  return %a : f32
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @not_a_kernel(%reads: !sdm.sorted<#read>) {
  // expected-error @+1 {{expected a walk in a function with 'sdm.kernel' (only kernels are launched), got one in a function without}}
  sdm.walk %group in %reads : !sdm.sorted<#read> {
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @masked_load(%reads: !sdm.sorted<#read>, %x: !sdm.rows<?x128xf32>, %if: i1) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    // expected-error @+1 {{expected an access without 'where' (lanes have no name here; scf.if chooses), got one with it}}
    %r = sdm.load_row %x[%key] where %if : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
  }
  return
}

// -----

func.func @rounded_to_f8(%x: !sdm.rows<?x128xf32>, %y: !sdm.rows<?x128xf8E4M3FN>) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x128xf32> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
    // A store saturates, a conversion does not.
    // expected-error @+1 {{expected operations that have the same bits on every target (sdm, arith without target's choice, math.fma, sqrt, absf, absi, scf.if, vector.broadcast), got arith.truncf}}
    %s = arith.truncf %r : vector<1x128xf32> to vector<1x128xf8E4M3FN>
    sdm.store_row %s, %y[%row] bits : vector<1x128xf8E4M3FN>, !sdm.rows<?x128xf8E4M3FN> [i32]
  }
  return
}

// -----

func.func @computed_in_f8(%x: !sdm.rows<?x128xf8E4M3FN>) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x128xf8E4M3FN> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x128xf8E4M3FN> [i32] -> vector<1x128xf8E4M3FN>
    // expected-error @+1 {{expected operations that have the same bits on every target (sdm, arith without target's choice, math.fma, sqrt, absf, absi, scf.if, vector.broadcast), got arith.negf}}
    %s = arith.negf %r : vector<1x128xf8E4M3FN>
    sdm.store_row %s, %x[%row] bits : vector<1x128xf8E4M3FN>, !sdm.rows<?x128xf8E4M3FN> [i32]
  }
  return
}

// -----

func.func @widened_halfway(%x: !sdm.rows<?x128xf8E4M3FN>, %y: !sdm.rows<?x128xbf16>) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x128xf8E4M3FN> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x128xf8E4M3FN> [i32] -> vector<1x128xf8E4M3FN>
    // expected-error @+1 {{expected operations that have the same bits on every target (sdm, arith without target's choice, math.fma, sqrt, absf, absi, scf.if, vector.broadcast), got arith.extf}}
    %s = arith.extf %r : vector<1x128xf8E4M3FN> to vector<1x128xbf16>
    sdm.store_row %s, %y[%row] bits : vector<1x128xbf16>, !sdm.rows<?x128xbf16> [i32]
  }
  return
}
