// Grid from shape, arguments as one buffer, the programmatic attribute.
#include "lib/Runtime/Launcher.h"

#include <limits>

namespace sdm::runtime {

CuResult tryLaunch(CuFunction function, int64_t blocks, unsigned threads, unsigned dynamicShared, const void *arguments,
                   size_t bytes, CuStream stream, bool programmatic) {
  void *extra[] = {cuLaunchParamBuffer, const_cast<void *>(arguments), cuLaunchParamBufferSize, &bytes,
                   cuLaunchParamEnd};
  unsigned grid = static_cast<unsigned>(blocks);
  if (!cuda().launchKernelEx)
    return cuda().launchKernel(function, grid, 1, 1, threads, 1, 1, dynamicShared, stream, nullptr, extra);
  CuLaunchAttribute attribute{};
  attribute.id = cuLaunchProgrammaticStreamSerialization;
  attribute.value.programmaticStreamSerializationAllowed = 1;
  CuLaunchConfig config{grid, 1, 1, threads, 1, 1, dynamicShared, stream, &attribute, programmatic ? 1u : 0u};
  return cuda().launchKernelEx(&config, function, nullptr, extra);
}

void launchFunction(CuFunction function, const std::string &entry, int64_t blocks, unsigned threads,
                    unsigned dynamicShared, const void *arguments, size_t bytes, CuStream stream, bool programmatic) {
  if (blocks <= 0)
    return;
  if (blocks > std::numeric_limits<int32_t>::max())
    throw CudaError("expected at most 2147483647 CTAs (the driver's limit), got " + std::to_string(blocks) + " for " +
                    entry);
  CuResult status = tryLaunch(function, blocks, threads, dynamicShared, arguments, bytes, stream, programmatic);
  if (status != cuSuccess)
    check(status, "cannot launch " + entry + " on " + std::to_string(blocks) + " CTAs of " + std::to_string(threads) +
                      " threads with " + std::to_string(dynamicShared) + " bytes of shared memory");
}

void launchOnDevice(CudaModule &module, const std::string &entry, const LaunchShape &shape, unsigned dynamicShared,
                    const void *arguments, size_t bytes, CuStream stream, bool programmatic) {
  if (shape.units() <= 0)
    return;
  if (shape.tiles % shape.warps != 0)
    throw CudaError("expected a multiple of " + std::to_string(shape.warps) +
                    " tiles (a CTA's warps have one each), got " + std::to_string(shape.tiles));
  launchFunction(module.function(entry, dynamicShared), entry, shape.blocks(), static_cast<unsigned>(shape.warps * 32),
                 dynamicShared, arguments, bytes, stream, programmatic);
}

void launchOnHost(HostEntry entry, const LaunchShape &shape, const void *arguments, unsigned threads) {
  runUnits(entry, arguments, shape.units(), threads);
}

} // namespace sdm::runtime
