// The mover at other widths: narrow rows, element pieces (130), uneven slices (132, 260), many slices; for each kind of chip.
// REQUIRES: ptxas
// DEFINE: %{width} =
// DEFINE: %{row} =
// DEFINE: %{chip} =
// DEFINE: %{options} =
// DEFINE: %{wide} = sed -e 's/x128xbf16/x%{width}xbf16/g; s/x128xf32/x%{width}xf32/g; s/vector<1x%{width}x/vector<%{row}x/g; s/width = 128/width = %{width}/' %source/kernels/gds.mlir
// DEFINE: %{judge} = %{wide} | sdm-opt --pass-pipeline='builtin.module(sdm-to-nvvm-pipeline{chip=%{chip} %{options}})' | sdm-translate --sdm-to-ptx --chip=%{chip} -o %t.ptx && %ptxas -v -arch=%{chip} %t.ptx -o %t.cubin 2>&1 | FileCheck %s --implicit-check-not=error --implicit-check-not='{{[1-9][0-9]*}} bytes {{stack|spill}}'
// REDEFINE: %{width} = 64
// REDEFINE: %{row} = 1x64
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
// REDEFINE: %{width} = 1
// REDEFINE: %{row} = 1x4
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
// REDEFINE: %{width} = 130
// REDEFINE: %{row} = 2x68
// REDEFINE: %{chip} = sm_80
// REDEFINE: %{options} = extents=2:1:64
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 positions=8192
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 schedule=nest
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// REDEFINE: %{options} = extents=2:1:64
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 positions=8192
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 schedule=nest
// RUN: %{judge}
// REDEFINE: %{chip} = sm_120
// REDEFINE: %{options} = extents=2:1:64
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 positions=8192
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 schedule=nest
// RUN: %{judge}
// REDEFINE: %{width} = 132
// REDEFINE: %{row} = 2x68
// REDEFINE: %{chip} = sm_80
// REDEFINE: %{options} = extents=2:1:64
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 positions=8192
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 schedule=nest
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// REDEFINE: %{options} = extents=2:1:64
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 positions=8192
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 schedule=nest
// RUN: %{judge}
// REDEFINE: %{chip} = sm_120
// REDEFINE: %{options} = extents=2:1:64
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 positions=8192
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 schedule=nest
// RUN: %{judge}
// REDEFINE: %{width} = 200
// REDEFINE: %{row} = 2x100
// REDEFINE: %{chip} = sm_80
// REDEFINE: %{options} = extents=2:1:64
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 positions=8192
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 schedule=nest
// RUN: %{judge}
// REDEFINE: %{chip} = sm_90
// REDEFINE: %{options} = extents=2:1:64
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 positions=8192
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 schedule=nest
// RUN: %{judge}
// REDEFINE: %{chip} = sm_120
// REDEFINE: %{options} = extents=2:1:64
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 positions=8192
// RUN: %{judge}
// REDEFINE: %{options} = extents=2:1:64 schedule=nest
// RUN: %{judge}
// REDEFINE: %{width} = 260
// REDEFINE: %{row} = 3x88
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
// REDEFINE: %{width} = 1024
// REDEFINE: %{row} = 8x128
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
