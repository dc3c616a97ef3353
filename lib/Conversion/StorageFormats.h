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

/// bf16 or f16, given as i16 bits, to f32: exact. A NaN stays one.
Value widenStorage(OpBuilder &builder, Location loc, Value bits, FloatType storage);

/// f32 to the i16 bits of bf16 or f16: one rounding to nearest even; NaN becomes 0x7FFF.
Value roundToStorage(OpBuilder &builder, Location loc, Value value, FloatType storage);

} // namespace mlir::sdm

#endif // SDM_LIB_CONVERSION_STORAGEFORMATS_H
