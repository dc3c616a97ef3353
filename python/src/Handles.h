// The handles that Python holds. Each keeps its module, and with it the context, alive.
#ifndef SDM_PYTHON_SRC_HANDLES_H
#define SDM_PYTHON_SRC_HANDLES_H

#include "python/src/Pybind.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <memory>
#include <string>

namespace sdm::python {

/// A context without threads, with the project's dialects registered, and the types and attributes parsed so far.
struct ContextState {
  ContextState();
  mlir::MLIRContext context;
  llvm::StringMap<mlir::Type> types;
  llvm::StringMap<mlir::Attribute> attributes;

  /// Text that does not parse is a ValueError with the text and the parser's message.
  mlir::Type parseType(llvm::StringRef text);
  /// The empty text is the unit attribute.
  mlir::Attribute parseAttribute(llvm::StringRef text);
};
using ContextPtr = std::shared_ptr<ContextState>;

struct ModuleState {
  ContextPtr context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};
using ModulePtr = std::shared_ptr<ModuleState>;

struct LocationHandle {
  ContextPtr context;
  mlir::Location location;
};
struct ValueHandle {
  ModulePtr module;
  mlir::Value value;
};
struct OperationHandle {
  ModulePtr module;
  mlir::Operation *operation;
};

void bindModules(py::module_ &module);
void bindBuilder(py::module_ &module);
void bindLanes(py::module_ &module);

} // namespace sdm::python

#endif // SDM_PYTHON_SRC_HANDLES_H
