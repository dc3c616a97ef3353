// libcuda by dlopen; devices, contexts, memory, streams and events.
#include "lib/Runtime/Cuda.h"

#include <array>
#include <map>
#include <mutex>

#include <dlfcn.h>

namespace sdm::runtime {
namespace {

struct Driver {
  CudaApi api;
  std::string missing;

  Driver() {
    // Never closed: the driver keeps threads and exit handlers of its own.
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      missing = "there is no CUDA driver here (libcuda.so.1 cannot be opened)";
      return;
    }
#define SDM_LOAD(member, symbol, parameters)                                                                           \
  api.member = reinterpret_cast<decltype(api.member)>(dlsym(library, symbol));
#define SDM_REQUIRE(member, symbol, parameters)                                                                        \
  if (!api.member && missing.empty())                                                                                  \
    missing = "the CUDA driver is too old: it has no " symbol;
    SDM_CUDA_FUNCTIONS(SDM_LOAD)
    SDM_CUDA_NEWER_FUNCTIONS(SDM_LOAD)
    SDM_CUDA_FUNCTIONS(SDM_REQUIRE)
#undef SDM_LOAD
#undef SDM_REQUIRE
    if (!missing.empty())
      return;
    int devices = 0;
    CuResult status = api.init(0);
    if (status == cuSuccess)
      status = api.deviceGetCount(&devices);
    const char *words = nullptr;
    if (status != cuSuccess && status != cuErrorNoDevice) {
      api.getErrorString(status, &words);
      missing = std::string("the CUDA driver does not start: ") + (words ? words : "unknown error");
    } else if (devices == 0) {
      missing = "the CUDA driver finds no GPU";
    }
  }
};

const Driver &driver() {
  static const Driver driver;
  return driver;
}

int attribute(int which, int device, const char *what) {
  int value = 0;
  check(cuda().deviceGetAttribute(&value, which, device), what);
  return value;
}

/// Retained once and for good, as frameworks do: releasing the last reference would tear the context down under others.
CuContext primaryContext(int device) {
  static std::mutex mutex;
  static std::map<int, CuContext> retained;
  std::lock_guard lock(mutex);
  CuContext &context = retained[device];
  if (!context) {
    CuDevice handle;
    check(cuda().deviceGet(&handle, device), "no CUDA device " + std::to_string(device));
    check(cuda().primaryContextRetain(&context, handle), "cannot start CUDA device " + std::to_string(device));
  }
  return context;
}

bool hasMemoryPools() {
  int device = currentDevice();
  return device >= 0 && cuda().memoryAllocateAsync && cuda().memoryFreeAsync &&
         attribute(cuDeviceMemoryPoolsSupported, device, "cannot ask the device for memory pools") != 0;
}

} // namespace

const CudaApi &cuda() {
  if (!driver().missing.empty())
    throw CudaError(driver().missing);
  return driver().api;
}

std::string cudaMissing() { return driver().missing; }

void check(CuResult status, const std::string &what) {
  if (status == cuSuccess)
    return;
  const char *name = nullptr, *words = nullptr;
  driver().api.getErrorName(status, &name);
  driver().api.getErrorString(status, &words);
  throw CudaError(what + ": " + (words ? words : "unknown error") + " (" +
                      (name ? name : "status " + std::to_string(status)) + ")",
                  status);
}

int driverVersion() {
  int version = 0;
  check(cuda().driverGetVersion(&version), "cannot ask for the driver's version");
  return version;
}

int deviceCount() {
  int devices = 0;
  if (driver().missing.empty())
    check(cuda().deviceGetCount(&devices), "cannot count CUDA devices");
  return devices;
}

DeviceInfo deviceInfo(int device) {
  const char *what = "cannot ask for a device's attributes";
  CuDevice handle;
  check(cuda().deviceGet(&handle, device), "no CUDA device " + std::to_string(device));
  std::array<char, 256> name{};
  check(cuda().deviceGetName(name.data(), name.size(), handle), what);
  return {name.data(),
          attribute(cuDeviceComputeCapabilityMajor, handle, what),
          attribute(cuDeviceComputeCapabilityMinor, handle, what),
          attribute(cuDeviceMultiprocessorCount, handle, what),
          attribute(cuDeviceSharedPerBlockOptin, handle, what),
          attribute(cuDeviceSharedPerMultiprocessor, handle, what),
          attribute(cuDeviceMemoryPoolsSupported, handle, what) != 0};
}

