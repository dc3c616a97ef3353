// MLIR's diagnostics as a Python exception, sdm._sdm.DiagnosticError.
#ifndef SDM_PYTHON_SRC_DIAGNOSTICS_H
#define SDM_PYTHON_SRC_DIAGNOSTICS_H

#include "python/src/Pybind.h"

#include "mlir/IR/Diagnostics.h"

#include <exception>
#include <string>
#include <tuple>
#include <vector>

namespace sdm::python {

/// (severity, message, [(file, line, column), ...]): the place itself first, then each call that led to it. A note
/// follows its diagnostic.
using Sites = std::vector<std::tuple<std::string, unsigned, unsigned>>;
using Diagnostic = std::tuple<std::string, std::string, Sites>;

/// Thrown where diagnostics leave C++.
class DiagnosticFailure : public std::exception {
public:
  explicit DiagnosticFailure(std::vector<Diagnostic> diagnostics);
  const char *what() const noexcept override { return text.c_str(); }
  std::vector<Diagnostic> diagnostics;
  /// Of a compilation: the phase that failed, the passes up to it, the stages that were made (see CompileResult).
  std::string phase, pipeline;
  std::vector<std::pair<std::string, std::string>> stages;

private:
  std::string text;
};

/// Collects what a context reports while it lives.
class Collector {
public:
  explicit Collector(mlir::MLIRContext *context);
  /// Throws what was collected when `result` is a failure.
  void check(mlir::LogicalResult result, llvm::StringRef doing);
  std::string firstMessage() const { return diagnostics.empty() ? std::string() : std::get<1>(diagnostics.front()); }

private:
  std::vector<Diagnostic> diagnostics;
  mlir::ScopedDiagnosticHandler handler;
};

void bindDiagnostics(py::module_ &module);

} // namespace sdm::python

#endif // SDM_PYTHON_SRC_DIAGNOSTICS_H
