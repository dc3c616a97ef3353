// The CUDA driver for Python: devices, contexts, modules, memory, streams, events. Pointers, streams and events are integers.
#include "python/src/Runtime.h"

#include "lib/Runtime/Cuda.h"

#include <optional>

namespace sdm::python {
namespace {

using namespace sdm::runtime;
using NoGil = py::call_guard<py::gil_scoped_release>;

CuStream toStream(uintptr_t stream) { return reinterpret_cast<CuStream>(stream); }
CuEvent toEvent(uintptr_t event) { return reinterpret_cast<CuEvent>(event); }
template <typename T>
uintptr_t toInteger(T *handle) { return reinterpret_cast<uintptr_t>(handle); }

/// `with DeviceScope(device):` around calls that need a current context.
struct DeviceScope {
  explicit DeviceScope(int device) : device(device) {}
  int device;
  std::optional<ContextScope> scope;
};

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
  py::class_<DeviceInfo>(module, "DeviceInfo")
      .def_readonly("name", &DeviceInfo::name)
      .def_readonly("major", &DeviceInfo::major)
      .def_readonly("minor", &DeviceInfo::minor)
      .def_readonly("multiprocessors", &DeviceInfo::multiprocessors)
      .def_readonly("shared_per_block", &DeviceInfo::sharedPerBlock)
      .def_readonly("shared_per_multiprocessor", &DeviceInfo::sharedPerMultiprocessor)
      .def_readonly("memory_pools", &DeviceInfo::memoryPools);
  module.def("device_info", &deviceInfo, py::arg("device") = 0);
  py::class_<DeviceScope>(module, "DeviceScope")
      .def(py::init<int>(), py::arg("device") = -1)
      .def("__enter__", [](DeviceScope &self) { self.scope.emplace(self.device); })
      .def("__exit__", [](DeviceScope &self, const py::args &) { self.scope.reset(); });
}

void bindMemory(py::module_ &module) {
  module.def(
      "allocate", [](size_t bytes, uintptr_t stream) { return allocate(bytes, toStream(stream)); }, py::arg("bytes"),
      py::arg("stream") = 0, NoGil());
  module.def(
      "release", [](CuDevicePtr pointer, uintptr_t stream) { release(pointer, toStream(stream)); }, py::arg("pointer"),
      py::arg("stream") = 0, NoGil());
  // Host memory by address: the caller keeps the array alive until the stream has passed the copy.
  module.def(
      "copy_to_device",
      [](CuDevicePtr to, uintptr_t from, size_t bytes, uintptr_t stream) {
        copyToDevice(to, reinterpret_cast<const void *>(from), bytes, toStream(stream));
      },
      py::arg("to"), py::arg("source"), py::arg("bytes"), py::arg("stream") = 0, NoGil());
  module.def(
      "copy_to_host",
      [](uintptr_t to, CuDevicePtr from, size_t bytes, uintptr_t stream) {
        copyToHost(reinterpret_cast<void *>(to), from, bytes, toStream(stream));
      },
      py::arg("to"), py::arg("source"), py::arg("bytes"), py::arg("stream") = 0, NoGil());
  module.def(
      "copy_on_device",
      [](CuDevicePtr to, CuDevicePtr from, size_t bytes, uintptr_t stream) {
        copyOnDevice(to, from, bytes, toStream(stream));
      },
      py::arg("to"), py::arg("source"), py::arg("bytes"), py::arg("stream") = 0, NoGil());
  module.def(
      "fill_bytes",
      [](CuDevicePtr to, unsigned char value, size_t bytes, uintptr_t stream) {
        fillBytes(to, value, bytes, toStream(stream));
      },
      py::arg("to"), py::arg("value"), py::arg("bytes"), py::arg("stream") = 0, NoGil());
}

void bindStreams(py::module_ &module) {
  module.def("create_stream", [] { return toInteger(createStream()); });
  module.def("destroy_stream", [](uintptr_t stream) { destroyStream(toStream(stream)); });
  module.def("synchronize_stream", [](uintptr_t stream) { synchronizeStream(toStream(stream)); }, NoGil());
  module.def("is_capturing", [](uintptr_t stream) { return isCapturing(toStream(stream)); });
  module.def("create_event", [] { return toInteger(createEvent()); });
  module.def("destroy_event", [](uintptr_t event) { destroyEvent(toEvent(event)); });
  module.def("record_event", [](uintptr_t event, uintptr_t stream) { recordEvent(toEvent(event), toStream(stream)); });
  module.def("wait_for_event",
             [](uintptr_t stream, uintptr_t event) { waitForEvent(toStream(stream), toEvent(event)); });
  module.def("synchronize_event", [](uintptr_t event) { synchronizeEvent(toEvent(event)); }, NoGil());
  module.def("elapsed_milliseconds",
             [](uintptr_t from, uintptr_t to) { return elapsedMilliseconds(toEvent(from), toEvent(to)); });
}

} // namespace

void bindCuda(py::module_ &module) {
  bindErrors(module);
  bindDevices(module);
  bindMemory(module);
  bindStreams(module);
  py::class_<CudaModule, std::shared_ptr<CudaModule>>(module, "CudaModule")
      .def(py::init([](const py::bytes &image) { return std::make_shared<CudaModule>(std::string(image)); }),
           py::arg("image"))
      // Loads in the current context, so that a captured launch need not.
      .def(
          "load",
          [](CudaModule &self, const std::string &entry, unsigned shared) {
            return toInteger(self.function(entry, shared));
          },
          py::arg("entry"), py::arg("shared") = 0, NoGil())
      .def("registers", &CudaModule::registers)
      .def("local_bytes", &CudaModule::localBytes);
}

} // namespace sdm::python
