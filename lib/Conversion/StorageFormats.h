// f32 and the formats that rows are stored in, by integer arithmetic; scalars and vectors of any rank.
#ifndef SDM_LIB_CONVERSION_STORAGEFORMATS_H
#define SDM_LIB_CONVERSION_STORAGEFORMATS_H

#include "mlir/IR/Builders.h"

namespace mlir::sdm {

/// The value with 0x7FFFFFFF in place of every NaN (f32).
Value canonicalNaN(OpBuilder &builder, Location loc, Value value);

/// The same as i32 bits. What is stored on the CPU goes this way: LLVM holds a choice between NaN and a square root for
/// the square root alone, whose NaN is another there.
Value canonicalBits(OpBuilder &builder, Location loc, Value value);

/// bf16, f16 or f8E4M3FN, given as their bits (i16, i8), to f32: exact. A NaN stays one.
Value widenStorage(OpBuilder &builder, Location loc, Value bits, FloatType storage);

/// f32 to the bits of bf16, f16 (i16) or f8E4M3FN (i8), or to the number of an i4 (i8): one rounding to nearest even.
/// The last two saturate. NaN becomes 0x7FFF, 0x7F, and 7.
Value roundToStorage(OpBuilder &builder, Location loc, Value value, Type storage);

/// Bytes (i8) of two i4 each to their numbers, the high one first: twice as many i8.
Value unpackNibbles(OpBuilder &builder, Location loc, Value bytes);

/// The reverse; the low four bits of each i8 count.
Value packNibbles(OpBuilder &builder, Location loc, Value numbers);

} // namespace mlir::sdm

#endif // SDM_LIB_CONVERSION_STORAGEFORMATS_H
