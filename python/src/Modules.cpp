// Contexts, types, attributes, locations and modules.
#include "python/src/Diagnostics.h"
#include "python/src/Handles.h"

#include "lib/Pipelines/Registration.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace sdm::python {
namespace {

mlir::DialectRegistry makeRegistry() {
  mlir::DialectRegistry registry;
  mlir::sdm::registerSdmDialects(registry);
  return registry;
}

/// Text may name a dialect that nobody has loaded yet; a type's or attribute's parser loads it.
template <typename T, typename Parse>
T parseCached(llvm::StringMap<T> &cache, llvm::StringRef text, llvm::StringRef kind, mlir::Location location,
              Parse parse) {
  auto found = cache.find(text);
  if (found != cache.end())
    return found->second;
  Collector collector(location.getContext());
  T parsed = parse();
  collector.checkAt(mlir::success(static_cast<bool>(parsed)), ("expected " + kind + ", got '" + text + "'").str(),
                    location);
  cache[text] = parsed;
  return parsed;
}

std::string print(mlir::ModuleOp module, bool locations, bool generic) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  mlir::OpPrintingFlags flags;
  flags.enableDebugInfo(locations);
  if (generic)
    flags.printGenericOpForm();
  module->print(stream, flags);
  stream << '\n';
  return text;
}

ModulePtr parseModule(ContextPtr context, const std::string &text, const std::string &name) {
  Collector collector(&context->context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context->context), name);
  collector.check(mlir::success(static_cast<bool>(module)), "parsing");
  return std::make_shared<ModuleState>(ModuleState{std::move(context), std::move(module)});
}

/// Passes run on the module itself; an anchor around them is accepted. Handles into the module are dead afterwards.
void runPipeline(const ModulePtr &state, llvm::StringRef text) {
  if (text.consume_front("builtin.module("))
    text.consume_back(")");
  mlir::sdm::registerSdmPasses();
  mlir::PassManager manager(&state->context->context);
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (mlir::failed(mlir::parsePassPipeline(text, manager, stream)))
    throw DiagnosticFailure(mlir::UnknownLoc::get(&state->context->context), llvm::StringRef(message).rtrim().str());
  Collector collector(&state->context->context);
  // A pass trusts the verifier, which the manager runs only behind passes.
  collector.check(mlir::verify(state->module.get()), "verification");
  collector.check(manager.run(*state->module), "the pipeline");
}

} // namespace

ContextState::ContextState() : context(makeRegistry(), mlir::MLIRContext::Threading::DISABLED) {}

mlir::Type ContextState::parseType(llvm::StringRef text, mlir::Location location) {
  return parseCached(types, text, "a type", location, [&] { return mlir::parseType(text, &context); });
}

mlir::Attribute ContextState::parseAttribute(llvm::StringRef text, mlir::Location location) {
  return parseCached(attributes, text, "an attribute", location, [&] { return mlir::parseAttribute(text, &context); });
}

const std::string &ContextState::typeText(mlir::Type type) {
  std::string &text = typeTexts[type];
  if (text.empty()) {
    llvm::raw_string_ostream stream(text);
    type.print(stream);
  }
  return text;
}

mlir::Type toType(ContextState &context, py::handle given, mlir::Location location) {
  if (py::isinstance<TypeHandle>(given))
    return given.cast<TypeHandle &>().type;
  return context.parseType(given.cast<std::string>(), location);
}

mlir::Attribute toAttribute(ContextState &context, py::handle given, mlir::Location location) {
  mlir::Builder builder(&context.context);
  if (py::isinstance<AttributeHandle>(given))
    return given.cast<AttributeHandle &>().attribute;
  if (py::isinstance<TypeHandle>(given))
    return mlir::TypeAttr::get(given.cast<TypeHandle &>().type);
  if (py::isinstance<py::bool_>(given)) {
    if (given.cast<bool>())
      return builder.getUnitAttr();
    throw py::value_error("expected True (the unit attribute), text, an integer or a handle, got False");
  }
  if (py::isinstance<py::int_>(given))
    return builder.getI64IntegerAttr(given.cast<int64_t>());
  return context.parseAttribute(given.cast<std::string>(), location);
}

