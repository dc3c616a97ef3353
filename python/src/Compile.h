// Bindings of the compile service; llvm::Error as an exception.
#ifndef SDM_PYTHON_SRC_COMPILE_H
#define SDM_PYTHON_SRC_COMPILE_H

#include "python/src/Pybind.h"

#include "llvm/Support/Error.h"

namespace sdm::python {

/// A DiagnosticError without a place.
[[noreturn]] void throwError(llvm::Error error);

template <typename T> T orThrow(llvm::Expected<T> value) {
  if (!value)
    throwError(value.takeError());
  return std::move(*value);
}

void bindCompile(py::module_ &module);

} // namespace sdm::python

#endif // SDM_PYTHON_SRC_COMPILE_H
