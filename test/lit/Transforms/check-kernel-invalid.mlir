// Stores that could race, one function for each way.
// RUN: sdm-opt %s --split-input-file --verify-diagnostics --sdm-check-kernel

#read = #sdm.layout<"Read", key = "slot", unique = ["token", "lane"], planes = [16], fields = [
  <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 9 to 16>, <"lane" : i32 in 0 at 0 bits 0 to 7>, <"scale" : f32 in 0 at 8>,
  <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 17 to 17>]>
func.func @group_constant(%reads: !sdm.sorted<#read>, %a: !sdm.cells<?xf32>, %v: f32) attributes {sdm.kernel} {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    %i = arith.constant 0 : i32
    // expected-error @+1 {{expected a store at the group's key or index (one writer for every place), got a value that is the same in the whole launch}}
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
    // expected-error @+1 {{expected a store at the group's key or index (one writer for every place), got a value that is the same in the whole launch}}
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
    // expected-error @+1 {{expected a store at the group's key or index (one writer for every place), got no index}}
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
    // expected-error @+1 {{expected a store at the group's key or index (one writer for every place), got the group's pos}}
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
    // expected-error @+1 {{expected a store at the group's key or index (one writer for every place), got a computed index}}
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
    // expected-error @+1 {{expected a store at the group's key or index (one writer for every place), got a computed index}}
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
    // expected-error @+1 {{expected a store at the group's key or index (one writer for every place), got a computed index}}
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
      // expected-error @+1 {{expected a store at the member's index or pos, or at all its unique fields (one writer for every place), got the group's key}}
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
      // expected-error @+1 {{expected a store at the member's index or pos, or at all its unique fields (one writer for every place), got field 'token'}}
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
      // expected-error @+1 {{expected a store at the member's index or pos, or at all its unique fields (one writer for every place), got field 'token', field 'token'}}
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
    // expected-error @+1 {{expected a store at the member's index or pos, or at all its unique fields (one writer for every place), got field 'slot'}}
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
      // expected-error @+1 {{expected a store at the member's index or pos, or at all its unique fields (one writer for every place), got a computed index}}
      sdm.store_cell %v, %a[%i] : f32, !sdm.cells<?xf32> [i32]
    }
  }
  return
}

// -----

func.func @row_constant(%x: !sdm.rows<?x128xf32>, %n: i32) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x128xf32> {
    %v = arith.constant dense<1.0> : vector<1x128xf32>
    // expected-error @+1 {{expected a store at the walk's row (one writer for every place), got a value that is the same in the whole launch}}
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
