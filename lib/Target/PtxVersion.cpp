// Which instruction came with which PTX version, and the scan for them.
#include "lib/Target/PtxVersion.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <string>

namespace mlir::sdm {
namespace {

struct Need {
  llvm::StringLiteral part; ///< as in PTX, with '.' for '_' and "::" as in intrinsics' names
  unsigned version;
};

// Every row whose part occurs counts; the largest wins.
constexpr Need needs[] = {
    {"bulk.global.to.shared.cta", 86}, // intrinsic; the cluster form came with 8.0
    {"bulk.shared.cta", 86},           // instruction
    {"cp.async.bulk", 80},
    {"expect.tx", 80},
    {"fence.mbarrier.init", 80},
    {"fence.proxy.async", 80},
    {"fence.proxy", 80},
    {"nvvm.prefetch", 80},
    {"mbarrier.try.wait", 78},
    {"griddepcontrol", 78},
    {"barrier.cluster", 78},
    {"mapa", 78},
    {"elect.sync", 80},
    {"e4m3", 81},
    {"e5m2", 81},
    {"rn.f32x2", 86},
    {"l2.cache.hint", 74},
    {"l2.evict", 74},
    {"l1.evict", 74},
    {"l1.no.allocate", 74},
};

} // namespace

unsigned ptxVersionOf(llvm::StringRef nameOrAssembly) {
  // One spelling for both sources: "cp.async.bulk.shared::cta" and "mbarrier.expect_tx" become dotted lower case.
  std::string text = nameOrAssembly.lower();
  for (size_t at; (at = text.find("::")) != std::string::npos;)
    text.replace(at, 2, ".");
  std::replace(text.begin(), text.end(), '_', '.');
  unsigned version = 0;
  for (const Need &need : needs)
    if (llvm::StringRef(text).contains(need.part))
      version = std::max(version, need.version);
  return version;
}

unsigned lowestPtxVersion(const llvm::Module &module, const Chip &chip) {
  unsigned version = chip.ptxVersion;
  for (const llvm::Function &function : module) {
    if (function.isDeclaration() && !function.use_empty())
      version = std::max(version, ptxVersionOf(function.getName()));
    for (const llvm::BasicBlock &block : function)
      for (const llvm::Instruction &instruction : block)
        if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction))
          if (auto *assembly = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()))
            version = std::max(version, ptxVersionOf(assembly->getAsmString()));
  }
  return version;
}

} // namespace mlir::sdm
