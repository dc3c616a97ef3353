// A whole row's slices stand in one warp's registers: the unit of positions is shorter where the row is longer.
// REQUIRES: ptxas
// DEFINE: %{width} =
// DEFINE: %{row} =
// DEFINE: %{chip} =
// DEFINE: %{judge} = sed -e 's/SLICE/%{row}/g; s/WIDTH/%{width}/g' %S/Inputs/norm.mlir | sdm-opt --pass-pipeline='builtin.module(sdm-to-nvvm-pipeline{chip=%{chip}})' | sdm-translate --sdm-to-ptx --chip=%{chip} -o %t.ptx && %ptxas -v -arch=%{chip} %t.ptx -o %t.cubin 2>&1 | FileCheck %s --implicit-check-not=error --implicit-check-not='{{[1-9][0-9]*}} bytes {{stack|spill}}'
// REDEFINE: %{width} = 1
// REDEFINE: %{row} = 1x4
// REDEFINE: %{chip} = sm_80
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{chip} = sm_120
// RUN: %{judge}
// REDEFINE: %{width} = 128
// REDEFINE: %{row} = 1x128
// REDEFINE: %{chip} = sm_80
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{chip} = sm_120
// RUN: %{judge}
// REDEFINE: %{width} = 260
// REDEFINE: %{row} = 3x88
// REDEFINE: %{chip} = sm_80
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{chip} = sm_120
// RUN: %{judge}
// REDEFINE: %{width} = 512
// REDEFINE: %{row} = 4x128
// REDEFINE: %{chip} = sm_80
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{chip} = sm_120
// RUN: %{judge}
// REDEFINE: %{width} = 900
// REDEFINE: %{row} = 8x116
// REDEFINE: %{chip} = sm_80
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{chip} = sm_120
// RUN: %{judge}
// REDEFINE: %{width} = 1024
// REDEFINE: %{row} = 8x128
// REDEFINE: %{chip} = sm_80
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{chip} = sm_120
// RUN: %{judge}

// CHECK: Used {{[0-9]+}} registers
