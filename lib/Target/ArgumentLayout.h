// Where each operand of a kernel lies in the one packed argument buffer that host entries and GPU kernels take.
#ifndef SDM_LIB_TARGET_ARGUMENTLAYOUT_H
#define SDM_LIB_TARGET_ARGUMENTLAYOUT_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace mlir::sdm {

/// An argument's name in messages and descriptions (a StringAttr on the argument); "arg<i>" without it.
constexpr llvm::StringLiteral kArgumentNameAttr = "sdm.name";
/// Marks an argument that the launcher allocates: planes of partial results.
constexpr llvm::StringLiteral kScratchAttr = "sdm.scratch";

enum class ArgumentKind { rows, cells, sorted, scalar, scratch };
llvm::StringRef toString(ArgumentKind kind);

/// One value of the buffer: one parameter of a GPU kernel.
struct ArgumentEntry {
  enum class Kind { pointer, i32, i64, f32 };
  Kind kind;
  unsigned offset; ///< bytes from the buffer's start, naturally aligned
  unsigned bytes() const { return kind == Kind::pointer || kind == Kind::i64 ? 8 : 4; }
};

/// One argument of the function: a run of entries.
///   rows, cells, scratch: pointer, a stride in bytes for each index axis, an extent for each index axis
///   sorted: for each plane a pointer and the chunk stride in bytes; then the positions of a chunk
///   scalar: the value (i1 is passed as i32)
struct ArgumentSlot {
  ArgumentKind kind;
  std::string name;
  Type type;
  unsigned firstEntry = 0;
  unsigned axes = 0;   ///< index axes of rows and cells
  unsigned planes = 0; ///< arrays of a sorted list

  // Positions in ArgumentLayout::entries.
  unsigned pointer(unsigned plane = 0) const { return firstEntry + 2 * plane; }
  unsigned chunkStride(unsigned plane) const { return firstEntry + 2 * plane + 1; }
  unsigned positions() const { return firstEntry + 2 * planes; }
  unsigned stride(unsigned axis) const { return firstEntry + 1 + axis; }
  unsigned extent(unsigned axis) const { return firstEntry + 1 + axes + axis; }
  unsigned value() const { return firstEntry; }
};

/// The layout of a whole function: its arguments, then the launch parameters, each an i64.
struct ArgumentLayout {
  llvm::SmallVector<ArgumentEntry> entries;
  llvm::SmallVector<ArgumentSlot> arguments;
  unsigned firstChunk = 0, chunks = 0, tileLength = 0, tiles = 0; ///< positions in `entries`
  unsigned bytes = 0;

  unsigned offset(unsigned entry) const { return entries[entry].offset; }

  /// {"size", "arguments": [...], "launch_params": {...}}, all places as byte offsets.
  llvm::json::Object toJson() const;
};

/// Computes the layout from a structured (or outlined) function's argument types; an argument of another type is an
/// error.
llvm::Expected<ArgumentLayout> computeArgumentLayout(func::FuncOp function);

} // namespace mlir::sdm

#endif // SDM_LIB_TARGET_ARGUMENTLAYOUT_H
