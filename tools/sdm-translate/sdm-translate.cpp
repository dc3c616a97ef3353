// sdm-translate: from a module in the LLVM dialect to LLVM IR, PTX or machine code of one chip.
#include "lib/Pipelines/Registration.h"
#include "lib/Target/Assemble.h"
#include "lib/Target/Ptx.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"

namespace {
using Emit = llvm::function_ref<llvm::Expected<std::string>(mlir::ModuleOp, const mlir::sdm::Chip &)>;

mlir::LogicalResult emitFor(llvm::StringRef chipName, mlir::ModuleOp module, llvm::raw_ostream &os, Emit emit) {
  const mlir::sdm::Chip *chip = mlir::sdm::findChip(chipName);
  if (!chip)
    return module.emitError("expected a chip (one of ") << mlir::sdm::targetNames() << "), got " << chipName;
  llvm::Expected<std::string> text = emit(module, *chip);
  if (!text)
    return module.emitError(llvm::toString(text.takeError()));
  os << *text;
  return mlir::success();
}
} // namespace

int main(int argc, char **argv) {
  using namespace mlir;
  llvm::cl::opt<std::string> chip("chip", llvm::cl::desc("GPU to emit for"), llvm::cl::init("sm_90"));
  llvm::cl::opt<bool> optimised("optimised", llvm::cl::desc("LLVM IR as the code generator sees it"));

  TranslateFromMLIRRegistration llvmir(
      "sdm-to-llvmir", "LLVM IR for a chip",
      [&](ModuleOp module, llvm::raw_ostream &os) {
        return emitFor(chip, module, os,
                       [&](ModuleOp m, const sdm::Chip &c) { return sdm::emitLlvmIr(m, c, optimised); });
      },
      sdm::registerSdmDialects);
  TranslateFromMLIRRegistration ptx(
      "sdm-to-ptx", "PTX for a chip",
      [&](ModuleOp module, llvm::raw_ostream &os) {
        return emitFor(chip, module, os, [](ModuleOp m, const sdm::Chip &c) { return sdm::emitPtx(m, c); });
      },
      sdm::registerSdmDialects);
  TranslateFromMLIRRegistration cubin(
      "sdm-to-cubin", "machine code for a chip, by ptxas",
      [&](ModuleOp module, llvm::raw_ostream &os) {
        return emitFor(chip, module, os, [](ModuleOp m, const sdm::Chip &c) -> llvm::Expected<std::string> {
          auto text = sdm::emitPtx(m, c);
          auto ptxas = text ? sdm::findPtxas() : llvm::Expected<std::string>(text.takeError());
          auto assembled = ptxas ? sdm::assemble(*text, c, *ptxas) : llvm::Expected<sdm::Assembled>(ptxas.takeError());
          if (!assembled)
            return assembled.takeError();
          return assembled->cubin;
        });
      },
      sdm::registerSdmDialects);
  return failed(mlirTranslateMain(argc, argv, "sdm translation driver"));
}
