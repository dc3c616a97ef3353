//===- Passes.td - conversions out of the sdm dialect ----------------------===//
#ifndef SDM_CONVERSION_PASSES_TD
#define SDM_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ToHost : Pass<"sdm-to-host", "::mlir::ModuleOp"> {
  let summary = "tiles to loops over units of work on the CPU";
  let description = [{
    A function with `sdm.launch`, as `sdm-tile-walk` leaves it,

    ```mlir
    func.func @scale(%x: !sdm.rows<?x130xbf16>, %a: f32) attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 1>} {
      %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x130xbf16>
      ...
    ```

    becomes a function of one packed buffer and a range of units (a unit is one tile of one slice of one chunk),

    ```mlir
    func.func @scale(%args: !llvm.ptr, %unit_begin: i64, %unit_end: i64) {
      %x = llvm.load %args : !llvm.ptr -> !llvm.ptr
      ...
      scf.for %unit = %unit_begin to %unit_end step %one : i64 { ... }
      return
    }
    ```

    Rows stay `vector<SxWxf32>`; memory is read and written slice by slice, never past a row's last column. Storage formats
    are converted by integer arithmetic, reductions become the tree of 32 virtual lanes on vectors. What is left is `arith`,
    `math`, `scf`, `vector` and `llvm`. Trusts the verifiers and `sdm-check-kernel`.
  }];
  let dependentDialects = ["LLVM::LLVMDialect", "arith::ArithDialect", "math::MathDialect", "scf::SCFDialect",
                           "vector::VectorDialect"];
}

def ToNvvm : Pass<"sdm-to-nvvm", "::mlir::ModuleOp"> {
  let summary = "one lane's program to NVVM and LLVM operations";
  let description = [{
    A function with `sdm.launch`, as `sdm-lower-copies` leaves it, becomes a kernel: each entry of the packed argument buffer
    is a parameter, the block's number and the warp give the tile, a lane's columns are loaded and stored piece by piece.

    ```mlir
    func.func @scale(%x: !sdm.rows<?x128xf32>, %a: f32) attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
      ... %p = sdm.load_piece %x[%row] : !sdm.rows<?x128xf32> [i32] -> vector<1x4xf32>
    // becomes
    llvm.func @scale(%x: !llvm.ptr<1>, %stride: i64, %extent: i64, %a: f32, ...) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256>} {
      ... %w = llvm.inline_asm has_side_effects "ld.global.cg.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l" %address
    ```

    Rows are loaded past the first cache, which other multiprocessors' writes do not reach. A partial sum is pinned where it
    is computed. What is left is `arith`, `math`, `scf`, `vector`, `llvm` and `nvvm`. Trusts `sdm-check-kernel` and the passes
    before it.
  }];
  let options = [Option<"chip", "chip", "std::string", "\"sm_80\"", "sm_80 to sm_120">,
                 Option<"farStrides", "far-strides", "bool", "false", "strides may be 2^31 bytes or more">];
  let dependentDialects = ["LLVM::LLVMDialect", "NVVM::NVVMDialect", "arith::ArithDialect", "math::MathDialect",
                           "scf::SCFDialect", "vector::VectorDialect"];
}

#endif // SDM_CONVERSION_PASSES_TD
