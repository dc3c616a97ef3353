// One lane's program to NVVM: parameters are the packed buffer's entries, rows move in pieces, scalars' NaNs are canonical.
// RUN: sdm-opt %s --split-input-file --pass-pipeline='builtin.module(sdm-to-nvvm{chip=sm_90},canonicalize,cse)' | FileCheck %s --check-prefixes=CHECK,PDL
// RUN: sdm-opt %s --split-input-file --pass-pipeline='builtin.module(sdm-to-nvvm{chip=sm_80},canonicalize,cse)' | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: not sdm-opt %S/../Transforms/Inputs/empty.mlir --pass-pipeline='builtin.module(sdm-to-nvvm{chip=sm_1})' 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: expected one of the chips of sm_80, {{.*}}, got 'sm_1'

// PLAIN-NOT: nvvm.griddepcontrol

// CHECK-LABEL: llvm.func @row(
// CHECK-SAME: %[[X:[^:]*]]: !llvm.ptr<1>, %[[STRIDE:[^:]*]]: i64, %[[ROWS:[^:]*]]: i64, %{{.*}}: !llvm.ptr<1>, {{.*}}: f32, %{{[^:]*}}: i64, %{{[^:]*}}: i64, %[[LENGTH:[^:]*]]: i64, %[[TILES:[^:]*]]: i64)
// CHECK-SAME: nvvm.kernel, nvvm.maxntid = array<i32: 256>
// CHECK-DAG: %[[NAN:.*]] = arith.constant {{2147483647 : i32|0x7FFFFFFF : f32}}
// The warp of the block gives the tile, the lane its columns.
// CHECK: %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x
// CHECK: %[[LANE:.*]] = arith.andi %[[THREAD]]
// CHECK: %[[WARP:.*]] = arith.shrui %[[THREAD]]
// CHECK: nvvm.read.ptx.sreg.ctaid.x
// CHECK: arith.trunci %[[TILES]]
// CHECK: arith.muli %{{.*}}, %[[LENGTH]]
// CHECK: arith.minsi %{{.*}}, %[[ROWS]]
// PDL: nvvm.griddepcontrol wait
// PDL-NEXT: nvvm.griddepcontrol launch_dependents
// A lane's four bf16 columns are one load past the first cache; widening is a shift and a mask.
// CHECK: %[[WORDS:.*]] = llvm.inline_asm has_side_effects asm_dialect = att "ld.global.{{.*}}v2.b32 {$0, $1}, [$2];", "=r,=r,l"
// CHECK: %[[LOW:.*]] = llvm.extractvalue %[[WORDS]][0]
// CHECK: arith.shli %[[LOW]]
// CHECK: arith.andi %[[LOW]]
// CHECK-NOT: fpext
// CHECK: arith.cmpf uno, %{{.*}} : vector<4xf32>
// CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
// The partial: a product, three fma, and the pin.
// CHECK: %[[P:.*]] = arith.mulf
// CHECK-NEXT: %[[Q:.*]] = math.fma %{{.*}}, %{{.*}}, %[[P]]
// CHECK-NEXT: %[[R:.*]] = math.fma %{{.*}}, %{{.*}}, %[[Q]]
// CHECK-NEXT: %[[S:.*]] = math.fma %{{.*}}, %{{.*}}, %[[R]]
// CHECK-NEXT: %[[PINNED:.*]] = llvm.inline_asm has_side_effects {{.*}}"", "=f,0" %[[S]]
// CHECK-NEXT: %[[OTHER:.*]] = nvvm.shfl.sync bfly %{{.*}}, %[[PINNED]]
// CHECK: %[[IS_NAN:.*]] = arith.cmpf uno, %[[OTHER]], %[[OTHER]]
// CHECK: arith.select %[[IS_NAN]], %[[NAN]]
// CHECK: llvm.store
func.func @row(%x: !sdm.rows<?x128xbf16>, %y: !sdm.rows<?x128xf32>, %d: !sdm.cells<?xf32>, %a: f32)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x128xbf16>
  sdm.dependency_wait
  %p = sdm.load_piece %x[%begin] : !sdm.rows<?x128xbf16> [i32] -> vector<1x4xbf16>
  %f = arith.extf %p : vector<1x4xbf16> to vector<1x4xf32>
  sdm.store_piece %f, %y[%begin] : vector<1x4xf32>, !sdm.rows<?x128xf32> [i32]
  %q = sdm.partial dot %f, %f {width = 128 : i64, slice_width = 128 : i64} : vector<1x4xf32>, vector<1x4xf32> -> f32
  %o = sdm.exchange %q, 16
  sdm.store_cell %o, %d[%begin] : f32, !sdm.cells<?xf32> [i32]
  return
}

