//===- SdmTypes.td - operands of a kernel and the handles of a walk -------===//
#ifndef SDM_TYPES_TD
#define SDM_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "dialect/SdmAttributes.td"

class Sdm_Type<string name, string typeMnemonic> : TypeDef<Sdm_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Sdm_Sorted : Sdm_Type<"Sorted", "sorted"> {
  let summary = "records sorted by their key, [chunks, n]";
  let parameters = (ins "::mlir::sdm::LayoutAttr":$layout);
  let assemblyFormat = "`<` $layout `>`";
}

def Sdm_Rows : Sdm_Type<"Rows", "rows"> {
  let summary = "an array whose last axis is a row";
  let description = [{
    `!sdm.rows<?x?x128xbf16>`: two index axes of any extent, rows of 128 columns stored as bf16. Columns are contiguous;
    the strides of the index axes are launch arguments. `piece` is the largest number of bytes, a power of two up to 16,
    that divides the base address, the strides of the index axes and every slice's offset and length; left out, it is what
    the width alone gives.

    Columns are f32, bf16, f16, f8E4M3FN (the numbers of e4m3, S.1111.111 a NaN, no infinity) or i4: signed, two in a
    byte, the first one in its high bits, so that the width is even. The value of a row has the type of its columns;
    i4 become i8 of the same number.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType, "int64_t":$givenPiece);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType), [{
    return $_get($_ctxt, shape, elementType, 0);
  }]>];
  let extraClassDeclaration = [{
    int64_t getWidth() const { return getShape().back(); }
    int64_t getIndexRank() const { return static_cast<int64_t>(getShape().size()) - 1; }
    /// Bytes of the least access: a column, or two of i4.
    int64_t getElementBytes() const { return (getElementType().getIntOrFloatBitWidth() + 7) / 8; }
    /// Bytes of so many columns; of i4 an even number of them.
    int64_t getBytes(int64_t columns) const { return columns * getElementType().getIntOrFloatBitWidth() / 8; }
    /// Whether columns have fewer than 16 bits: numbers that a scale belongs to.
    bool isQuantized() const { return getElementType().getIntOrFloatBitWidth() < 16; }
    /// Bytes that one access may move: pieces of 16, 8, 4, else elements.
    int64_t getPiece() const;
    /// The type of a column in a value: that of memory, i8 for i4.
    ::mlir::Type getValueType() const;
    /// The value of a whole row: vector<SxWxT>.
    ::mlir::VectorType getRowType() const;
    /// The value of one slice of a row: vector<1xWxT>.
    ::mlir::VectorType getSliceType() const;
  }];
}

def Sdm_Cells : Sdm_Type<"Cells", "cells"> {
  let summary = "an array of scalars";
  let description = [{
    `!sdm.cells<?x?xf32>`: two index axes; `!sdm.cells<f32>` is a scalar that lives in memory. f32, i32 or i64; any strides.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    int64_t getIndexRank() const { return static_cast<int64_t>(getShape().size()); }
    int64_t getElementBytes() const { return getElementType().getIntOrFloatBitWidth() / 8; }
  }];
}

def Sdm_Group : Sdm_Type<"Group", "group"> {
  let summary = "a run of records with one key";
}

def Sdm_Member : Sdm_Type<"Member", "member"> {
  let summary = "one record of a list";
}

def Sdm_Slab : Sdm_Type<"Slab", "slab"> {
  let summary = "rows staged in memory that the CTA shares";
  let description = [{
    `!sdm.slab<1x128xf32>`: any number of rows, each a `vector<1x128xf32>`; row i starts at byte `i * pitch`. Columns of i4
    lie two in a byte, as in memory; the parameter is the type of the row's value, of i4 a vector of i8.
  }];
  let parameters = (ins "::mlir::VectorType":$row);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// The type of a column in memory: that of the row's value, i4 for i8.
    ::mlir::Type getElementType() const;
    /// Bytes of so many columns; of i4 an even number of them.
    int64_t getBytes(int64_t columns) const { return columns * getElementType().getIntOrFloatBitWidth() / 8; }
    /// Bytes from one row to the next: the row's columns, padding included, rounded up to 16 bytes.
    int64_t getPitch() const;
  }];
}

def Sdm_Buffer : Sdm_Type<"Buffer", "buffer"> {
  let summary = "a warp's records, staged in two batches";
  let description = [{
    `!sdm.buffer<#read, batch = 32>`: positions are staged batch by batch into two halves in turn; the record at position p lies
    in half `(p - origin) / batch % 2`, where the origin is the first position that was staged.
  }];
  let parameters = (ins "::mlir::sdm::LayoutAttr":$layout, "int64_t":$batch);
  let assemblyFormat = "`<` $layout `,` `batch` `=` $batch `>`";
  let extraClassDeclaration = [{
    /// First byte of a plane's records in the buffer.
    int64_t getPlaneStart(int64_t plane) const;
    /// Bytes of the whole buffer: a multiple of 16.
    int64_t getBytes() const;
  }];
}

def Sdm_Index : AnyTypeOf<[I32, I64], "i32 or i64">;
def Sdm_Scalar : AnyTypeOf<[I1, I32, I64, F32], "i1, i32, i64 or f32">;
def Sdm_Record : AnyTypeOf<[Sdm_Group, Sdm_Member], "group or member">;
def Sdm_Operand : AnyTypeOf<[Sdm_Rows, Sdm_Cells, Sdm_Sorted], "rows, cells or sorted records">;
def Sdm_RowValue : VectorOfRankAndType<[2], [F32, BF16, F16, F8E4M3FN, I8]>;
def Sdm_F32Row : VectorOfRankAndType<[2], [F32]>;

#endif // SDM_TYPES_TD
