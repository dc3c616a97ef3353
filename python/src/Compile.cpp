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

py::dict toDict(const std::vector<std::pair<std::string, std::string>> &stages) {
  py::dict out;
  for (auto &[stage, text] : stages)
    out[py::str(stage)] = text;
  return out;
}

/// A context of its own, so that compiles of several threads do not meet. Runs without the interpreter's lock.
void compileText(const std::string &text, const mlir::sdm::CompileOptions &options, const std::string &name,
                 mlir::sdm::CompileResult &result) {
  py::gil_scoped_release release;
  mlir::DialectRegistry registry;
  mlir::sdm::registerSdmDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  Collector collector(&context);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context), name);
  collector.check(mlir::success(static_cast<bool>(module)), "parsing");
  collector.check(mlir::sdm::compile(*module, options, result), "compiling");
}

py::dict toDict(const mlir::sdm::KernelResources &kernel) {
  using namespace py::literals;
  return py::dict("entry"_a = kernel.entry, "registers"_a = kernel.registers, "stack"_a = kernel.stack,
                  "spill_stores"_a = kernel.spillStores, "spill_loads"_a = kernel.spillLoads,
                  "shared"_a = kernel.shared);
}

/// A failure is thrown with the phase, the passes so far and the stages that were made.
py::dict compile(const std::string &text, const std::string &target, std::vector<std::string> schedule,
                 std::vector<std::string> extents, int64_t positions, std::vector<int64_t> early, bool farStrides,
                 std::string ptxas, std::vector<std::string> ptxasFolders, bool assemble, const std::string &name,
                 std::string until, bool locations) {
  mlir::sdm::CompileResult result;
  try {
    compileText(text,
                {target, std::move(schedule), std::move(extents), positions, std::move(early), farStrides,
                 std::move(ptxas), std::move(ptxasFolders), assemble, std::move(until), locations},
                name, result);
  } catch (DiagnosticFailure &failure) {
    failure.phase = result.failedPhase;
    failure.pipeline = result.pipeline;
    failure.stages = result.stages;
    throw;
  }
  py::list resources;
  for (const mlir::sdm::KernelResources &kernel : result.resources)
    resources.append(toDict(kernel));
  py::dict out;
  out["stages"] = toDict(result.stages);
  out["description"] = result.description;
  out["image"] = py::bytes(result.image);
  out["image_kind"] = result.imageKind;
  out["phases"] = result.phases;
  out["pipeline"] = result.pipeline;
  out["resources"] = resources;
  return out;
}

const mlir::sdm::Chip &chipOf(const std::string &name) {
  if (const mlir::sdm::Chip *found = mlir::sdm::findChip(name))
    return *found;
  throw py::value_error("expected one of the targets " + mlir::sdm::targetNames() + ", got '" + name + "'");
}

/// The chip table for Python.
void bindChips(py::module_ &module) {
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
        std::vector<std::string> names;
        for (llvm::StringRef name : chipOf(chip).features.names())
          names.push_back(name.str());
        return names;
      },
      py::arg("chip"));
  module.def(
      "chip_limits",
      [](const std::string &name) {
        using namespace py::literals;
        const mlir::sdm::Chip &chip = chipOf(name);
        return py::dict("multiprocessors"_a = chip.multiprocessors, "warps"_a = chip.warps,
                        "registers"_a = chip.registers, "shared_per_block"_a = chip.sharedPerBlock,
                        "shared_per_multiprocessor"_a = chip.sharedPerMultiprocessor);
      },
      py::arg("chip"));
  module.def(
      "blocks_per_multiprocessor",
      [](const std::string &chip, unsigned warps, unsigned shared, unsigned registers) {
        return chipOf(chip).blocksPerMultiprocessor(warps, shared, registers);
      },
      py::arg("chip"), py::arg("warps"), py::arg("shared"), py::arg("registers") = 0);
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
  bindChips(module);
  module.def(
      "find_ptxas",
      [](const std::string &given, const Strings &folders) { return orThrow(mlir::sdm::findPtxas(given, folders)); },
      py::arg("given") = "", py::arg("folders") = Strings());
  module.def("ptxas_version", [](const std::string &ptxas) { return orThrow(mlir::sdm::ptxasVersion(ptxas)); });
}

} // namespace sdm::python
