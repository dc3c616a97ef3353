// The CUDA runtime on a real device, with a kernel written in PTX by hand; skipped where there is none.
#include "lib/Runtime/Cuda.h"
#include "lib/Runtime/Launcher.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

using namespace sdm::runtime;

namespace {

// out[ctaid * ntid + tid] = scale * in[...]; parameters as in the packed layout: pointers, an f32, an i64.
const char *const scalePtx = R"(
.version 7.0
.target sm_80
.address_size 64
.extern .shared .align 16 .b8 memory[];
.visible .entry scale(.param .u64 out, .param .u64 in, .param .f32 factor, .param .u64 count) {
  .reg .pred %p;
  .reg .b32 %r<5>;
  .reg .f32 %f<3>;
  .reg .b64 %a<7>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  cvt.u64.u32 %a1, %r4;
  ld.param.u64 %a2, [count];
  setp.ge.u64 %p, %a1, %a2;
  @%p ret;
  ld.param.u64 %a3, [out];
  ld.param.u64 %a4, [in];
  ld.param.f32 %f1, [factor];
  cvta.to.global.u64 %a3, %a3;
  cvta.to.global.u64 %a4, %a4;
  shl.b64 %a5, %a1, 2;
  add.u64 %a6, %a4, %a5;
  ld.global.f32 %f2, [%a6];
  mul.rn.f32 %f2, %f2, %f1;
  add.u64 %a6, %a3, %a5;
  st.global.f32 [%a6], %f2;
  ret;
}
)";

struct Arguments {
  CuDevicePtr out, in;
  float factor;
  float padding = 0;
  int64_t count;
};

class CudaTest : public ::testing::Test {
protected:
  void SetUp() override {
    if (std::string missing = cudaMissing(); !missing.empty())
      GTEST_SKIP() << missing;
  }
};

TEST(Cuda, MissingDriverIsASentence) {
  std::string missing = cudaMissing();
  if (missing.empty())
    GTEST_SKIP() << "there is a CUDA device";
  EXPECT_EQ(deviceCount(), 0);
  try {
    cuda();
    FAIL();
  } catch (const CudaError &error) {
    EXPECT_EQ(error.what(), missing);
  }
}

TEST_F(CudaTest, Devices) {
  ASSERT_GT(deviceCount(), 0);
  EXPECT_GE(driverVersion(), 11000);
  DeviceInfo info = deviceInfo(0);
  EXPECT_NE(info.name, "");
  EXPECT_GE(info.major, 7);
  EXPECT_GT(info.multiprocessors, 0);
  EXPECT_GE(info.sharedPerMultiprocessor, info.sharedPerBlock);
}

TEST_F(CudaTest, ContextScopeLeavesWhatItFound) {
  std::thread([] {
    EXPECT_EQ(currentDevice(), -1);
    {
      ContextScope scope(0);
      EXPECT_EQ(currentDevice(), 0);
      ContextScope inner;
      EXPECT_EQ(currentDevice(), 0);
    }
    EXPECT_EQ(currentDevice(), -1);
  }).join();
}

TEST_F(CudaTest, LaunchesFromPackedArguments) {
  ContextScope scope(0);
  CuStream stream = createStream();
  constexpr int64_t count = 1000;
  std::vector<float> in(count), out(count, -1.0f);
  for (int64_t i = 0; i < count; ++i)
    in[i] = static_cast<float>(i);
  CuDevicePtr deviceIn = allocate(count * 4, stream), deviceOut = allocate(count * 4, stream);
  EXPECT_EQ(deviceOfPointer(deviceIn), 0);
  EXPECT_EQ(deviceOfPointer(reinterpret_cast<uintptr_t>(in.data())), -1);
  copyToDevice(deviceIn, in.data(), count * 4, stream);
  fillBytes(deviceOut, 0, count * 4, stream);

  CudaModule module(scalePtx);
  Arguments arguments{deviceOut, deviceIn, 0.5f, 0, count};
  LaunchShape shape{.chunks = 2, .slices = 1, .tiles = 16, .warps = 4};
  EXPECT_EQ(shape.blocks(), 8);
  CuEvent before = createEvent(), after = createEvent();
  recordEvent(before, stream);
  launchOnDevice(module, "scale", shape, 100 * 1024, &arguments, sizeof arguments, stream, false);
  if (deviceInfo(0).major >= 9)
    launchOnDevice(module, "scale", shape, 0, &arguments, sizeof arguments, stream, true);
  recordEvent(after, stream);
  EXPECT_FALSE(isCapturing(stream));
  copyToHost(out.data(), deviceOut, count * 4, stream);
  synchronizeStream(stream);
  for (int64_t i = 0; i < count; ++i)
    EXPECT_EQ(out[i], 0.5f * in[i]);
  EXPECT_GE(elapsedMilliseconds(before, after), 0.0f);
  EXPECT_GT(module.registers("scale"), 0);
  EXPECT_EQ(module.localBytes("scale"), 0);
  release(deviceIn, stream);
  release(deviceOut, stream);
  destroyEvent(before);
  destroyEvent(after);
  destroyStream(stream);
}

TEST_F(CudaTest, NoWorkLaunchesNothing) {
  CudaModule module("this is not a kernel");
  launchOnDevice(module, "scale", LaunchShape{.chunks = 0, .tiles = 8, .warps = 8}, 0, nullptr, 0, nullptr, false);
}

std::string sentence(const std::function<void()> &body) {
  try {
    body();
  } catch (const CudaError &error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST_F(CudaTest, FailuresAreSentences) {
  ContextScope scope(0);
  CudaModule broken(".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry scale() { nonsense; }\n");
  EXPECT_NE(sentence([&] { broken.function("scale"); }).find("the driver cannot load the kernel (ptxas"),
            std::string::npos)
      << sentence([&] { broken.function("scale"); });
  CudaModule module(scalePtx);
  EXPECT_NE(sentence([&] { module.function("other"); }).find("no kernel other: "), std::string::npos);
  EXPECT_NE(sentence([&] { module.function("scale", 1 << 30); }).find("cannot give scale 1073741824 bytes"),
            std::string::npos);
  EXPECT_EQ(sentence([&] {
              launchOnDevice(module, "scale", LaunchShape{.chunks = 1, .tiles = 6, .warps = 4}, 0, nullptr, 0, nullptr,
                             false);
            }),
            "expected a multiple of 4 tiles (a CTA's warps have one each), got 6");
  EXPECT_NE(sentence([&] { allocate(size_t(1) << 50, nullptr); }).find("cannot allocate 1125899906842624 bytes"),
            std::string::npos);
}

} // namespace
