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
