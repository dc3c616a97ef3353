// The lowest PTX version that holds what a module uses.
#include "lib/Target/PtxVersion.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using namespace mlir::sdm;

namespace {

TEST(PtxVersion, OfOneInstruction) {
  EXPECT_EQ(ptxVersionOf("llvm.nvvm.cp.async.cg.shared.global.16"), 0u);
  EXPECT_EQ(ptxVersionOf("llvm.nvvm.mbarrier.init.shared"), 0u);
  EXPECT_EQ(ptxVersionOf("llvm.nvvm.griddepcontrol.wait"), 78u);
  EXPECT_EQ(ptxVersionOf("llvm.nvvm.cp.async.bulk.global.to.shared.cluster"), 80u);
  EXPECT_EQ(ptxVersionOf("llvm.nvvm.cp.async.bulk.global.to.shared.cta"), 86u);
  EXPECT_EQ(ptxVersionOf("llvm.nvvm.ff2bf16x2.rn"), 0u);
  EXPECT_EQ(ptxVersionOf("llvm.nvvm.ff.to.e4m3x2.rn"), 81u);
}

TEST(PtxVersion, OfInlineAssembly) {
  EXPECT_EQ(ptxVersionOf("mbarrier.try_wait.parity.shared.b64 p, [$1], $2;"), 78u);
  EXPECT_EQ(ptxVersionOf("mbarrier.arrive.expect_tx.shared.b64 _, [$0], $1;"), 80u);
  EXPECT_EQ(ptxVersionOf("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], $2, [$3];"),
            80u);
  EXPECT_EQ(ptxVersionOf("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [$0], [$1], $2, [$3];"), 86u);
  EXPECT_EQ(ptxVersionOf("ld.global.cg.b32 $0, [$1];"), 0u);
  EXPECT_EQ(ptxVersionOf("prefetch.global.L2 [$0];"), 0u);
}

TEST(PtxVersion, OfAModule) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic error;
  auto module = llvm::parseAssemblyString(R"(
    declare void @llvm.nvvm.griddepcontrol.wait()
    declare void @llvm.nvvm.unused.cp.async.bulk()
    define void @kernel() {
      call void @llvm.nvvm.griddepcontrol.wait()
      call void asm sideeffect "mbarrier.arrive.expect_tx.shared.b64 _, [$0], 16;", "r"(i32 0)
      ret void
    })",
                                          error, context);
  ASSERT_TRUE(module) << error.getMessage().str();
  EXPECT_EQ(lowestPtxVersion(*module, *findChip("sm_90")), 80u);
  EXPECT_EQ(lowestPtxVersion(*module, *findChip("sm_100")), 86u);
}

TEST(PtxVersion, OfNothingSpecialIsTheChips) {
  llvm::LLVMContext context;
  llvm::Module module("empty", context);
  EXPECT_EQ(lowestPtxVersion(module, *findChip("sm_80")), 70u);
  EXPECT_EQ(lowestPtxVersion(module, *findChip("sm_103")), 88u);
}

} // namespace
