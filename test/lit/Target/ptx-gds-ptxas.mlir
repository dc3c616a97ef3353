// ptxas takes the mover for every chip, flat and nest, without a stack frame or spills.
// REQUIRES: ptxas
// DEFINE: %{chip} =
// DEFINE: %{options} =
// DEFINE: %{judge} = cat %source/kernels/gds.mlir | sdm-opt --pass-pipeline='builtin.module(sdm-to-nvvm-pipeline{chip=%{chip} %{options}})' | sdm-translate --sdm-to-ptx --chip=%{chip} -o %t.ptx && %ptxas -v -arch=%{chip} %t.ptx -o %t.cubin 2>&1 | FileCheck %s --implicit-check-not=error --implicit-check-not='{{[1-9][0-9]*}} bytes {{stack|spill}}'
// REDEFINE: %{options} = extents=2:1:64
// REDEFINE: %{chip} = sm_80
// RUN: %{judge}
// REDEFINE: %{chip} = sm_86
// RUN: %{judge}
// REDEFINE: %{chip} = sm_89
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{chip} = sm_100
// RUN: %{judge}
// REDEFINE: %{chip} = sm_103
// RUN: %{judge}
// REDEFINE: %{chip} = sm_120
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 schedule=nest
// REDEFINE: %{chip} = sm_80
// RUN: %{judge}
// REDEFINE: %{chip} = sm_86
// RUN: %{judge}
// REDEFINE: %{chip} = sm_89
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{chip} = sm_100
// RUN: %{judge}
// REDEFINE: %{chip} = sm_103
// RUN: %{judge}
// REDEFINE: %{chip} = sm_120
// RUN: %{judge}

// CHECK: Used {{[0-9]+}} registers
