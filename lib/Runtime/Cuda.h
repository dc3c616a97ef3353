// The CUDA driver, opened at run time: devices, contexts, modules, memory, streams, events. Nothing here waits for the
// device but what says so by its name.
#ifndef SDM_LIB_RUNTIME_CUDA_H
#define SDM_LIB_RUNTIME_CUDA_H

#include "lib/Runtime/CudaApi.h"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

namespace sdm::runtime {

/// Every failure of this room is one of these: a sentence, and the driver's status where it has one.
struct CudaError : std::runtime_error {
  CudaError(const std::string &sentence, CuResult status = 0) : std::runtime_error(sentence), status(status) {}
  CuResult status;
};

/// The driver; throws when there is none.
const CudaApi &cuda();
/// Why there is no CUDA here, in a sentence; empty when there is.
std::string cudaMissing();
/// Turns a status into a sentence: "<what>: <driver's words> (CUDA_ERROR_...)".
void check(CuResult status, const std::string &what);

int driverVersion(); ///< 13000 is 13.0
int deviceCount();   ///< 0 without a driver

struct DeviceInfo {
  std::string name;
  int major, minor;
  int multiprocessors;
  int sharedPerBlock, sharedPerMultiprocessor;
  bool memoryPools;
};
DeviceInfo deviceInfo(int device);

/// The device of the thread's current context, or -1.
int currentDevice();
/// A number that the thread's current context alone ever has; throws when no context is current.
uint64_t currentContextId();
/// The device that holds an address, or -1 when it is no device memory.
int deviceOfPointer(CuDevicePtr pointer);

/// Makes a context of the device current while it lives: the current one when it is of that device (any: torch's, a
/// user's own), else the device's primary one. `device` -1: the current context's, or device 0.
class ContextScope {
public:
  explicit ContextScope(int device = -1);
  ~ContextScope();
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;

private:
  bool pushed = false;
};

/// Machine code (a cubin) or PTX, loaded once in each context that launches it. Never unloaded: unloading may wait for
/// the device, and kernels live as long as the process.
class CudaModule {
public:
  explicit CudaModule(std::string image);
  ~CudaModule();

  /// The kernel in the current context, ready to launch with that much dynamic shared memory; loads at the first call
  /// in a context (so not within a capture).
  CuFunction function(const std::string &entry, unsigned dynamicShared = 0);
  /// Registers and local bytes of a kernel in the current context.
  int registers(const std::string &entry);
  int localBytes(const std::string &entry);

private:
  struct State;
  std::unique_ptr<State> state;
};

// Memory of the current context, in the order of a stream where the device has memory pools.
CuDevicePtr allocate(size_t bytes, CuStream stream);
void release(CuDevicePtr pointer, CuStream stream);
void copyToDevice(CuDevicePtr to, const void *from, size_t bytes, CuStream stream);
void copyToHost(void *to, CuDevicePtr from, size_t bytes, CuStream stream);
void copyOnDevice(CuDevicePtr to, CuDevicePtr from, size_t bytes, CuStream stream);
void fillBytes(CuDevicePtr to, unsigned char value, size_t bytes, CuStream stream);

CuStream createStream();
void destroyStream(CuStream stream);
void synchronizeStream(CuStream stream);
bool isCapturing(CuStream stream);

CuEvent createEvent();
void recordEvent(CuEvent event, CuStream stream);
void waitForEvent(CuStream stream, CuEvent event); ///< the stream waits, not the caller
void synchronizeEvent(CuEvent event);
float elapsedMilliseconds(CuEvent from, CuEvent to);
void destroyEvent(CuEvent event);

} // namespace sdm::runtime

#endif // SDM_LIB_RUNTIME_CUDA_H
