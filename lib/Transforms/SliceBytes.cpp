// Where a slice lies in its row, in bytes.
#include "lib/Transforms/SliceBytes.h"
#include "dialect/Slices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sdm;

static Value constant(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}

Value mlir::sdm::sliceStart(OpBuilder &builder, Location loc, RowsType rows, Value slice) {
  if (!slice)
    return constant(builder, loc, 0);
  return arith::MulIOp::create(builder, loc, slice, constant(builder, loc, rows.getBytes(sliceWidth(rows.getWidth()))));
}

Value mlir::sdm::sliceBytes(OpBuilder &builder, Location loc, RowsType rows, Value slice) {
  int64_t width = rows.getWidth(), all = rows.getBytes(width), each = rows.getBytes(sliceWidth(width));
  if (!slice)
    return constant(builder, loc, all);
  if (width == sliceCount(width) * sliceWidth(width))
    return constant(builder, loc, each);
  Value rest = arith::SubIOp::create(builder, loc, constant(builder, loc, all), sliceStart(builder, loc, rows, slice));
  return arith::MinSIOp::create(builder, loc, rest, constant(builder, loc, each));
}
