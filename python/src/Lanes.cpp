// Scheduled modules on the CPU, lane by lane: faults as tuples.
#include "python/src/Handles.h"
#include "python/src/Runtime.h"

#include "lib/Lanes/Lanes.h"

namespace sdm::python {
namespace {

using Range = std::tuple<unsigned, unsigned, int64_t, int64_t>; // argument, axis, first, extent

py::dict runOnLanes(const ModulePtr &state, const std::string &entry, const py::buffer &arguments, uint64_t seed,
                    bool late, int64_t sharedBytes, const std::vector<Range> &ranges, std::vector<int64_t> early,
                    bool exchangeOrders, unsigned mostFaults) {
  Bytes bytes(arguments);
  mlir::sdm::LanesOptions options;
  options.seed = seed;
  options.late = late;
  options.sharedBytes = sharedBytes;
  options.exchangeOrders = exchangeOrders;
  options.early = std::move(early);
  options.mostFaults = mostFaults;
  for (auto [argument, axis, first, extent] : ranges)
    options.ranges.push_back({argument, axis, first, extent});
  mlir::sdm::LanesReport report;
  {
    py::gil_scoped_release release;
    report = mlir::sdm::runOnLanes(state->module.get(), entry, {static_cast<const char *>(bytes.data()), bytes.size()},
                                   options);
  }
  py::list faults;
  for (mlir::sdm::LaneFault &fault : report.faults)
    faults.append(py::make_tuple(fault.kind, fault.message, fault.operation, fault.sites));
  py::dict out;
  out["faults"] = faults;
  out["operations"] = report.operations;
  return out;
}

} // namespace

void bindLanes(py::module_ &module) {
  module.def("run_on_lanes", &runOnLanes, py::arg("module"), py::arg("entry"), py::arg("arguments"), py::kw_only(),
             py::arg("seed") = 0, py::arg("late") = true, py::arg("shared_bytes") = 0,
             py::arg("ranges") = std::vector<Range>(), py::arg("early") = std::vector<int64_t>(),
             py::arg("exchange_orders") = false, py::arg("most_faults") = 4);
}

} // namespace sdm::python
