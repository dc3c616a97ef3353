// The host target's machine code: compiled by LLVM for this machine, kept as an object file, loaded by ORC.
#ifndef SDM_LIB_TARGET_JIT_H
#define SDM_LIB_TARGET_JIT_H

#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace mlir::sdm {

/// This machine's triple, CPU and features, as one line: an object in a cache is valid for it alone.
std::string hostMachineKey();

struct HostStages {
  std::string llvm;      ///< LLVM IR as translated
  std::string optimised; ///< LLVM IR as the code generator sees it
  std::string object;    ///< relocatable object file, what a cache keeps
};

/// Compiles for this machine. Multiplications and additions are never contracted; `llvm.fma` is one rounding (an
/// instruction, or libm's function where the machine has none).
llvm::Expected<HostStages> compileForHost(ModuleOp module);

/// The same code as readable assembly.
llvm::Expected<std::string> emitHostAssembly(ModuleOp module);

/// Machine code in this process; it stays as long as the object lives.
class HostJit {
public:
  /// Signature of an entry: packed arguments and the range of units to run (see HostExecutor.h).
  using Entry = void (*)(const void *arguments, int64_t begin, int64_t end);

  /// Links an object file (from compileForHost or a cache).
  static llvm::Expected<std::unique_ptr<HostJit>> load(llvm::StringRef object);
  ~HostJit();

  llvm::Expected<Entry> lookup(llvm::StringRef name);

private:
  explicit HostJit(std::unique_ptr<llvm::orc::LLJIT> jit);
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace mlir::sdm

#endif // SDM_LIB_TARGET_JIT_H
