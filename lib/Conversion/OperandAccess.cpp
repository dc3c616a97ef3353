// Operands taken apart, and addresses of rows, cells and records. Addresses are llvm operations: legal before and after
// conversion.
#include "lib/Conversion/OperandAccess.h"
#include "dialect/Slices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sdm;

Type mlir::sdm::entryType(const ArgumentEntry &entry, LLVM::LLVMPointerType pointer) {
  MLIRContext *context = pointer.getContext();
  switch (entry.kind) {
  case ArgumentEntry::Kind::pointer:
    return pointer;
  case ArgumentEntry::Kind::i32:
    return IntegerType::get(context, 32);
  case ArgumentEntry::Kind::i64:
    return IntegerType::get(context, 64);
  case ArgumentEntry::Kind::f32:
    return Float32Type::get(context);
  }
  llvm_unreachable("unknown kind of entry");
}

FailureOr<ArgumentLayout> mlir::sdm::layoutOfTiled(func::FuncOp function) {
  llvm::Expected<ArgumentLayout> layout = computeArgumentLayout(function);
  if (!layout)
    return function.emitError(llvm::toString(layout.takeError()));
  if (!function.getBody().hasOneBlock())
    return function.emitError("expected structured control flow (one block), got ")
           << function.getBody().getBlocks().size() << " blocks";
  return std::move(*layout);
}

KernelParts mlir::sdm::takeApart(OpBuilder &builder, Location loc, func::FuncOp function, const ArgumentLayout &layout,
                                 EntrySource source) {
  SmallVector<Value> entries;
  for (auto [index, entry] : llvm::enumerate(layout.entries))
    entries.push_back(source(index, entry));

  KernelParts parts;
  for (auto [type, slot] : llvm::zip_equal(function.getArgumentTypes(), layout.arguments)) {
    OperandParts &operand = parts.operands.emplace_back();
    operand.type = type;
    if (slot.kind == ArgumentKind::scalar) {
      operand.scalar = entries[slot.value()];
      if (type.isInteger(1))
        operand.scalar = LLVM::TruncOp::create(builder, loc, type, operand.scalar);
      continue;
    }
    for (unsigned plane = 0; plane < slot.planes; ++plane)
      operand.planes.push_back({entries[slot.pointer(plane)], entries[slot.chunkStride(plane)]});
    if (slot.kind == ArgumentKind::sorted) {
      operand.positions = entries[slot.positions()];
      continue;
    }
    operand.pointer = entries[slot.pointer()];
    for (unsigned axis = 0; axis < slot.axes; ++axis) {
      operand.strides.push_back(entries[slot.stride(axis)]);
      operand.extents.push_back(entries[slot.extent(axis)]);
    }
  }
  parts.firstChunk = entries[layout.firstChunk];
  parts.chunks = entries[layout.chunks];
  parts.tileLength = entries[layout.tileLength];
  parts.tiles = entries[layout.tiles];
  return parts;
}

LogicalResult mlir::sdm::checkLowered(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments())
    if (!argument.use_empty()) {
      Operation *user = *argument.user_begin();
      return user->emitError() << "expected operations of the level that this pass lowers, got " << user->getName();
    }
  return success();
}

Value mlir::sdm::extentOf(OpBuilder &builder, Location loc, const KernelParts &parts, DimOp dim) {
  const OperandParts &operand = parts.of(dim.getOperand());
  if (operand.positions)
    return operand.positions;
  if (dim.getAxis() < operand.extents.size())
    return operand.extents[dim.getAxis()];
  return arith::ConstantIntOp::create(builder, loc, cast<RowsType>(operand.type).getWidth(), 64);
}

std::pair<Value, Value> mlir::sdm::nominalRange(OpBuilder &builder, Location loc, const KernelParts &parts,
                                                TileOp walked, Value tile) {
  const OperandParts &operand = parts.of(walked.getOperand());
  Value count = operand.positions ? operand.positions : operand.extents.front();
  Value begin = arith::MulIOp::create(builder, loc, tile, parts.tileLength);
  Value end = arith::AddIOp::create(builder, loc, begin, parts.tileLength);
  return {arith::MinSIOp::create(builder, loc, begin, count), arith::MinSIOp::create(builder, loc, end, count)};
}

Value mlir::sdm::wideIndex(OpBuilder &builder, Location loc, Value index) {
  Type wide = builder.getI64Type();
  return index.getType() == wide ? index : LLVM::SExtOp::create(builder, loc, wide, index).getResult();
}

Value mlir::sdm::advance(OpBuilder &builder, Location loc, Value pointer, Value bytes) {
  return LLVM::GEPOp::create(builder, loc, pointer.getType(), builder.getI8Type(), pointer, LLVM::GEPArg(bytes));
}

Value mlir::sdm::advance(OpBuilder &builder, Location loc, Value pointer, int64_t bytes) {
  if (bytes == 0)
    return pointer;
  return advance(builder, loc, pointer, LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(bytes)));
}

