// Operations, blocks and values as Python sees them.
#include "python/src/Diagnostics.h"
#include "python/src/Handles.h"

#include "mlir/IR/Verifier.h"

namespace sdm::python {
namespace {

mlir::Location locationOr(const LocationHandle *given, mlir::Location otherwise) {
  return given ? given->location : otherwise;
}

template <typename Range>
std::vector<ValueHandle> toHandles(const ModulePtr &module, Range &&values) {
  std::vector<ValueHandle> handles;
  for (mlir::Value value : values)
    handles.push_back({module, value});
  return handles;
}

mlir::Region &regionOf(const OperationHandle &self, unsigned region) {
  if (region >= self.get()->getNumRegions())
    throw py::index_error("expected a region below " + std::to_string(self.get()->getNumRegions()) + ", got " +
                          std::to_string(region));
  return self.get()->getRegion(region);
}

BlockHandle blockOf(const OperationHandle &self, unsigned region, unsigned index) {
  for (mlir::Block &block : regionOf(self, region))
    if (index-- == 0)
      return {self.module, &block};
  throw py::index_error("expected a block of the region, got an index past its end");
}

BlockHandle addBlock(const OperationHandle &self, unsigned region, const std::vector<py::object> &types) {
  mlir::Block &block = regionOf(self, region).emplaceBlock();
  for (const py::object &type : types)
    block.addArgument(toType(*self.module->context, type, self.get()->getLoc()), self.get()->getLoc());
  return {self.module, &block};
}

std::optional<std::string> attributeOf(const OperationHandle &self, const std::string &name) {
  mlir::Attribute attribute = self.get()->getAttr(name);
  if (!attribute)
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream stream(text);
  attribute.print(stream);
  return text;
}

/// Only the attribute dictionary as a whole reports a wrong type; a single assignment drops it silently.
void setAttribute(const OperationHandle &self, const std::string &name, const py::object &value) {
  mlir::Operation *operation = self.get();
  mlir::Attribute attribute = toAttribute(*self.module->context, value, operation->getLoc());
  operation->setAttr(name, attribute);
  if (operation->getAttr(name) != attribute)
    throw DiagnosticFailure(operation->getLoc(), "expected an attribute of another type as '" + name + "' of '" +
                                                     operation->getName().getStringRef().str() + "'");
}

void erase(OperationHandle &self) {
  if (!self.get()->use_empty())
    throw py::value_error("expected an operation without uses");
  self.get()->erase();
  self.operation = nullptr;
}

} // namespace

mlir::Operation *OperationHandle::get() const {
  if (!operation)
    throw py::value_error("expected a living operation, got an erased one");
  return operation;
}

void bindOperations(py::module_ &module) {
  py::class_<ValueHandle>(module, "Value")
      .def_property_readonly(
          "type", [](const ValueHandle &self) { return self.module->context->typeText(self.value.getType()); })
      .def_property_readonly("location",
                             [](const ValueHandle &self) {
                               return LocationHandle{self.module->context, self.value.getLoc()};
                             })
      .def("replace_all_uses_with",
           [](ValueHandle &self, const ValueHandle &other) { self.value.replaceAllUsesWith(other.value); })
      .def("has_uses", [](const ValueHandle &self) { return !self.value.use_empty(); })
      .def("__eq__", [](const ValueHandle &self, const ValueHandle &other) { return self.value == other.value; })
      .def("__hash__", [](const ValueHandle &self) { return static_cast<size_t>(mlir::hash_value(self.value)); });

  py::class_<BlockHandle>(module, "Block")
      .def_property_readonly("arguments",
                             [](const BlockHandle &self) { return toHandles(self.module, self.block->getArguments()); })
      .def_property_readonly("operations",
                             [](const BlockHandle &self) {
                               std::vector<OperationHandle> operations;
                               for (mlir::Operation &operation : *self.block)
                                 operations.push_back({self.module, &operation});
                               return operations;
                             })
      .def(
          "add_argument",
          [](const BlockHandle &self, const py::object &type, const LocationHandle *location) {
            ContextState &context = *self.module->context;
            mlir::Location place = locationOr(location, mlir::UnknownLoc::get(&context.context));
            return ValueHandle{self.module, self.block->addArgument(toType(context, type, place), place)};
          },
          py::arg("type"), py::arg("location") = nullptr);

  py::class_<OperationHandle>(module, "Operation")
      .def_property_readonly("name",
                             [](const OperationHandle &self) { return self.get()->getName().getStringRef().str(); })
      .def_property_readonly(
          "results", [](const OperationHandle &self) { return toHandles(self.module, self.get()->getResults()); })
      .def_property_readonly("result",
                             [](const OperationHandle &self) {
                               if (self.get()->getNumResults() != 1)
                                 throw py::value_error("expected an operation with one result");
                               return ValueHandle{self.module, self.get()->getResult(0)};
                             })
      .def_property_readonly(
          "operands", [](const OperationHandle &self) { return toHandles(self.module, self.get()->getOperands()); })
      .def_property_readonly("location",
                             [](const OperationHandle &self) {
                               return LocationHandle{self.module->context, self.get()->getLoc()};
                             })
      .def("block", &blockOf, py::arg("region") = 0, py::arg("index") = 0)
      .def("add_block", &addBlock, py::arg("region") = 0, py::arg("types") = std::vector<py::object>())
      .def("attribute", &attributeOf)
      .def("set_attribute", &setAttribute)
      .def("erase", &erase)
      .def("verify", [](const OperationHandle &self) {
        Collector collector(&self.module->context->context);
        collector.check(mlir::verify(self.get()), "verification");
      });
}

} // namespace sdm::python
