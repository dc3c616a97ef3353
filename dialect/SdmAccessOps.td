//===- SdmAccessOps.td - loads and stores of rows and cells ---------------===//
#ifndef SDM_ACCESS_OPS_TD
#define SDM_ACCESS_OPS_TD

include "dialect/SdmOpBase.td"

def Sdm_LoadRowOp : Sdm_Op<"load_row", [AttrSizedOperandSegments]> {
  let summary = "the row at an index, in its storage type";
  let description = [{
    Columns past the row's width are +0. With `slice` the value is that slice of the row. An invalid record's load gives
    zeros and touches no memory; where `where` is false the value is not used and no memory is touched (scheduled level).

    Constraints:
      * (load_row_c1) one index for each index axis;
      * (load_row_c2) the result is the operand's row type, or with `slice` its slice type.

    ```mlir
    // %bank: !sdm.rows<?x128xbf16>, %slot: i32
    %b = sdm.load_row %bank[%slot] : !sdm.rows<?x128xbf16> [i32] -> vector<1x128xbf16>
    ```
  }];
  let arguments = (ins Arg<Sdm_Rows, "the rows", [MemRead]>:$rows, Variadic<Sdm_Index>:$indices,
                       Optional<I32>:$slice, Optional<I1>:$mask, OptionalAttr<Sdm_PlacementAttr>:$placement);
  let results = (outs Sdm_RowValue:$result);
  let assemblyFormat = [{
    $rows `[` $indices `]` (`slice` $slice^)? (`where` $mask^)? (`placed` $placement^)? attr-dict `:` type($rows) (`[` type($indices)^ `]`)? `->` type($result)
  }];
  let hasVerifier = 1;
}

def Sdm_StoreRowOp : Sdm_Op<"store_row", [AttrSizedOperandSegments]> {
  let summary = "writes one row, rounding once to its storage type";
  let description = [{
    An f32 value is rounded to nearest even; a NaN is stored as 0x7FFFFFFF, in bf16 and f16 as 0x7FFF. With `bits` the
    value has the storage type and is moved bit for bit. Columns past the row's width are not written.

    Constraints:
      * (store_row_c1) one index for each index axis;
      * (store_row_c2) the value has the shape of the row, or with `slice` of a slice;
      * (store_row_c3) the value is f32, or with `bits` of the storage type.
  }];
  let arguments = (ins Arg<Sdm_RowValue, "the row">:$value, Arg<Sdm_Rows, "the rows", [MemWrite]>:$rows,
                       Variadic<Sdm_Index>:$indices, Optional<I32>:$slice, UnitAttr:$bits);
  let assemblyFormat = [{
    $value `,` $rows `[` $indices `]` (`slice` $slice^)? (`bits` $bits^)? attr-dict `:` type($value) `,` type($rows) (`[` type($indices)^ `]`)?
  }];
  let hasVerifier = 1;
}

def Sdm_LoadCellOp : Sdm_Op<"load_cell"> {
  let summary = "the scalar at an index";
  let description = [{
    Constraints:
      * (load_cell_c1) one index for each axis;
      * (load_cell_c2) the result has the cells' type.
  }];
  let arguments = (ins Arg<Sdm_Cells, "the cells", [MemRead]>:$cells, Variadic<Sdm_Index>:$indices);
  let results = (outs Sdm_Scalar:$result);
  let assemblyFormat = "$cells `[` $indices `]` attr-dict `:` type($cells) (`[` type($indices)^ `]`)? `->` type($result)";
  let hasVerifier = 1;
}

def Sdm_StoreCellOp : Sdm_Op<"store_cell", [AttrSizedOperandSegments]> {
  let summary = "writes one scalar";
  let description = [{
    A NaN is stored as 0x7FFFFFFF unless `bits` is there. Only lanes whose `where` holds write (scheduled level: a scalar is
    the same in every lane, one lane writes it).

    Constraints:
      * (store_cell_c1) one index for each axis;
      * (store_cell_c2) the value has the cells' type.
  }];
  let arguments = (ins Arg<Sdm_Scalar, "the scalar">:$value, Arg<Sdm_Cells, "the cells", [MemWrite]>:$cells,
                       Variadic<Sdm_Index>:$indices, Optional<I1>:$mask, UnitAttr:$bits);
  let assemblyFormat = [{
    $value `,` $cells `[` $indices `]` (`where` $mask^)? (`bits` $bits^)? attr-dict `:` type($value) `,` type($cells) (`[` type($indices)^ `]`)?
  }];
  let hasVerifier = 1;
}

def Sdm_DimOp : Sdm_Op<"dim", [Pure]> {
  let summary = "the extent of an operand's axis";
  let description = [{
    Of rows and cells: the extent of an axis. Of sorted records: axis 0 is the positions of a chunk.

    Constraints:
      * (dim_c1) the axis exists.
  }];
  let arguments = (ins Arg<Sdm_Operand, "the operand">:$operand, I64Attr:$axis);
  let results = (outs I64:$result);
  let assemblyFormat = "$operand `,` $axis attr-dict `:` type($operand)";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Sdm_StrideOp : Sdm_Op<"stride", [Pure]> {
  let summary = "bytes from one row to the next along an index axis";
  let description = [{
    Constraints:
      * (stride_c1) the axis is one of the rows' index axes.
  }];
  let arguments = (ins Sdm_Rows:$rows, I64Attr:$axis);
  let results = (outs I64:$result);
  let assemblyFormat = "$rows `,` $axis attr-dict `:` type($rows)";
  let hasVerifier = 1;
}

#endif // SDM_ACCESS_OPS_TD
