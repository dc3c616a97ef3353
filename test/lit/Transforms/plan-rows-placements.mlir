// Placements that are asked for: what each costs, and what is refused.
// DEFINE: %{schedule} =
// DEFINE: %{plan} = --pass-pipeline='builtin.module(sdm-plan-rows{chip=sm_90 extents=2:1:64 schedule=%{schedule}})'
// REDEFINE: %{schedule} = 1=registers,3=registers
// RUN: sdm-opt %source/kernels/gds.mlir %{plan} | FileCheck %s --check-prefix=HELD
// REDEFINE: %{schedule} = 1=registers,unit=8
// RUN: not sdm-opt %source/kernels/gds.mlir %{plan} 2>&1 | FileCheck %s --check-prefix=FULL
// REDEFINE: %{schedule} = 1=registers,nest
// RUN: not sdm-opt %source/kernels/gds.mlir %{plan} 2>&1 | FileCheck %s --check-prefix=NEST
// REDEFINE: %{schedule} = 1=registers,3=registers,depth=6
// RUN: sdm-opt %source/kernels/gds.mlir %{plan} | FileCheck %s --check-prefix=DEEP

// REDEFINE: %{schedule} = 1=bulk_ring,3=ring
// RUN: sdm-opt %source/kernels/gds.mlir %{plan} | FileCheck %s --check-prefix=BULK
// REDEFINE: %{schedule} = 1=bulk_ring,nest
// RUN: not sdm-opt %source/kernels/gds.mlir %{plan} 2>&1 | FileCheck %s --check-prefix=BULKNEST
// RUN: sed -e 's/bank: !sdm.rows<?x128xbf16>/bank: !sdm.rows<?x128xbf16, piece = 8>/; s/\(bank.*slot. : !sdm.rows<?x128xbf16\)>/\1, piece = 8>/' %source/kernels/gds.mlir \
// RUN:   | not sdm-opt --pass-pipeline='builtin.module(sdm-plan-rows{chip=sm_90 schedule=1=bulk_ring})' 2>&1 | FileCheck %s --check-prefix=BULKNEST
// RUN: not sdm-opt %source/kernels/gds.mlir --pass-pipeline='builtin.module(sdm-plan-rows{chip=sm_89 schedule=1=bulk_ring})' 2>&1 | FileCheck %s --check-prefix=CHIP

// Rows in registers leave room for a shorter unit.
// HELD: schedule <flat, split, warps = 8, unit = 4, depth = 2>
// HELD-SAME: "operand 1: 4 rows ahead in registers"
// HELD-SAME: "operand 3: 4 rows ahead in registers"
// HELD-SAME: "8 warps, {{[0-9]+}} bytes of shared memory, 16 registers of a lane for rows ahead"
// HELD: sdm.load_row {{.*}} placed registers
// HELD: sdm.load_row {{.*}} placed registers
// DEEP: unit = 2, depth = 6
// FULL: error: expected rows in registers that fit 0 of a lane's (a smaller unit or depth, or fewer operands there), got 16
// NEST: error: expected another placement of operand 1 (registers need the flat form, indices that the record alone gives, and no store before the load), got registers
// Barriers beside the rows: 16 bytes a warp.
// BULK: reasons = ["operand 1: through a ring of 16 rows, filled by bulk copies", {{.*}} "operand 3: through a ring of 16 rows", "8 warps, 106752 bytes of shared memory"]
// BULK: sdm.load_row {{.*}} placed bulk_ring
// BULK: sdm.load_row {{.*}} placed ring
// BULKNEST: error: expected another placement of operand 1 (a ring that bulk copies fill needs the flat form, indices that the record alone gives, pieces of 16 bytes, and no store before the load), got bulk_ring
// CHIP: error: expected another placement of operand 1 (a ring that bulk copies fill needs a chip that has them, and sm_89 has none), got bulk_ring
