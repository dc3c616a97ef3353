//===- SdmTileOps.td - scheduled level: tiles, records, row copies --------===//
#ifndef SDM_TILE_OPS_TD
#define SDM_TILE_OPS_TD

include "dialect/SdmOpBase.td"

def Sdm_TileOp : Sdm_Op<"tile"> {
  let summary = "the run of positions that this warp walks";
  let description = [{
    The chunk, the slice, and the nominal range `[begin, end)` of this warp's tile. A group belongs to the tile in which it
    starts. Read from the warp's place in the launch.
  }];
  let arguments = (ins Arg<AnyTypeOf<[Sdm_Sorted, Sdm_Rows]>, "what is walked">:$operand);
  let results = (outs I32:$chunk, I32:$slice, I32:$begin, I32:$end);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

def Sdm_FetchOp : Sdm_Op<"fetch"> {
  let summary = "a field of the record at a position";
  let description = [{
    Constraints:
      * (fetch_c1) the layout has the field;
      * (fetch_c2) the result has the field's type.

    ```mlir
    %token = sdm.fetch %reads[%chunk, %pos] "token" : !sdm.sorted<#read> -> i32
    ```
  }];
  let arguments = (ins Arg<Sdm_Sorted, "the records", [MemRead]>:$records, I32:$chunk, I32:$pos, StrAttr:$name);
  let results = (outs Sdm_Scalar:$result);
  let assemblyFormat = "$records `[` $chunk `,` $pos `]` $name attr-dict `:` type($records) `->` type($result)";
  let hasVerifier = 1;
}

def Sdm_StageOp : Sdm_Op<"stage", [AttrSizedOperandSegments]> {
  let summary = "starts to copy all rows of the last index axis for the CTA";
  let description = [{
    The indices name every index axis but the last. All warps of the CTA run it together. The rows may be read once
    `sdm.publish` has passed.

    Constraints:
      * (stage_c1) one index for each index axis but the last;
      * (stage_c2) the slab's row has the element type and the slice's or row's shape.
  }];
  let arguments = (ins Arg<Sdm_Rows, "the rows", [MemRead]>:$rows, Variadic<Sdm_Index>:$indices, Optional<I32>:$slice);
  let results = (outs Res<Sdm_Slab, "the staged rows", [MemWrite]>:$slab);
  let assemblyFormat = [{
    $rows `[` $indices `]` (`slice` $slice^)? attr-dict `:` type($rows) (`[` type($indices)^ `]`)? `->` type($slab)
  }];
  let hasVerifier = 1;
}

def Sdm_PublishOp : Sdm_Op<"publish"> {
  let summary = "waits until every staged row can be read by every lane of the CTA";
  let arguments = (ins Arg<Variadic<Sdm_Slab>, "what was staged", [MemRead, MemWrite]>:$slabs);
  let assemblyFormat = "$slabs attr-dict `:` type($slabs)";
}

def Sdm_TakeOp : Sdm_Op<"take"> {
  let summary = "one row of a slab";
  let description = [{
    Constraints:
      * (take_c1) the result is the slab's row.
  }];
  let arguments = (ins Arg<Sdm_Slab, "the staged rows", [MemRead]>:$slab, Sdm_Index:$index);
  let results = (outs Sdm_RowValue:$result);
  let assemblyFormat = "$slab `[` $index `]` attr-dict `:` type($slab) `[` type($index) `]` `->` type($result)";
  let hasVerifier = 1;
}

def Sdm_DependencyWaitOp : Sdm_Op<"dependency_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "what the previous kernel wrote may be read from here on";
  let description = [{
    Lowered only where the chip has programmatic launch; the kernel after this one may start here.
  }];
  let assemblyFormat = "attr-dict";
}

#endif // SDM_TILE_OPS_TD
