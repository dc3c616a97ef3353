// Collecting diagnostics and handing them to Python.
#include "python/src/Diagnostics.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/TypeSwitch.h"

namespace sdm::python {
namespace {

/// The file location that a reader wants to see first, with the call sites that led to it.
void fillLocation(mlir::Location location, Diagnostic &out) {
  llvm::TypeSwitch<mlir::LocationAttr>(location)
      .Case([&](mlir::FileLineColLoc file) {
        out.file = file.getFilename().str();
        out.line = file.getLine();
        out.column = file.getColumn();
      })
      .Case([&](mlir::CallSiteLoc site) {
        fillLocation(site.getCallee(), out);
        Diagnostic caller;
        fillLocation(site.getCaller(), caller);
        out.calls.emplace_back(caller.file, caller.line, caller.column);
        out.calls.insert(out.calls.end(), caller.calls.begin(), caller.calls.end());
      })
      .Case([&](mlir::NameLoc name) { fillLocation(name.getChildLoc(), out); })
      .Case([&](mlir::FusedLoc fused) {
        for (mlir::Location part : fused.getLocations())
          if (out.file.empty())
            fillLocation(part, out);
      });
}

llvm::StringRef severityName(mlir::DiagnosticSeverity severity) {
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

Diagnostic convert(const mlir::Diagnostic &from) {
  Diagnostic to;
  to.severity = severityName(from.getSeverity()).str();
  to.message = from.str();
  fillLocation(from.getLocation(), to);
  for (const mlir::Diagnostic &note : from.getNotes())
    to.notes.push_back(convert(note));
  return to;
}

} // namespace

DiagnosticFailure::DiagnosticFailure(std::vector<Diagnostic> list) : diagnostics(std::move(list)) {
  for (const Diagnostic &diagnostic : diagnostics)
    if (text.empty() || diagnostic.severity == "error") {
      text = diagnostic.message;
      if (diagnostic.severity == "error")
        break;
    }
}

DiagnosticFailure::DiagnosticFailure(mlir::Location location, std::string message) : text(message) {
  Diagnostic diagnostic;
  diagnostic.severity = "error";
  diagnostic.message = std::move(message);
  fillLocation(location, diagnostic);
  diagnostics.push_back(std::move(diagnostic));
}

Collector::Collector(mlir::MLIRContext *context)
    : handler(context, [this](mlir::Diagnostic &diagnostic) {
        diagnostics.push_back(convert(diagnostic));
        return mlir::success();
      }) {}

void Collector::check(mlir::LogicalResult result, llvm::StringRef doing) {
  if (mlir::succeeded(result))
    return;
  if (diagnostics.empty()) {
    Diagnostic silent;
    silent.severity = "error";
    silent.message = (doing + " failed without a message").str();
    diagnostics.push_back(std::move(silent));
  }
  throw DiagnosticFailure(std::move(diagnostics));
}

void Collector::checkAt(mlir::LogicalResult result, llvm::StringRef doing, mlir::Location location) {
  if (mlir::succeeded(result))
    return;
  std::string message = doing.str();
  for (const Diagnostic &diagnostic : diagnostics)
    message += ": " + diagnostic.message;
  throw DiagnosticFailure(location, std::move(message));
}

void bindDiagnostics(py::module_ &module) {
  py::class_<Diagnostic>(module, "Diagnostic")
      .def_readonly("severity", &Diagnostic::severity)
      .def_readonly("message", &Diagnostic::message)
      .def_readonly("file", &Diagnostic::file)
      .def_readonly("line", &Diagnostic::line)
      .def_readonly("column", &Diagnostic::column)
      .def_readonly("calls", &Diagnostic::calls)
      .def_readonly("notes", &Diagnostic::notes)
      .def("__repr__", [](const Diagnostic &self) {
        return self.file + ":" + std::to_string(self.line) + ":" + std::to_string(self.column) + ": " + self.severity +
               ": " + self.message;
      });

  PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::object> exception;
  exception.call_once_and_store_result([&] {
    return py::reinterpret_steal<py::object>(
        PyErr_NewExceptionWithDoc("sdm._sdm.DiagnosticError", "What MLIR reported; see .diagnostics.", PyExc_ValueError,
                                  nullptr));
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
      PyErr_SetObject(type.ptr(), instance.ptr());
    }
  });
}

} // namespace sdm::python
