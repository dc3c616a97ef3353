// Each numbered constraint of walks and records, and what makes a layout well formed.
// RUN: sdm-opt %s --split-input-file --verify-diagnostics

#read = #sdm.layout<"Read", key = "slot", planes = [8], fields = [<"slot" : i32 in 0 at 4>, <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>]>
func.func @walk_c1(%reads: !sdm.sorted<#read>) {
  // expected-error @+1 {{'sdm.walk' op expected the first block argument of type '!sdm.group', got 'i32'}}
  "sdm.walk"(%reads) ({
  ^body(%group: i32):
    sdm.yield
  }) : (!sdm.sorted<#read>) -> ()
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", planes = [8], fields = [<"slot" : i32 in 0 at 4>, <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>]>
func.func @walk_c2_missing(%reads: !sdm.sorted<#read>) {
  // expected-error @+1 {{'sdm.walk' op expected 2 block arguments (with slices), got 1}}
  sdm.walk %group in %reads slices 2 : !sdm.sorted<#read> {
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", planes = [8], fields = [<"slot" : i32 in 0 at 4>, <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>]>
func.func @walk_c2_superfluous(%reads: !sdm.sorted<#read>) {
  // expected-error @+1 {{'sdm.walk' op expected 1 block arguments (without slices), got 2}}
  sdm.walk %group, %slice in %reads : !sdm.sorted<#read> {
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", planes = [8], fields = [<"slot" : i32 in 0 at 4>, <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>]>
func.func @walk_c2_type(%reads: !sdm.sorted<#read>) {
  // expected-error @+1 {{'sdm.walk' op expected the slice's number as i32, got 'i64'}}
  "sdm.walk"(%reads) <{slices = 2 : i64}> ({
  ^body(%group: !sdm.group, %slice: i64):
    sdm.yield
  }) : (!sdm.sorted<#read>) -> ()
  return
}

// -----

#open = #sdm.layout<"Open", key = "slot", planes = [8], fields = [<"slot" : i32 in 0 at 4>, <"$first" : i1 in 0 at 0 bits 31 to 31>]>
func.func @walk_c3(%reads: !sdm.sorted<#open>) {
  // expected-error @+1 {{'sdm.walk' op expected a layout with '$last' (groups are found by it), got record 'Open' without}}
  sdm.walk %group in %reads : !sdm.sorted<#open> {
  }
  return
}

// -----

#keyless = #sdm.layout<"Keyless", planes = [8], fields = [<"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>]>
func.func @walk_c4(%reads: !sdm.sorted<#keyless>) {
  // expected-error @+1 {{'sdm.walk' op expected a record with a key (groups are runs of equal keys), got record 'Keyless' without}}
  sdm.walk %group in %reads : !sdm.sorted<#keyless> {
  }
  return
}

// -----

#read = #sdm.layout<"Read", planes = [4], fields = [<"x" : f32 in 0 at 0>]>
func.func @each_record_c1(%reads: !sdm.sorted<#read>) {
  // expected-error @+1 {{'sdm.each_record' op expected the first block argument of type '!sdm.member', got '!sdm.group'}}
  "sdm.each_record"(%reads) ({
  ^body(%record: !sdm.group):
    sdm.yield
  }) : (!sdm.sorted<#read>) -> ()
  return
}

// -----

#read = #sdm.layout<"Read", planes = [4], fields = [<"x" : f32 in 0 at 0>]>
func.func @each_record_c2(%reads: !sdm.sorted<#read>) {
  // expected-error @+1 {{'sdm.each_record' op expected 1 block arguments (without slices), got 2}}
  sdm.each_record %record, %slice in %reads : !sdm.sorted<#read> {
  }
  return
}

// -----

func.func @each_row_c1(%x: !sdm.rows<?x?x128xf32>) {
  // expected-error @+1 {{'sdm.each_row' op expected rows with one index axis, got '!sdm.rows<?x?x128xf32>'}}
  sdm.each_row %row in %x : !sdm.rows<?x?x128xf32> {
  }
  return
}

// -----

func.func @each_row_c2(%x: !sdm.rows<?x128xf32>) {
  // expected-error @+1 {{'sdm.each_row' op expected the first block argument of type 'i32', got 'i64'}}
  "sdm.each_row"(%x) ({
  ^body(%row: i64):
    sdm.yield
  }) : (!sdm.rows<?x128xf32>) -> ()
  return
}

// -----

func.func @each_row_c3(%x: !sdm.rows<?x128xf32>) {
  // expected-error @+1 {{'sdm.each_row' op expected 2 block arguments (with slices), got 1}}
  sdm.each_row %row in %x slices 3 : !sdm.rows<?x128xf32> {
  }
  return
}

// -----

func.func @members_c1(%group: !sdm.group) {
  // expected-error @+1 {{'sdm.members' op expected the group of the walk around it}}
  sdm.members %member in %group {
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", planes = [8], fields = [<"slot" : i32 in 0 at 4>, <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>]>
func.func @members_c2_handle(%reads: !sdm.sorted<#read>) {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    // expected-error @+1 {{'sdm.members' op expected the first block argument of type '!sdm.member', got 'i32'}}
    "sdm.members"(%group) ({
    ^body(%member: i32):
      sdm.yield
    }) : (!sdm.group) -> ()
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", planes = [8], fields = [<"slot" : i32 in 0 at 4>, <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>]>
func.func @members_c2_carried(%reads: !sdm.sorted<#read>, %a: f32) {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    // expected-error @+1 {{'sdm.members' op expected a carried value to keep its type, got initial ('f32'), carried ('i32'), yielded ('f32'), results ('f32')}}
    %r = "sdm.members"(%group, %a) ({
    ^body(%member: !sdm.member, %n: i32):
      sdm.yield %a : f32
    }) : (!sdm.group, f32) -> f32
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", planes = [8], fields = [<"slot" : i32 in 0 at 4>, <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>]>
func.func @members_c3(%reads: !sdm.sorted<#read>, %a: f32, %n: i32) {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    // expected-error @+1 {{'sdm.members' op expected a carried value to keep its type, got initial ('f32'), carried ('f32'), yielded ('i32'), results ('f32')}}
    %r = sdm.members %member in %group iter_args(%sum = %a) : (f32) {
      sdm.yield %n : i32
    }
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", planes = [8], fields = [<"slot" : i32 in 0 at 4>, <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>]>
func.func @members_types(%reads: !sdm.sorted<#read>, %a: f32, %n: i32) {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    // expected-error @+1 {{expected 1 types of carried values, got 2}}
    %r = sdm.members %member in %group iter_args(%sum = %a) : (f32, i32) {
    }
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", planes = [8], fields = [<"slot" : i32 in 0 at 4>, <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>]>
func.func @key_c1(%reads: !sdm.sorted<#read>) {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    // expected-error @+1 {{'sdm.key' op expected the key's type 'i32', got 'i64'}}
    %key = sdm.key %group : i64
  }
  return
}

// -----

func.func @key_of_nothing(%group: !sdm.group) {
  // expected-error @+1 {{'sdm.key' op expected the group of a walk}}
  %key = sdm.key %group : i32
  return
}

// -----

#read = #sdm.layout<"Read", planes = [4], fields = [<"x" : f32 in 0 at 0>]>
func.func @field_c1(%reads: !sdm.sorted<#read>) {
  sdm.each_record %record in %reads : !sdm.sorted<#read> {
    // expected-error @+1 {{'sdm.field' op expected a field of record 'Read', got 'y'}}
    %y = sdm.field %record "y" : f32
  }
  return
}

// -----

#read = #sdm.layout<"Read", planes = [4], fields = [<"x" : f32 in 0 at 0>]>
func.func @field_c2(%reads: !sdm.sorted<#read>) {
  sdm.each_record %record in %reads : !sdm.sorted<#read> {
    // expected-error @+1 {{'sdm.field' op expected the type 'f32' of field 'x', got 'i32'}}
    %x = sdm.field %record "x" : i32
  }
  return
}

// -----

func.func @field_of_nothing(%member: !sdm.member) {
  // expected-error @+1 {{'sdm.field' op expected the member of a walk}}
  %x = sdm.field %member "x" : f32
  return
}

// -----

#read = #sdm.layout<"Read", planes = [4], fields = [<"x" : f32 in 0 at 0>]>
func.func @property_c1(%reads: !sdm.sorted<#read>) {
  sdm.each_record %record in %reads : !sdm.sorted<#read> {
    // expected-error @+1 {{'sdm.property' op expected a group (a member has no size)}}
    %n = sdm.property %record size : !sdm.member -> i32
  }
  return
}

// -----

#read = #sdm.layout<"Read", planes = [4], fields = [<"x" : f32 in 0 at 0>]>
func.func @property_c2_member(%reads: !sdm.sorted<#read>) {
  sdm.each_record %record in %reads : !sdm.sorted<#read> {
    // expected-error @+1 {{'sdm.property' op expected a layout with '$index' (sort makes it), got record 'Read' without}}
    %n = sdm.property %record index : !sdm.member -> i32
  }
  return
}

// -----

#read = #sdm.layout<"Read", key = "slot", planes = [8], fields = [<"slot" : i32 in 0 at 4>, <"$first" : i1 in 0 at 0 bits 31 to 31>, <"$last" : i1 in 0 at 0 bits 30 to 30>]>
func.func @property_c2_group(%reads: !sdm.sorted<#read>) {
  sdm.walk %group in %reads : !sdm.sorted<#read> {
    // expected-error @+1 {{'sdm.property' op expected a layout with '$ordinal' (sort makes it), got record 'Read' without}}
    %n = sdm.property %group index : !sdm.group -> i32
  }
  return
}

// -----

#read = #sdm.layout<"Read", planes = [4], fields = [<"x" : f32 in 0 at 0>]>
func.func @property_c3(%reads: !sdm.sorted<#read>) {
  sdm.each_record %record in %reads : !sdm.sorted<#read> {
    // expected-error @+1 {{'sdm.property' op expected a result of type i1, got 'i32'}}
    %n = sdm.property %record valid : !sdm.member -> i32
  }
  return
}

// -----

#read = #sdm.layout<"Read", planes = [4], fields = [<"x" : f32 in 0 at 0>]>
// A walk is a function's own.
func.func @parent(%reads: !sdm.sorted<#read>, %if: i1) {
  scf.if %if {
    // expected-error @+1 {{'sdm.each_record' op expects parent op 'func.func'}}
    sdm.each_record %record in %reads : !sdm.sorted<#read> {
    }
  }
  return
}

// -----

// expected-error @+1 {{expected field 'x' of type i1, i32, i64 or f32, got 'f64'}}
#bad = #sdm.layout<"Bad", planes = [8], fields = [<"x" : f64 in 0 at 0>]>

// -----

// expected-error @+1 {{expected the constant of field 'x' to have type 'f32', got 'i32'}}
#bad = #sdm.layout<"Bad", planes = [8], fields = [<"x" : f32 = 1 : i32>]>

// -----

// expected-error @+1 {{expected field 'x' to name a plane and a byte that are not negative, got 0 and -4}}
#bad = #sdm.layout<"Bad", planes = [8], fields = [<"x" : f32 in 0 at -4>]>

// -----

// expected-error @+1 {{expected bits of field 'x' to lie in a 32-bit word ('i32' fields only, one bit for i1), got 9 to 32}}
#bad = #sdm.layout<"Bad", planes = [8], fields = [<"x" : i32 in 0 at 0 bits 9 to 32>]>

// -----

// expected-error @+1 {{expected bits of field 'x' to lie in a 32-bit word ('f32' fields only, one bit for i1), got 0 to 7}}
#bad = #sdm.layout<"Bad", planes = [8], fields = [<"x" : f32 in 0 at 0 bits 0 to 7>]>

// -----

// expected-error @+1 {{expected bits of field '$first' to lie in a 32-bit word ('i1' fields only, one bit for i1), got 30 to 31}}
#bad = #sdm.layout<"Bad", planes = [8], fields = [<"$first" : i1 in 0 at 0 bits 30 to 31>]>

// -----

// expected-error @+1 {{expected field '$first' of type i1 to name its bit, got none}}
#bad = #sdm.layout<"Bad", planes = [8], fields = [<"$first" : i1 in 0 at 0>]>

// -----

// expected-error @+1 {{expected the fields of record 'Bad' to have names of their own, got 'x' twice}}
#bad = #sdm.layout<"Bad", planes = [8], fields = [<"x" : i32 in 0 at 0>, <"x" : i32 in 0 at 4>]>

// -----

// expected-error @+1 {{expected field 'x' in one of 1 planes, got plane 1}}
#bad = #sdm.layout<"Bad", planes = [8], fields = [<"x" : i32 in 1 at 0>]>

// -----

// expected-error @+1 {{expected field 'x' at an aligned byte within the 12 bytes of its record, got byte 4}}
#bad = #sdm.layout<"Bad", planes = [12], fields = [<"x" : i64 in 0 at 4>]>

// -----

// expected-error @+1 {{expected planes of a positive multiple of 4 bytes a record, got 6}}
#bad = #sdm.layout<"Bad", planes = [6], fields = [<"x" : i32 in 0 at 0>]>

// -----

// expected-error @+1 {{expected the key 'slot' of record 'Bad' among its i32 or i64 fields}}
#bad = #sdm.layout<"Bad", key = "slot", planes = [8], fields = [<"slot" : f32 in 0 at 0>]>

// -----

// expected-error @+1 {{expected the unique field "lane" among the fields of record 'Bad'}}
#bad = #sdm.layout<"Bad", unique = ["lane"], planes = [8], fields = [<"x" : i32 in 0 at 0>]>

// -----

// expected-error @+1 {{expected the flag '$last' of type i1, got 'i32'}}
#bad = #sdm.layout<"Bad", planes = [8], fields = [<"$last" : i32 in 0 at 0>]>

// -----

// expected-error @+1 {{expected the field '$index' of type i32, got 'i64'}}
#bad = #sdm.layout<"Bad", planes = [8], fields = [<"$index" : i64 in 0 at 0>]>

// -----

func.func @schedule_warps(%x: !sdm.rows<?x128xf32>) {
  // expected-error @+1 {{expected 1 to 32 warps of a CTA, got 33}}
  sdm.each_row %row in %x schedule <nest, whole, warps = 33> : !sdm.rows<?x128xf32> {
  }
  return
}
