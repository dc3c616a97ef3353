// Contexts and modules: text in, text out, verification, pipelines.
#include "python/src/Diagnostics.h"
#include "python/src/Handles.h"

#include "lib/Pipelines/Registration.h"

#include "mlir/AsmParser/AsmParser.h"
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

template <typename T, typename Parse>
T parseCached(llvm::StringMap<T> &cache, mlir::MLIRContext &context, llvm::StringRef text, llvm::StringRef kind,
              Parse parse) {
  auto found = cache.find(text);
  if (found != cache.end())
    return found->second;
  Collector collector(&context);
  T parsed = parse();
  if (!parsed)
    throw py::value_error(("expected " + kind + ", got '" + text + "': " + collector.firstMessage()).str());
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

ModulePtr parseModule(const std::string &text, const std::string &name) {
  auto context = std::make_shared<ContextState>();
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
    throw py::value_error(llvm::StringRef(message).rtrim().str());
  Collector collector(&state->context->context);
  // A pass trusts the verifier, which the manager runs only behind passes.
  collector.check(mlir::verify(state->module.get()), "verification");
  collector.check(manager.run(*state->module), "the pipeline");
}

} // namespace

ContextState::ContextState() : context(makeRegistry(), mlir::MLIRContext::Threading::DISABLED) {
  // A message names its line; the whole operation below it would bury it.
  context.printOpOnDiagnostic(false);
}

mlir::Type ContextState::parseType(llvm::StringRef text) {
  return parseCached(types, context, text, "a type", [&] { return mlir::parseType(text, &context); });
}

mlir::Attribute ContextState::parseAttribute(llvm::StringRef text) {
  if (text.empty())
    return mlir::UnitAttr::get(&context);
  return parseCached(attributes, context, text, "an attribute", [&] { return mlir::parseAttribute(text, &context); });
}

void bindModules(py::module_ &module) {
  py::class_<ModuleState, ModulePtr>(module, "Module")
      .def_static("parse", &parseModule, py::arg("text"), py::arg("name") = "<mlir>")
      .def(
          "text",
          [](const ModuleState &self, bool locations, bool generic) {
            return print(self.module.get(), locations, generic);
          },
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
