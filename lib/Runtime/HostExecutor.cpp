// A persistent pool of threads, a static split, and each thread's floating-point modes.
#include "lib/Runtime/HostExecutor.h"
#include "lib/Runtime/FloatModes.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sched.h>

namespace sdm::runtime {
namespace {

struct Job {
  HostEntry entry;
  const void *arguments;
  int64_t units;
  unsigned parts;
};

void runPart(const Job &job, unsigned part) {
  auto [begin, end] = splitUnits(job.units, job.parts, part);
  if (begin == end)
    return;
  ContractFloatModes modes;
  job.entry(job.arguments, begin, end);
}

/// Thread i of the pool runs part i + 1 of each job, the caller part 0.
class Pool {
public:
  void run(Job job) {
    {
      std::lock_guard lock(mutex);
      try {
        while (threads.size() + 1 < job.parts)
          threads.emplace_back(&Pool::work, this, static_cast<unsigned>(threads.size() + 1), generation);
      } catch (const std::system_error &) {
        // The system gives no more threads: go on with those there are.
        job.parts = static_cast<unsigned>(threads.size() + 1);
      }
      current = job;
      waiting = job.parts - 1;
      ++generation;
    }
    wake.notify_all();
    runPart(job, 0);
    std::unique_lock lock(mutex);
    done.wait(lock, [&] { return waiting == 0; });
  }

private:
  void work(unsigned part, uint64_t seen) {
    std::unique_lock lock(mutex);
    while (true) {
      wake.wait(lock, [&] { return generation != seen; });
      seen = generation;
      if (part >= current.parts)
        continue;
      Job job = current;
      lock.unlock();
      runPart(job, part);
      lock.lock();
      if (--waiting == 0)
        done.notify_one();
    }
  }

  std::mutex mutex;
  std::condition_variable wake, done;
  std::vector<std::thread> threads;
  Job current{};
  uint64_t generation = 0;
  unsigned waiting = 0;
};

// Neither is ever destroyed: threads still sleep in the pool when the process ends.
alignas(std::mutex) unsigned char turnStorage[sizeof(std::mutex)];
Pool *pool = nullptr;

std::mutex &turn() { return *std::launder(reinterpret_cast<std::mutex *>(turnStorage)); }

// Only the forking thread lives on in the child, so the pool and whoever held the turn are gone.
void startAfresh() {
  new (turnStorage) std::mutex;
  pool = nullptr;
}

void initialiseOnce() {
  static std::once_flag once;
  std::call_once(once, [] {
    startAfresh();
    pthread_atfork(nullptr, nullptr, startAfresh);
  });
}

} // namespace

unsigned hostThreads() {
  if (const char *set = std::getenv("SDM_NUM_THREADS")) {
    char *end = nullptr;
    long threads = std::strtol(set, &end, 10);
    if (end != set && *end == 0 && threads > 0)
      return static_cast<unsigned>(std::min(threads, 4096L));
  }
  cpu_set_t cpus;
  if (sched_getaffinity(0, sizeof cpus, &cpus) == 0)
    return static_cast<unsigned>(std::max(CPU_COUNT(&cpus), 1));
  return std::max(std::thread::hardware_concurrency(), 1u);
}

std::pair<int64_t, int64_t> splitUnits(int64_t units, unsigned parts, unsigned part) {
  int64_t each = units / parts, extra = units % parts, index = part;
  int64_t begin = each * index + std::min(index, extra);
  return {begin, begin + each + (index < extra ? 1 : 0)};
}

void runUnits(HostEntry entry, const void *arguments, int64_t units, unsigned threads) {
  if (units <= 0)
    return;
  if (threads == 0)
    threads = hostThreads();
  Job job{entry, arguments, units, static_cast<unsigned>(std::min<int64_t>(threads, units))};
  if (job.parts == 1)
    return runPart(job, 0);
  initialiseOnce();
  std::lock_guard lock(turn());
  if (!pool)
    pool = new Pool;
  pool->run(job);
}

} // namespace sdm::runtime
