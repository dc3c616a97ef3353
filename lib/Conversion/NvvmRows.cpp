// One lane's columns of a row. A piece divides every slice's length, so that it lies in the row or outside as a whole.
#include "lib/Conversion/NvvmRows.h"
#include "dialect/Slices.h"
#include "lib/Conversion/LaneColumns.h"
#include "lib/Conversion/NvvmBytes.h"
#include "lib/Conversion/StorageFormats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sdm;

static Value constantI32(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}

static VectorType vectorOf(int64_t count, Type element) { return VectorType::get({count}, element); }

/// Bytes of one access of a lane's four columns.
static int64_t accessBytes(RowsType rows) { return std::min(rows.getPiece(), rows.getBytes(kLaneColumns)); }
static int64_t columnsOf(int64_t bytes, RowsType rows) { return bytes * kLaneColumns / rows.getBytes(kLaneColumns); }

/// ld.global.cg of 1 to 16 bytes, as 32-bit words (a narrower one for 1 and 2 bytes). The second cache is where other
/// multiprocessors' writes are seen, also of a kernel that was still running when this one started. Assembly keeps LLVM
/// from making one load of those that a loop issues ahead. Where `mask` is false nothing is read, the words are
/// anything.
static SmallVector<Value> loadWords(OpBuilder &builder, Location loc, Value address, int64_t bytes, bool fresh,
                                    Value mask = {}) {
  int64_t count = std::max<int64_t>(bytes / 4, 1);
  Type word = builder.getIntegerType(bytes < 4 ? 16 : 32); // no register is narrower
  std::string text, outputs = bytes < 4 ? "=h" : "=r";
  if (count == 1) {
    text = "ld.global.cg.b" + std::to_string(8 * bytes) + " $0, [$1];";
  } else {
    text = count == 2 ? "ld.global.cg.v2.b32 {$0, $1}, [$2];" : "ld.global.cg.v4.b32 {$0, $1, $2, $3}, [$4];";
    for (int64_t i = 1; i < count; ++i)
      outputs += ",=r";
  }
  SmallVector<Value> inputs{address};
  std::string constraints = outputs + ",l";
  if (mask) {
    text = "@$" + std::to_string(count + 1) + " " + text;
    constraints += ",b";
    inputs.push_back(mask);
  }
  Type result = word;
  if (count > 1)
    result = LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(count, word));
  auto load = LLVM::InlineAsmOp::create(
      builder, loc, result, inputs, text, constraints + (fresh ? ",~{memory}" : ""), /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr::get(builder.getContext(), LLVM::AsmDialect::AD_ATT), ArrayAttr());
  if (bytes == 1)
    return {arith::TruncIOp::create(builder, loc, builder.getI8Type(), load.getRes())};
  if (count == 1)
    return {load.getRes()};
  SmallVector<Value> words;
  for (int64_t i = 0; i < count; ++i)
    words.push_back(LLVM::ExtractValueOp::create(builder, loc, load.getRes(), i));
  return words;
}

Value mlir::sdm::loadCoherent(OpBuilder &builder, Location loc, Type type, Value address, bool fresh) {
  if (type.isInteger(64)) {
    SmallVector<Value> words = loadWords(builder, loc, address, 8, fresh);
    Value pair = vector::FromElementsOp::create(builder, loc, vectorOf(2, builder.getI32Type()), words);
    return LLVM::BitcastOp::create(builder, loc, type, pair);
  }
  Value word = loadWords(builder, loc, address, 4, fresh).front();
  return type.isF32() ? LLVM::BitcastOp::create(builder, loc, type, word).getResult() : word;
}

/// Byte of column `j` of this lane in slice s of the row, 0 where that column is not there: such lanes read the slice's
/// first piece, which always is, and drop it.
static Value columnByte(OpBuilder &builder, Location loc, LaneColumns &columns, int64_t s, int64_t j, Value isIn,
                        RowsType rows, bool sliced) {
  Value column = columns.column(j);
  if (isIn)
    column = arith::SelectOp::create(builder, loc, isIn, column, constantI32(builder, loc, 0));
  Value byte = rows.getElementType().isInteger()
                   ? arith::ShRUIOp::create(builder, loc, column, constantI32(builder, loc, 1)).getResult()
                   : arith::MulIOp::create(builder, loc, column, constantI32(builder, loc, rows.getBytes(1)));
  if (!sliced && s > 0)
    byte = arith::AddIOp::create(builder, loc, byte,
                                 constantI32(builder, loc, rows.getBytes(s * sliceWidth(rows.getWidth()))));
  return byte;
}

static Value byteAddress(OpBuilder &builder, Location loc, Value pointer, Value byte) {
  return advance(builder, loc, pointer, wideIndex(builder, loc, byte));
}

