// ptxas takes the kernels of ptx-walks.mlir, without a stack frame or spills.
// REQUIRES: ptxas
// DEFINE: %{chip} =
// DEFINE: %{options} =
// DEFINE: %{judge} = sdm-opt %S/ptx-walks.mlir --pass-pipeline='builtin.module(sdm-to-nvvm-pipeline{chip=%{chip} %{options}})' | sdm-translate --sdm-to-ptx --chip=%{chip} -o %t.ptx && %ptxas -v -arch=%{chip} %t.ptx -o %t.cubin 2>&1 | FileCheck %s --implicit-check-not=error --implicit-check-not='{{[1-9][0-9]*}} bytes {{stack|spill}}'
// REDEFINE: %{chip} = sm_80
// REDEFINE: %{options} = extents=2:1:64
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 schedule=nest
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// REDEFINE: %{options} = extents=2:1:64
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 schedule=nest
// RUN: %{judge}
// REDEFINE: %{chip} = sm_120
// REDEFINE: %{options} = extents=2:1:64
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 schedule=nest
// RUN: %{judge}

// CHECK: Used {{[0-9]+}} registers
// CHECK: Used {{[0-9]+}} registers
// CHECK: Used {{[0-9]+}} registers
// CHECK: Used {{[0-9]+}} registers
// CHECK: Used {{[0-9]+}} registers
// CHECK: Used {{[0-9]+}} registers