// -----

// Where a mask is false nothing is read: the load has a predicate, and no branch.
// CHECK-LABEL: llvm.func @masked(
// CHECK: %[[WANTED:.*]] = arith.cmpi
// CHECK-NOT: scf.if
// CHECK: llvm.inline_asm has_side_effects asm_dialect = att "@$5 ld.global.cg.v4.b32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l,b" %{{.*}}, %[[WANTED]] :
// CHECK: "@$3 ld.global.cg.v2.b32 {$0, $1}, [$2];", "=r,=r,l,b"
// CHECK-COUNT-4: "@$2 ld.global.cg.b16 $0, [$1];", "=h,l,b"
func.func @masked(%x: !sdm.rows<?x128xf32>, %y: !sdm.rows<?x128xbf16>, %z: !sdm.rows<?x65xbf16>, %out: !sdm.rows<?x128xf32>)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x128xf32>
  %if = arith.cmpi slt, %begin, %end : i32
  %p = sdm.load_piece %x[%begin] where %if : !sdm.rows<?x128xf32> [i32] -> vector<1x4xf32>
  %q = sdm.load_piece %y[%begin] where %if : !sdm.rows<?x128xbf16> [i32] -> vector<1x4xbf16>
  %r = sdm.load_piece %z[%begin] where %if : !sdm.rows<?x65xbf16> [i32] -> vector<1x4xbf16>
  %f = arith.extf %q : vector<1x4xbf16> to vector<1x4xf32>
  %g = arith.extf %r : vector<1x4xbf16> to vector<1x4xf32>
  %h = arith.addf %p, %f : vector<1x4xf32>
  %i = arith.addf %g, %h : vector<1x4xf32>
  sdm.store_piece %i, %out[%begin] : vector<1x4xf32>, !sdm.rows<?x128xf32> [i32]
  return
}

// -----

// Element pieces of an odd width: a load for each column, lanes past the row read its first column and drop it, stores under
// their own condition.
// CHECK-LABEL: llvm.func @elements(
// CHECK-COUNT-4: "ld.global.{{.*}}b16 $0, [$1];", "=h,l"
// CHECK-COUNT-4: scf.if
// CHECK-NOT: scf.if
// CHECK: llvm.return
func.func @elements(%x: !sdm.rows<?x65xbf16>, %y: !sdm.rows<?x65xbf16>) attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x65xbf16>
  %p = sdm.load_piece %x[%begin] : !sdm.rows<?x65xbf16> [i32] -> vector<1x4xbf16>
  sdm.store_piece %p, %y[%begin] bits : vector<1x4xbf16>, !sdm.rows<?x65xbf16> [i32]
  return
}

// -----

