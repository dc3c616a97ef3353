//===- SdmWalkOps.td - walks over groups, members, records and rows -------===//
#ifndef SDM_WALK_OPS_TD
#define SDM_WALK_OPS_TD

include "dialect/SdmOpBase.td"

class Sdm_WalkBase<string mnemonic, list<Trait> traits = []>
    : Sdm_Op<mnemonic, traits # [SingleBlock, RecursiveMemoryEffects, HasParent<"::mlir::func::FuncOp">,
                                 SingleBlockImplicitTerminator<"YieldOp">]> {
  let regions = (region SizedRegion<1>:$bodyRegion);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Sdm_WalkOp : Sdm_WalkBase<"walk"> {
  let summary = "for every group of equal keys, in any order";
  let description = [{
    Runs its body once for each group of each chunk of a launch. Groups are independent: nothing is carried from one to the
    next, and the legality rules give every stored row one writer. An invalid record is a group of its own: its loads give
    zeros, its stores at the key and at the ordinal are dropped, its per-record stores write +0.

    With `slices` the body runs once for each slice of a row, and the second block argument is the slice's number.

    Constraints:
      * (walk_c1) the first block argument is `!sdm.group`;
      * (walk_c2) a second block argument is there exactly when `slices` is, and is `i32`;
      * (walk_c3) the layout carries `$first` and `$last`;
      * (walk_c4) the record has a key.

    ```mlir
    // %reads: !sdm.sorted<#read>
    sdm.walk %group in %reads : !sdm.sorted<#read> {
    }
    sdm.walk %group, %slice in %reads slices 4 : !sdm.sorted<#read> {
    }
    ```
  }];
  let arguments = (ins Arg<Sdm_Sorted, "the records, sorted by key">:$records,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$slices,
                       OptionalAttr<Sdm_ScheduleAttr>:$schedule);
}

def Sdm_EachRecordOp : Sdm_WalkBase<"each_record"> {
  let summary = "for every record, in any order, sorted or not";
  let description = [{
    Runs its body once for each record of each chunk of a launch.

    Constraints:
      * (each_record_c1) the first block argument is `!sdm.member`;
      * (each_record_c2) a second block argument is there exactly when `slices` is, and is `i32`.

    ```mlir
    // %reads: !sdm.sorted<#read>
    sdm.each_record %record in %reads : !sdm.sorted<#read> {
    }
    ```
  }];
  let arguments = (ins Arg<Sdm_Sorted, "the records">:$records,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$slices,
                       OptionalAttr<Sdm_ScheduleAttr>:$schedule);
}

def Sdm_EachRowOp : Sdm_WalkBase<"each_row"> {
  let summary = "for every row of an operand, in any order";
  let description = [{
    Runs its body once for each index of the operand's first axis. There are no records and no chunks.

    Constraints:
      * (each_row_c1) the operand has one index axis;
      * (each_row_c2) the first block argument is `i32`, the row's index;
      * (each_row_c3) a second block argument is there exactly when `slices` is, and is `i32`.

    ```mlir
    // %x: !sdm.rows<?x128xf32>
    sdm.each_row %row in %x : !sdm.rows<?x128xf32> {
    }
    ```
  }];
  let arguments = (ins Arg<Sdm_Rows, "the rows">:$rows,
                       OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$slices,
                       OptionalAttr<Sdm_ScheduleAttr>:$schedule);
}

def Sdm_MembersOp : Sdm_Op<"members", [SingleBlock, RecursiveMemoryEffects,
                                     SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "for every member of a group, in sorted order";
  let description = [{
    Folds the members of a group from the first to the last. The order is the sorted order and nothing is reassociated.

    Constraints:
      * (members_c1) the group is the walk's own block argument;
      * (members_c2) the first block argument is `!sdm.member`, the others have the types of the initial values;
      * (members_c3) the yielded types, the result types and the types of the initial values are the same.

    ```mlir
    // %reads: !sdm.sorted<#read>, %zero: i32
    sdm.walk %group in %reads : !sdm.sorted<#read> {
      %sum = sdm.members %read in %group iter_args(%a = %zero) : (i32) {
        %token = sdm.field %read "token" : i32
        %b = arith.addi %a, %token : i32
        sdm.yield %b : i32
      }
    }
    ```
  }];
  let arguments = (ins Arg<Sdm_Group, "the group whose members are walked">:$group,
                       Variadic<AnyType>:$inits);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$bodyRegion);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Sdm_YieldOp : Sdm_Op<"yield", [Pure, Terminator, ReturnLike, ParentOneOf<["WalkOp", "EachRecordOp", "EachRowOp", "MembersOp"]>]> {
  let summary = "ends a body, with the values that it carries on";
  let arguments = (ins Variadic<AnyType>:$values);
  let builders = [OpBuilder<(ins), [{ /* nothing is carried */ }]>];
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def Sdm_KeyOp : Sdm_Op<"key", [Pure]> {
  let summary = "a group's key";
  let description = [{
    Constraints:
      * (key_c1) the result has the type of the layout's key field.
  }];
  let arguments = (ins Arg<Sdm_Group, "the group">:$group);
  let results = (outs Sdm_Index:$result);
  let assemblyFormat = "$group attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Sdm_FieldOp : Sdm_Op<"field", [Pure]> {
  let summary = "a field of a member's record";
  let description = [{
    Constraints:
      * (field_c1) the layout has the field;
      * (field_c2) the result has the field's type.

    ```mlir
    // %reads: !sdm.sorted<#read>
    sdm.each_record %read in %reads : !sdm.sorted<#read> {
      %token = sdm.field %read "token" : i32
    }
    ```
  }];
  let arguments = (ins Arg<Sdm_Member, "the record">:$record, StrAttr:$name);
  let results = (outs Sdm_Scalar:$result);
  let assemblyFormat = "$record $name attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def Sdm_PropertyOp : Sdm_Op<"property", [Pure]> {
  let summary = "what a group or member knows without a field";
  let description = [{
    `chunk`: the chunk's number. `pos`: the sorted position (a group's: of its first record). `index`: a member's position
    in the unsorted list, a group's number in its chunk. `size`: members of a group. `valid`: not an invalid record.

    Constraints:
      * (property_c1) `size` belongs to a group;
      * (property_c2) `index` needs a layout with `$index` (of a member) or `$ordinal` (of a group);
      * (property_c3) `valid` is `i1`, the others are `i32`.
  }];
  let arguments = (ins Arg<Sdm_Record, "the group or member">:$record, Sdm_PropertyAttr:$kind);
  let results = (outs AnyTypeOf<[I1, I32]>:$result);
  let assemblyFormat = "$record $kind attr-dict `:` type($record) `->` type($result)";
  let hasVerifier = 1;
}

#endif // SDM_WALK_OPS_TD
