// The part of the CUDA driver API that the runtime calls, declared here so that the build needs no toolkit.
#ifndef SDM_LIB_RUNTIME_CUDAAPI_H
#define SDM_LIB_RUNTIME_CUDAAPI_H

#include <cstddef>
#include <cstdint>

namespace sdm::runtime {

using CuResult = int;
using CuDevice = int;
using CuDevicePtr = unsigned long long;
using CuContext = struct CuContextHandle *;
using CuModule = struct CuModuleHandle *;
using CuFunction = struct CuFunctionHandle *;
using CuStream = struct CuStreamHandle *;
using CuEvent = struct CuEventHandle *;

enum CuStatus : CuResult {
  cuSuccess = 0,
  cuErrorDeinitialized = 4,
  cuErrorNoDevice = 100,
  cuErrorNotFound = 500,
};

enum CuDeviceAttribute : int {
  cuDeviceMultiprocessorCount = 16,
  cuDeviceComputeCapabilityMajor = 75,
  cuDeviceComputeCapabilityMinor = 76,
  cuDeviceSharedPerMultiprocessor = 81,
  cuDeviceSharedPerBlockOptin = 97,
  cuDeviceMemoryPoolsSupported = 115,
};

enum CuFunctionAttribute : int {
  cuFunctionStaticShared = 1,
  cuFunctionLocalBytes = 3,
  cuFunctionRegisters = 4,
  cuFunctionMaxDynamicShared = 8,
};

enum CuPointerAttribute : int { cuPointerMemoryType = 2, cuPointerDeviceOrdinal = 9 };
inline constexpr unsigned cuMemoryTypeDevice = 2;

enum CuJitOption : int {
  cuJitInfoLog = 3,
  cuJitInfoLogBytes = 4,
  cuJitErrorLog = 5,
  cuJitErrorLogBytes = 6,
};

inline constexpr unsigned cuStreamNonBlocking = 1;

// Sentinels of the `extra` array of a launch.
inline void *const cuLaunchParamEnd = nullptr;
inline void *const cuLaunchParamBuffer = reinterpret_cast<void *>(1);
inline void *const cuLaunchParamBufferSize = reinterpret_cast<void *>(2);

inline constexpr int cuLaunchProgrammaticStreamSerialization = 6;

struct CuLaunchAttribute {
  int id;
  int reserved;
  union {
    char bytes[64];
    int programmaticStreamSerializationAllowed;
  } value;
};
static_assert(sizeof(CuLaunchAttribute) == 72);

struct CuLaunchConfig {
  unsigned gridX, gridY, gridZ;
  unsigned blockX, blockY, blockZ;
  unsigned sharedBytes;
  CuStream stream;
  CuLaunchAttribute *attributes;
  unsigned attributeCount;
};
static_assert(sizeof(CuLaunchConfig) == 56);

/// F(member, exported symbol, parameters): functions that every supported driver has.
#define SDM_CUDA_FUNCTIONS(F)                                                                                          \
  F(init, "cuInit", (unsigned))                                                                                        \
  F(driverGetVersion, "cuDriverGetVersion", (int *))                                                                   \
  F(getErrorName, "cuGetErrorName", (CuResult, const char **))                                                         \
  F(getErrorString, "cuGetErrorString", (CuResult, const char **))                                                     \
  F(deviceGetCount, "cuDeviceGetCount", (int *))                                                                       \
  F(deviceGet, "cuDeviceGet", (CuDevice *, int))                                                                       \
  F(deviceGetName, "cuDeviceGetName", (char *, int, CuDevice))                                                         \
  F(deviceGetAttribute, "cuDeviceGetAttribute", (int *, int, CuDevice))                                                \
  F(primaryContextRetain, "cuDevicePrimaryCtxRetain", (CuContext *, CuDevice))                                         \
  F(contextGetCurrent, "cuCtxGetCurrent", (CuContext *))                                                               \
  F(contextGetDevice, "cuCtxGetDevice", (CuDevice *))                                                                  \
  F(contextPush, "cuCtxPushCurrent_v2", (CuContext))                                                                   \
  F(contextPop, "cuCtxPopCurrent_v2", (CuContext *))                                                                   \
  F(contextSynchronize, "cuCtxSynchronize", ())                                                                        \
  F(moduleLoadDataEx, "cuModuleLoadDataEx", (CuModule *, const void *, unsigned, int *, void **))                      \
  F(moduleGetFunction, "cuModuleGetFunction", (CuFunction *, CuModule, const char *))                                  \
  F(functionSetAttribute, "cuFuncSetAttribute", (CuFunction, int, int))                                                \
  F(functionGetAttribute, "cuFuncGetAttribute", (int *, int, CuFunction))                                              \
  F(launchKernel, "cuLaunchKernel",                                                                                    \
    (CuFunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, CuStream, void **, void **))    \
  F(memoryAllocate, "cuMemAlloc_v2", (CuDevicePtr *, size_t))                                                          \
  F(memoryFree, "cuMemFree_v2", (CuDevicePtr))                                                                         \
  F(copyToDevice, "cuMemcpyHtoDAsync_v2", (CuDevicePtr, const void *, size_t, CuStream))                               \
  F(copyToHost, "cuMemcpyDtoHAsync_v2", (void *, CuDevicePtr, size_t, CuStream))                                       \
  F(copyOnDevice, "cuMemcpyDtoDAsync_v2", (CuDevicePtr, CuDevicePtr, size_t, CuStream))                                \
  F(fillBytes, "cuMemsetD8Async", (CuDevicePtr, unsigned char, size_t, CuStream))                                      \
  F(pointerGetAttribute, "cuPointerGetAttribute", (void *, int, CuDevicePtr))                                          \
  F(streamCreate, "cuStreamCreate", (CuStream *, unsigned))                                                            \
  F(streamDestroy, "cuStreamDestroy_v2", (CuStream))                                                                   \
  F(streamSynchronize, "cuStreamSynchronize", (CuStream))                                                              \
  F(streamWaitEvent, "cuStreamWaitEvent", (CuStream, CuEvent, unsigned))                                               \
  F(streamIsCapturing, "cuStreamIsCapturing", (CuStream, int *))                                                       \
  F(eventCreate, "cuEventCreate", (CuEvent *, unsigned))                                                               \
  F(eventRecord, "cuEventRecord", (CuEvent, CuStream))                                                                 \
  F(eventSynchronize, "cuEventSynchronize", (CuEvent))                                                                 \
  F(eventElapsedTime, "cuEventElapsedTime", (float *, CuEvent, CuEvent))                                               \
  F(eventDestroy, "cuEventDestroy_v2", (CuEvent))

/// Functions that newer drivers have; null elsewhere.
#define SDM_CUDA_NEWER_FUNCTIONS(F)                                                                                    \
  F(memoryAllocateAsync, "cuMemAllocAsync", (CuDevicePtr *, size_t, CuStream))                  /* 11.2 */             \
  F(memoryFreeAsync, "cuMemFreeAsync", (CuDevicePtr, CuStream))                                 /* 11.2 */             \
  F(launchKernelEx, "cuLaunchKernelEx", (const CuLaunchConfig *, CuFunction, void **, void **)) /* 11.8 */             \
  F(contextGetId, "cuCtxGetId", (CuContext, unsigned long long *))                              /* 12.0 */             \
  F(functionLoad, "cuFuncLoad", (CuFunction))                                                   /* 12.4 */

struct CudaApi {
#define SDM_DECLARE(member, symbol, parameters) CuResult(*member) parameters = nullptr;
  SDM_CUDA_FUNCTIONS(SDM_DECLARE)
  SDM_CUDA_NEWER_FUNCTIONS(SDM_DECLARE)
#undef SDM_DECLARE
};

} // namespace sdm::runtime

#endif // SDM_LIB_RUNTIME_CUDAAPI_H
