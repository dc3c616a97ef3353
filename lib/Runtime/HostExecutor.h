// Runs a host kernel's units of work on all cores.
#ifndef SDM_LIB_RUNTIME_HOSTEXECUTOR_H
#define SDM_LIB_RUNTIME_HOSTEXECUTOR_H

#include <cstdint>
#include <utility>

namespace sdm::runtime {

/// A compiled kernel: runs units [begin, end) on packed arguments. Units write disjoint places, so any split gives the
/// same bits.
using HostEntry = void (*)(const void *arguments, int64_t begin, int64_t end);

/// Threads that take part: SDM_NUM_THREADS, else the CPUs that this process may run on.
unsigned hostThreads();

/// Part `part` of `parts` of units [0, units): contiguous, and sizes differ by at most one.
std::pair<int64_t, int64_t> splitUnits(int64_t units, unsigned parts, unsigned part);

/// Runs units [0, units) on `threads` threads (0: hostThreads()), the caller's among them, and returns when all are
/// done. The threads stay for the next call. Calls from several threads take turns; a forked child starts threads of
/// its own.
void runUnits(HostEntry entry, const void *arguments, int64_t units, unsigned threads = 0);

} // namespace sdm::runtime

#endif // SDM_LIB_RUNTIME_HOSTEXECUTOR_H
