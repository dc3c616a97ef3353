// MLIR's diagnostics as a Python exception, sdm._sdm.DiagnosticError.
#ifndef SDM_PYTHON_SRC_DIAGNOSTICS_H
#define SDM_PYTHON_SRC_DIAGNOSTICS_H

#include "python/src/Pybind.h"

#include "mlir/IR/Diagnostics.h"

#include <exception>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace sdm::python {

struct Diagnostic {
  std::string severity, message, file;
  unsigned line = 0, column = 0;
  std::vector<std::tuple<std::string, unsigned, unsigned>> calls; ///< call sites, innermost first
  std::vector<Diagnostic> notes;
};

/// Thrown where the diagnostics leave C++.
class DiagnosticFailure : public std::exception {
public:
  explicit DiagnosticFailure(std::vector<Diagnostic> diagnostics);
  DiagnosticFailure(mlir::Location location, std::string message);
  const char *what() const noexcept override { return text.c_str(); }
  std::vector<Diagnostic> diagnostics;

private:
  std::string text;
};

/// Collects what a context reports while it lives.
class Collector {
public:
  explicit Collector(mlir::MLIRContext *context);
  /// Throws what was collected when `result` is a failure.
  void check(mlir::LogicalResult result, llvm::StringRef doing);
  /// The same, with every location replaced: text that was parsed reports places in its own buffer.
  void checkAt(mlir::LogicalResult result, llvm::StringRef doing, mlir::Location location);

private:
  std::vector<Diagnostic> diagnostics;
  mlir::ScopedDiagnosticHandler handler;
};

void bindDiagnostics(py::module_ &module);

} // namespace sdm::python

#endif // SDM_PYTHON_SRC_DIAGNOSTICS_H
