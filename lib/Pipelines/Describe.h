// What the launcher must know of a compiled kernel.
#ifndef SDM_LIB_PIPELINES_DESCRIBE_H
#define SDM_LIB_PIPELINES_DESCRIBE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace mlir::sdm {

/// Reads a module whose walks are tiled. Adds to the argument layout's object:
///   "launches": [{"entry", "domain", "operand", "slices", "warps", "one_chunk", "shared_base",
///                 "resident": [{"operand", "axis", "row_bytes"}]}], in launch order;
///   "scratch": [{"argument", "slices"}], planes of partial results, [slices, chunks, n] f32.
llvm::Expected<llvm::json::Object> describeLaunches(ModuleOp module);

/// Fills in "shared_base" of each launch once its copies are lowered: bytes of shared memory in front of the slabs.
void describeShared(ModuleOp module, llvm::json::Object &description);

} // namespace mlir::sdm

#endif // SDM_LIB_PIPELINES_DESCRIBE_H
