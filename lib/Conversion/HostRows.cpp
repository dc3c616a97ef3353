// Loads and stores of rows, slice by slice; the last slice may be narrower, and its missing columns are +0.
#include "lib/Conversion/HostRows.h"
#include "dialect/Slices.h"
#include "lib/Conversion/StorageFormats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::sdm;

Value mlir::sdm::shuffle(OpBuilder &builder, Location loc, Value v, Value other, ArrayRef<int64_t> indices) {
  return vector::ShuffleOp::create(builder, loc, v, other, indices);
}

Value mlir::sdm::sliceOf(OpBuilder &builder, Location loc, Value row, int64_t slice) {
  return vector::ExtractOp::create(builder, loc, row, slice);
}

Value mlir::sdm::isNarrowSlice(OpBuilder &builder, Location loc, int64_t width, Value slice) {
  int64_t last = sliceCount(width) - 1;
  if (sliceColumns(width, last) == sliceWidth(width))
    return {};
  Value number = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(last));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, slice, number);
}

namespace {

/// The accesses of one row, or of one slice of it.
class RowMemory {
public:
  RowMemory(OpBuilder &builder, Location loc, RowsType type) : builder(builder), loc(loc), type(type) {
    Type element = type.getElementType();
    isPacked = element.isInteger();
    memory = element.isF32() ? element : Type(builder.getIntegerType(isPacked ? 8 : element.getIntOrFloatBitWidth()));
  }

  /// All columns of a slice from memory that holds `columns` of them.
  Value load(Value address, int64_t columns) {
    int64_t count = isPacked ? type.getBytes(columns) : columns;
    Value bits = LLVM::LoadOp::create(builder, loc, VectorType::get({count}, memory), address, alignment());
    if (isPacked)
      bits = unpackNibbles(builder, loc, bits);
    bits = padded(bits, columns);
    if (memory == type.getValueType())
      return bits;
    return arith::BitcastOp::create(builder, loc, VectorType::get({width()}, type.getValueType()), bits);
  }

  /// The first `columns` of an f32 slice, or with `bits` of one in the storage type.
  void store(Value value, Value address, int64_t columns, bool bits) {
    // To integers first: LLVM cannot shuffle vectors of narrow floats everywhere.
    if (bits && memory != type.getValueType())
      value = arith::BitcastOp::create(builder, loc, VectorType::get({width()}, memory), value);
    if (columns != width())
      value = shuffle(builder, loc, value, value, llvm::to_vector(llvm::seq<int64_t>(0, columns)));
    if (!bits)
      value = memory.isF32() ? canonicalBits(builder, loc, value)
                             : roundToStorage(builder, loc, value, type.getElementType());
    if (isPacked)
      value = packNibbles(builder, loc, value);
    LLVM::StoreOp::create(builder, loc, value, address, alignment());
  }

  int64_t width() const { return sliceWidth(type.getWidth()); }

private:
  // Base and strides may be any multiple of an element.
  unsigned alignment() const { return type.getElementBytes(); }

  Value padded(Value value, int64_t columns) {
    if (columns == width())
      return value;
    // Both operands of a shuffle have one length, so the vector is widened first and its tail replaced by zeros then.
    SmallVector<int64_t> wide(width(), 0), zeroed(width(), width());
    for (int64_t column = 0; column < columns; ++column)
      wide[column] = zeroed[column] = column;
    auto full = VectorType::get({width()}, memory);
    Value zeros = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(full));
    return shuffle(builder, loc, shuffle(builder, loc, value, value, wide), zeros, zeroed);
  }

  OpBuilder &builder;
  Location loc;
  RowsType type;
  Type memory;   ///< what a column is in memory: f32, or bits; of i4 the byte of two
  bool isPacked; ///< i4
};

/// Puts slices together to a row value.
Value assemble(OpBuilder &builder, Location loc, VectorType rowType, ArrayRef<Value> slices) {
  Value row = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(rowType));
  for (auto [index, slice] : llvm::enumerate(slices))
    row = vector::InsertOp::create(builder, loc, slice, row, static_cast<int64_t>(index));
  return row;
}

} // namespace

Value mlir::sdm::loadRow(OpBuilder &builder, LoadRowOp op, const OperandParts &rows) {
  Location loc = op.getLoc();
  RowsType type = op.getRows().getType();
  RowMemory memory(builder, loc, type);
  int64_t width = type.getWidth();
  int64_t sliceBytes = type.getBytes(memory.width());
  Value address = rowAddress(builder, loc, rows, op.getIndices(), op.getSlice());

  SmallVector<Value> slices;
  if (!op.getSlice()) {
    for (int64_t slice = 0; slice < sliceCount(width); ++slice)
      slices.push_back(memory.load(advance(builder, loc, address, slice * sliceBytes), sliceColumns(width, slice)));
  } else if (Value narrow = isNarrowSlice(builder, loc, width, op.getSlice())) {
    auto choice = scf::IfOp::create(
        builder, loc, narrow,
        [&](OpBuilder &, Location) {
          int64_t last = sliceColumns(width, sliceCount(width) - 1);
          scf::YieldOp::create(builder, loc, memory.load(address, last));
        },
        [&](OpBuilder &, Location) { scf::YieldOp::create(builder, loc, memory.load(address, memory.width())); });
    slices.push_back(choice.getResult(0));
  } else {
    slices.push_back(memory.load(address, memory.width()));
  }
  return assemble(builder, loc, op.getResult().getType(), slices);
}

void mlir::sdm::storeRow(OpBuilder &builder, StoreRowOp op, const OperandParts &rows) {
  Location loc = op.getLoc();
  RowsType type = op.getRows().getType();
  RowMemory memory(builder, loc, type);
  int64_t width = type.getWidth();
  int64_t sliceBytes = type.getBytes(memory.width());
  Value address = rowAddress(builder, loc, rows, op.getIndices(), op.getSlice());

  if (!op.getSlice()) {
    for (int64_t slice = 0; slice < sliceCount(width); ++slice)
      memory.store(sliceOf(builder, loc, op.getValue(), slice), advance(builder, loc, address, slice * sliceBytes),
                   sliceColumns(width, slice), op.getBits());
    return;
  }
  Value value = sliceOf(builder, loc, op.getValue(), 0);
  auto storeColumns = [&](int64_t columns) {
    return [&, columns](OpBuilder &, Location) {
      memory.store(value, address, columns, op.getBits());
      scf::YieldOp::create(builder, loc);
    };
  };
  if (Value narrow = isNarrowSlice(builder, loc, width, op.getSlice()))
    scf::IfOp::create(builder, loc, narrow, storeColumns(sliceColumns(width, sliceCount(width) - 1)),
                      storeColumns(memory.width()));
  else
    memory.store(value, address, memory.width(), op.getBits());
}
