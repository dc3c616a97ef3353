// ptxas takes the mover with its rows in registers and in rings that bulk copies fill, without a stack frame or spills; units and depths that a lane has room for.
// REQUIRES: ptxas
// DEFINE: %{chip} =
// DEFINE: %{schedule} =
// DEFINE: %{judge} = cat %source/kernels/gds.mlir | sdm-opt --pass-pipeline='builtin.module(sdm-to-nvvm-pipeline{chip=%{chip} extents=2:1:64 schedule=%{schedule}})' | sdm-translate --sdm-to-ptx --chip=%{chip} -o %t.ptx && %ptxas -v -arch=%{chip} %t.ptx -o %t.cubin 2>&1 | FileCheck %s --implicit-check-not=error --implicit-check-not='{{[1-9][0-9]*}} bytes {{stack|spill}}'
// REDEFINE: %{schedule} = 1=registers,3=registers
// REDEFINE: %{chip} = sm_80
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{chip} = sm_100
// RUN: %{judge}
// REDEFINE: %{schedule} = 1=registers,2=registers,3=registers
// REDEFINE: %{chip} = sm_80
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{chip} = sm_100
// RUN: %{judge}
// REDEFINE: %{schedule} = 1=registers,3=registers,depth=1
// REDEFINE: %{chip} = sm_80
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{chip} = sm_100
// RUN: %{judge}
// REDEFINE: %{schedule} = 1=registers,2=ring,depth=3
// REDEFINE: %{chip} = sm_80
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{chip} = sm_100
// RUN: %{judge}
// REDEFINE: %{schedule} = 1=bulk_ring,3=bulk_ring
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{chip} = sm_100
// RUN: %{judge}
// REDEFINE: %{chip} = sm_103
// RUN: %{judge}
// REDEFINE: %{schedule} = 1=bulk_ring,2=bulk_ring,3=ring,depth=3
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{chip} = sm_100
// RUN: %{judge}
// REDEFINE: %{chip} = sm_103
// RUN: %{judge}
// REDEFINE: %{schedule} = 1=bulk_ring,3=registers
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{chip} = sm_100
// RUN: %{judge}
// REDEFINE: %{chip} = sm_103
// RUN: %{judge}
// REDEFINE: %{schedule} = 1=bulk_ring,depth=1
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{chip} = sm_100
// RUN: %{judge}
// REDEFINE: %{chip} = sm_103
// RUN: %{judge}

// CHECK: Used {{[0-9]+}} registers
