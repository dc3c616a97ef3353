// From a kernel's operands to addresses: the values that an operand is made of, and the arithmetic on them. Host and
// GPU.
#ifndef SDM_LIB_CONVERSION_OPERANDACCESS_H
#define SDM_LIB_CONVERSION_OPERANDACCESS_H

#include "dialect/SdmOps.h"
#include "lib/Target/ArgumentLayout.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mlir::sdm {

/// One operand, taken apart. Strides are in bytes, i64, or i32 where the GPU knows that they are short; extents are
/// i64.
struct OperandParts {
  struct Plane {
    Value pointer;
    Value chunkStride;
  };

  Type type;                  ///< the sdm type, or the scalar's
  Value pointer;              ///< rows and cells
  SmallVector<Value> strides; ///< of each index axis
  SmallVector<Value> extents; ///< of each index axis
  SmallVector<Plane> planes;  ///< sorted records
  Value positions;            ///< sorted records: positions of a chunk
  Value scalar;
};

/// Everything that a launch is given, in the order of the packed buffer.
struct KernelParts {
  SmallVector<OperandParts> operands; ///< one for each argument of the function
  Value firstChunk, chunks, tileLength, tiles;

  /// The parts of a function's argument.
  const OperandParts &of(Value argument) const { return operands[cast<BlockArgument>(argument).getArgNumber()]; }
};

/// The packed buffer's layout for a function whose walk is tiled: one block, arguments of known types; else an error is
/// said.
FailureOr<ArgumentLayout> layoutOfTiled(func::FuncOp function);

/// Makes the value of one entry: on the host a load from the packed buffer, on the GPU a parameter of the kernel.
using EntrySource = function_ref<Value(unsigned index, const ArgumentEntry &entry)>;

/// Type of an entry's value.
Type entryType(const ArgumentEntry &entry, LLVM::LLVMPointerType pointer);

/// Takes a whole function's arguments apart; i1 scalars are narrowed at the builder's place.
KernelParts takeApart(OpBuilder &builder, Location loc, func::FuncOp function, const ArgumentLayout &layout,
                      EntrySource source);

/// The extent of an operand's axis (i64).
Value extentOf(OpBuilder &builder, Location loc, const KernelParts &parts, DimOp dim);

/// Positions [t * L, (t + 1) * L) of tile t (i64), as far as there are any.
std::pair<Value, Value> nominalRange(OpBuilder &builder, Location loc, const KernelParts &parts, TileOp walked,
                                     Value tile);

/// An index as i64, sign-extended.
Value wideIndex(OpBuilder &builder, Location loc, Value index);
/// Whether every operation that named an operand of the function has been lowered; an error at the first one that has
/// not.
LogicalResult checkLowered(func::FuncOp function);

/// index * stride as i64.
Value strideProduct(OpBuilder &builder, Location loc, Value index, Value stride);
Value advance(OpBuilder &builder, Location loc, Value pointer, Value bytes);
Value advance(OpBuilder &builder, Location loc, Value pointer, int64_t bytes);

/// Address of a row, or of its slice `slice` where that is given, `bytes` further. Indices of the outer axes alone name
/// the first row of a slab.
Value rowAddress(OpBuilder &builder, Location loc, const OperandParts &rows, ValueRange indices, Value slice = {},
                 int64_t bytes = 0);

Value cellAddress(OpBuilder &builder, Location loc, const OperandParts &cells, ValueRange indices);

/// Address of one record in one plane.
Value recordAddress(OpBuilder &builder, Location loc, const OperandParts &sorted, int64_t plane, Value chunk,
                    Value pos);

/// How a load may be done: `invariant` memory is written by nobody while the kernel runs.
struct LoadHints {
  bool invariant = false;
};

/// A field of the record at a position: one load of its word and what cuts it out, or a constant.
Value recordField(OpBuilder &builder, Location loc, const OperandParts &sorted, Value chunk, Value pos, FieldAttr field,
                  LoadHints hints = {});

/// A field whose word lies at an address.
Value fieldAt(OpBuilder &builder, Location loc, Value address, FieldAttr field, unsigned alignment,
              LoadHints hints = {});

/// The largest power of two up to `most` that divides `bytes`.
unsigned alignmentOf(int64_t bytes, unsigned most);

} // namespace mlir::sdm

#endif // SDM_LIB_CONVERSION_OPERANDACCESS_H
