//===- SdmReductionOps.td - a row to a scalar, by one fixed tree ----------===//
#ifndef SDM_REDUCTION_OPS_TD
#define SDM_REDUCTION_OPS_TD

include "dialect/SdmOpBase.td"

def Sdm_DotOp : Sdm_Op<"dot", [Pure, AllTypesMatch<["lhs", "rhs"]>]> {
  let summary = "the dot product of two rows";
  let description = [{
    In each slice virtual lane l owns columns 4l to 4l+3: `fma(x3, m3, fma(x2, m2, fma(x1, m1, x0 * m0)))`. The 32 partials
    are combined by a butterfly over xor 16, 8, 4, 2, 1, then the slices' values in slice order from the first. Columns at or
    past `width` count as +0 in both operands.

    Constraints:
      * (dot_c1) `width` lies in the row value, more than its last slice's start without `slice`.

    ```mlir
    // %x: vector<1x128xf32>, %m: vector<1x128xf32>
    %d = sdm.dot %x, %m {width = 128 : i64} : vector<1x128xf32>
    ```
  }];
  let arguments = (ins Arg<Sdm_F32Row, "a row">:$lhs, Arg<Sdm_F32Row, "a row">:$rhs, Optional<I32>:$slice,
                       ConfinedAttr<I64Attr, [IntPositive]>:$width);
  let results = (outs F32:$result);
  let assemblyFormat = "$lhs `,` $rhs (`slice` $slice^)? attr-dict `:` type($lhs)";
  let hasVerifier = 1;
}

def Sdm_ReduceOp : Sdm_Op<"reduce", [Pure]> {
  let summary = "the sum, maximum, minimum or largest magnitude of a row";
  let description = [{
    Per lane `((x0 op x1) op x2) op x3`, then the tree of `sdm.dot`. Columns at or past `width` are the identity: +0 for sum and
    amax, -inf for max, +inf for min. `max` and `min` are IEEE 754-2019 maximum and minimum; `amax` ignores NaN.

    Constraints:
      * (reduce_c1) `width` lies in the row value, more than its last slice's start without `slice`.
  }];
  let arguments = (ins Sdm_ReduceAttr:$kind, Arg<Sdm_F32Row, "a row">:$row, Optional<I32>:$slice,
                       ConfinedAttr<I64Attr, [IntPositive]>:$width);
  let results = (outs F32:$result);
  let assemblyFormat = "$kind $row (`slice` $slice^)? attr-dict `:` type($row)";
  let hasVerifier = 1;
}

#endif // SDM_REDUCTION_OPS_TD
