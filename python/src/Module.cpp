// The extension module sdm._sdm.
#include "python/src/Diagnostics.h"
#include "python/src/Handles.h"
#include "python/src/Runtime.h"

PYBIND11_MODULE(_sdm, module) {
  module.doc() = "MLIR contexts and modules, a generic IR builder, the compile service and the runtime";
  sdm::python::bindDiagnostics(module);
  sdm::python::bindIr(module);
  sdm::python::bindOperations(module);
  sdm::python::bindBuilder(module);
  sdm::python::bindCuda(module);
  sdm::python::bindLaunch(module);
}
