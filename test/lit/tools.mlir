// The tools parse, print and translate.
// RUN: sdm-opt %s | sdm-opt | FileCheck %s
// RUN: sdm-opt --show-dialects | FileCheck %s --check-prefix=DIALECTS
// RUN: not sdm-translate --sdm-to-ptx --chip=sm_1 %s 2>&1 | FileCheck %s --check-prefix=CHIP

// CHECK-LABEL: llvm.func @kernel
llvm.func @kernel(%arg0: !llvm.ptr) attributes {nvvm.kernel} {
  llvm.return
}

// DIALECTS: sdm
// CHIP: error: expected a chip (one of sm_80, {{.*}}), got sm_1
