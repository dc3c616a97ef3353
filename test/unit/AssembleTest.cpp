// The report of ptxas, and the search for it.
#include "lib/Target/Assemble.h"

#include <gtest/gtest.h>

#include <cstdlib>

using namespace mlir::sdm;

namespace {

constexpr llvm::StringLiteral report = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'gds_0' for 'sm_90'
ptxas info    : Function properties for gds_0
    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 79 registers, used 1 barriers, 16 bytes cumulative stack size, 1040 bytes smem, 400 bytes cmem[0]
ptxas info    : Compile time = 28.169 ms
ptxas info    : Compiling entry function 'gds_1' for 'sm_90'
ptxas info    : Function properties for gds_1
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers
)";

TEST(Assemble, ReadsTheReport) {
  std::vector<KernelResources> kernels = parsePtxasReport(report);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].entry, "gds_0");
  EXPECT_EQ(kernels[0].registers, 79u);
  EXPECT_EQ(kernels[0].stack, 16u);
  EXPECT_EQ(kernels[0].spillStores, 8u);
  EXPECT_EQ(kernels[0].spillLoads, 12u);
  EXPECT_EQ(kernels[0].shared, 1040u);
  EXPECT_EQ(kernels[0].barriers, 1u);
  EXPECT_EQ(kernels[1].entry, "gds_1");
  EXPECT_EQ(kernels[1].registers, 8u);
  EXPECT_EQ(kernels[1].shared, 0u);
}

TEST(Assemble, ReportWithoutKernels) { EXPECT_TRUE(parsePtxasReport("ptxas info    : 0 bytes gmem\n").empty()); }

TEST(Assemble, GivenPathMustBeAProgram) {
  auto found = findPtxas("/no/such/ptxas");
  ASSERT_FALSE(found);
  EXPECT_EQ(llvm::toString(found.takeError()), "expected a program as ptxas, got /no/such/ptxas");
}

TEST(Assemble, VariableMustNameAProgram) {
  setenv("SDM_PTXAS", "/no/such/ptxas", 1);
  auto found = findPtxas();
  unsetenv("SDM_PTXAS");
  ASSERT_FALSE(found);
  EXPECT_EQ(llvm::toString(found.takeError()), "expected a program in SDM_PTXAS, got /no/such/ptxas");
}

TEST(Assemble, RefusesWrongPtx) {
  auto ptxas = findPtxas();
  ASSERT_TRUE(static_cast<bool>(ptxas));
  if (ptxas->empty())
    GTEST_SKIP() << "no ptxas on this machine";
  auto assembled = assemble(".version 7.0\n.target sm_80\nnonsense", *findChip("sm_80"), *ptxas);
  ASSERT_FALSE(assembled);
  EXPECT_NE(llvm::toString(assembled.takeError()).find("ptxas refused the PTX for sm_80"), std::string::npos);
}

} // namespace
