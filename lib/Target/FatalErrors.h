// LLVM's fatal errors ("Cannot select ...") as llvm::Error: by default they end the process, which may be a user's
// Python.
#ifndef SDM_LIB_TARGET_FATALERRORS_H
#define SDM_LIB_TARGET_FATALERRORS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir::sdm {

/// Runs `body`; a fatal error of LLVM on this thread unwinds to here and becomes the Error. What LLVM held is leaked,
/// so the caller drops its module and context afterwards.
llvm::Error catchFatalErrors(llvm::function_ref<llvm::Error()> body);

/// Collects the errors that a context reports; the default handler exits.
class ContextErrors {
public:
  explicit ContextErrors(llvm::LLVMContext &context);
  /// Success when nothing was reported.
  llvm::Error take(llvm::StringRef doing);

private:
  static void handle(const llvm::DiagnosticInfo *info, void *self);
  std::string text;
};

} // namespace mlir::sdm

#endif // SDM_LIB_TARGET_FATALERRORS_H
