// Loads, stores and reductions: shapes that the operand's type fixes.
#include "dialect/SdmOps.h"
#include "dialect/Slices.h"

using namespace mlir;
using namespace mlir::sdm;

static LogicalResult verifyIndices(Operation *op, int64_t count, int64_t rank, Type type) {
  if (count != rank)
    return op->emitOpError() << "expected " << rank << " indices (one for each index axis of " << type << "), got "
                             << count;
  return success();
}

static VectorType accessType(RowsType rows, bool sliced) { return sliced ? rows.getSliceType() : rows.getRowType(); }

LogicalResult LoadRowOp::verify() {
  RowsType rows = getRows().getType();
  if (failed(verifyIndices(*this, getIndices().size(), rows.getIndexRank(), rows)))
    return failure();
  VectorType expected = accessType(rows, static_cast<bool>(getSlice()));
  if (getResult().getType() != expected)
    return emitOpError() << "expected a result of type " << expected << ", got " << getResult().getType();
  return success();
}

LogicalResult StoreRowOp::verify() {
  RowsType rows = getRows().getType();
  if (failed(verifyIndices(*this, getIndices().size(), rows.getIndexRank(), rows)))
    return failure();
  Type element = getBits() ? rows.getElementType() : Type(Float32Type::get(getContext()));
  VectorType expected = accessType(rows, static_cast<bool>(getSlice())).clone(element);
  if (getValue().getType() != expected)
    return emitOpError() << "expected a value of type " << expected << ", got " << getValue().getType();
  return success();
}

LogicalResult LoadCellOp::verify() {
  CellsType cells = getCells().getType();
  if (failed(verifyIndices(*this, getIndices().size(), cells.getIndexRank(), cells)))
    return failure();
  if (getResult().getType() != cells.getElementType())
    return emitOpError() << "expected a result of type " << cells.getElementType() << ", got " << getResult().getType();
  return success();
}

LogicalResult StoreCellOp::verify() {
  CellsType cells = getCells().getType();
  if (failed(verifyIndices(*this, getIndices().size(), cells.getIndexRank(), cells)))
    return failure();
  if (getValue().getType() != cells.getElementType())
    return emitOpError() << "expected a value of type " << cells.getElementType() << ", got " << getValue().getType();
  return success();
}

static int64_t axisCount(Type operand) {
  if (auto rows = llvm::dyn_cast<RowsType>(operand))
    return rows.getShape().size();
  if (auto cells = llvm::dyn_cast<CellsType>(operand))
    return cells.getIndexRank();
  return 1;
}

LogicalResult DimOp::verify() {
  int64_t axes = axisCount(getOperand().getType());
  if (getAxis() >= static_cast<uint64_t>(axes))
    return emitOpError() << "expected an axis below " << axes << " of " << getOperand().getType() << ", got "
                         << getAxis();
  return success();
}

LogicalResult StrideOp::verify() {
  int64_t axes = getRows().getType().getIndexRank();
  if (getAxis() >= static_cast<uint64_t>(axes))
    return emitOpError() << "expected an index axis below " << axes << " of " << getRows().getType() << ", got "
                         << getAxis();
  return success();
}

/// A row's width is known when the kernel is compiled.
OpFoldResult DimOp::fold(FoldAdaptor) {
  auto rows = llvm::dyn_cast<RowsType>(getOperand().getType());
  if (rows && static_cast<int64_t>(getAxis()) == rows.getIndexRank())
    return IntegerAttr::get(getType(), rows.getWidth());
  return {};
}

// Every column of the row value but those of the last, narrower slice must exist: otherwise the tree is another one.
static LogicalResult verifyWidth(Operation *op, VectorType row, int64_t width, bool sliced) {
  int64_t slices = sliced ? sliceCount(width) : row.getDimSize(0);
  if (sliceCount(width) != slices || sliceWidth(width) != row.getDimSize(1) || (sliced && row.getDimSize(0) != 1))
    return op->emitOpError() << "expected a value of " << sliceCount(width) << " slices of " << sliceWidth(width)
                             << " columns (width " << width << ")" << (sliced ? ", one slice of it" : "") << ", got "
                             << row;
  return success();
}

LogicalResult DotOp::verify() {
  return verifyWidth(*this, getLhs().getType(), getWidth(), static_cast<bool>(getSlice()));
}

LogicalResult ReduceOp::verify() {
  return verifyWidth(*this, getRow().getType(), getWidth(), static_cast<bool>(getSlice()));
}
