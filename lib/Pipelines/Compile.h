// The compile service: a structured kernel in, machine code and the launcher's description out, every stage kept.
#ifndef SDM_LIB_PIPELINES_COMPILE_H
#define SDM_LIB_PIPELINES_COMPILE_H

#include "lib/Target/Assemble.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <utility>
#include <vector>

namespace mlir::sdm {

struct CompileOptions {
  std::string target; ///< a chip ("sm_90") or "host"
  std::vector<std::string>
      schedule; ///< parts that override the rule, as sdm-plan-rows takes them ("warps=4", "2=direct")
  std::vector<std::string> extents;      ///< what is known of operands' axes, "operand:axis:extent"
  int64_t positions = 0;                 ///< positions or rows of a whole launch; 0: not known
  std::vector<int64_t> early;            ///< operands that the previous kernel does not write
  bool farStrides = false;               ///< a stride of an operand is 2^31 bytes or more
  std::string ptxas;                     ///< the assembler to use; empty: looked for (see findPtxas)
  std::vector<std::string> ptxasFolders; ///< where to look last
  bool assemble = true;                  ///< machine code where ptxas is found; otherwise the image is PTX
  std::string until;                     ///< the last stage to make, "scheduled" (no image then); empty: all of them
  bool locations = false;                ///< stages of MLIR carry their source lines
};

/// Filled in as the compilation goes, so that a failure leaves what was made before it.
struct CompileResult {
  /// "sdm", "plan", "scheduled", "nvvm" (host: "llvm-dialect"), "llvm", "ptx" (host: "asm"), in the order they were
  /// made.
  std::vector<std::pair<std::string, std::string>> stages;
  std::string description; ///< JSON for the launcher
  std::string image;       ///< cubin, PTX, or an object file for this machine
  std::string imageKind;   ///< "cubin", "ptx" or "object"

  /// "plan", "tile", "lanes", "nvvm" (host: "host"), "llvm", "ptxas", each with its seconds.
  std::vector<std::pair<std::string, double>> phases;
  std::string failedPhase;                ///< the last of them when it failed; a wrong option fails outside of all
  std::string pipeline;                   ///< the passes of those phases, as sdm-opt takes them inside builtin.module
  std::vector<KernelResources> resources; ///< where ptxas made the image
};

/// Compiles the module's one kernel; the module is consumed. Errors go to the context's diagnostics.
LogicalResult compile(ModuleOp module, const CompileOptions &options, CompileResult &result);

} // namespace mlir::sdm

#endif // SDM_LIB_PIPELINES_COMPILE_H
