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
    // %reads: !sdm.sorted<#read>, %chunk: i32, %pos: i32
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

def Sdm_SeekOp : Sdm_Op<"seek"> {
  let summary = "where the list is cut near some positions: at the nearest starts of groups";
  let description = [{
    For each given position p the nearest one at which a group starts, the later one of two: among p - 16 to p + 15 where
    groups start there, else the next start after those. The list's end counts as a start. So cuts are in the order of their
    positions, and the cuts at a position are the same for the warps on both sides of it. The lanes of the warp look together.

    Constraints:
      * (seek_c1) the layout has `$first`;
      * (seek_c2) a result for each position.

    ```mlir
    // %reads: !sdm.sorted<#read>, %chunk: i32, %begin: i32, %end: i32
    %first, %after = sdm.seek %reads[%chunk] from %begin, %end : !sdm.sorted<#read> -> i32, i32
    ```
  }];
  let arguments = (ins Arg<Sdm_Sorted, "the records", [MemRead]>:$records, I32:$chunk, Variadic<I32>:$from);
  let results = (outs Variadic<I32>:$positions);
  let assemblyFormat = "$records `[` $chunk `]` `from` $from attr-dict `:` type($records) `->` type($positions)";
  let hasVerifier = 1;
}

def Sdm_RecordsOp : Sdm_Op<"records"> {
  let summary = "this warp's buffer of records, its first two batches under way";
  let description = [{
    Positions from `from` on; those at or past `to` are records of zeros. What is staged may be read once the copies have been
    waited for and the warp has met. Only the planes that the kernel reads are staged.

    ```mlir
    // %reads: !sdm.sorted<#read>, %chunk: i32, %begin: i32, %end: i32
    %buffer = sdm.records %reads[%chunk] from %begin to %end : !sdm.sorted<#read> -> !sdm.buffer<#read, batch = 32>
    ```
  }];
  let arguments = (ins Arg<Sdm_Sorted, "the records">:$records, I32:$chunk, I32:$from, I32:$to);
  let results = (outs Sdm_Buffer:$buffer);
  let traits = [MemoryEffects<[MemRead, MemWrite]>];
  let assemblyFormat = [{
    $records `[` $chunk `]` `from` $from `to` $to attr-dict `:` type($records) `->` type($buffer)
  }];
}

def Sdm_TrimOp : Sdm_Op<"trim", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "records outside a range become zeros in a buffer that was staged before the range was known";
  let description = [{
    The first two batches are there. Positions in front of `from` and at or past `to` become records of zeros; positions past
    what `sdm.records` was given are staged and waited for. The warp meets before the buffer is read.
  }];
  let arguments = (ins Sdm_Buffer:$buffer, I32:$from, I32:$to);
  let assemblyFormat = "$buffer `from` $from `to` $to attr-dict `:` type($buffer)";
}

def Sdm_RefillOp : Sdm_Op<"refill", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "stages the batch that follows the one that begins at a position, zeros outside a range";
  let description = [{
    The half that it goes to was read to its end: every lane of the warp has passed a barrier since.
  }];
  let arguments = (ins Sdm_Buffer:$buffer, Arg<I32, "where a batch begins">:$pos, Arg<I32, "zeros in front of this">:$from,
                       Arg<I32, "zeros from here on">:$to);
  let assemblyFormat = "$buffer `at` $pos `from` $from `to` $to attr-dict `:` type($buffer)";
}

def Sdm_PeekOp : Sdm_Op<"peek"> {
  let summary = "a field of a staged record";
  let description = [{
    With `plus` the record that many positions further, in the same unit as `pos`, which begins a unit.

    Constraints:
      * (peek_c1) the layout has the field;
      * (peek_c2) the result has the field's type.
  }];
  let arguments = (ins Arg<Sdm_Buffer, "the staged records", [MemRead]>:$buffer, I32:$pos,
                       OptionalAttr<I64Attr>:$plus, StrAttr:$name);
  let results = (outs Sdm_Scalar:$result);
  let assemblyFormat = "$buffer `[` $pos (`plus` $plus^)? `]` $name attr-dict `:` type($buffer) `->` type($result)";
  let hasVerifier = 1;
}

