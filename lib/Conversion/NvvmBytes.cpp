// Rows of f8E4M3FN and i4 on a lane. LLVM has no numbers of four or eight bits: they are cut out of 32-bit words.
#include "lib/Conversion/NvvmBytes.h"
#include "dialect/Slices.h"
#include "lib/Conversion/StorageFormats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sdm;

namespace {
// Where a word has the column j of four nibbles: the first one of each byte is high.
constexpr int64_t kNibbleShift[kLaneColumns] = {4, 0, 12, 8};
} // namespace

static Value splat(OpBuilder &builder, Location loc, Value like, int64_t value) {
  Type type = like.getType();
  TypedAttr element = builder.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    element = DenseElementsAttr::get(vector, Attribute(element));
  return arith::ConstantOp::create(builder, loc, element);
}

Value mlir::sdm::zeroColumns(OpBuilder &builder, Location loc, VectorType type) {
  if (!isa<Float8E4M3FNType>(type.getElementType()))
    return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  Value zeros = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.clone(builder.getI8Type())));
  return arith::BitcastOp::create(builder, loc, type, zeros);
}

/// A vector's elements side by side in one i32, the first one lowest.
static Value asOneWord(OpBuilder &builder, Location loc, Value words) {
  auto type = cast<VectorType>(words.getType());
  int64_t bits = type.getElementTypeBitWidth();
  Value all;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    Value word = vector::ExtractOp::create(builder, loc, words, i);
    if (bits < 32)
      word = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), word);
    if (i > 0)
      word = arith::ShLIOp::create(builder, loc, word, splat(builder, loc, word, i * bits));
    all = all ? arith::OrIOp::create(builder, loc, all, word) : word;
  }
  return all;
}

/// Four nibbles of a word to its four bytes, sign-extended. Columns that were cut out one by one would each be alive in
/// a register of their own until they are used; so a lane holds one.
static Value spreadNibbles(OpBuilder &builder, Location loc, Value word) {
  auto constant = [&](int64_t value) { return splat(builder, loc, word, value); };
  Value all;
  for (auto [j, from] : llvm::enumerate(kNibbleShift)) {
    Value nibble = arith::AndIOp::create(builder, loc, word, constant(int64_t(0xF) << from));
    int64_t up = 8 * static_cast<int64_t>(j) - from;
    if (up < 0)
      nibble = arith::ShRUIOp::create(builder, loc, nibble, constant(-up));
    else
      nibble = arith::ShLIOp::create(builder, loc, nibble, constant(up));
    all = all ? arith::OrIOp::create(builder, loc, all, nibble) : nibble;
  }
  // A byte's sign is 8; times 30 it is the high half of its byte.
  Value signs = arith::AndIOp::create(builder, loc, all, constant(0x08080808));
  return arith::OrIOp::create(builder, loc, all, arith::MulIOp::create(builder, loc, signs, constant(30)));
}

Value mlir::sdm::takeBytes(OpBuilder &builder, Location loc, Value words, Type column) {
  Value word = asOneWord(builder, loc, words);
  auto bytes = VectorType::get({kLaneColumns}, builder.getI8Type());
  if (column.isInteger())
    return LLVM::BitcastOp::create(builder, loc, bytes, spreadNibbles(builder, loc, word));
  return arith::BitcastOp::create(builder, loc, bytes.clone(column),
                                  LLVM::BitcastOp::create(builder, loc, bytes, word));
}

Value mlir::sdm::bytesToStore(OpBuilder &builder, Location loc, Value columns, RowsType rows) {
  auto type = cast<VectorType>(columns.getType());
  if (!type.getElementType().isInteger())
    columns = arith::BitcastOp::create(builder, loc, type.clone(builder.getI8Type()), columns);
  if (!rows.getElementType().isInteger())
    return columns;
  Value all;
  for (auto [j, shift] : llvm::enumerate(kNibbleShift)) {
    Value number = vector::ExtractOp::create(builder, loc, columns, static_cast<int64_t>(j));
    Value word = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), number);
    word = arith::AndIOp::create(builder, loc, word, splat(builder, loc, word, 0xF));
    word = arith::ShLIOp::create(builder, loc, word, splat(builder, loc, word, shift));
    all = all ? arith::OrIOp::create(builder, loc, all, word) : word;
  }
  Value half = arith::TruncIOp::create(builder, loc, builder.getI16Type(), all);
  return vector::FromElementsOp::create(builder, loc, VectorType::get({1}, builder.getI16Type()), half);
}

/// i8 to f32 without a conversion, which a multiprocessor has few units for: the number plus 128 in the last places of
/// 2^23, less 2^23 + 128.
static Value widenIntegers(OpBuilder &builder, Location loc, Value columns) {
  auto type = cast<VectorType>(columns.getType());
  Type f32 = builder.getF32Type();
  Value offset = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0x1p23f + 128.0f));
  SmallVector<Value> values;
  for (int64_t j = 0; j < type.getNumElements(); ++j) {
    Value number = vector::ExtractOp::create(builder, loc, columns, j);
    Value word = arith::ExtUIOp::create(builder, loc, builder.getI32Type(), number);
    word = arith::XOrIOp::create(builder, loc, word, splat(builder, loc, word, 0x4B000080));
    values.push_back(arith::SubFOp::create(builder, loc, arith::BitcastOp::create(builder, loc, f32, word), offset));
  }
  return vector::FromElementsOp::create(builder, loc, type.clone(f32), values);
}

Value mlir::sdm::widenBytes(OpBuilder &builder, Location loc, Value piece) {
  auto type = cast<VectorType>(piece.getType());
  auto wide = type.clone(builder.getF32Type());
  Value result = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(wide));
  for (int64_t s = 0; s < type.getDimSize(0); ++s) {
    Value row = vector::ExtractOp::create(builder, loc, piece, s);
    Value values;
    if (auto storage = dyn_cast<FloatType>(type.getElementType())) {
      auto bytes = VectorType::get({type.getDimSize(1)}, builder.getI8Type());
      values = widenStorage(builder, loc, arith::BitcastOp::create(builder, loc, bytes, row), storage);
    } else {
      values = widenIntegers(builder, loc, row);
    }
    result = vector::InsertOp::create(builder, loc, values, result, s);
  }
  return result;
}