Value mlir::sdm::strideProduct(OpBuilder &builder, Location loc, Value index, Value stride) {
  bool isNear = stride.getType().isInteger(32);
  if (!isNear || index.getType().isInteger(64))
    return LLVM::MulOp::create(builder, loc, wideIndex(builder, loc, index), wideIndex(builder, loc, stride));
  // LLVM moves a stride's extension out of the loop and then no longer knows that 32 bits of it count.
  return LLVM::InlineAsmOp::create(builder, loc, builder.getI64Type(), ValueRange{index, stride},
                                   "mul.wide.s32 $0, $1, $2;", "=l,r,r", /*has_side_effects=*/false,
                                   /*is_align_stack=*/false, LLVM::TailCallKind::None,
                                   LLVM::AsmDialectAttr::get(builder.getContext(), LLVM::AsmDialect::AD_ATT),
                                   ArrayAttr())
      .getRes();
}

/// Adds index * stride for each axis.
static Value advanceAlong(OpBuilder &builder, Location loc, Value pointer, ArrayRef<Value> strides,
                          ValueRange indices) {
  for (auto [stride, index] : llvm::zip(strides, indices)) {
    pointer = advance(builder, loc, pointer, strideProduct(builder, loc, index, stride));
  }
  return pointer;
}

static Value advanceBySlice(OpBuilder &builder, Location loc, Value pointer, RowsType rows, Value slice) {
  if (!slice || sliceCount(rows.getWidth()) == 1)
    return pointer;
  int64_t bytes = rows.getBytes(sliceWidth(rows.getWidth()));
  Value each = LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(bytes));
  return advance(builder, loc, pointer, LLVM::MulOp::create(builder, loc, wideIndex(builder, loc, slice), each));
}

Value mlir::sdm::rowAddress(OpBuilder &builder, Location loc, const OperandParts &rows, ValueRange indices, Value slice,
                            int64_t bytes) {
  Value pointer = advanceAlong(builder, loc, rows.pointer, rows.strides, indices);
  pointer = advanceBySlice(builder, loc, pointer, cast<RowsType>(rows.type), slice);
  return advance(builder, loc, pointer, bytes);
}

Value mlir::sdm::cellAddress(OpBuilder &builder, Location loc, const OperandParts &cells, ValueRange indices) {
  return advanceAlong(builder, loc, cells.pointer, cells.strides, indices);
}

Value mlir::sdm::recordAddress(OpBuilder &builder, Location loc, const OperandParts &sorted, int64_t plane, Value chunk,
                               Value pos) {
  int64_t recordBytes = cast<SortedType>(sorted.type).getLayout().getPlanes()[plane];
  Value each = LLVM::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(recordBytes));
  return advanceAlong(builder, loc, sorted.planes[plane].pointer, {sorted.planes[plane].chunkStride, each},
                      {chunk, pos});
}

unsigned mlir::sdm::alignmentOf(int64_t bytes, unsigned most) {
  unsigned alignment = most;
  while (bytes % alignment != 0)
    alignment /= 2;
  return alignment;
}

/// Bits low to high of a 32-bit word.
static Value cutBits(OpBuilder &builder, Location loc, Value word, FieldAttr field) {
  auto constant = [&](int64_t value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(static_cast<int32_t>(value)));
  };
  if (field.getLowBit() != 0)
    word = LLVM::LShrOp::create(builder, loc, word, constant(field.getLowBit()));
  if (field.getType().isInteger(1))
    return LLVM::TruncOp::create(builder, loc, field.getType(), word);
  if (field.getHighBit() != 31)
    word = LLVM::AndOp::create(builder, loc, word, constant((int64_t(1) << field.getBitCount()) - 1));
  return word;
}

Value mlir::sdm::fieldAt(OpBuilder &builder, Location loc, Value address, FieldAttr field, unsigned alignment,
                         LoadHints hints) {
  bool isWide = field.getType().isInteger(64);
  Type word = isWide ? builder.getI64Type() : builder.getI32Type();
  Value loaded = LLVM::LoadOp::create(builder, loc, word, address, alignment, /*isVolatile=*/false,
                                      /*isNonTemporal=*/false, hints.invariant);
  if (field.isBits())
    return cutBits(builder, loc, loaded, field);
  if (field.getType().isF32())
    return LLVM::BitcastOp::create(builder, loc, field.getType(), loaded);
  return loaded;
}

Value mlir::sdm::recordField(OpBuilder &builder, Location loc, const OperandParts &sorted, Value chunk, Value pos,
                             FieldAttr field, LoadHints hints) {
  if (field.isConstant())
    return LLVM::ConstantOp::create(builder, loc, field.getType(), field.getValue());
  Value address = recordAddress(builder, loc, sorted, field.getPlane(), chunk, pos);
  address = advance(builder, loc, address, field.getOffset());
  int64_t recordBytes = cast<SortedType>(sorted.type).getLayout().getPlanes()[field.getPlane()];
  return fieldAt(builder, loc, address, field, alignmentOf(recordBytes, field.getType().isInteger(64) ? 8 : 4), hints);
}
