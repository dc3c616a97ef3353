// One lane's columns of a row, in global and in shared memory.
#ifndef SDM_LIB_CONVERSION_NVVMROWS_H
#define SDM_LIB_CONVERSION_NVVMROWS_H

#include "dialect/SdmOps.h"
#include "lib/Conversion/LaneColumns.h"
#include "lib/Conversion/OperandAccess.h"

namespace mlir::sdm {

/// This lane's columns of a row: a word for each piece that lies in the row, zeros for the others, or anything where a
/// lane's columns lie in the row together or not at all: its reductions leave such lanes out, its stores too. `fresh`
/// memory was written by this kernel: the loads stay behind the stores.
Value loadPiece(OpBuilder &builder, LoadPieceOp load, const OperandParts &rows, Value lane, bool fresh);
/// Writes this lane's columns, piece by piece, those that lie in the row.
void storePiece(OpBuilder &builder, StorePieceOp store, const OperandParts &rows, Value lane);
/// This lane's columns of a slab's row; `base` is the slab's address.
Value takePiece(OpBuilder &builder, TakePieceOp take, Value base, Value lane);
/// Four columns of slice s; those outside the row become `identity`, unless whole lanes lie outside.
Value maskColumns(OpBuilder &builder, Location loc, Value row, LaneColumns &columns, int64_t s, float identity);
/// Whether columns of a type are widened by integers: bf16, f8E4M3FN, and i8 of i4.
bool isWidenedByIntegers(Type column);
/// Such columns to f32: exact.
Value widenPiece(OpBuilder &builder, Location loc, Value piece);
/// A scalar of global memory, past the first cache.
Value loadCoherent(OpBuilder &builder, Location loc, Type type, Value address, bool fresh);

} // namespace mlir::sdm

#endif // SDM_LIB_CONVERSION_NVVMROWS_H
