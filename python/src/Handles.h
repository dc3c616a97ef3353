// The handles that Python holds. Each keeps its module's state, and with it the context, alive.
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
  llvm::DenseMap<mlir::Type, std::string> typeTexts;

  /// Parsing errors name `location`.
  mlir::Type parseType(llvm::StringRef text, mlir::Location location);
  mlir::Attribute parseAttribute(llvm::StringRef text, mlir::Location location);
  const std::string &typeText(mlir::Type type);
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
struct TypeHandle {
  ContextPtr context;
  mlir::Type type;
};
struct AttributeHandle {
  ContextPtr context;
  mlir::Attribute attribute;
};
struct ValueHandle {
  ModulePtr module;
  mlir::Value value;
};
struct BlockHandle {
  ModulePtr module;
  mlir::Block *block;
};
struct OperationHandle {
  ModulePtr module;
  mlir::Operation *operation; ///< null once erased
  mlir::Operation *get() const;
};

/// A type given as text or handle.
mlir::Type toType(ContextState &context, py::handle given, mlir::Location location);
/// An attribute given as text, handle, type, True (unit) or integer (i64).
mlir::Attribute toAttribute(ContextState &context, py::handle given, mlir::Location location);

void bindIr(py::module_ &module);
void bindOperations(py::module_ &module);
void bindBuilder(py::module_ &module);

} // namespace sdm::python

#endif // SDM_PYTHON_SRC_HANDLES_H
