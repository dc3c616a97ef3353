//===- SdmCopyOps.td - scheduled level: copies and barriers ---------------===//
#ifndef SDM_COPY_OPS_TD
#define SDM_COPY_OPS_TD

include "dialect/SdmOpBase.td"

def Sdm_SharedOp : Sdm_Op<"shared", [Pure]> {
  let summary = "a byte address in the CTA's shared memory";
  let arguments = (ins I32:$offset);
  let results = (outs I32:$address);
  let assemblyFormat = "$offset attr-dict";
}

def Sdm_SlabAtOp : Sdm_Op<"slab_at", [Pure]> {
  let summary = "a slab that starts at a shared address";
  let arguments = (ins Arg<I32, "a multiple of 16">:$address);
  let results = (outs Sdm_Slab:$slab);
  let assemblyFormat = "$address attr-dict `:` type($slab)";
}

def Sdm_BufferAtOp : Sdm_Op<"buffer_at", [Pure]> {
  let summary = "a warp's buffer of records that starts at a shared address";
  let arguments = (ins Arg<I32, "a multiple of 16">:$address, Arg<I32, "the first position that was staged">:$origin);
  let results = (outs Sdm_Buffer:$buffer);
  let assemblyFormat = "$address `origin` $origin attr-dict `:` type($buffer)";
}

def Sdm_CopyAsyncOp : Sdm_Op<"copy_async", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "this lane copies 4, 8 or 16 bytes of a row into shared memory";
  let description = [{
    Constraints:
      * (copy_async_c1) 4, 8 or 16 bytes.
  }];
  let arguments = (ins Arg<Sdm_Rows, "the rows">:$rows, Variadic<Sdm_Index>:$indices,
                       Arg<I32, "byte of the row">:$at, Arg<I32, "shared address">:$to, I64Attr:$bytes);
  let assemblyFormat = "$rows `[` $indices `]` `at` $at `to` $to attr-dict `:` type($rows) (`[` type($indices)^ `]`)?";
  let hasVerifier = 1;
}

def Sdm_CopySharedOp : Sdm_Op<"copy_shared", [AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "lanes share one copy instruction for several rows";
  let description = [{
    Lane l of the warp moves piece `first + l` of the rows' pieces put one after the other: row i has `pieces[i]` pieces of
    `bytes` bytes, from its slice on, and goes to its shared address where its mask holds. Pieces past the last row, and past a
    narrower slice, are not moved.
  }];
  let arguments = (ins Variadic<Sdm_Rows>:$rows, Variadic<Sdm_Index>:$indices, Optional<I32>:$slice,
                       Variadic<I32>:$to, Variadic<I1>:$masks, DenseI64ArrayAttr:$index_counts,
                       DenseI64ArrayAttr:$pieces, I64Attr:$first, I64Attr:$bytes);
  let assemblyFormat = [{
    $rows `[` $indices `]` (`slice` $slice^)? `to` $to `where` $masks attr-dict `:` type($rows) (`[` type($indices)^ `]`)?
  }];
}

def Sdm_ClearRecordOp : Sdm_Op<"clear_record", [MemoryEffects<[MemWrite]>]> {
  let summary = "this lane writes zeros over one staged record of one plane, where the mask holds";
  let arguments = (ins I1:$mask, I64Attr:$bytes, Arg<I32, "shared address">:$to);
  let assemblyFormat = "$bytes `to` $to `where` $mask attr-dict";
}

def Sdm_CopyRecordOp : Sdm_Op<"copy_record", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "this lane copies one record of one plane into shared memory, or zeros past the end";
  let arguments = (ins Sdm_Sorted:$records, I32:$chunk, I32:$pos, Arg<I1, "whether the record exists">:$exists,
                       I64Attr:$plane, Arg<I32, "shared address">:$to);
  let assemblyFormat = "$records `[` $chunk `,` $pos `]` `plane` $plane `exists` $exists `to` $to attr-dict `:` type($records)";
}

def Sdm_CommitOp : Sdm_Op<"commit", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "closes the group of this lane's asynchronous copies";
  let assemblyFormat = "attr-dict";
}

def Sdm_WaitGroupOp : Sdm_Op<"wait_group", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until at most `pending` groups of this lane's copies are in flight";
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$pending);
  let assemblyFormat = "$pending attr-dict";
}

def Sdm_CopyBulkOp : Sdm_Op<"copy_bulk", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "the copy engine moves part of a row into shared memory and reports to a barrier";
  let description = [{
    One lane runs it. Addresses and bytes are multiples of 16. From a row's start it may reach over the rows after it,
    where those lie one behind the other.
  }];
  let arguments = (ins Arg<Sdm_Rows, "the rows">:$rows, Variadic<Sdm_Index>:$indices,
                       Arg<I32, "byte of the row">:$at, Arg<I32, "shared address">:$to, I32:$bytes,
                       Arg<I32, "the barrier's shared address">:$barrier);
  let assemblyFormat = [{
    $rows `[` $indices `]` `at` $at `to` $to `bytes` $bytes `reports` $barrier attr-dict `:` type($rows) (`[` type($indices)^ `]`)?
  }];
}

def Sdm_BarrierInitOp : Sdm_Op<"barrier_init", [MemoryEffects<[MemWrite]>]> {
  let summary = "a barrier whose phases end with so many arrivals, visible to the copy engine";
  let arguments = (ins I32:$barrier, DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$arrivals);
  let assemblyFormat = "$barrier (`arrivals` $arrivals^)? attr-dict";
}

def Sdm_ExpectTxOp : Sdm_Op<"expect_tx", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "arrives at a barrier and announces the bytes that copies will report";
  let arguments = (ins I32:$barrier, I32:$bytes);
  let assemblyFormat = "$barrier `,` $bytes attr-dict";
}

def Sdm_WaitParityOp : Sdm_Op<"wait_parity", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until the barrier's phase of that parity is over";
  let arguments = (ins I32:$barrier, I32:$parity);
  let assemblyFormat = "$barrier `,` $parity attr-dict";
}

def Sdm_CtaBarrierOp : Sdm_Op<"cta_barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "every warp of the CTA has come here";
  let assemblyFormat = "attr-dict";
}

def Sdm_WarpBarrierOp : Sdm_Op<"warp_barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "every lane of the warp has come here and sees what the others wrote";
  let assemblyFormat = "attr-dict";
}

def Sdm_LaneOp : Sdm_Op<"lane", [Pure]> {
  let summary = "this lane, 0 to 31";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Sdm_WarpOp : Sdm_Op<"warp", [Pure]> {
  let summary = "this warp of the CTA";
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def Sdm_ExchangeOp : Sdm_Op<"exchange", [Pure]> {
  let summary = "the value that lane `l xor distance` holds";
  let arguments = (ins F32:$value, ConfinedAttr<I64Attr, [IntPositive]>:$distance);
  let results = (outs F32:$result);
  let assemblyFormat = "$value `,` $distance attr-dict";
}

#endif // SDM_COPY_OPS_TD
