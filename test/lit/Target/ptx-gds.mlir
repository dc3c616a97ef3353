// The mover's PTX on every chip, flat and nest: each chip's own copies, the lowest version that has them, no contraction.
// DEFINE: %{chip} =
// DEFINE: %{options} =
// DEFINE: %{ptx} = cat %source/kernels/gds.mlir | sdm-opt --pass-pipeline='builtin.module(sdm-to-nvvm-pipeline{chip=%{chip} %{options}})' | sdm-translate --sdm-to-ptx --chip=%{chip}
// REDEFINE: %{options} = extents=2:1:64
// REDEFINE: %{chip} = sm_80
// RUN: %{ptx} | FileCheck %s --check-prefixes=CHECK,SM80,ASYNC
// REDEFINE: %{chip} = sm_86
// RUN: %{ptx} | FileCheck %s --check-prefixes=CHECK,SM86,ASYNC
// REDEFINE: %{chip} = sm_89
// RUN: %{ptx} | FileCheck %s --check-prefixes=CHECK,SM89,ASYNC
// REDEFINE: %{chip} = sm_90
// RUN: %{ptx} | FileCheck %s --check-prefixes=CHECK,SM90,BULK
// REDEFINE: %{chip} = sm_100
// RUN: %{ptx} | FileCheck %s --check-prefixes=CHECK,SM100,BULK
// REDEFINE: %{chip} = sm_103
// RUN: %{ptx} | FileCheck %s --check-prefixes=CHECK,SM103,BULK
// REDEFINE: %{chip} = sm_120
// RUN: %{ptx} | FileCheck %s --check-prefixes=CHECK,SM120,ASYNC
// REDEFINE: %{options} = extents=2:1:64 schedule=nest
// REDEFINE: %{chip} = sm_80
// RUN: %{ptx} | FileCheck %s --check-prefixes=CHECK,SM80,ASYNC
// REDEFINE: %{chip} = sm_86
// RUN: %{ptx} | FileCheck %s --check-prefixes=CHECK,SM86,ASYNC
// REDEFINE: %{chip} = sm_89
// RUN: %{ptx} | FileCheck %s --check-prefixes=CHECK,SM89,ASYNC
// REDEFINE: %{chip} = sm_90
// RUN: %{ptx} | FileCheck %s --check-prefixes=CHECK,SM90,BULK
// REDEFINE: %{chip} = sm_100
// RUN: %{ptx} | FileCheck %s --check-prefixes=CHECK,SM100,BULK
// REDEFINE: %{chip} = sm_103
// RUN: %{ptx} | FileCheck %s --check-prefixes=CHECK,SM103,BULK
// REDEFINE: %{chip} = sm_120
// RUN: %{ptx} | FileCheck %s --check-prefixes=CHECK,SM120,ASYNC

// SM80: .version 7.0
// SM86: .version 7.1
// SM89: .version 7.8
// SM90: .version 8.0
// SM100: .version 8.6
// SM103: .version 8.8
// SM120: .version 8.7
// SM80-NEXT: .target sm_80
// SM86-NEXT: .target sm_86
// SM89-NEXT: .target sm_89
// SM90-NEXT: .target sm_90{{$}}
// SM100-NEXT: .target sm_100{{$}}
// SM103-NEXT: .target sm_103{{$}}
// SM120-NEXT: .target sm_120{{$}}

// CHECK-NOT: .local
// CHECK: .visible .entry gds_0(
// CHECK: .maxntid {{[0-9]+}}
// CHECK-NOT: .local
// CHECK-NOT: {{(mul|add|sub|fma)\.(ftz|sat|f32)}}
// CHECK-NOT: {{\.ftz|\.approx}}
// ASYNC-NOT: {{cp.async.bulk|expect_tx|griddepcontrol|mbarrier}}
// BULK-DAG: griddepcontrol.wait
// BULK-DAG: griddepcontrol.launch_dependents
// BULK-DAG: mbarrier.arrive.expect_tx
// BULK-DAG: cp.async.bulk.shared::cluster.global
// BULK-DAG: mbarrier.try_wait
// ASYNC: cp.async.c{{[ag]}}.shared.global
// ASYNC-NOT: {{cp.async.bulk|expect_tx|griddepcontrol|mbarrier}}
// CHECK: fma.rn.f32
// CHECK-NOT: {{(mul|add|sub|fma)\.(ftz|sat|f32)}}
// CHECK: ret;