Value mlir::sdm::loadPiece(OpBuilder &builder, LoadPieceOp load, const OperandParts &operand, Value lane, bool fresh) {
  Location loc = load.getLoc();
  RowsType rows = load.getRows().getType();
  VectorType type = load.getType();
  bool sliced = static_cast<bool>(load.getSlice());
  int64_t bytes = accessBytes(rows), perAccess = columnsOf(bytes, rows);
  Value base = rowAddress(builder, loc, operand, load.getIndices(), load.getSlice());
  LaneColumns columns(builder, loc, rows.getWidth(), load.getSlice(), lane);
  Value result = zeroColumns(builder, loc, type);
  for (int64_t s = 0; s < type.getDimSize(0); ++s) {
    SmallVector<Value> words;
    for (int64_t j = 0; j < kLaneColumns; j += perAccess) {
      Value isIn = columns.allIn(s) ? Value() : columns.isIn(s, j);
      Value byte = columnByte(builder, loc, columns, s, j, isIn, rows, sliced);
      for (Value word : loadWords(builder, loc, byteAddress(builder, loc, base, byte), bytes, fresh, load.getMask())) {
        if (isIn && !columns.lanesAreWhole())
          word = arith::SelectOp::create(
              builder, loc, isIn, word,
              arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(word.getType(), 0)));
        words.push_back(word);
      }
    }
    Value packed = vector::FromElementsOp::create(
        builder, loc, vectorOf(static_cast<int64_t>(words.size()), words.front().getType()), words);
    Value piece = rows.isQuantized()
                      ? takeBytes(builder, loc, packed, rows.getElementType())
                      : LLVM::BitcastOp::create(builder, loc, vectorOf(kLaneColumns, type.getElementType()), packed);
    result = vector::InsertOp::create(builder, loc, piece, result, s);
  }
  return result;
}

/// bf16 columns to f32 through 32-bit words.
static Value widenPairs(OpBuilder &builder, Location loc, Value piece) {
  auto type = cast<VectorType>(piece.getType());
  auto wide = type.clone(builder.getF32Type());
  Value result = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(wide));
  Value high = constantI32(builder, loc, 0xFFFF0000), sixteen = constantI32(builder, loc, 16);
  for (int64_t s = 0; s < type.getDimSize(0); ++s) {
    Value row = vector::ExtractOp::create(builder, loc, piece, s);
    Value words = LLVM::BitcastOp::create(builder, loc, vectorOf(2, builder.getI32Type()), row);
    SmallVector<Value> columns;
    for (int64_t pair = 0; pair < 2; ++pair) {
      Value word = vector::ExtractOp::create(builder, loc, words, pair);
      for (Value bits : {arith::ShLIOp::create(builder, loc, word, sixteen).getResult(),
                         arith::AndIOp::create(builder, loc, word, high).getResult()})
        columns.push_back(arith::BitcastOp::create(builder, loc, builder.getF32Type(), bits));
    }
    Value values = vector::FromElementsOp::create(builder, loc, vectorOf(kLaneColumns, builder.getF32Type()), columns);
    result = vector::InsertOp::create(builder, loc, values, result, s);
  }
  return result;
}

bool mlir::sdm::isWidenedByIntegers(Type column) {
  return isa<BFloat16Type, Float8E4M3FNType>(column) || column.isInteger(8);
}

Value mlir::sdm::widenPiece(OpBuilder &builder, Location loc, Value piece) {
  return areBytes(getElementTypeOrSelf(piece.getType())) ? widenBytes(builder, loc, piece)
                                                         : widenPairs(builder, loc, piece);
}

/// A lane's four columns as words to be stored: rounded once, NaN canonical. The conversion of pairs to bf16 and f16
/// gives 0x7FFF for every NaN by itself.
static Value storedWords(OpBuilder &builder, Location loc, Value columns, RowsType rows, bool bits) {
  Type storage = rows.getElementType();
  if (rows.isQuantized())
    return bytesToStore(builder, loc, bits ? columns : roundToStorage(builder, loc, columns, storage), rows);
  auto words = vectorOf(kLaneColumns * rows.getElementBytes() / 4, builder.getI32Type());
  if (bits)
    return LLVM::BitcastOp::create(builder, loc, words, columns);
  if (storage.isF32())
    return LLVM::BitcastOp::create(builder, loc, words, canonicalNaN(builder, loc, columns));
  SmallVector<Value> pairs;
  for (int64_t pair = 0; pair < 2; ++pair) {
    Value two = vector::ExtractStridedSliceOp::create(builder, loc, columns, ArrayRef<int64_t>{2 * pair},
                                                      ArrayRef<int64_t>{2}, ArrayRef<int64_t>{1});
    Value rounded = LLVM::FPTruncOp::create(builder, loc, vectorOf(2, storage), two);
    pairs.push_back(LLVM::BitcastOp::create(builder, loc, builder.getI32Type(), rounded));
  }
  return vector::FromElementsOp::create(builder, loc, words, pairs);
}

