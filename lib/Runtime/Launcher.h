// The one launcher of all compiled kernels: numbers from a kernel's description in, a launch out; nothing is generated.
#ifndef SDM_LIB_RUNTIME_LAUNCHER_H
#define SDM_LIB_RUNTIME_LAUNCHER_H

#include "lib/Runtime/Cuda.h"
#include "lib/Runtime/HostExecutor.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace sdm::runtime {

/// What is launched: `tiles` tiles of each slice of each chunk.
struct LaunchShape {
  int64_t chunks = 0;
  int64_t slices = 1;
  int64_t tiles = 0; ///< of a chunk; a multiple of `warps` on the GPU, where a warp has one tile
  int64_t warps = 1; ///< of a CTA

  int64_t units() const { return chunks * slices * tiles; }
  int64_t blocks() const { return tiles / warps * slices * chunks; }
};

/// Launches on the current context's device; no work is a launch that does nothing. `programmatic` lets the kernel
/// start before the stream's previous one is done (the kernel waits itself).
void launchOnDevice(CudaModule &module, const std::string &entry, const LaunchShape &shape, unsigned dynamicShared,
                    const void *arguments, size_t bytes, CuStream stream, bool programmatic);

/// One call of the driver and its status, for callers who cannot take an exception; `blocks` within 1 .. 2^31 - 1.
CuResult tryLaunch(CuFunction function, int64_t blocks, unsigned threads, unsigned dynamicShared, const void *arguments,
                   size_t bytes, CuStream stream, bool programmatic);

/// The same as launchOnDevice with a function that is at hand and a given grid.
void launchFunction(CuFunction function, const std::string &entry, int64_t blocks, unsigned threads,
                    unsigned dynamicShared, const void *arguments, size_t bytes, CuStream stream, bool programmatic);

/// Runs on the CPU and returns when done.
void launchOnHost(HostEntry entry, const LaunchShape &shape, const void *arguments, unsigned threads = 0);

} // namespace sdm::runtime

#endif // SDM_LIB_RUNTIME_LAUNCHER_H
