// What the rule makes of shapes: long and short tiles, small launches, slices that are narrower than a warp.
// DEFINE: %{rows} =
// DEFINE: %{positions} =
// DEFINE: %{plan} = sed %{rows} %source/kernels/gds.mlir | sdm-opt --pass-pipeline='builtin.module(sdm-plan-rows{chip=sm_90 extents=2:1:64 positions=%{positions}})' | FileCheck %s
// REDEFINE: %{rows} = -e ''
// REDEFINE: %{positions} = 65536
// RUN: %{plan} --check-prefix=LONG
// REDEFINE: %{positions} = 16384
// RUN: %{plan} --check-prefix=SHORT
// REDEFINE: %{positions} = 2048
// RUN: %{plan} --check-prefix=SMALL
// REDEFINE: %{rows} = -e 's/<1x128x/<2x100x/g; s/x128x/x200x/g; s/width = 128/width = 200/g'
// REDEFINE: %{positions} = 65536
// RUN: %{plan} --check-prefix=TOGETHER
// REDEFINE: %{positions} = 16384
// RUN: %{plan} --check-prefix=AT-ONCE
// REDEFINE: %{rows} = -e 's/<1x128x/<2x68x/g; s/x128x/x132x/g; s/width = 128/width = 132/g'
// RUN: %{plan} --check-prefix=APART
// REDEFINE: %{positions} = 65536
// RUN: %{plan} --check-prefix=TOGETHER
// REDEFINE: %{rows} = -e 's/<1x128x/<2xCx/g; s/?x128x/?x256x/g; s/<2xCx/<2x128x/g; s/width = 128/width = 256/g'
// RUN: %{plan} --check-prefix=WIDE

// LONG: schedule <flat, split, warps = 8, unit = 8, depth = 2>
// SHORT: schedule <flat, split, warps = 8, unit = 4, depth = 2>
// SMALL: schedule <flat, split, warps = 4, unit = 4, depth = 2>
// TOGETHER: schedule <flat, whole, warps = 8, unit = 2, depth = 2> attributes {reasons = ["whole: two slices that leave lanes idle"
// AT-ONCE: schedule <flat, whole, warps = 8, unit = 4, depth = 2> attributes {reasons = ["whole: two slices that leave lanes idle"
// APART: schedule <flat, split, warps = 8, unit = 4, depth = 2> attributes {reasons = ["split: every reduction is only stored"
// WIDE: schedule <flat, split, warps = 8, unit = 8, depth = 2> attributes {reasons = ["split: every reduction is only stored"
