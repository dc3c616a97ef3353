// Launching compiled kernels: packed arguments in, on the CPU or on the current context's device.
#include "python/src/Runtime.h"

#include "lib/Runtime/Launcher.h"

namespace sdm::python {

using namespace sdm::runtime;

void bindLaunch(py::module_ &module) {
  module.def(
      "launch_on_device",
      [](CudaModule &code, const std::string &entry, const py::buffer &arguments, int64_t chunks, int64_t slices,
         int64_t tiles, int64_t warps, unsigned shared, uintptr_t stream, bool programmatic, int device) {
        Bytes bytes(arguments);
        py::gil_scoped_release release;
        ContextScope scope(device);
        launchOnDevice(code, entry, LaunchShape{chunks, slices, tiles, warps}, shared, bytes.data(), bytes.size(),
                       reinterpret_cast<CuStream>(stream), programmatic);
      },
      py::arg("module"), py::arg("entry"), py::arg("arguments"), py::arg("chunks"), py::arg("slices"),
      py::arg("tiles"), py::arg("warps"), py::arg("shared") = 0, py::arg("stream") = 0,
      py::arg("programmatic") = false, py::arg("device") = -1);
  module.def(
      "launch_on_host",
      [](uintptr_t entry, const py::buffer &arguments, int64_t chunks, int64_t slices, int64_t tiles,
         unsigned threads) {
        Bytes bytes(arguments);
        py::gil_scoped_release release;
        launchOnHost(reinterpret_cast<HostEntry>(entry), LaunchShape{chunks, slices, tiles, 1}, bytes.data(), threads);
      },
      py::arg("entry"), py::arg("arguments"), py::arg("chunks"), py::arg("slices"), py::arg("tiles"),
      py::arg("threads") = 0);
  module.def("host_threads", &hostThreads);
}

} // namespace sdm::python