int currentDevice() {
  CuContext context = nullptr;
  CuDevice device = -1;
  if (cuda().contextGetCurrent(&context) != cuSuccess || !context || cuda().contextGetDevice(&device) != cuSuccess)
    return -1;
  return device;
}

uint64_t currentContextId() {
  CuContext context = nullptr;
  check(cuda().contextGetCurrent(&context), "cannot ask for the current context");
  if (!context)
    throw CudaError("expected a current CUDA context, got none");
  // A handle may be given again to a new context once the old one is destroyed; ids are not.
  unsigned long long id = 0;
  if (cuda().contextGetId && cuda().contextGetId(context, &id) == cuSuccess)
    return id;
  return reinterpret_cast<uintptr_t>(context);
}

int deviceOfPointer(CuDevicePtr pointer) {
  unsigned type = 0;
  int device = -1;
  if (cuda().pointerGetAttribute(&type, cuPointerMemoryType, pointer) != cuSuccess || type != cuMemoryTypeDevice ||
      cuda().pointerGetAttribute(&device, cuPointerDeviceOrdinal, pointer) != cuSuccess)
    return -1;
  return device;
}

ContextScope::ContextScope(int device) {
  int current = currentDevice();
  if (current >= 0 && (device < 0 || device == current))
    return;
  check(cuda().contextPush(primaryContext(device < 0 ? 0 : device)), "cannot make a context current");
  pushed = true;
}

ContextScope::~ContextScope() {
  CuContext popped;
  if (pushed)
    cuda().contextPop(&popped);
}

CuDevicePtr allocate(size_t bytes, CuStream stream) {
  CuDevicePtr pointer = 0;
  if (bytes == 0)
    return pointer;
  std::string what = "cannot allocate " + std::to_string(bytes) + " bytes on the device";
  if (hasMemoryPools())
    check(cuda().memoryAllocateAsync(&pointer, bytes, stream), what);
  else
    check(cuda().memoryAllocate(&pointer, bytes), what);
  return pointer;
}

void release(CuDevicePtr pointer, CuStream stream) {
  if (!pointer)
    return;
  if (hasMemoryPools())
    check(cuda().memoryFreeAsync(pointer, stream), "cannot free device memory");
  else
    check(cuda().memoryFree(pointer), "cannot free device memory");
}

void copyToDevice(CuDevicePtr to, const void *from, size_t bytes, CuStream stream) {
  if (bytes)
    check(cuda().copyToDevice(to, from, bytes, stream), "cannot copy to the device");
}

void copyToHost(void *to, CuDevicePtr from, size_t bytes, CuStream stream) {
  if (bytes)
    check(cuda().copyToHost(to, from, bytes, stream), "cannot copy from the device");
}

void copyOnDevice(CuDevicePtr to, CuDevicePtr from, size_t bytes, CuStream stream) {
  if (bytes)
    check(cuda().copyOnDevice(to, from, bytes, stream), "cannot copy on the device");
}

void fillBytes(CuDevicePtr to, unsigned char value, size_t bytes, CuStream stream) {
  if (bytes)
    check(cuda().fillBytes(to, value, bytes, stream), "cannot fill device memory");
}

CuStream createStream() {
  CuStream stream = nullptr;
  check(cuda().streamCreate(&stream, cuStreamNonBlocking), "cannot create a stream");
  return stream;
}

void destroyStream(CuStream stream) { check(cuda().streamDestroy(stream), "cannot destroy a stream"); }
void synchronizeStream(CuStream stream) { check(cuda().streamSynchronize(stream), "waiting for a stream failed"); }

bool isCapturing(CuStream stream) {
  int status = 0;
  check(cuda().streamIsCapturing(stream, &status), "cannot ask whether a stream captures");
  return status != 0;
}

CuEvent createEvent() {
  CuEvent event = nullptr;
  check(cuda().eventCreate(&event, 0), "cannot create an event");
  return event;
}

void recordEvent(CuEvent event, CuStream stream) { check(cuda().eventRecord(event, stream), "cannot record an event"); }

void waitForEvent(CuStream stream, CuEvent event) {
  check(cuda().streamWaitEvent(stream, event, 0), "cannot let a stream wait for an event");
}

void synchronizeEvent(CuEvent event) { check(cuda().eventSynchronize(event), "waiting for an event failed"); }

float elapsedMilliseconds(CuEvent from, CuEvent to) {
  float milliseconds = 0;
  check(cuda().eventElapsedTime(&milliseconds, from, to), "cannot read the time between two events");
  return milliseconds;
}

void destroyEvent(CuEvent event) { check(cuda().eventDestroy(event), "cannot destroy an event"); }

} // namespace sdm::runtime
