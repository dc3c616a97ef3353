// What the launcher must know of a compiled kernel.
#ifndef SDM_LIB_PIPELINES_DESCRIBE_H
#define SDM_LIB_PIPELINES_DESCRIBE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace mlir::sdm {

/// Reads a module whose walks are planned; tiling drops them. One entry a walk: {"form", "slices", "warps", "unit",
/// "depth", "loads": [{"operand", "placement", "phase"}]}, and the planner's sentences.
void describePlans(ModuleOp module, llvm::json::Array &plans, llvm::json::Array &reasons);

/// Reads a module whose walks are tiled. Adds to the argument layout's object:
///   "launches": [{"entry", "domain", "operand", "slices", "warps", "one_chunk", "shared_base",
///                 "resident": [{"operand", "axis", "row_bytes"}]}], in launch order;
///   "scratch": [{"argument", "slices"}], planes of partial results, [slices, chunks, n] f32.
llvm::Expected<llvm::json::Object> describeLaunches(ModuleOp module);

/// Fills in what the lowered copies say of each launch: "shared_base", bytes of shared memory in front of the slabs,
/// and of a pipeline "unit", its positions.
void describeShared(ModuleOp module, llvm::json::Object &description);

} // namespace mlir::sdm

#endif // SDM_LIB_PIPELINES_DESCRIBE_H
