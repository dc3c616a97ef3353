// The extension module sdm._sdm.
#include "python/src/Compile.h"
#include "python/src/Diagnostics.h"
#include "python/src/Handles.h"
#include "python/src/Runtime.h"

PYBIND11_MODULE(_sdm, module) {
  module.doc() = "MLIR modules and a generic IR builder, the compile service and the runtime";
  sdm::python::bindDiagnostics(module);
  sdm::python::bindModules(module);
  sdm::python::bindBuilder(module);
  sdm::python::bindCompile(module);
  sdm::python::bindCuda(module);
  sdm::python::bindLaunch(module);
  sdm::python::bindLanes(module);
}
