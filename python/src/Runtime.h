// Bindings of lib/Runtime: the CUDA driver and the host executor.
#ifndef SDM_PYTHON_SRC_RUNTIME_H
#define SDM_PYTHON_SRC_RUNTIME_H

#include "python/src/Pybind.h"

namespace sdm::python {

void bindCuda(py::module_ &module);
void bindLaunch(py::module_ &module);

/// A view of any contiguous bytes-like object while it lives.
class Bytes {
public:
  explicit Bytes(const py::buffer &buffer) {
    if (PyObject_GetBuffer(buffer.ptr(), &view, PyBUF_SIMPLE) != 0)
      throw py::error_already_set();
  }
  ~Bytes() { PyBuffer_Release(&view); }
  Bytes(const Bytes &) = delete;
  Bytes &operator=(const Bytes &) = delete;
  const void *data() const { return view.buf; }
  size_t size() const { return static_cast<size_t>(view.len); }

private:
  Py_buffer view;
};

} // namespace sdm::python

#endif // SDM_PYTHON_SRC_RUNTIME_H
