// What the gate refuses, one function for each way.
// RUN: sdm-opt %s --split-input-file --verify-diagnostics --sdm-check-kernel

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @group_constant(%reads: !sdm.sorted<#read>, %a: !sdm.cells<?xf32>, %v: f32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %i = arith.constant 0 : i32
    // expected-error @+1 {{expected a store at the group's key or index (one writer for every place), got other indices}}
    sdm.store_cell %v, %a[%i] : f32, !sdm.cells<?xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @group_argument(%reads: !sdm.sorted<#read>, %a: !sdm.cells<?xf32>, %v: f32, %n: i32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    // expected-error @+1 {{expected a store at the group's key or index (one writer for every place), got other indices}}
    sdm.store_cell %v, %a[%n] : f32, !sdm.cells<?xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @group_no_axis(%reads: !sdm.sorted<#read>, %a: !sdm.cells<f32>, %v: f32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    // expected-error @+1 {{expected a store at the group's key or index (one writer for every place), got other indices}}
    sdm.store_cell %v, %a[] : f32, !sdm.cells<f32>
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @group_pos(%reads: !sdm.sorted<#read>, %a: !sdm.cells<?xf32>, %v: f32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %i = sdm.property %group pos : !sdm.group -> i32
    // expected-error @+1 {{expected a store at the group's key or index (one writer for every place), got other indices}}
    sdm.store_cell %v, %a[%i] : f32, !sdm.cells<?xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
// Two keys may have one half.
func.func @group_computed_key(%reads: !sdm.sorted<#read>, %a: !sdm.cells<?xf32>, %v: f32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %two = arith.constant 2 : i32
    %i = arith.divsi %key, %two : i32
    // expected-error @+1 {{expected a store at the group's key or index (one writer for every place), got other indices}}
    sdm.store_cell %v, %a[%i] : f32, !sdm.cells<?xf32> [i32]
  }
  return
}

// -----

#use = #sdm.layout<"Use", key = "slot", planes = [8, 4, 4], fields = [
  <"slot" : i64 in 0 at 0>, <"$index" : i32 in 1 at 0>, <"$ordinal" : i32 in 2 at 0 bits 0 to 28>,
  <"$first" : i1 in 2 at 0 bits 31 to 31>, <"$last" : i1 in 2 at 0 bits 30 to 30>, <"$invalid" : i1 in 2 at 0 bits 29 to 29>]>
// Two 64-bit keys may have one lower half.
func.func @group_narrow_key(%reads: !sdm.sorted<#use>, %a: !sdm.cells<?xf32>, %v: f32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#use> {
    %key = sdm.key %group : i64
    %i = arith.trunci %key : i64 to i32
    // expected-error @+1 {{expected a store at the group's key or index (one writer for every place), got other indices}}
    sdm.store_cell %v, %a[%i] : f32, !sdm.cells<?xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @group_loaded(%reads: !sdm.sorted<#read>, %a: !sdm.cells<?xf32>, %v: f32, %t: !sdm.cells<?xi32>) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %i = sdm.load_cell %t[%key] : !sdm.cells<?xi32> [i32] -> i32
    // expected-error @+1 {{expected a store at the group's key or index (one writer for every place), got other indices}}
    sdm.store_cell %v, %a[%i] : f32, !sdm.cells<?xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
// All members of a group have its key.
func.func @member_key(%reads: !sdm.sorted<#read>, %a: !sdm.cells<?xf32>, %v: f32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    sdm.members %read in %group {
      %key = sdm.key %group : i32
      // expected-error @+1 {{expected a store at the member's index or pos, or at all its unique fields (one writer for every place), got other indices}}
      sdm.store_cell %v, %a[%key] : f32, !sdm.cells<?xf32> [i32]
    }
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
// Token and lane are unique together.
func.func @member_one_unique(%reads: !sdm.sorted<#read>, %a: !sdm.cells<?xf32>, %v: f32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    sdm.members %read in %group {
      %token = sdm.field %read "token" : i32
      // expected-error @+1 {{expected a store at the member's index or pos, or at all its unique fields (one writer for every place), got other indices}}
      sdm.store_cell %v, %a[%token] : f32, !sdm.cells<?xf32> [i32]
    }
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @member_unique_twice(%reads: !sdm.sorted<#read>, %a: !sdm.cells<?x?xf32>, %v: f32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    sdm.members %read in %group {
      %token = sdm.field %read "token" : i32
      // expected-error @+1 {{expected a store at the member's index or pos, or at all its unique fields (one writer for every place), got other indices}}
      sdm.store_cell %v, %a[%token, %token] : f32, !sdm.cells<?x?xf32> [i32, i32]
    }
  }
  return
}

// -----

#use = #sdm.layout<"Use", key = "slot", planes = [8, 4, 4], fields = [
  <"slot" : i64 in 0 at 0>, <"$index" : i32 in 1 at 0>, <"$ordinal" : i32 in 2 at 0 bits 0 to 28>,
  <"$first" : i1 in 2 at 0 bits 31 to 31>, <"$last" : i1 in 2 at 0 bits 30 to 30>, <"$invalid" : i1 in 2 at 0 bits 29 to 29>]>
// A record of a list has no group: two records may have one key.
func.func @member_no_unique(%uses: !sdm.sorted<#use>, %a: !sdm.cells<?xf32>, %v: f32) attributes {sdm.kernel} {
  sdm.each_record %use in %uses : !sdm.sorted<#use> {
    %slot = sdm.field %use "slot" : i64
    // expected-error @+1 {{expected a store at the member's index or pos, or at all its unique fields (one writer for every place), got other indices}}
    sdm.store_cell %v, %a[%slot] : f32, !sdm.cells<?xf32> [i64]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @member_computed_pos(%reads: !sdm.sorted<#read>, %a: !sdm.cells<?xf32>, %v: f32, %n: i32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    sdm.members %read in %group {
      %pos = sdm.property %read pos : !sdm.member -> i32
      %i = arith.andi %pos, %n : i32
      // expected-error @+1 {{expected a store at the member's index or pos, or at all its unique fields (one writer for every place), got other indices}}
      sdm.store_cell %v, %a[%i] : f32, !sdm.cells<?xf32> [i32]
    }
  }
  return
}

