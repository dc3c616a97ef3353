// The extension module sdm._sdm.
#include "python/src/Diagnostics.h"
#include "python/src/Handles.h"

PYBIND11_MODULE(_sdm, module) {
  module.doc() = "MLIR contexts and modules, a generic IR builder, the compile service and the runtime";
  sdm::python::bindDiagnostics(module);
  sdm::python::bindIr(module);
  sdm::python::bindOperations(module);
  sdm::python::bindBuilder(module);
}
