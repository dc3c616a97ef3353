//===- SdmDialect.td - the sdm dialect: sorted groups, rows, schedules ----===//
#ifndef SDM_DIALECT_TD
#define SDM_DIALECT_TD

include "mlir/IR/OpBase.td"

def Sdm_Dialect : Dialect {
  let name = "sdm";
  let cppNamespace = "::mlir::sdm";
  let summary = "deterministic kernels over sorted groups of records";
  let description = [{
    A kernel walks records sorted by a key. Each run of equal keys is a *group*; a group reads rows, folds its members in
    sorted order and writes one row. The dialect has two levels.

    *Structured*: `func.func` with the attribute `sdm.kernel`, walks over groups, members, records and rows, loads and
    stores of rows and cells at integer indices, reductions with a fixed tree. Rows are `vector<SxWxT>` values (S slices of
    W columns); their arithmetic is `arith` and `math` without fast-math flags.

    *Scheduled*: what one warp does with its tile of positions: record fetches, row copies and their waits, a lane's piece
    of a row, butterflies. It names no chip; the last passes lower it to NVVM or to the CPU.

    The examples of these pages walk records of eight bytes:

    ```mlir
    #read = #sdm.layout<"Read", key = "slot", unique = ["token"], planes = [8], fields = [
      <"slot" : i32 in 0 at 4>, <"token" : i32 in 0 at 0 bits 0 to 15>, <"$first" : i1 in 0 at 0 bits 31 to 31>,
      <"$last" : i1 in 0 at 0 bits 30 to 30>, <"$invalid" : i1 in 0 at 0 bits 29 to 29>]>
    ```
  }];
  let dependentDialects = ["arith::ArithDialect", "func::FuncDialect", "math::MathDialect", "scf::SCFDialect",
                           "vector::VectorDialect"];
  let hasConstantMaterializer = 1;
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

#endif // SDM_DIALECT_TD
