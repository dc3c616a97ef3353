// Plans: the bytes, the order of the checks, what a step changes; a device that only notes what it is asked for.
#include "lib/Runtime/Plan.h"
#include "lib/Runtime/HostExecutor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

using namespace sdm::runtime;

namespace {

struct Launched {
  uint64_t function;
  int64_t blocks;
  unsigned threads, dynamicShared;
  std::vector<int64_t> arguments;
  void *stream;
  bool programmatic;
};

std::vector<Launched> launched;
int asked = 0;
int currentDevice = 3;
uint64_t currentContext = 77;
CuResult answer = cuSuccess;

const PlanDriver fake{[](int &device, uint64_t &context) {
                        ++asked;
                        device = currentDevice;
                        context = currentContext;
                        return currentDevice >= 0;
                      },
                      [](uint64_t function, int64_t blocks, unsigned threads, unsigned dynamicShared,
                         const void *arguments, size_t bytes, void *stream, bool programmatic) {
                        std::vector<int64_t> values(bytes / 8);
                        std::memcpy(values.data(), arguments, values.size() * 8);
                        launched.push_back(
                            {function, blocks, threads, dynamicShared, std::move(values), stream, programmatic});
                        return answer;
                      }};

std::string bytesOf(const std::vector<int64_t> &values) {
  return std::string(reinterpret_cast<const char *>(values.data()), values.size() * 8);
}

Plan samplePlan() {
  Plan plan;
  plan.device = 3;
  plan.programmatic = true;
  plan.context = 77;
  plan.function = 4711;
  plan.steps = 5;
  plan.units = 12;
  plan.threads = 256;
  plan.dynamicShared = 65536;
  plan.patches = {{8, 100, 2}, {24, -4096, -512}};
  plan.arguments = bytesOf({1, 100, 3, -4096});
  return plan;
}

class PlanTest : public ::testing::Test {
protected:
  void SetUp() override {
    launched.clear();
    asked = 0;
    currentDevice = 3;
    currentContext = 77;
    answer = cuSuccess;
  }

  int64_t launch(const std::string &bytes, int64_t ti, bool programmatic = false) {
    return launchPlan(bytes.data(), static_cast<int64_t>(bytes.size()), ti, programmatic, &stream, fake);
  }