void mlir::sdm::storePiece(OpBuilder &builder, StorePieceOp store, const OperandParts &operand, Value lane) {
  Location loc = store.getLoc();
  RowsType rows = store.getRows().getType();
  bool sliced = static_cast<bool>(store.getSlice());
  int64_t bytes = accessBytes(rows), perAccess = columnsOf(bytes, rows);
  int64_t unitBytes = std::min<int64_t>(bytes, 4), units = rows.getBytes(kLaneColumns) / unitBytes;
  Type unit = builder.getIntegerType(8 * unitBytes);
  int64_t perStore = units * perAccess / kLaneColumns;
  Value base = rowAddress(builder, loc, operand, store.getIndices(), store.getSlice());
  LaneColumns columns(builder, loc, rows.getWidth(), store.getSlice(), lane);
  for (int64_t s = 0; s < store.getValue().getType().getDimSize(0); ++s) {
    Value row = vector::ExtractOp::create(builder, loc, store.getValue(), s);
    Value words = storedWords(builder, loc, row, rows, store.getBits());
    words = LLVM::BitcastOp::create(builder, loc, vectorOf(units, unit), words);
    for (int64_t access = 0; access < kLaneColumns / perAccess; ++access) {
      int64_t j = access * perAccess;
      Value part = vector::ExtractStridedSliceOp::create(builder, loc, words, ArrayRef<int64_t>{access * perStore},
                                                         ArrayRef<int64_t>{perStore}, ArrayRef<int64_t>{1});
      auto write = [&](OpBuilder &at, Value isIn) {
        Value byte = columnByte(at, loc, columns, s, j, isIn, rows, sliced);
        LLVM::StoreOp::create(at, loc, part, byteAddress(at, loc, base, byte), bytes);
      };
      if (columns.allIn(s)) {
        write(builder, {});
        continue;
      }
      Value isIn = columns.isIn(s, j);
      auto guarded = scf::IfOp::create(builder, loc, isIn, /*withElseRegion=*/false);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(guarded.thenBlock());
      write(builder, {});
    }
  }
}

Value mlir::sdm::maskColumns(OpBuilder &builder, Location loc, Value row, LaneColumns &columns, int64_t s,
                             float identity) {
  if (columns.allIn(s) || columns.lanesAreWhole())
    return row;
  auto type = cast<VectorType>(row.getType());
  Type element = type.getElementType();
  if (isa<Float8E4M3FNType>(element)) {
    Value bits = arith::BitcastOp::create(builder, loc, type.clone(builder.getI8Type()), row);
    return arith::BitcastOp::create(builder, loc, type, maskColumns(builder, loc, bits, columns, s, identity));
  }
  SmallVector<Value> values;
  TypedAttr outside = element.isInteger() ? builder.getZeroAttr(element) : builder.getFloatAttr(element, identity);
  Value other = arith::ConstantOp::create(builder, loc, outside);
  for (int64_t j = 0; j < kLaneColumns; ++j) {
    Value value = vector::ExtractOp::create(builder, loc, row, j);
    values.push_back(arith::SelectOp::create(builder, loc, columns.isIn(s, j), value, other));
  }
  return vector::FromElementsOp::create(builder, loc, type, values);
}

Value mlir::sdm::takePiece(OpBuilder &builder, TakePieceOp take, Value base, Value lane) {
  Location loc = take.getLoc();
  VectorType type = take.getType();
  SlabType slabType = take.getSlab().getType();
  Type element = slabType.getElementType();
  int64_t slab = slabType.getRow().getDimSize(1), bytes = slabType.getBytes(kLaneColumns);
  Value index = take.getIndex();
  if (index.getType().isInteger(64))
    index = arith::TruncIOp::create(builder, loc, builder.getI32Type(), index);
  Value row = arith::MulIOp::create(builder, loc, index, constantI32(builder, loc, slabType.getPitch()));
  Value start = byteAddress(builder, loc, base, row);
  LaneColumns columns(builder, loc, take.getWidth(), take.getSlice(), lane);
  Value quad = lane;           // whose four columns are read
  if (slab != kSliceColumns) { // lanes past the slab's columns read its first ones and drop them
    Value inSlab = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, columns.column(0),
                                         constantI32(builder, loc, slab));
    quad = arith::SelectOp::create(builder, loc, inSlab, quad, constantI32(builder, loc, 0));
  }
  Value byte = arith::MulIOp::create(builder, loc, quad, constantI32(builder, loc, bytes));
  Value result = zeroColumns(builder, loc, type);
  for (int64_t s = 0; s < type.getDimSize(0); ++s) {
    Value address = advance(builder, loc, byteAddress(builder, loc, start, byte), slabType.getBytes(s * slab));
    Type loaded = areBytes(element) ? vectorOf(1, builder.getIntegerType(8 * bytes)) : vectorOf(kLaneColumns, element);
    Value piece = LLVM::LoadOp::create(builder, loc, loaded, address, bytes);
    if (areBytes(element))
      piece = takeBytes(builder, loc, piece, element);
    result = vector::InsertOp::create(builder, loc, maskColumns(builder, loc, piece, columns, s, 0.0f), result, s);
  }
  return result;
}
