// The fatal-error handler that throws, and the context's diagnostics.
#include "lib/Target/FatalErrors.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>
#include <stdexcept>

namespace mlir::sdm {
namespace {

struct FatalError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Other threads' fatal errors, and those outside a guard, end the process as before: nobody would catch the exception.
thread_local unsigned guards = 0;

void throwFatalError(void *, const char *reason, bool) {
  if (guards)
    throw FatalError(reason);
}

} // namespace

llvm::Error catchFatalErrors(llvm::function_ref<llvm::Error()> body) {
  static std::once_flag installed;
  std::call_once(installed, [] { llvm::install_fatal_error_handler(throwFatalError); });
  ++guards;
  llvm::scope_exit leave([] { --guards; });
  try {
    return body();
  } catch (const FatalError &error) {
    return llvm::createStringError(error.what());
  }
}

ContextErrors::ContextErrors(llvm::LLVMContext &context) { context.setDiagnosticHandlerCallBack(handle, this); }

void ContextErrors::handle(const llvm::DiagnosticInfo *info, void *self) {
  if (info->getSeverity() != llvm::DS_Error)
    return;
  llvm::raw_string_ostream stream(static_cast<ContextErrors *>(self)->text);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info->print(printer);
  stream << '\n';
}

llvm::Error ContextErrors::take(llvm::StringRef doing) {
  if (text.empty())
    return llvm::Error::success();
  std::string message = (doing + ": " + llvm::StringRef(text).rtrim()).str();
  text.clear();
  return llvm::createStringError(message);
}

} // namespace mlir::sdm