// bf16 and f16 are rounded once, by pairs; the instruction gives the canonical NaN.
// CHECK-LABEL: llvm.func @rounding(
// CHECK-NOT: arith.cmpf uno
// CHECK: llvm.fptrunc %{{.*}} : vector<2xf32> to vector<2xbf16>
// CHECK: llvm.fptrunc %{{.*}} : vector<2xf32> to vector<2xbf16>
// CHECK: llvm.fptrunc %{{.*}} : vector<2xf32> to vector<2xf16>
// CHECK: llvm.return
func.func @rounding(%x: !sdm.rows<?x128xf32>, %y: !sdm.rows<?x128xbf16>, %z: !sdm.rows<?x128xf16>) attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x128xf32>
  %p = sdm.load_piece %x[%begin] : !sdm.rows<?x128xf32> [i32] -> vector<1x4xf32>
  sdm.store_piece %p, %y[%begin] : vector<1x4xf32>, !sdm.rows<?x128xbf16> [i32]
  sdm.store_piece %p, %z[%begin] : vector<1x4xf32>, !sdm.rows<?x128xf16> [i32]
  return
}

// -----

// What this kernel writes is read behind a warp barrier and in order; where each lane has a record of its own there is none.
// CHECK-LABEL: llvm.func @written(
// CHECK: nvvm.bar.warp.sync
// CHECK: llvm.inline_asm {{.*}}~{memory}
func.func @written(%x: !sdm.rows<?x128xf32>, %d: !sdm.cells<?xf32>) attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x128xf32>
  %v = sdm.load_cell %d[%begin] : !sdm.cells<?xf32> [i32] -> f32
  sdm.store_cell %v, %d[%begin] : f32, !sdm.cells<?xf32> [i32]
  return
}

// CHECK-LABEL: llvm.func @written_by_a_lane(
// CHECK-NOT: nvvm.bar.warp.sync
// CHECK: llvm.inline_asm {{.*}}~{memory}
func.func @written_by_a_lane(%x: !sdm.rows<?x128xf32>, %d: !sdm.cells<?xf32>) attributes {sdm.per_lane, sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x128xf32>
  %v = sdm.load_cell %d[%begin] : !sdm.cells<?xf32> [i32] -> f32
  sdm.store_cell %v, %d[%begin] : f32, !sdm.cells<?xf32> [i32]
  return
}

// -----

// max and min are those of IEEE 754-2019; amax drops NaN before it combines. Columns past the width are the identity.
// CHECK-LABEL: llvm.func @partials(
// CHECK-DAG: %[[LOWEST:.*]] = arith.constant 0xFF800000 : f32
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[LOWEST]]
// CHECK: arith.maximumf
// CHECK: math.absf
// CHECK: arith.cmpf uno
// CHECK: arith.maximumf
// CHECK: llvm.return
func.func @partials(%x: !sdm.rows<?x66xf32>, %d: !sdm.cells<?xf32>) attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x66xf32>
  %p = sdm.load_piece %x[%begin] : !sdm.rows<?x66xf32> [i32] -> vector<1x4xf32>
  %m = sdm.partial max %p {width = 66 : i64, slice_width = 68 : i64} : vector<1x4xf32> -> f32
  sdm.store_cell %m, %d[%begin] : f32, !sdm.cells<?xf32> [i32]
  %a = sdm.partial amax %p {width = 66 : i64, slice_width = 68 : i64} : vector<1x4xf32> -> f32
  sdm.store_cell %a, %d[%begin] : f32, !sdm.cells<?xf32> [i32]
  return
}

// -----