void bindIr(py::module_ &module) {
  py::class_<LocationHandle>(module, "Location").def("__str__", [](const LocationHandle &self) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    self.location.print(stream);
    return text;
  });
  py::class_<TypeHandle>(module, "Type")
      .def("__str__", [](const TypeHandle &self) { return self.context->typeText(self.type); })
      .def("__eq__", [](const TypeHandle &self, const TypeHandle &other) { return self.type == other.type; })
      .def("__hash__", [](const TypeHandle &self) { return static_cast<size_t>(hash_value(self.type)); });
  py::class_<AttributeHandle>(module, "Attribute").def("__str__", [](const AttributeHandle &self) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    self.attribute.print(stream);
    return text;
  });

  py::class_<ContextState, ContextPtr>(module, "Context")
      .def(py::init([] { return std::make_shared<ContextState>(); }))
      .def("type",
           [](ContextPtr self, const std::string &text) {
             return TypeHandle{self, self->parseType(text, mlir::UnknownLoc::get(&self->context))};
           })
      .def("attribute",
           [](ContextPtr self, const std::string &text) {
             return AttributeHandle{self, self->parseAttribute(text, mlir::UnknownLoc::get(&self->context))};
           })
      .def("string",
           [](ContextPtr self, const std::string &text) {
             return AttributeHandle{self, mlir::StringAttr::get(&self->context, text)};
           })
      .def("file",
           [](ContextPtr self, const std::string &file, unsigned line, unsigned column) {
             return LocationHandle{self, mlir::FileLineColLoc::get(&self->context, file, line, column)};
           })
      .def("call_site", [](ContextPtr self, const LocationHandle &callee, const LocationHandle &caller) {
        return LocationHandle{self, mlir::CallSiteLoc::get(callee.location, caller.location)};
      });

  py::class_<ModuleState, ModulePtr>(module, "Module")
      .def(py::init([](ContextPtr context) {
        mlir::Location location = mlir::UnknownLoc::get(&context->context);
        return std::make_shared<ModuleState>(ModuleState{context, mlir::ModuleOp::create(location)});
      }))
      .def_static("parse", &parseModule, py::arg("context"), py::arg("text"), py::arg("name") = "<mlir>")
      .def_readonly("context", &ModuleState::context)
      .def_property_readonly("body", [](ModulePtr self) { return BlockHandle{self, self->module->getBody()}; })
      .def_property_readonly("operation",
                             [](ModulePtr self) { return OperationHandle{self, self->module->getOperation()}; })
      .def(
          "text", [](const ModuleState &self, bool locations,
                     bool generic) { return print(self.module.get(), locations, generic); },
          py::arg("locations") = false, py::arg("generic") = false)
      .def("__str__", [](const ModuleState &self) { return print(self.module.get(), false, false); })
      .def("verify",
           [](const ModuleState &self) {
             Collector collector(&self.context->context);
             collector.check(mlir::verify(self.module.get()), "verification");
           })
      .def("clone",
           [](const ModuleState &self) {
             return std::make_shared<ModuleState>(ModuleState{self.context, self.module.get().clone()});
           })
      .def("operation_names", [](const ModuleState &self) {
        std::vector<std::string> names;
        self.module.get()->walk<mlir::WalkOrder::PreOrder>(
            [&](mlir::Operation *operation) { names.push_back(operation->getName().getStringRef().str()); });
        return names;
      });

  module.def(
      "run_pipeline", [](const ModulePtr &state, const std::string &text) { runPipeline(state, text); },
      py::arg("module"), py::arg("text"));
}

} // namespace sdm::python
