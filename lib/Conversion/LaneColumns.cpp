// Which of a lane's four columns lie in a slice of a row.
#include "lib/Conversion/LaneColumns.h"
#include "dialect/Slices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sdm;

LaneColumns::LaneColumns(OpBuilder &builder, Location loc, int64_t width, Value slice, Value lane)
    : builder(builder), loc(loc), width(width), slice(slice) {
  Value each = arith::ConstantIntOp::create(builder, loc, kLaneColumns, 32);
  first = arith::MulIOp::create(builder, loc, lane, each);
}

bool LaneColumns::allIn(int64_t s) const {
  if (slice)
    return width % kSliceColumns == 0;
  return sliceColumns(width, s) == kSliceColumns;
}

Value LaneColumns::limit(int64_t s) {
  auto constant = [&](int64_t value) { return arith::ConstantIntOp::create(builder, loc, value, 32); };
  if (!slice)
    return constant(sliceColumns(width, s));
  int64_t each = sliceWidth(width);
  if (width == sliceCount(width) * each)
    return constant(each);
  Value start = arith::MulIOp::create(builder, loc, slice, constant(each));
  Value rest = arith::SubIOp::create(builder, loc, constant(width), start);
  return arith::MinSIOp::create(builder, loc, rest, constant(each));
}

Value LaneColumns::column(int64_t j) {
  if (j == 0)
    return first;
  return arith::AddIOp::create(builder, loc, first, arith::ConstantIntOp::create(builder, loc, j, 32));
}

bool LaneColumns::lanesAreWhole() const { return width % kLaneColumns == 0; }

Value LaneColumns::isIn(int64_t s, int64_t j) {
  if (lanesAreWhole())
    j = 0;
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, column(j), limit(s));
}
