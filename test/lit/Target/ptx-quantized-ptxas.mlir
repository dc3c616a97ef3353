// ptxas takes quantized rows: fp8 and int4, even and uneven slices and element pieces (130), for every chip, without a stack frame or spills.
// REQUIRES: ptxas
// DEFINE: %{rows} =
// DEFINE: %{chip} =
// DEFINE: %{options} =
// DEFINE: %{judge} = sed %{rows} %S/Inputs/quantized.mlir | sdm-opt --pass-pipeline='builtin.module(sdm-to-nvvm-pipeline{chip=%{chip} %{options}})' | sdm-translate --sdm-to-ptx --chip=%{chip} -o %t.ptx && %ptxas -v -arch=%{chip} %t.ptx -o %t.cubin 2>&1 | FileCheck %s --implicit-check-not=error --implicit-check-not='{{[1-9][0-9]*}} bytes {{stack|spill}}'
// REDEFINE: %{rows} = -e ''
// REDEFINE: %{options} = extents=3:0:64
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
// REDEFINE: %{rows} = -e ''
// REDEFINE: %{options} = schedule=nest
// REDEFINE: %{chip} = sm_80
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{options} = schedule=flat,unit=8
// REDEFINE: %{chip} = sm_80
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{rows} = -e 's/vector<1x128xf8E4M3FN>/vector<1x128xi8>/g; s/128xf8E4M3FN/128xi4/g; s/arith.extf \(.*\)i8/arith.sitofp \1i8/'
// REDEFINE: %{options} = extents=3:0:64
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
// REDEFINE: %{rows} = -e 's/vector<1x128xf8E4M3FN>/vector<1x128xi8>/g; s/128xf8E4M3FN/128xi4/g; s/arith.extf \(.*\)i8/arith.sitofp \1i8/'
// REDEFINE: %{options} = schedule=nest
// REDEFINE: %{chip} = sm_80
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{options} = schedule=flat,unit=8
// REDEFINE: %{chip} = sm_80
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{rows} = -e 's/x128x/x130x/g; s/vector<1x130x/vector<2x68x/g; s/width = 128/width = 130/'
// REDEFINE: %{options} = 
// REDEFINE: %{chip} = sm_80
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{rows} = -e 's/vector<1x128xf8E4M3FN>/vector<1x128xi8>/g; s/128xf8E4M3FN/128xi4/g; s/arith.extf \(.*\)i8/arith.sitofp \1i8/; s/x128x/x130x/g; s/vector<1x130x/vector<2x68x/g; s/width = 128/width = 130/'
// REDEFINE: %{options} = 
// REDEFINE: %{chip} = sm_80
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}
// REDEFINE: %{rows} = -e 's/vector<1x128xf8E4M3FN>/vector<1x128xi8>/g; s/128xf8E4M3FN/128xi4/g; s/arith.extf \(.*\)i8/arith.sitofp \1i8/; s/x128x/x256x/g; s/vector<1x256x/vector<2x128x/g; s/width = 128/width = 256/'
// REDEFINE: %{options} = extents=3:0:64
// REDEFINE: %{chip} = sm_80
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// RUN: %{judge}

// CHECK: Used {{[0-9]+}} registers
// CHECK: Used {{[0-9]+}} registers
