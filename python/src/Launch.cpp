// Compiled kernels as objects: packed arguments in, a launch out, on the CPU or on a device.
#include "python/src/Compile.h"
#include "python/src/Runtime.h"

#include "lib/Runtime/Launcher.h"
#include "lib/Runtime/Plan.h"
#include "lib/Target/Jit.h"

#include <cstring>

namespace sdm::python {
namespace {

using namespace sdm::runtime;

/// Offsets of the arguments that change from step to step, and by how much.
using Patches = std::vector<std::pair<int64_t, int64_t>>;

/// The bytes of a plan whose launch and steps are set.
py::bytes recorded(Plan plan, const Bytes &arguments, const Patches &patches) {
  plan.arguments.assign(static_cast<const char *>(arguments.data()), arguments.size());
  for (auto [offset, step] : patches) {
    if (offset < 0 || static_cast<size_t>(offset) + 8 > arguments.size())
      throw py::value_error("expected a patch within the arguments, got offset " + std::to_string(offset));
    PlanPatch &patch = plan.patches.emplace_back(PlanPatch{offset, 0, step});
    std::memcpy(&patch.first, plan.arguments.data() + offset, sizeof patch.first);
  }
  return py::bytes(serialise(plan));
}

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

  py::bytes plan(const std::string &entry, const py::buffer &arguments, int64_t units, int64_t steps,
                 const Patches &patches) {
    Plan plan;
    plan.function = reinterpret_cast<uintptr_t>(orThrow(jit->lookup(entry)));
    plan.units = units;
    plan.steps = steps;
    return recorded(std::move(plan), Bytes(arguments), patches);
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

  py::bytes plan(int device, const std::string &entry, const py::buffer &arguments, int64_t blocks, unsigned threads,
                 unsigned shared, int64_t steps, const Patches &patches, bool programmatic) {
    ContextScope scope(device);
    Plan plan;
    plan.device = device;
    plan.programmatic = programmatic;
    plan.context = currentContextId();
    plan.function = reinterpret_cast<uintptr_t>(code.function(entry, shared));
    plan.steps = steps;
    plan.units = blocks;
    plan.threads = threads;
    plan.dynamicShared = shared;
    return recorded(std::move(plan), Bytes(arguments), patches);
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
           py::arg("threads") = 0)
      .def("plan", &HostKernel::plan, py::arg("entry"), py::arg("arguments"), py::arg("units"), py::arg("steps"),
           py::arg("patches"));
  py::class_<CudaKernel>(module, "CudaKernel")
      .def(py::init<const py::bytes &>(), py::arg("image"))
      .def("prepare", &CudaKernel::prepare, py::arg("device"), py::arg("entry"), py::arg("shared_bytes") = 0)
      .def("launch", &CudaKernel::launch, py::arg("device"), py::arg("entry"), py::arg("arguments"), py::arg("blocks"),
           py::arg("threads"), py::arg("shared_bytes") = 0, py::arg("stream") = 0, py::arg("programmatic") = false)
      .def("plan", &CudaKernel::plan, py::arg("device"), py::arg("entry"), py::arg("arguments"), py::arg("blocks"),
           py::arg("threads"), py::arg("shared_bytes"), py::arg("steps"), py::arg("patches"),
           py::arg("programmatic") = false)
      .def("registers", &CudaKernel::registers, py::arg("device"), py::arg("entry"))
      .def("local_bytes", &CudaKernel::localBytes, py::arg("device"), py::arg("entry"));
  module.def("host_threads", &hostThreads);
  module.def("plan_launch_address", [] { return reinterpret_cast<uintptr_t>(&sdm_plan_launch); });
  module.attr("MOST_PLAN_ARGUMENTS") = mostPlanArguments;
}

} // namespace sdm::python
