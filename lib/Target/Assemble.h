// From PTX to machine code by ptxas, and what ptxas says about it.
#ifndef SDM_LIB_TARGET_ASSEMBLE_H
#define SDM_LIB_TARGET_ASSEMBLE_H

#include "lib/Target/Chip.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir::sdm {

/// What ptxas -v says of one kernel; sizes in bytes.
struct KernelResources {
  std::string entry;
  unsigned registers = 0;
  unsigned stack = 0;
  unsigned spillStores = 0;
  unsigned spillLoads = 0;
  unsigned shared = 0; ///< static only; dynamic shared memory is a launch argument
  unsigned barriers = 0;
};

struct Assembled {
  std::string cubin;
  std::vector<KernelResources> kernels;
  std::string log; ///< ptxas's own words
};

/// Looks for ptxas: `given` (a path, or empty), SDM_PTXAS, CUDA_HOME/bin, PATH, /usr/local/cuda/bin, then `folders`
/// (the caller knows where a wheel put it). A path that is given or set but is no program is an error; found nowhere is
/// an empty string.
llvm::Expected<std::string> findPtxas(llvm::StringRef given = {}, llvm::ArrayRef<std::string> folders = {});

/// First line of `ptxas --version` that holds the release ("13.0, V13.0.88"); part of cache keys.
llvm::Expected<std::string> ptxasVersion(llvm::StringRef ptxas);

llvm::Expected<Assembled> assemble(llvm::StringRef ptx, const Chip &chip, llvm::StringRef ptxas);

/// Reads the report of `ptxas -v`.
std::vector<KernelResources> parsePtxasReport(llvm::StringRef report);

} // namespace mlir::sdm

#endif // SDM_LIB_TARGET_ASSEMBLE_H