  int stream = 0;
};

TEST_F(PlanTest, LaunchesWithTheStepsArguments) {
  std::string bytes = serialise(samplePlan()), before = bytes;
  for (int64_t ti : {4, 0})
    EXPECT_EQ(launch(bytes, ti, ti == 4), 0);
  EXPECT_EQ(bytes, before);
  ASSERT_EQ(launched.size(), 2u);
  EXPECT_EQ(launched[0].function, 4711u);
  EXPECT_EQ(launched[0].blocks, 12);
  EXPECT_EQ(launched[0].threads, 256u);
  EXPECT_EQ(launched[0].dynamicShared, 65536u);
  EXPECT_EQ(launched[0].stream, &stream);
  EXPECT_TRUE(launched[0].programmatic);
  EXPECT_FALSE(launched[1].programmatic);
  EXPECT_EQ(launched[0].arguments, (std::vector<int64_t>{1, 108, 3, -4096 - 4 * 512}));
  EXPECT_EQ(launched[1].arguments, (std::vector<int64_t>{1, 100, 3, -4096}));
}

TEST_F(PlanTest, KernelsThatCannotStartEarlyNeverDo) {
  Plan plan = samplePlan();
  plan.programmatic = false;
  EXPECT_EQ(launch(serialise(plan), 1, true), 0);
  EXPECT_FALSE(launched.at(0).programmatic);
}

TEST_F(PlanTest, AddressesWrap) {
  Plan plan = samplePlan();
  plan.patches = {{0, INT64_MAX, 1}};
  plan.arguments = bytesOf({INT64_MAX});
  EXPECT_EQ(launch(serialise(plan), 1), 0);
  EXPECT_EQ(launched.at(0).arguments, std::vector<int64_t>{INT64_MIN});
}

TEST_F(PlanTest, NeedsNoAlignment) {
  std::string bytes = "x" + serialise(samplePlan());
  EXPECT_EQ(launchPlan(bytes.data() + 1, static_cast<int64_t>(bytes.size()) - 1, 2, false, nullptr, fake), 0);
  EXPECT_EQ(launched.at(0).arguments[1], 104);
}

TEST_F(PlanTest, OtherBytesAreNoPlan) {
  std::string bytes = serialise(samplePlan());
  EXPECT_EQ(launchPlan(nullptr, 200, 0, false, nullptr, fake), planNotAPlan);
  EXPECT_EQ(launch("", 0), planNotAPlan);
  EXPECT_EQ(launch(std::string(bytes.size(), '\0'), 0), planNotAPlan);
  EXPECT_EQ(launchPlan(bytes.data(), -1, 0, false, nullptr, fake), planNotAPlan);
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_EQ(launch(bytes.substr(0, size), 0), planNotAPlan) << size;
  EXPECT_EQ(launch(bytes + '\0', 0), planNotAPlan);
  // The counts in the header say how long the rest is: none of their bytes can be another.
  for (size_t position = 56; position < 64; ++position) {
    std::string other = bytes;
    other[position] ^= 1;
    EXPECT_EQ(launch(other, 0), planNotAPlan) << position;
  }
  EXPECT_TRUE(launched.empty());
  EXPECT_EQ(asked, 0);
}

TEST_F(PlanTest, StepsOutOfRange) {
  std::string bytes = serialise(samplePlan());
  for (int64_t ti : {int64_t(-1), int64_t(5), INT64_MIN, INT64_MAX})
    EXPECT_EQ(launch(bytes, ti), planStepOutOfRange);
  EXPECT_TRUE(launched.empty());
}

TEST_F(PlanTest, AnotherDevice) {
  std::string bytes = serialise(samplePlan());
  for (int device : {-1, 0, 4}) {
    currentDevice = device;
    EXPECT_EQ(launch(bytes, 0), planOtherDevice);
  }
  currentDevice = 3;
  currentContext = 78;
  EXPECT_EQ(launch(bytes, 0), planOtherDevice);
  EXPECT_TRUE(launched.empty());
}

TEST_F(PlanTest, ArgumentsThatAreNotAsRecorded) {
  for (PlanPatch patch : {PlanPatch{8, 101, 2}, PlanPatch{-8, 0, 0}, PlanPatch{32, 0, 0}, PlanPatch{4, 0, 0},
                          PlanPatch{INT64_MAX - 7, 0, 0}}) {
    Plan plan = samplePlan();
    plan.patches.push_back(patch);
    EXPECT_EQ(launch(serialise(plan), 0), planOtherArgument) << patch.offset;
  }
  EXPECT_TRUE(launched.empty());
}

// Each plan fails this check and all that come after it.
TEST_F(PlanTest, TheChecksHaveAnOrder) {
  Plan plan = samplePlan();
  plan.patches[0].first = 7;
  EXPECT_EQ(launch(serialise(plan), 0), planOtherArgument);
  plan.device = 0;
  EXPECT_EQ(launch(serialise(plan), 0), planOtherDevice);
  plan.units = 0;
  EXPECT_EQ(launch(serialise(plan), 0), 0);
  EXPECT_EQ(launch(serialise(plan), 5), planStepOutOfRange);
  EXPECT_EQ(launch("?" + serialise(plan), 5), planNotAPlan);
  EXPECT_TRUE(launched.empty());
}

TEST_F(PlanTest, TheDriversErrorComesBack) {
  answer = 719;
  EXPECT_EQ(launch(serialise(samplePlan()), 0), 719);
}

TEST_F(PlanTest, TooLargeForAPlan) {
  Plan plan = samplePlan();
  plan.arguments.resize(mostPlanArguments + 1);
  EXPECT_THROW(serialise(plan), std::length_error);
  plan.arguments.resize(mostPlanArguments);
  plan.patches.resize(mostPlanPatches + 1);
  EXPECT_THROW(serialise(plan), std::length_error);
}

struct HostArguments {
  std::atomic<int64_t> *sum;
  int64_t step;
};

void addUnits(const void *arguments, int64_t begin, int64_t end) {
  HostArguments given;
  std::memcpy(&given, arguments, sizeof given);
  for (int64_t unit = begin; unit < end; ++unit)
    given.sum->fetch_add(given.step * 1000 + unit);
}

TEST_F(PlanTest, OnTheCpuByAddressFromManyThreads) {
  std::atomic<int64_t> sum = 0;
  Plan plan;
  plan.function = reinterpret_cast<uintptr_t>(&addUnits);
  plan.steps = 3;
  plan.units = 10;
  plan.patches = {{8, 1, 1}};
  plan.arguments = bytesOf({static_cast<int64_t>(reinterpret_cast<intptr_t>(&sum)), 1});
  const std::string bytes = serialise(plan);
  std::vector<std::thread> threads;
  for (int number = 0; number < 4; ++number)
    threads.emplace_back([&] {
      for (int64_t ti = 2; ti >= 0; --ti)
        EXPECT_EQ(sdm_plan_launch(bytes.data(), static_cast<int64_t>(bytes.size()), ti, 1, nullptr), 0);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(sum, 4 * ((1 + 2 + 3) * 1000 * 10 + 3 * 45));
  EXPECT_EQ(sdm_plan_launch(bytes.data(), static_cast<int64_t>(bytes.size()), 3, 0, nullptr), planStepOutOfRange);
}

} // namespace