// -----

func.func @row_constant(%x: !sdm.rows<?x128xf32>, %n: i32) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x128xf32> {
    %v = arith.constant dense<1.0> : vector<1x128xf32>
    // expected-error @+1 {{expected a store at the walk's row (one writer for every place), got other indices}}
    sdm.store_row %v, %x[%n] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
// What another group writes at the same time.
func.func @read_elsewhere(%reads: !sdm.sorted<#read>, %a: !sdm.cells<?xf32>, %v: f32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %zero = arith.constant 0 : i32
    // expected-error @+1 {{expected a written operand to be read and written only at the place of its first store (one writer for every place), got another place}}
    %b = sdm.load_cell %a[%zero] : !sdm.cells<?xf32> [i32] -> f32
    sdm.store_cell %b, %a[%key] : f32, !sdm.cells<?xf32> [i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
// Each store has one writer, both together have two.
func.func @written_elsewhere(%reads: !sdm.sorted<#read>, %a: !sdm.cells<?x?xf32>, %v: f32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %zero = arith.constant 0 : i32
    sdm.store_cell %v, %a[%key, %zero] : f32, !sdm.cells<?x?xf32> [i32, i32]
    // expected-error @+1 {{expected a written operand to be read and written only at the place of its first store (one writer for every place), got another place}}
    sdm.store_cell %v, %a[%zero, %key] : f32, !sdm.cells<?x?xf32> [i32, i32]
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @other_axis(%reads: !sdm.sorted<#read>, %a: !sdm.cells<?x?xf32>, %v: f32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    %size = sdm.property %group size : !sdm.group -> i32
    sdm.store_cell %v, %a[%key, %key] : f32, !sdm.cells<?x?xf32> [i32, i32]
    // expected-error @+1 {{expected a written operand to be read and written only at the place of its first store (one writer for every place), got another place}}
    %b = sdm.load_cell %a[%key, %size] : !sdm.cells<?x?xf32> [i32, i32] -> f32
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @other_level(%reads: !sdm.sorted<#read>, %a: !sdm.cells<?xf32>, %v: f32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %key = sdm.key %group : i32
    sdm.members %read in %group {
      // expected-error @+1 {{expected a written operand to be read and written only at the place of its first store (one writer for every place), got another place}}
      %b = sdm.load_cell %a[%key] : !sdm.cells<?xf32> [i32] -> f32
    }
    sdm.store_cell %v, %a[%key] : f32, !sdm.cells<?xf32> [i32]
  }
  return
}

// -----

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
    // expected-error @+1 {{expected a store without 'where' (lanes have no name here; scf.if chooses), got one with it}}
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
