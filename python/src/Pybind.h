// pybind11 as every file of the module uses it.
#ifndef SDM_PYTHON_SRC_PYBIND_H
#define SDM_PYTHON_SRC_PYBIND_H

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace py = pybind11;

#endif // SDM_PYTHON_SRC_PYBIND_H
