// Collecting diagnostics and handing them to Python.
#include "python/src/Diagnostics.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/TypeSwitch.h"

namespace sdm::python {
namespace {

void appendSites(mlir::Location location, Sites &sites) {
  llvm::TypeSwitch<mlir::LocationAttr>(location)
      .Case([&](mlir::FileLineColLoc file) {
        sites.emplace_back(file.getFilename().str(), file.getLine(), file.getColumn());
      })
      .Case([&](mlir::CallSiteLoc site) {
        appendSites(site.getCallee(), sites);
        appendSites(site.getCaller(), sites);
      })
      .Case([&](mlir::NameLoc name) { appendSites(name.getChildLoc(), sites); })
      .Case([&](mlir::FusedLoc fused) {
        // One of several places is enough to find the line.
        for (mlir::Location part : fused.getLocations())
          if (size_t before = sites.size(); appendSites(part, sites), sites.size() != before)
            return;
      });
}

const char *severityName(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Note:
    return "note";
  case mlir::DiagnosticSeverity::Warning:
    return "warning";
  case mlir::DiagnosticSeverity::Error:
    return "error";
  case mlir::DiagnosticSeverity::Remark:
    return "remark";
  }
  return "error";
}

void append(const mlir::Diagnostic &from, std::vector<Diagnostic> &to) {
  Sites sites;
  appendSites(from.getLocation(), sites);
  to.emplace_back(severityName(from.getSeverity()), from.str(), std::move(sites));
  for (const mlir::Diagnostic &note : from.getNotes())
    append(note, to);
}

} // namespace

DiagnosticFailure::DiagnosticFailure(std::vector<Diagnostic> list) : diagnostics(std::move(list)) {
  for (auto &[severity, message, sites] : diagnostics)
    if (severity == "error") {
      text = message;
      return;
    }
}

Collector::Collector(mlir::MLIRContext *context)
    : handler(context, [this](mlir::Diagnostic &diagnostic) {
        append(diagnostic, diagnostics);
        return mlir::success();
      }) {}

void Collector::check(mlir::LogicalResult result, llvm::StringRef doing) {
  if (mlir::succeeded(result))
    return;
  if (llvm::none_of(diagnostics, [](const Diagnostic &diagnostic) { return std::get<0>(diagnostic) == "error"; }))
    diagnostics.emplace_back("error", (doing + " failed without a message").str(), Sites());
  throw DiagnosticFailure(std::move(diagnostics));
}

void bindDiagnostics(py::module_ &module) {
  PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::object> exception;
  exception.call_once_and_store_result([&] {
    return py::reinterpret_steal<py::object>(PyErr_NewExceptionWithDoc(
        "sdm._sdm.DiagnosticError", "What MLIR reported; see .diagnostics.", PyExc_ValueError, nullptr));
  });
  module.attr("DiagnosticError") = exception.get_stored();
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer)
        std::rethrow_exception(pointer);
    } catch (DiagnosticFailure &failure) {
      py::object type = exception.get_stored();
      py::object instance = type(py::str(failure.what()));
      instance.attr("diagnostics") = py::cast(failure.diagnostics);
      instance.attr("phase") = failure.phase;
      instance.attr("pipeline") = failure.pipeline;
      instance.attr("stages") = failure.stages;
      PyErr_SetObject(type.ptr(), instance.ptr());
    }
  });
}

} // namespace sdm::python
