// Compiled kernels as objects: packed arguments in, a launch out, on the CPU or on a device.
#include "python/src/Compile.h"
#include "python/src/Runtime.h"

#include "lib/Runtime/Launcher.h"
#include "lib/Target/Jit.h"

namespace sdm::python {
namespace {

using namespace sdm::runtime;

/// Machine code of the host target in this process.
class HostKernel {
public:
  explicit HostKernel(const py::bytes &object) : jit(orThrow(mlir::sdm::HostJit::load(std::string(object)))) {}

  void launch(const std::string &entry, const py::buffer &arguments, int64_t units, unsigned threads) {
    Bytes bytes(arguments);
    mlir::sdm::HostJit::Entry function = orThrow(jit->lookup(entry));
    py::gil_scoped_release release;
    runUnits(function, bytes.data(), units, threads);
  }

private:
  std::unique_ptr<mlir::sdm::HostJit> jit;
};

/// A cubin or PTX text, loaded once in each context that launches it.
class CudaKernel {
public:
  explicit CudaKernel(const py::bytes &image) : code(std::string(image)) {}

  void prepare(int device, const std::string &entry, unsigned shared) {
    py::gil_scoped_release release;
    ContextScope scope(device);
    code.function(entry, shared);
  }

  void launch(int device, const std::string &entry, const py::buffer &arguments, int64_t blocks, unsigned threads,
              unsigned shared, uintptr_t stream, bool programmatic) {
    Bytes bytes(arguments);
    py::gil_scoped_release release;
    ContextScope scope(device);
    launchFunction(code.function(entry, shared), entry, blocks, threads, shared, bytes.data(), bytes.size(),
                   reinterpret_cast<CuStream>(stream), programmatic);
  }

  int registers(int device, const std::string &entry) {
    ContextScope scope(device);
    return code.registers(entry);
  }

  int localBytes(int device, const std::string &entry) {
    ContextScope scope(device);
    return code.localBytes(entry);
  }

private:
  CudaModule code;
};

} // namespace

void bindLaunch(py::module_ &module) {
  py::class_<HostKernel>(module, "HostKernel")
      .def(py::init<const py::bytes &>(), py::arg("object"))
      .def("launch", &HostKernel::launch, py::arg("entry"), py::arg("arguments"), py::arg("units"),
           py::arg("threads") = 0);
  py::class_<CudaKernel>(module, "CudaKernel")
      .def(py::init<const py::bytes &>(), py::arg("image"))
      .def("prepare", &CudaKernel::prepare, py::arg("device"), py::arg("entry"), py::arg("shared_bytes") = 0)
      .def("launch", &CudaKernel::launch, py::arg("device"), py::arg("entry"), py::arg("arguments"), py::arg("blocks"),
           py::arg("threads"), py::arg("shared_bytes") = 0, py::arg("stream") = 0, py::arg("programmatic") = false)
      .def("registers", &CudaKernel::registers, py::arg("device"), py::arg("entry"))
      .def("local_bytes", &CudaKernel::localBytes, py::arg("device"), py::arg("entry"));
  module.def("host_threads", &hostThreads);
}

} // namespace sdm::python
