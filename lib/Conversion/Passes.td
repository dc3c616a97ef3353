//===- Passes.td - conversions out of the sdm dialect ----------------------===//
#ifndef SDM_CONVERSION_PASSES_TD
#define SDM_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ToHost : Pass<"sdm-to-host", "::mlir::ModuleOp"> {
  let summary = "tiles to loops over units of work on the CPU";
  let description = [{
    A function with `sdm.launch`, as `sdm-tile-walk` leaves it, becomes a function of one packed buffer and a range of units
    (a unit is one tile of one slice of one chunk).

    ```mlir
    // before
    func.func @k(%x: !sdm.rows<?x128xf32>, %a: f32) attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 1>} {
      %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x128xf32>
      %row = sdm.load_row %x[%begin] : !sdm.rows<?x128xf32> [i32] -> vector<1x128xf32>
      %many = vector.broadcast %a : f32 to vector<1x128xf32>
      %sum = arith.addf %row, %many : vector<1x128xf32>
      sdm.store_row %sum, %x[%begin] : vector<1x128xf32>, !sdm.rows<?x128xf32> [i32]
      return
    }
    // after
    func.func @k(%args: !llvm.ptr, %first: i64, %end: i64) {
      ...
      %x = llvm.load %args {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
      ...
      scf.for %unit = %first to %end step %one : i64 {
        %tile = arith.remui %unit, %tiles : i64
        ...
        %row = llvm.load %address {alignment = 4 : i64} : !llvm.ptr -> vector<128xf32>
        ...
        %sum = arith.addf %padded, %many : vector<1x128xf32>
        ...
        llvm.store ...
      }
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
    // before
    func.func @k(%x: !sdm.rows<?x128xf32>, %out: !sdm.cells<?xf32>) attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
      %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x128xf32>
      %row = sdm.load_piece %x[%begin] : !sdm.rows<?x128xf32> [i32] -> vector<1x4xf32>
      %part = sdm.partial sum %row {width = 128 : i64, slice_width = 128 : i64} : vector<1x4xf32> -> f32
      %other = sdm.exchange %part, 16
      sdm.store_cell %other, %out[%begin] : f32, !sdm.cells<?xf32> [i32]
      return
    }
    // after, with {chip=sm_90}
    llvm.func @k(%x: !llvm.ptr<1>, %stride: i64, %extent: i64, ...) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256>} {
      ...
      %thread = nvvm.read.ptx.sreg.tid.x : i32
      ...
      %words = llvm.inline_asm has_side_effects asm_dialect = att "ld.global.cg.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l" %address ...
      ...
      %part = llvm.inline_asm has_side_effects asm_dialect = att "", "=f,0" %sum : (f32) -> f32
      %other = nvvm.shfl.sync bfly %all, %part, %distance, %clamp : f32 -> f32
      ...
      llvm.return
    }
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
