//===- SdmLaneOps.td - scheduled level: one lane's share of rows ----------===//
#ifndef SDM_LANE_OPS_TD
#define SDM_LANE_OPS_TD

include "dialect/SdmOpBase.td"

def Sdm_LaneRow : VectorOfRankAndType<[2], [F32, BF16, F16, F8E4M3FN, I8]>;

def Sdm_LoadPieceOp : Sdm_Op<"load_piece", [AttrSizedOperandSegments]> {
  let summary = "this lane's columns of a row";
  let description = [{
    Lane l holds columns 4l to 4l+3 of each slice: `vector<Sx4xT>`. Columns past the slice or the row are +0 and are not
    read. Where `where` is false nothing is read and the value is not used.
  }];
  let arguments = (ins Arg<Sdm_Rows, "the rows", [MemRead]>:$rows, Variadic<Sdm_Index>:$indices, Optional<I32>:$slice,
                       Optional<I1>:$mask);
  let results = (outs Sdm_LaneRow:$result);
  let assemblyFormat = [{
    $rows `[` $indices `]` (`slice` $slice^)? (`where` $mask^)? attr-dict `:` type($rows) (`[` type($indices)^ `]`)? `->` type($result)
  }];
}

def Sdm_StorePieceOp : Sdm_Op<"store_piece", [AttrSizedOperandSegments]> {
  let summary = "writes this lane's columns of a row";
  let description = "As `sdm.store_row`, for the columns that this lane holds; columns past the slice or the row are not written.";
  let arguments = (ins Arg<Sdm_LaneRow, "this lane's columns">:$value, Arg<Sdm_Rows, "the rows", [MemWrite]>:$rows,
                       Variadic<Sdm_Index>:$indices, Optional<I32>:$slice, UnitAttr:$bits);
  let assemblyFormat = [{
    $value `,` $rows `[` $indices `]` (`slice` $slice^)? (`bits` $bits^)? attr-dict `:` type($value) `,` type($rows) (`[` type($indices)^ `]`)?
  }];
}

def Sdm_TakePieceOp : Sdm_Op<"take_piece"> {
  let summary = "this lane's columns of a slab's row";
  let description = [{
    Columns at or past `width` are +0 whatever the slab holds there.
  }];
  let arguments = (ins Arg<Sdm_Slab, "the staged rows", [MemRead]>:$slab, Sdm_Index:$index, Optional<I32>:$slice,
                       ConfinedAttr<I64Attr, [IntPositive]>:$width);
  let results = (outs Sdm_LaneRow:$result);
  let assemblyFormat = [{
    $slab `[` $index `]` (`slice` $slice^)? attr-dict `:` type($slab) `[` type($index) `]` `->` type($result)
  }];
}

def Sdm_PartialOp : Sdm_Op<"partial", [Pure, AttrSizedOperandSegments]> {
  let summary = "this lane's share of a reduction, a value for each slice";
  let description = [{
    Columns at or past `width` count as the identity.

    Constraints:
      * (partial_c1) `dot` has two rows, the others one;
      * (partial_c2) there is a partial for each slice.
  }];
  let arguments = (ins Sdm_PartialAttr:$kind, Variadic<Sdm_LaneRow>:$rows, Optional<I32>:$slice,
                       ConfinedAttr<I64Attr, [IntPositive]>:$width, ConfinedAttr<I64Attr, [IntPositive]>:$slice_width);
  let results = (outs Variadic<F32>:$partials);
  let assemblyFormat = "$kind $rows (`slice` $slice^)? attr-dict `:` type($rows) `->` type($partials)";
  let hasVerifier = 1;
}

def Sdm_ButterflyOp : Sdm_Op<"butterfly", [Pure]> {
  let summary = "combines a batch of partials over the warp's lanes";
  let description = [{
    A batch of N partials, N a power of two up to 32. Steps xor 16, 8, 4, 2, 1: while more than one value is held a step
    exchanges half of them, so that lane l ends with the value of partial `l / (32 / N)`. A batch of one leaves the value in
    every lane.

    Constraints:
      * (butterfly_c1) the batch is a power of two, at most 32.
  }];
  let arguments = (ins Sdm_ReduceAttr:$kind, Variadic<F32>:$partials);
  let results = (outs F32:$result);
  let assemblyFormat = "$kind $partials attr-dict";
  let hasVerifier = 1;
}

#endif // SDM_LANE_OPS_TD