def Sdm_RingOp : Sdm_Op<"ring", [Pure]> {
  let summary = "a warp's own rows in shared memory";
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$count, ConfinedAttr<I64Attr, [IntPositive]>:$width);
  let results = (outs Sdm_Slab:$slab);
  let assemblyFormat = "$count `width` $width attr-dict `:` type($slab)";
}

def Sdm_IssueOp : Sdm_Op<"issue", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "starts to copy the rows of one position into rings";
  let description = [{
    One operation for all rows of a position, so that lanes can share an instruction. `index_counts` says how many indices
    each row has. Row i goes to slot `slot` of ring i where its mask holds; else nothing is copied.

    Constraints:
      * (issue_c1) a ring and a mask for each row;
      * (issue_c2) the index counts are those of the rows' index axes.
  }];
  let arguments = (ins Variadic<Sdm_Rows>:$rows, Variadic<Sdm_Index>:$indices, Optional<I32>:$slice,
                       Variadic<Sdm_Slab>:$rings, I32:$slot, Variadic<I1>:$masks,
                       DenseI64ArrayAttr:$index_counts);
  let assemblyFormat = [{
    $rows `[` $indices `]` (`slice` $slice^)? `to` $rings `slot` $slot `where` $masks attr-dict
    `:` type($rows) (`[` type($indices)^ `]`)? `->` type($rings)
  }];
  let hasVerifier = 1;
}

def Sdm_RingBarriersOp : Sdm_Op<"ring_barriers", [MemoryEffects<[MemWrite]>]> {
  let summary = "a warp's own barriers, one for each stage of its rings";
  let description = [{
    A phase of one ends with `arrivals` arrivals and the bytes that they announce. The value is the shared address of the
    first; the next one lies 8 bytes further. The warp meets before they are used.
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$count, ConfinedAttr<I64Attr, [IntPositive]>:$arrivals);
  let results = (outs I32:$first);
  let assemblyFormat = "$count `arrivals` $arrivals attr-dict";
}

def Sdm_IssueBulkOp : Sdm_Op<"issue_bulk", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the copy engine starts to move the rows of a unit into rings";
  let description = [{
    Lane l stands for position l of the unit: a lane below `unit` announces to the barrier the bytes of its rows whose masks
    hold, none where no mask does, and starts a copy of each to slot `slot` of its ring. Other lanes do nothing.

    Constraints:
      * (issue_bulk_c1) a ring and a mask for each row;
      * (issue_bulk_c2) the index counts are those of the rows' index axes;
      * (issue_bulk_c3) the rows have pieces of 16 bytes.
  }];
  let arguments = (ins Variadic<Sdm_Rows>:$rows, Variadic<Sdm_Index>:$indices, Optional<I32>:$slice,
                       Variadic<Sdm_Slab>:$rings, I32:$slot, Variadic<I1>:$masks,
                       Arg<I32, "the barrier's shared address">:$barrier, DenseI64ArrayAttr:$index_counts,
                       ConfinedAttr<I64Attr, [IntPositive]>:$unit);
  let assemblyFormat = [{
    $unit `of` $rows `[` $indices `]` (`slice` $slice^)? `to` $rings `slot` $slot `where` $masks `reports` $barrier attr-dict
    `:` type($rows) (`[` type($indices)^ `]`)? `->` type($rings)
  }];
  let hasVerifier = 1;
}

def Sdm_PrefetchOp : Sdm_Op<"prefetch", [AttrSizedOperandSegments, MemoryEffects<[MemWrite]>]> {
  let summary = "a hint: this lane's row will be read soon";
  let description = "Asks for the row's lines in the second cache, where the mask holds. The value of memory does not matter.";
  let arguments = (ins Sdm_Rows:$rows, Variadic<Sdm_Index>:$indices, Optional<I32>:$slice, I1:$mask);
  let assemblyFormat = "$rows `[` $indices `]` (`slice` $slice^)? `where` $mask attr-dict `:` type($rows) (`[` type($indices)^ `]`)?";
}

def Sdm_DependencyWaitOp : Sdm_Op<"dependency_wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "what the previous kernel wrote may be read from here on";
  let description = [{
    Lowered only where the chip has programmatic launch; the kernel after this one may start here.
  }];
  let assemblyFormat = "attr-dict";
}

#endif // SDM_TILE_OPS_TD
