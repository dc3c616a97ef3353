// The generic IR builder: creates any registered operation by name; types and attributes are text.
#include "python/src/Diagnostics.h"
#include "python/src/Handles.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

#include <cstddef>

namespace sdm::python {
namespace {

using Site = std::tuple<std::string, unsigned, unsigned>;
using Attributes = std::map<std::string, std::string>;

struct BuilderState {
  BuilderState();
  LocationHandle location(const std::vector<Site> &sites);
  OperationHandle create(const std::string &name, const std::vector<ValueHandle> &operands,
                         const std::optional<std::vector<std::string>> &results, const Attributes &attributes,
                         const std::vector<std::vector<std::string>> &regions, const LocationHandle *givenLocation);
  void enter(const OperationHandle &operation, unsigned region);
  void leave();
  ModulePtr finish();

  ContextPtr context = std::make_shared<ContextState>();
  ModulePtr module;
  mlir::OpBuilder builder{&context->context};
  std::vector<mlir::OpBuilder::InsertPoint> outer;
};

BuilderState::BuilderState() {
  mlir::ModuleOp root = mlir::ModuleOp::create(builder.getUnknownLoc());
  module = std::make_shared<ModuleState>(ModuleState{context, root});
  builder.setInsertionPointToEnd(root.getBody());
}

/// Sites come innermost first: the line itself, then each call that led to it.
LocationHandle BuilderState::location(const std::vector<Site> &sites) {
  mlir::LocationAttr location;
  for (auto site = sites.rbegin(); site != sites.rend(); ++site) {
    auto &[file, line, column] = *site;
    mlir::Location here = mlir::FileLineColLoc::get(&context->context, file, line, column);
    location = location ? mlir::LocationAttr(mlir::CallSiteLoc::get(here, mlir::Location(location)))
                        : mlir::LocationAttr(here);
  }
  return {context, location ? mlir::Location(location) : builder.getUnknownLoc()};
}

mlir::RegisteredOperationName lookUp(mlir::MLIRContext &context, llvm::StringRef name) {
  context.getOrLoadDialect(name.split('.').first);
  std::optional<mlir::RegisteredOperationName> info = mlir::RegisteredOperationName::lookup(name, &context);
  if (!info)
    throw py::value_error("expected the name of an operation, got '" + name.str() + "'");
  return *info;
}

/// Inference reads inherent attributes from the properties, so these are filled before the operation exists.
void inferResults(mlir::OperationState &state, mlir::RegisteredOperationName info, mlir::DictionaryAttr inherent) {
  auto *interface = info.getInterface<mlir::InferTypeOpInterface>();
  std::string name = info.getStringRef().str();
  if (!interface)
    throw py::value_error("expected result types, because '" + name + "' does not infer them");
  Collector collector(state.getContext());
  std::vector<std::max_align_t> storage(info.getOpPropertyByteSize() / sizeof(std::max_align_t) + 1);
  mlir::OpaqueProperties properties(storage.data());
  info.initOpProperties(properties, mlir::OpaqueProperties(nullptr));
  mlir::LogicalResult filled = mlir::success();
  if (!inherent.empty())
    filled =
        info.setOpPropertiesFromAttribute(info, properties, inherent, [&] { return mlir::emitError(state.location); });
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
                                     const std::optional<std::vector<std::string>> &results,
                                     const Attributes &attributes, const std::vector<std::vector<std::string>> &regions,
                                     const LocationHandle *givenLocation) {
  mlir::Location place = givenLocation ? givenLocation->location : builder.getUnknownLoc();
  mlir::RegisteredOperationName info = lookUp(context->context, name);
  mlir::OperationState state(place, info);
  for (const ValueHandle &operand : operands) {
    if (operand.module != module)
      throw py::value_error("expected operands of the same builder");
    state.operands.push_back(operand.value);
  }

  // A wrong-typed inherent attribute among the others would be dropped silently: it goes through the properties.
  mlir::NamedAttrList inherent;
  for (auto &[key, text] : attributes) {
    bool isInherent = llvm::any_of(info.getAttributeNames(),
                                   [&, &key = key](mlir::StringAttr known) { return known.getValue() == key; });
    (isInherent ? inherent : state.attributes).append(key, context->parseAttribute(text));
  }
  mlir::DictionaryAttr properties = inherent.getDictionary(&context->context);

  for (const std::vector<std::string> &types : regions) {
    mlir::Block &block = state.addRegion()->emplaceBlock();
    for (const std::string &type : types)
      block.addArgument(context->parseType(type), place);
  }
  if (!results)
    inferResults(state, info, properties);
  else
    for (const std::string &type : *results)
      state.types.push_back(context->parseType(type));

  mlir::Operation *operation = builder.create(state);
  if (!properties.empty()) {
    Collector collector(&context->context);
    mlir::LogicalResult set = operation->setPropertiesFromAttribute(properties, [&] { return mlir::emitError(place); });
    if (mlir::failed(set))
      operation->erase();
    collector.check(set, "setting the attributes of " + name);
  }
  return {module, operation};
}

void BuilderState::enter(const OperationHandle &operation, unsigned region) {
  if (region >= operation.operation->getNumRegions() || operation.operation->getRegion(region).empty())
    throw py::index_error("expected a region with a block");
  outer.push_back(builder.saveInsertionPoint());
  builder.setInsertionPointToEnd(&operation.operation->getRegion(region).front());
}

void BuilderState::leave() {
  if (outer.empty())
    throw py::value_error("expected an enter before this leave");
  builder.restoreInsertionPoint(outer.back());
  outer.pop_back();
}

ModulePtr BuilderState::finish() {
  Collector collector(&context->context);
  collector.check(mlir::verify(module->module.get()), "verification");
  return module;
}

std::vector<ValueHandle> arguments(const OperationHandle &self, unsigned region) {
  if (region >= self.operation->getNumRegions())
    throw py::index_error("expected a region of the operation");
  std::vector<ValueHandle> handles;
  for (mlir::Value argument : self.operation->getRegion(region).getArguments())
    handles.push_back({self.module, argument});
  return handles;
}

} // namespace

void bindBuilder(py::module_ &module) {
  py::class_<LocationHandle>(module, "Location");
  py::class_<ValueHandle>(module, "Value").def_property_readonly("type", [](const ValueHandle &self) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    self.value.getType().print(stream);
    return text;
  });
  py::class_<OperationHandle>(module, "Operation")
      .def_property_readonly("name",
                             [](const OperationHandle &self) { return self.operation->getName().getStringRef().str(); })
      .def_property_readonly("results",
                             [](const OperationHandle &self) {
                               std::vector<ValueHandle> handles;
                               for (mlir::Value result : self.operation->getResults())
                                 handles.push_back({self.module, result});
                               return handles;
                             })
      .def("arguments", &arguments, py::arg("region") = 0);
  py::class_<BuilderState>(module, "Builder")
      .def(py::init<>())
      .def("location", &BuilderState::location, py::arg("sites"))
      .def("create", &BuilderState::create, py::arg("name"), py::arg("operands") = std::vector<ValueHandle>(),
           py::arg("results") = std::vector<std::string>(), py::arg("attributes") = Attributes(),
           py::arg("regions") = std::vector<std::vector<std::string>>(), py::arg("location") = nullptr)
      .def("enter", &BuilderState::enter, py::arg("operation"), py::arg("region") = 0)
      .def("leave", &BuilderState::leave)
      .def("finish", &BuilderState::finish);
}

} // namespace sdm::python
