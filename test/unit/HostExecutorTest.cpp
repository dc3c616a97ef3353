// Splitting units over threads, and the floating-point modes around a kernel.
#include "lib/Runtime/HostExecutor.h"
#include "lib/Runtime/FloatModes.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

using namespace sdm::runtime;

namespace {

void countUnits(const void *arguments, int64_t begin, int64_t end) {
  auto *counts = *static_cast<std::atomic<int> *const *>(arguments);
  for (int64_t unit = begin; unit < end; ++unit)
    ++counts[unit];
}

void expectEachOnce(int64_t units, unsigned threads) {
  std::vector<std::atomic<int>> counts(units);
  std::atomic<int> *pointer = counts.data();
  runUnits(countUnits, &pointer, units, threads);
  for (auto &count : counts)
    EXPECT_EQ(count.load(), 1);
}

TEST(HostExecutor, SplitsAreContiguousAndEven) {
  for (int64_t units : {0, 1, 5, 16, 1001})
    for (unsigned parts : {1u, 2u, 3u, 7u}) {
      int64_t next = 0;
      for (unsigned part = 0; part < parts; ++part) {
        auto [begin, end] = splitUnits(units, parts, part);
        EXPECT_EQ(begin, next);
        EXPECT_LE(end - begin, units / parts + 1);
        EXPECT_GE(end - begin, units / parts);
        next = end;
      }
      EXPECT_EQ(next, units);
    }
}

TEST(HostExecutor, RunsEachUnitOnce) {
  for (unsigned threads : {1u, 2u, 5u, 3u})
    for (int64_t units : {1, 2, 4, 1000})
      expectEachOnce(units, threads);
}

TEST(HostExecutor, NoUnitsRunNothing) {
  runUnits([](const void *, int64_t, int64_t) { FAIL(); }, nullptr, 0);
}

TEST(HostExecutor, CallersTakeTurns) {
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i)
    callers.emplace_back([] { expectEachOnce(100, 3); });
  for (std::thread &caller : callers)
    caller.join();
}

TEST(HostExecutor, ForkedChildHasThreadsOfItsOwn) {
  expectEachOnce(10, 3);
  pid_t child = fork();
  if (child == 0) {
    expectEachOnce(10, 3);
    _exit(::testing::Test::HasFailure());
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(HostExecutor, NumberOfThreads) {
  setenv("SDM_NUM_THREADS", "3", 1);
  EXPECT_EQ(hostThreads(), 3u);
  setenv("SDM_NUM_THREADS", "none", 1);
  EXPECT_GE(hostThreads(), 1u);
  unsetenv("SDM_NUM_THREADS");
}

TEST(HostExecutor, ModesAreSetAndRestored) {
#if defined(__x86_64__)
  const FloatModes flushing = contractModes | 0x8040; // FTZ and DAZ
#else
  const FloatModes flushing = contractModes | (1u << 24); // FZ
#endif
  FloatModes before = getFloatModes();
  setFloatModes(flushing);
  static std::atomic<int> wrong;
  wrong = 0;
  runUnits([](const void *, int64_t, int64_t) { wrong += getFloatModes() != contractModes; }, nullptr, 4, 4);
  EXPECT_EQ(wrong, 0);
#if defined(__x86_64__)
  const FloatModes control = 0xFFC0; // without the sticky exception flags
#else
  const FloatModes control = ~FloatModes(0);
#endif
  EXPECT_EQ(getFloatModes() & control, flushing & control);
  setFloatModes(before);
}

} // namespace
