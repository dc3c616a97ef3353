// The generic IR builder: creates any registered operation by name.
#include "python/src/Diagnostics.h"
#include "python/src/Handles.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

#include <cstddef>

namespace sdm::python {
namespace {

struct BuilderState {
  ModulePtr module;
  mlir::OpBuilder builder;
  std::optional<LocationHandle> location;

  explicit BuilderState(const BlockHandle &block)
      : module(block.module), builder(mlir::OpBuilder::atBlockEnd(block.block)) {}

  OperationHandle create(const std::string &name, const std::vector<ValueHandle> &operands, const py::object &results,
                         const py::dict &attributes, const std::vector<py::object> &regions,
                         const LocationHandle *givenLocation);
};

mlir::RegisteredOperationName lookUp(mlir::MLIRContext &context, llvm::StringRef name, mlir::Location location) {
  context.getOrLoadDialect(name.split('.').first);
  std::optional<mlir::RegisteredOperationName> info = mlir::RegisteredOperationName::lookup(name, &context);
  if (!info)
    throw DiagnosticFailure(location, "expected the name of an operation, got '" + name.str() + "'");
  return *info;
}

/// Inference reads inherent attributes from the properties, so these are filled before the operation exists.
void inferResults(mlir::OperationState &state, mlir::RegisteredOperationName info, mlir::DictionaryAttr inherent) {
  auto *interface = info.getInterface<mlir::InferTypeOpInterface>();
  std::string name = info.getStringRef().str();
  if (!interface)
    throw DiagnosticFailure(state.location, "expected result types, because '" + name + "' does not infer them");
  Collector collector(state.getContext());
  std::vector<std::max_align_t> storage(info.getOpPropertyByteSize() / sizeof(std::max_align_t) + 1);
  mlir::OpaqueProperties properties(storage.data());
  info.initOpProperties(properties, mlir::OpaqueProperties(nullptr));
  auto emitError = [&] { return mlir::emitError(state.location); };
  mlir::LogicalResult filled = mlir::success();
  if (!inherent.empty())
    filled = info.setOpPropertiesFromAttribute(info, properties, inherent, emitError);
  mlir::LogicalResult inferred = mlir::failure();
  if (mlir::succeeded(filled))
    inferred = interface->inferReturnTypes(state.getContext(), state.location, state.operands,
                                           state.attributes.getDictionary(state.getContext()), properties,
                                           state.regions, state.types);
  info.destroyOpProperties(properties);
  collector.check(filled, "setting the attributes of " + name);
  collector.check(inferred, "inferring the result types of " + name);
}

OperationHandle BuilderState::create(const std::string &name, const std::vector<ValueHandle> &operands,
                                     const py::object &results, const py::dict &attributes,
                                     const std::vector<py::object> &regions, const LocationHandle *givenLocation) {
  ContextState &context = *module->context;
  mlir::Location place = givenLocation ? givenLocation->location
                         : location    ? location->location
                                       : mlir::UnknownLoc::get(&context.context);
  mlir::RegisteredOperationName info = lookUp(context.context, name, place);
  mlir::OperationState state(place, info);
  for (const ValueHandle &operand : operands)
    state.operands.push_back(operand.value);

  // A wrong-typed inherent attribute among the others would be dropped silently: it goes through the properties.
  mlir::NamedAttrList inherent;
  for (auto [key, value] : attributes) {
    std::string attributeName = key.cast<std::string>();
    bool isInherent = llvm::any_of(info.getAttributeNames(),
                                   [&](mlir::StringAttr known) { return known.getValue() == attributeName; });
    mlir::NamedAttrList &list = isInherent ? inherent : state.attributes;
    list.append(attributeName, toAttribute(context, value, place));
  }
  mlir::DictionaryAttr properties = inherent.getDictionary(&context.context);

  for (const py::object &types : regions) {
    mlir::Region *region = state.addRegion();
    if (types.is_none())
      continue;
    mlir::Block &block = region->emplaceBlock();
    for (py::handle type : types)
      block.addArgument(toType(context, type, place), place);
  }
  if (results.is_none())
    inferResults(state, info, properties);
  else
    for (py::handle type : results)
      state.types.push_back(toType(context, type, place));

  mlir::Operation *operation = builder.create(state);
  if (!properties.empty()) {
    Collector collector(&context.context);
    mlir::LogicalResult set =
        operation->setPropertiesFromAttribute(properties, [&] { return mlir::emitError(place); });
    if (mlir::failed(set))
      operation->erase();
    collector.check(set, "setting the attributes of " + name);
  }
  return {module, operation};
}

} // namespace

void bindBuilder(py::module_ &module) {
  py::class_<BuilderState>(module, "Builder")
      .def(py::init<const BlockHandle &>())
      .def_readwrite("location", &BuilderState::location)
      .def("to_end", [](BuilderState &self, const BlockHandle &at) { self.builder.setInsertionPointToEnd(at.block); })
      .def("to_start",
           [](BuilderState &self, const BlockHandle &at) { self.builder.setInsertionPointToStart(at.block); })
      .def("before", [](BuilderState &self, const OperationHandle &at) { self.builder.setInsertionPoint(at.get()); })
      .def("after",
           [](BuilderState &self, const OperationHandle &at) { self.builder.setInsertionPointAfter(at.get()); })
      .def("create", &BuilderState::create, py::arg("name"), py::arg("operands") = std::vector<ValueHandle>(),
           py::arg("results") = py::tuple(), py::arg("attributes") = py::dict(),
           py::arg("regions") = std::vector<py::object>(), py::arg("location") = nullptr);
}

} // namespace sdm::python
