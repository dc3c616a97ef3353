// Header, patches, arguments, one after the other; a launch patches a copy of the arguments on its stack.
#include "lib/Runtime/Plan.h"
#include "lib/Runtime/Launcher.h"

#include <array>
#include <cstring>
#include <stdexcept>

namespace sdm::runtime {
namespace {

// The last byte counts versions of the format.
constexpr std::array<char, 8> mark = {'s', 'd', 'm', 'p', 'l', 'a', 'n', '1'};

struct Header {
  std::array<char, 8> mark;
  int32_t device;
  uint32_t programmatic;
  uint64_t context, function;
  int64_t steps, units;
  uint32_t threads, dynamicShared;
  uint32_t patches, arguments; ///< a count, and bytes
};
static_assert(sizeof(Header) == 64 && std::is_trivially_copyable_v<Header>);
static_assert(sizeof(PlanPatch) == 24 && std::is_trivially_copyable_v<PlanPatch>);

bool isPlan(const Header &header, int64_t bytes) {
  return header.mark == mark && header.patches <= mostPlanPatches && header.arguments <= mostPlanArguments &&
         static_cast<uint64_t>(bytes) == sizeof(Header) + header.patches * sizeof(PlanPatch) + header.arguments;
}

/// The recorded value is compared first, so that a plan never writes where its arguments are laid out otherwise.
bool apply(const PlanPatch &patch, int64_t ti, char *arguments, size_t bytes) {
  if (patch.offset < 0 || patch.offset % 8 != 0 || static_cast<uint64_t>(patch.offset) + 8 > bytes)
    return false;
  int64_t found;
  std::memcpy(&found, arguments + patch.offset, sizeof found);
  if (found != patch.first)
    return false;
  // Addresses wrap: a base may lie before its array, where the first chunks are not there.
  uint64_t value = static_cast<uint64_t>(found) + static_cast<uint64_t>(ti) * static_cast<uint64_t>(patch.step);
  std::memcpy(arguments + patch.offset, &value, sizeof value);
  return true;
}

bool currentContext(int &device, uint64_t &context) {
  if (!cudaMissing().empty())
    return false;
  // Without a current context CUDA's own rule is device 0's primary one.
  ContextScope scope;
  device = currentDevice();
  context = currentContextId();
  return true;
}

CuResult launchRecorded(uint64_t function, int64_t blocks, unsigned threads, unsigned dynamicShared,
                        const void *arguments, size_t bytes, void *stream, bool programmatic) {
  ContextScope scope;
  return tryLaunch(reinterpret_cast<CuFunction>(function), blocks, threads, dynamicShared, arguments, bytes,
                   static_cast<CuStream>(stream), programmatic);
}

} // namespace

std::string serialise(const Plan &plan) {
  if (plan.arguments.size() > mostPlanArguments || plan.patches.size() > mostPlanPatches)
    throw std::length_error("expected at most " + std::to_string(mostPlanArguments) + " bytes of arguments and " +
                            std::to_string(mostPlanPatches) + " patches in a plan, got " +
                            std::to_string(plan.arguments.size()) + " and " + std::to_string(plan.patches.size()));
  Header header{mark,
                plan.device,
                plan.programmatic ? 1u : 0u,
                plan.context,
                plan.function,
                plan.steps,
                plan.units,
                plan.threads,
                plan.dynamicShared,
                static_cast<uint32_t>(plan.patches.size()),
                static_cast<uint32_t>(plan.arguments.size())};
  std::string bytes(reinterpret_cast<const char *>(&header), sizeof header);
  bytes.append(reinterpret_cast<const char *>(plan.patches.data()), plan.patches.size() * sizeof(PlanPatch));
  return bytes + plan.arguments;
}

const PlanDriver &cudaPlanDriver() {
  static const PlanDriver driver{currentContext, launchRecorded};
  return driver;
}

int64_t launchPlan(const void *plan, int64_t bytes, int64_t ti, bool programmatic, void *stream,
                   const PlanDriver &driver) {
  Header header;
  if (!plan || bytes < static_cast<int64_t>(sizeof header))
    return planNotAPlan;
  std::memcpy(&header, plan, sizeof header);
  if (!isPlan(header, bytes))
    return planNotAPlan;
  if (ti < 0 || ti >= header.steps)
    return planStepOutOfRange;
  if (header.units <= 0)
    return 0;
  if (header.device >= 0) {
    int device = -1;
    uint64_t context = 0;
    if (!driver.current(device, context) || device != header.device || context != header.context)
      return planOtherDevice;
  }
  alignas(16) std::array<char, mostPlanArguments> arguments;
  const char *patches = static_cast<const char *>(plan) + sizeof header;
  std::memcpy(arguments.data(), patches + header.patches * sizeof(PlanPatch), header.arguments);
  for (uint32_t number = 0; number < header.patches; ++number) {
    PlanPatch patch;
    std::memcpy(&patch, patches + number * sizeof patch, sizeof patch);
    if (!apply(patch, ti, arguments.data(), header.arguments))
      return planOtherArgument;
  }
  if (header.device < 0) {
    runUnits(reinterpret_cast<HostEntry>(header.function), arguments.data(), header.units);
    return 0;
  }
  return driver.launch(header.function, header.units, header.threads, header.dynamicShared, arguments.data(),
                       header.arguments, stream, programmatic && header.programmatic != 0);
}

} // namespace sdm::runtime

int64_t sdm_plan_launch(const void *plan, int64_t bytes, int64_t ti, int64_t pdl, void *stream) noexcept {
  using namespace sdm::runtime;
  try {
    return launchPlan(plan, bytes, ti, pdl != 0, stream);
  } catch (const CudaError &error) {
    return error.status ? error.status : static_cast<int64_t>(planFailed);
  } catch (...) {
    return planFailed;
  }
}
