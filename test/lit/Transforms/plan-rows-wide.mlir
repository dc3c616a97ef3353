// Rows of more than 1,024 columns: split they may be of any width, whole they are refused.
// RUN: sdm-opt %s --pass-pipeline='builtin.module(sdm-plan-rows)' | FileCheck %s
// RUN: not sdm-opt %s --pass-pipeline='builtin.module(sdm-plan-rows{schedule=whole})' 2>&1 | FileCheck %s --check-prefix=WHOLE

// CHECK-LABEL: func.func @wide(
// CHECK: schedule <nest, split, warps = 8{{.*}}>
// WHOLE: error: expected rows of at most 1024 columns in a whole walk (split it), got 65536
func.func @wide(%x: !sdm.rows<?x65536xf32>) attributes {sdm.kernel} {
  sdm.each_row %row in %x : !sdm.rows<?x65536xf32> {
    %r = sdm.load_row %x[%row] : !sdm.rows<?x65536xf32> [i32] -> vector<512x128xf32>
    %s = arith.addf %r, %r : vector<512x128xf32>
    sdm.store_row %s, %x[%row] : vector<512x128xf32>, !sdm.rows<?x65536xf32> [i32]
  }
  return
}
