// The CUDA driver for Python: devices, memory, streams, events. Pointers, streams and events are integers; every call
// names its device and needs no current context.
#include "python/src/Runtime.h"

#include "lib/Runtime/Cuda.h"

namespace sdm::python {
namespace {

using namespace sdm::runtime;
using NoGil = py::call_guard<py::gil_scoped_release>;

CuStream toStream(uintptr_t stream) { return reinterpret_cast<CuStream>(stream); }
CuEvent toEvent(uintptr_t event) { return reinterpret_cast<CuEvent>(event); }
template <typename T> uintptr_t toInteger(T *handle) { return reinterpret_cast<uintptr_t>(handle); }

void bindErrors(py::module_ &module) {
  PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::object> exception;
  exception.call_once_and_store_result([&] {
    return py::reinterpret_steal<py::object>(PyErr_NewExceptionWithDoc(
        "sdm._sdm.CudaError", "What the CUDA driver reported; see .status.", PyExc_RuntimeError, nullptr));
  });
  module.attr("CudaError") = exception.get_stored();
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer)
        std::rethrow_exception(pointer);
    } catch (CudaError &error) {
      py::object type = exception.get_stored();
      py::object instance = type(py::str(error.what()));
      instance.attr("status") = static_cast<int>(error.status);
      PyErr_SetObject(type.ptr(), instance.ptr());
    }
  });
}

void bindDevices(py::module_ &module) {
  module.def("cuda_missing", &cudaMissing, NoGil());
  module.def("driver_version", &driverVersion);
  module.def("device_count", &deviceCount);
  module.def("current_device", &currentDevice);
  module.def("device_of_pointer", &deviceOfPointer, py::arg("pointer"));
  module.def(
      "device_info",
      [](int device) {
        DeviceInfo info = deviceInfo(device);
        py::dict out;
        out["name"] = info.name;
        out["major"] = info.major;
        out["minor"] = info.minor;
        out["multiprocessors"] = info.multiprocessors;
        out["shared_per_block"] = info.sharedPerBlock;
        out["shared_per_multiprocessor"] = info.sharedPerMultiprocessor;
        out["memory_pools"] = info.memoryPools;
        return out;
      },
      py::arg("device") = 0);
}

void bindMemory(py::module_ &module) {
  module.def(
      "cuda_allocate",
      [](int device, size_t bytes, uintptr_t stream) {
        ContextScope scope(device);
        return allocate(bytes, toStream(stream));
      },
      py::arg("device"), py::arg("bytes"), py::arg("stream") = 0, NoGil());
  module.def(
      "cuda_release",
      [](int device, CuDevicePtr pointer, uintptr_t stream) {
        ContextScope scope(device);
        release(pointer, toStream(stream));
      },
      py::arg("device"), py::arg("pointer"), py::arg("stream") = 0, NoGil());
  // Host memory by address: the caller keeps the array alive until the stream has passed the copy.
  module.def(
      "cuda_copy_to_device",
      [](int device, CuDevicePtr to, uintptr_t from, size_t bytes, uintptr_t stream) {
        ContextScope scope(device);
        copyToDevice(to, reinterpret_cast<const void *>(from), bytes, toStream(stream));
      },
      py::arg("device"), py::arg("to"), py::arg("source"), py::arg("bytes"), py::arg("stream") = 0, NoGil());
  module.def(
      "cuda_copy_to_host",
      [](int device, uintptr_t to, CuDevicePtr from, size_t bytes, uintptr_t stream) {
        ContextScope scope(device);
        copyToHost(reinterpret_cast<void *>(to), from, bytes, toStream(stream));
      },
      py::arg("device"), py::arg("to"), py::arg("source"), py::arg("bytes"), py::arg("stream") = 0, NoGil());
  module.def(
      "cuda_fill_bytes",
      [](int device, CuDevicePtr to, unsigned char value, size_t bytes, uintptr_t stream) {
        ContextScope scope(device);
        fillBytes(to, value, bytes, toStream(stream));
      },
      py::arg("device"), py::arg("to"), py::arg("value"), py::arg("bytes"), py::arg("stream") = 0, NoGil());
}

void bindStreams(py::module_ &module) {
  module.def(
      "cuda_synchronize",
      [](int device, uintptr_t stream) {
        ContextScope scope(device);
        synchronizeStream(toStream(stream));
      },
      py::arg("device"), py::arg("stream") = 0, NoGil());
  module.def(
      "cuda_capturing",
      [](int device, uintptr_t stream) {
        ContextScope scope(device);
        return isCapturing(toStream(stream));
      },
      py::arg("device"), py::arg("stream"));
  module.def(
      "cuda_event",
      [](int device) {
        ContextScope scope(device);
        return toInteger(createEvent());
      },
      py::arg("device"));
  module.def(
      "cuda_record",
      [](int device, uintptr_t event, uintptr_t stream) {
        ContextScope scope(device);
        recordEvent(toEvent(event), toStream(stream));
      },
      py::arg("device"), py::arg("event"), py::arg("stream") = 0);
  // The stream waits, not the caller.
  module.def(
      "cuda_wait",
      [](int device, uintptr_t stream, uintptr_t event) {
        ContextScope scope(device);
        waitForEvent(toStream(stream), toEvent(event));
      },
      py::arg("device"), py::arg("stream"), py::arg("event"));
  module.def(
      "cuda_destroy_event",
      [](int device, uintptr_t event) {
        ContextScope scope(device);
        destroyEvent(toEvent(event));
      },
      py::arg("device"), py::arg("event"));
  // Waits for the later event.
  module.def(
      "cuda_elapsed_ms",
      [](int device, uintptr_t from, uintptr_t to) {
        ContextScope scope(device);
        synchronizeEvent(toEvent(to));
        return elapsedMilliseconds(toEvent(from), toEvent(to));
      },
      py::arg("device"), py::arg("start"), py::arg("end"), NoGil());
}

} // namespace

void bindCuda(py::module_ &module) {
  bindErrors(module);
  bindDevices(module);
  bindMemory(module);
  bindStreams(module);
}

} // namespace sdm::python