// Shared memory is the CTA's dynamic part; copies and barriers are NVVM's own.
// CHECK: llvm.mlir.global external @sdm_shared() {addr_space = 3 : i32{{.*}}} : !llvm.array<0 x i8>
// CHECK-LABEL: llvm.func @copies(
// CHECK: nvvm.mbarrier.init
// CHECK: nvvm.fence.mbarrier.init
// CHECK: nvvm.mbarrier.arrive.expect_tx
// CHECK: nvvm.cp.async.bulk.shared.cluster.global
// CHECK: scf.while
// CHECK: nvvm.mbarrier.try_wait
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 16, cache = cg
// CHECK: nvvm.cp.async.shared.global %{{.*}}, %{{.*}}, 4, cache = ca
// CHECK: nvvm.cp.async.commit.group
// CHECK: nvvm.cp.async.wait.group 0
// CHECK: nvvm.barrier
func.func @copies(%x: !sdm.rows<?x128xf32>, %i: i32) attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
  %zero = arith.constant 0 : i32
  %bytes = arith.constant 512 : i32
  %barrier = sdm.shared %zero
  %slab = sdm.shared %bytes
  sdm.barrier_init %barrier
  sdm.barrier_init %barrier arrivals 4
  sdm.expect_tx %barrier, %bytes
  sdm.copy_bulk %x[%i] at %zero to %slab bytes %bytes reports %barrier : !sdm.rows<?x128xf32> [i32]
  sdm.wait_parity %barrier, %zero
  sdm.copy_async %x[%i] at %zero to %slab {bytes = 16 : i64} : !sdm.rows<?x128xf32> [i32]
  sdm.copy_async %x[%i] at %zero to %slab {bytes = 4 : i64} : !sdm.rows<?x128xf32> [i32]
  sdm.commit
  sdm.wait_group 0
  sdm.cta_barrier
  return
}

// -----

// Integer divisions that round down are expanded, as on the host.
// CHECK-LABEL: llvm.func @floor(
// CHECK-NOT: floordivsi
// CHECK: llvm.return
func.func @floor(%x: !sdm.rows<?x128xf32>, %n: !sdm.cells<?xi32>, %k: i32) attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x128xf32>
  %q = arith.floordivsi %begin, %k : i32
  sdm.store_cell %q, %n[%begin] : i32, !sdm.cells<?xi32> [i32]
  return
}

// -----

// A lane's four columns are four bytes, or two; where a piece is a byte, bytes.
// CHECK-LABEL: llvm.func @quantized(
func.func @quantized(%x: !sdm.rows<?x128xf8E4M3FN>, %n: !sdm.rows<?x128xi4>, %odd: !sdm.rows<?x128xi4, piece = 1>)
    attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 8>} {
  %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x128xf8E4M3FN>
  // CHECK: llvm.inline_asm has_side_effects {{.*}} "ld.global.cg.b32 $0, [$1];", "=r,l{{.*}}"
  // CHECK-NOT: arith.extf
  %r = sdm.load_piece %x[%begin] : !sdm.rows<?x128xf8E4M3FN> [i32] -> vector<1x4xf8E4M3FN>
  %f = arith.extf %r : vector<1x4xf8E4M3FN> to vector<1x4xf32>
  // CHECK: arith.minui
  // CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : vector<1xi32>, !llvm.ptr<1>
  sdm.store_piece %f, %x[%end] : vector<1x4xf32>, !sdm.rows<?x128xf8E4M3FN> [i32]
  // CHECK: llvm.inline_asm has_side_effects {{.*}} "ld.global.cg.b16 $0, [$1];", "=h,l"
  // CHECK-NOT: arith.sitofp
  %q = sdm.load_piece %n[%begin] : !sdm.rows<?x128xi4> [i32] -> vector<1x4xi8>
  %g = arith.sitofp %q : vector<1x4xi8> to vector<1x4xf32>
  // CHECK: "ld.global.cg.b8 $0, [$1];", "=h,l{{.*}}"
  // CHECK: "ld.global.cg.b8 $0, [$1];", "=h,l{{.*}}"
  %p = sdm.load_piece %odd[%begin] : !sdm.rows<?x128xi4, piece = 1> [i32] -> vector<1x4xi8>
  // CHECK: llvm.store %{{.*}} {alignment = 1 : i64} : vector<1xi8>, !llvm.ptr<1>
  // CHECK: llvm.store %{{.*}} {alignment = 1 : i64} : vector<1xi8>, !llvm.ptr<1>
  // CHECK-NOT: llvm.store
  sdm.store_piece %g, %odd[%end] : vector<1x4xf32>, !sdm.rows<?x128xi4, piece = 1> [i32]
  // CHECK: llvm.return
  return
}
