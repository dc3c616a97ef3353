// An index times a stride below 2^31 bytes is one widening multiplication; longer strides are multiplied in 64 bits.
// RUN: sdm-opt %s --sdm-to-nvvm=chip=sm_90 | FileCheck %s --check-prefixes=CHECK,NEAR
// RUN: sdm-opt %s --sdm-to-nvvm='chip=sm_90 far-strides=true' | FileCheck %s --check-prefixes=CHECK,FAR

// CHECK-LABEL: llvm.func @copy
// NEAR: %[[SHORT:.*]] = llvm.trunc %arg1 : i64 to i32
// NEAR: llvm.inline_asm {{.*}}"mul.wide.s32 $0, $1, $2;", "=l,r,r" %{{.*}}, %[[SHORT]]
// NEAR: llvm.return
// FAR-NOT: mul.wide
// FAR: llvm.mul %{{.*}}, %arg1
func.func @copy(%x: !sdm.rows<?x128xf32>, %y: !sdm.rows<?x128xf32>)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x128xf32>
  %piece = sdm.load_piece %x[%begin] : !sdm.rows<?x128xf32> [i32] -> vector<1x4xf32>
  sdm.store_piece %piece, %y[%begin] bits : vector<1x4xf32>, !sdm.rows<?x128xf32> [i32]
  return
}
