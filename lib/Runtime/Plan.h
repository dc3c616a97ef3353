// A launch recorded as plain bytes and issued again from C, step by step: the steps differ by a few 8-byte arguments.
#ifndef SDM_LIB_RUNTIME_PLAN_H
#define SDM_LIB_RUNTIME_PLAN_H

#include "lib/Runtime/CudaApi.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sdm::runtime {

/// An 8-byte argument that each step changes: `first` at step 0 (as recorded in the arguments), `step` more each time.
struct PlanPatch {
  int64_t offset = 0;
  int64_t first = 0;
  int64_t step = 0;
};

struct Plan {
  int32_t device = -1;       ///< -1: the CPU
  bool programmatic = false; ///< whether the kernel can start before the stream's previous one is done
  uint64_t context = 0;      ///< id of the context that `function` is of
  uint64_t function = 0;     ///< the driver's handle, or the address of a host entry
  int64_t steps = 0;         ///< steps 0 .. steps - 1 can be launched
  int64_t units = 0;         ///< CTAs, or units of work on the CPU; 0: nothing to launch
  uint32_t threads = 0, dynamicShared = 0;
  std::vector<PlanPatch> patches;
  std::string arguments; ///< of step 0, at most `mostPlanArguments` bytes
};

inline constexpr size_t mostPlanArguments = 4096;
inline constexpr size_t mostPlanPatches = 64;

/// What a launch of a plan answers, unless it is 0 or the driver's error (a positive number).
enum PlanStatus : int64_t {
  planNotAPlan = -1,
  planStepOutOfRange = -2,
  planOtherDevice = -5,   ///< another device is current, or another context of it than the one that was recorded
  planOtherArgument = -7, ///< a recorded argument is not what it should be
  planFailed = -8,        ///< the launch failed without an error of the driver's
};

/// The bytes of a plan: the host's byte order, no alignment asked of them, valid in this process alone.
std::string serialise(const Plan &plan);

/// How plans reach a device; tests put their own in its place.
struct PlanDriver {
  /// The current device and the id of its context; false where there is none.
  bool (*current)(int &device, uint64_t &context);
  CuResult (*launch)(uint64_t function, int64_t blocks, unsigned threads, unsigned dynamicShared, const void *arguments,
                     size_t bytes, void *stream, bool programmatic);
};
const PlanDriver &cudaPlanDriver();

/// Launches step `ti`. Checks, in this order: a plan, a step of it, something to launch, the device, the arguments. The
/// bytes are only read, so any number of threads may share them. On the CPU it returns when the work is done.
int64_t launchPlan(const void *plan, int64_t bytes, int64_t ti, bool programmatic, void *stream,
                   const PlanDriver &driver = cudaPlanDriver());

} // namespace sdm::runtime

/// The same for C callers by address.
extern "C" int64_t sdm_plan_launch(const void *plan, int64_t bytes, int64_t ti, int64_t pdl, void *stream) noexcept;

#endif // SDM_LIB_RUNTIME_PLAN_H
