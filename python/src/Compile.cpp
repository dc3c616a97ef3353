// The compile service for Python, and what a cache key needs to know of this build.
#include "python/src/Compile.h"
#include "python/src/Diagnostics.h"

#include "lib/Pipelines/Compile.h"
#include "lib/Pipelines/Registration.h"
#include "lib/Target/Assemble.h"
#include "lib/Target/Chip.h"
#include "lib/Target/Jit.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Config/llvm-config.h"

namespace sdm::python {
namespace {

/// A context of its own, so that compiles of several threads do not meet. Runs without the interpreter's lock.
mlir::sdm::CompileResult compileText(const std::string &text, const mlir::sdm::CompileOptions &options,
                                     const std::string &name) {
  py::gil_scoped_release release;
  mlir::DialectRegistry registry;
  mlir::sdm::registerSdmDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  Collector collector(&context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context), name);
  collector.check(mlir::success(static_cast<bool>(module)), "parsing");
  auto result = mlir::sdm::compile(*module, options);
  collector.check(result, "compiling");
  return std::move(*result);
}

py::dict compile(const std::string &text, const std::string &target, std::vector<std::string> schedule,
                 std::vector<std::string> extents, int64_t positions, std::vector<int64_t> early, bool farStrides,
                 std::string ptxas, std::vector<std::string> ptxasFolders, bool assemble, const std::string &name,
                 std::string until, bool locations) {
  mlir::sdm::CompileResult result =
      compileText(text,
                  {target, std::move(schedule), std::move(extents), positions, std::move(early), farStrides,
                   std::move(ptxas), std::move(ptxasFolders), assemble, std::move(until), locations},
                  name);
  py::dict stages;
  for (auto &[stage, stageText] : result.stages)
    stages[py::str(stage)] = stageText;
  py::dict out;
  out["stages"] = stages;
  out["description"] = result.description;
  out["image"] = py::bytes(result.image);
  out["image_kind"] = result.imageKind;
  return out;
}

} // namespace

void throwError(llvm::Error error) { throw DiagnosticFailure({{"error", llvm::toString(std::move(error)), Sites()}}); }

void bindCompile(py::module_ &module) {
  using Strings = std::vector<std::string>;
  module.def("compile", &compile, py::arg("text"), py::arg("target"), py::kw_only(), py::arg("schedule") = Strings(),
             py::arg("extents") = Strings(), py::arg("positions") = 0, py::arg("early") = std::vector<int64_t>(),
             py::arg("far_strides") = false, py::arg("ptxas") = "", py::arg("ptxas_folders") = Strings(),
             py::arg("assemble") = true, py::arg("name") = "<mlir>", py::arg("until") = "",
             py::arg("locations") = false);
  module.def("host_machine_key", &mlir::sdm::hostMachineKey);
  module.def("versions", [] { return std::string("LLVM " LLVM_VERSION_STRING ", sdm " SDM_VERSION); });
  module.def("targets", [] {
    std::vector<std::string> names;
    for (const mlir::sdm::Chip &chip : mlir::sdm::allChips())
      names.push_back(chip.name.str());
    names.push_back(mlir::sdm::hostTargetName.str());
    return names;
  });
  module.def(
      "nearest_chip",
      [](unsigned major, unsigned minor) {
        mlir::sdm::NearestChip nearest = mlir::sdm::nearestChip(major, minor);
        return std::pair(nearest.chip ? nearest.chip->name.str() : std::string(), nearest.note);
      },
      py::arg("major"), py::arg("minor"));
  module.def(
      "chip_features",
      [](const std::string &chip) {
        const mlir::sdm::Chip *found = mlir::sdm::findChip(chip);
        if (!found)
          throw py::value_error("expected one of the targets " + mlir::sdm::targetNames() + ", got '" + chip + "'");
        std::vector<std::string> names;
        for (llvm::StringRef name : found->features.names())
          names.push_back(name.str());
        return names;
      },
      py::arg("chip"));
  module.def(
      "find_ptxas",
      [](const std::string &given, const Strings &folders) { return orThrow(mlir::sdm::findPtxas(given, folders)); },
      py::arg("given") = "", py::arg("folders") = Strings());
  module.def("ptxas_version", [](const std::string &ptxas) { return orThrow(mlir::sdm::ptxasVersion(ptxas)); });
}

} // namespace sdm::python
