//===- SdmAttributes.td - record layouts, schedules, launches -------------===//
#ifndef SDM_ATTRIBUTES_TD
#define SDM_ATTRIBUTES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "dialect/SdmDialect.td"

class Sdm_Attr<string name, string attrMnemonic> : AttrDef<Sdm_Dialect, name> {
  let mnemonic = attrMnemonic;
}

class Sdm_Enum<string name, string description, list<I32EnumAttrCase> cases> : I32EnumAttr<name, description, cases> {
  let cppNamespace = "::mlir::sdm";
  let genSpecializedAttr = 0;
}

def Sdm_PropertyKind : Sdm_Enum<"PropertyKind", "what a group or member knows without a field", [
  I32EnumAttrCase<"Chunk", 0, "chunk">, I32EnumAttrCase<"Index", 1, "index">, I32EnumAttrCase<"Size", 2, "size">,
  I32EnumAttrCase<"Pos", 3, "pos">, I32EnumAttrCase<"Valid", 4, "valid">]>;
def Sdm_PropertyAttr : EnumAttr<Sdm_Dialect, Sdm_PropertyKind, "property">;

def Sdm_ReduceKind : Sdm_Enum<"ReduceKind", "the operation that combines columns, lanes and slices", [
  I32EnumAttrCase<"Sum", 0, "sum">, I32EnumAttrCase<"Max", 1, "max">, I32EnumAttrCase<"Min", 2, "min">,
  I32EnumAttrCase<"Amax", 3, "amax">]>;
def Sdm_ReduceAttr : EnumAttr<Sdm_Dialect, Sdm_ReduceKind, "reduction">;

def Sdm_PartialKind : Sdm_Enum<"PartialKind", "what a lane combines its columns with", [
  I32EnumAttrCase<"Dot", 0, "dot">, I32EnumAttrCase<"Sum", 1, "sum">, I32EnumAttrCase<"Max", 2, "max">,
  I32EnumAttrCase<"Min", 3, "min">, I32EnumAttrCase<"Amax", 4, "amax">]>;
def Sdm_PartialAttr : EnumAttr<Sdm_Dialect, Sdm_PartialKind, "partial">;

def Sdm_Placement : Sdm_Enum<"Placement", "where a loaded row waits for its use", [
  I32EnumAttrCase<"Direct", 0, "direct">, I32EnumAttrCase<"Resident", 1, "resident">,
  I32EnumAttrCase<"Ring", 2, "ring">, I32EnumAttrCase<"Registers", 3, "registers">,
  I32EnumAttrCase<"BulkRing", 4, "bulk_ring">]>;
def Sdm_PlacementAttr : EnumAttr<Sdm_Dialect, Sdm_Placement, "placement">;

def Sdm_WalkForm : Sdm_Enum<"WalkForm", "how a warp goes through its tile", [
  I32EnumAttrCase<"Nest", 0, "nest">, I32EnumAttrCase<"Flat", 1, "flat">]>;

def Sdm_SliceForm : Sdm_Enum<"SliceForm", "who holds the slices of a row", [
  I32EnumAttrCase<"Split", 0, "split">, I32EnumAttrCase<"Whole", 1, "whole">]>;

def Sdm_Domain : Sdm_Enum<"Domain", "what a launch walks", [
  I32EnumAttrCase<"Groups", 0, "groups">, I32EnumAttrCase<"Records", 1, "records">,
  I32EnumAttrCase<"Rows", 2, "rows">]>;

def Sdm_FieldAttr : Sdm_Attr<"Field", "field"> {
  let summary = "where one field of a record lies";
  let description = [{
    `<"token" : i32 in 0 at 0 bits 9 to 16>` is bits 9 to 16 of the 32-bit word at byte 0 of plane 0; without `bits` the
    field is the whole value of its type. `<"weight" : f32 = 1.0 : f32>` is a constant of every record.
  }];
  let parameters = (ins StringRefParameter<"the field's name">:$name, "::mlir::Type":$type,
                        "int64_t":$plane, "int64_t":$offset, "int64_t":$lowBit, "int64_t":$highBit,
                        OptionalParameter<"::mlir::TypedAttr">:$value);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool isConstant() const { return static_cast<bool>(getValue()); }
    bool isBits() const { return getHighBit() >= 0; }
    int64_t getBitCount() const { return getHighBit() - getLowBit() + 1; }
  }];
}

def Sdm_LayoutAttr : Sdm_Attr<"Layout", "layout"> {
  let summary = "a record bound to arrays";
  let description = [{
    Names the record, its key, the fields that are unique within a chunk, the byte size of one record in each array
    (`planes`), and the fields. Reserved fields: `$first`, `$last`, `$invalid` (i1 flags of the sorted position), `$index`
    (i32, position in the unsorted list), `$ordinal` (i32, which group of its chunk).
  }];
  let parameters = (ins StringRefParameter<"the record's name">:$name, StringRefParameter<"the key field">:$key,
                        ArrayRefParameter<"::mlir::StringAttr">:$unique, ArrayRefParameter<"int64_t">:$planes,
                        ArrayRefParameter<"::mlir::sdm::FieldAttr">:$fields);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The field of that name, or null.
    FieldAttr lookup(::llvm::StringRef name) const;
    /// The key's type: i32 or i64; null where the record has no key.
    ::mlir::Type getKeyType() const;
    bool isUnique(::llvm::StringRef field) const;
  }];
}

def Sdm_ScheduleAttr : Sdm_Attr<"Schedule", "schedule"> {
  let summary = "how one walk runs";
  let description = [{
    `#sdm.schedule<nest, split, warps = 8>`: the form of the walk, who holds a row's slices, warps of a CTA.
    `#sdm.schedule<flat, split, warps = 8, unit = 8, depth = 2>`: a warp goes through its positions in units, rows are under way
    for `depth` units. A schedule never changes a result.
  }];
  let parameters = (ins EnumParameter<Sdm_WalkForm>:$form, EnumParameter<Sdm_SliceForm>:$slices, "int64_t":$warps,
                        DefaultValuedParameter<"int64_t", "1">:$unit, DefaultValuedParameter<"int64_t", "1">:$depth);
  let assemblyFormat = [{
    `<` $form `,` $slices `,` `warps` `=` $warps (`,` `unit` `=` $unit^)? (`,` `depth` `=` $depth^)? `>`
  }];
  let genVerifyDecl = 1;
}

def Sdm_LaunchAttr : Sdm_Attr<"Launch", "launch"> {
  let summary = "what one launched function walks";
  let description = [{
    `#sdm.launch<groups, operand = 0, slices = 1, warps = 8>`: the domain, the argument that is walked, how many slices a
    unit of work is one of, warps of a CTA.
  }];
  let parameters = (ins EnumParameter<Sdm_Domain>:$domain, "int64_t":$operand, "int64_t":$slices, "int64_t":$warps);
  let assemblyFormat = "`<` $domain `,` `operand` `=` $operand `,` `slices` `=` $slices `,` `warps` `=` $warps `>`";
}

#endif // SDM_ATTRIBUTES_TD
