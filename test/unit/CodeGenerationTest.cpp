// From the LLVM dialect to PTX on every chip, and to code that runs on this machine.
#include "lib/Runtime/HostExecutor.h"
#include "lib/Target/Assemble.h"
#include "lib/Target/Jit.h"
#include "lib/Target/Ptx.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::sdm;

namespace {

class CodeGenerationTest : public ::testing::Test {
protected:
  OwningOpRef<ModuleOp> parse(StringRef source) {
    context.loadDialect<LLVM::LLVMDialect, NVVM::NVVMDialect>();
    return parseSourceString<ModuleOp>(source, &context);
  }
  MLIRContext context;
};

constexpr llvm::StringLiteral kernel = R"mlir(
llvm.func @kernel(%p: !llvm.ptr<1>, %a: f32, %b: f32, %c: f32) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256>} {
  %product = llvm.fmul %a, %b : f32
  %sum = llvm.fadd %product, %c : f32
  %fused = llvm.intr.fma(%a, %b, %sum) : (f32, f32, f32) -> f32
  llvm.store %fused, %p : f32, !llvm.ptr<1>
  llvm.return
})mlir";

TEST_F(CodeGenerationTest, PtxNeverContracts) {
  auto module = parse(kernel);
  ASSERT_TRUE(module);
  auto ptxas = findPtxas();
  ASSERT_TRUE(static_cast<bool>(ptxas));
  for (const Chip &chip : allChips()) {
    auto stages = emitPtxStages(*module, chip);
    ASSERT_TRUE(static_cast<bool>(stages)) << llvm::toString(stages.takeError());
    EXPECT_NE(stages->ptx.find(".entry kernel"), std::string::npos);
    EXPECT_NE(stages->ptx.find(".maxntid 256"), std::string::npos);
    EXPECT_NE(stages->ptx.find(".target " + chip.name.str()), std::string::npos);
    EXPECT_NE(stages->ptx.find("mul.rn.f32"), std::string::npos) << stages->ptx;
    EXPECT_NE(stages->ptx.find("add.rn.f32"), std::string::npos) << stages->ptx;
    EXPECT_NE(stages->ptx.find("fma.rn.f32"), std::string::npos) << stages->ptx;
    EXPECT_EQ(stages->ptxVersion, chip.ptxVersion);
    if (ptxas->empty())
      continue;
    auto assembled = assemble(stages->ptx, chip, *ptxas);
    ASSERT_TRUE(static_cast<bool>(assembled)) << llvm::toString(assembled.takeError());
    EXPECT_FALSE(assembled->cubin.empty());
    ASSERT_EQ(assembled->kernels.size(), 1u);
    EXPECT_EQ(assembled->kernels[0].entry, "kernel");
    EXPECT_GT(assembled->kernels[0].registers, 0u);
    EXPECT_EQ(assembled->kernels[0].stack, 0u);
  }
}

TEST_F(CodeGenerationTest, FatalErrorsAreErrors) {
  auto module = parse(R"mlir(
llvm.func @kernel(%p: !llvm.ptr<1>, %a: f32) attributes {nvvm.kernel} {
  %tangent = llvm.intr.sin(%a) : (f32) -> f32
  %power = llvm.intr.pow(%tangent, %a) : (f32, f32) -> f32
  llvm.store %power, %p : f32, !llvm.ptr<1>
  llvm.return
})mlir");
  ASSERT_TRUE(module);
  auto ptx = emitPtx(*module, *findChip("sm_90"));
  ASSERT_FALSE(ptx);
  EXPECT_NE(llvm::toString(ptx.takeError()), "");
  // The process, and the emitter, go on.
  auto good = emitPtx(*parse(kernel), *findChip("sm_90"));
  EXPECT_TRUE(static_cast<bool>(good)) << llvm::toString(good.takeError());
}

struct Arguments {
  float *out;
  float a, b, c;
};

constexpr llvm::StringLiteral hostEntry = R"mlir(
llvm.func @entry(%args: !llvm.ptr, %begin: i64, %end: i64) {
  %one = llvm.mlir.constant(1 : i64) : i64
  %out = llvm.load %args : !llvm.ptr -> !llvm.ptr
  %pa = llvm.getelementptr %args[8] : (!llvm.ptr) -> !llvm.ptr, i8
  %pb = llvm.getelementptr %args[12] : (!llvm.ptr) -> !llvm.ptr, i8
  %pc = llvm.getelementptr %args[16] : (!llvm.ptr) -> !llvm.ptr, i8
  %a = llvm.load %pa : !llvm.ptr -> f32
  %b = llvm.load %pb : !llvm.ptr -> f32
  %c = llvm.load %pc : !llvm.ptr -> f32
  %product = llvm.fmul %a, %b : f32
  %rounded_twice = llvm.fadd %product, %c : f32
  %fused = llvm.intr.fma(%a, %b, %c) : (f32, f32, f32) -> f32
  %difference = llvm.fsub %rounded_twice, %fused : f32
  llvm.br ^loop(%begin : i64)
^loop(%i: i64):
  %place = llvm.getelementptr %out[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  llvm.store %difference, %place : f32, !llvm.ptr
  %next = llvm.add %i, %one : i64
  %again = llvm.icmp "slt" %next, %end : i64
  llvm.cond_br %again, ^loop(%next : i64), ^exit
^exit:
  llvm.return
})mlir";

TEST_F(CodeGenerationTest, HostObjectRunsAndNeverContracts) {
  auto module = parse(hostEntry);
  ASSERT_TRUE(module);
  auto stages = compileForHost(*module);
  ASSERT_TRUE(static_cast<bool>(stages)) << llvm::toString(stages.takeError());
  auto jit = HostJit::load(stages->object);
  ASSERT_TRUE(static_cast<bool>(jit)) << llvm::toString(jit.takeError());
  auto entry = (*jit)->lookup("entry");
  ASSERT_TRUE(static_cast<bool>(entry)) << llvm::toString(entry.takeError());
  float out[8] = {};
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: the product rounds the last term away, the fma keeps it.
  float a = 1.0f + 0x1p-12f;
  Arguments arguments{out, a, a, -(1.0f + 0x1p-11f)};
  ::sdm::runtime::runUnits(*entry, &arguments, 8, 2);
  for (float value : out)
    EXPECT_EQ(value, -0x1p-24f);
  auto missing = (*jit)->lookup("no such entry");
  EXPECT_FALSE(missing);
  llvm::consumeError(missing.takeError());
}

TEST_F(CodeGenerationTest, HostMachineKeyNamesTheCpu) { EXPECT_NE(hostMachineKey(), ""); }

} // namespace
