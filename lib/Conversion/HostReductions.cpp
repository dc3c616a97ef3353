// dot, sum, max, min, amax. In a slice lane l combines columns 4l to 4l+3 in order; the lanes are then folded in
// halves, which is the butterfly over xor 16, 8, 4, 2, 1 as lane 0 sees it; then the slices follow from the first.
#include "lib/Conversion/HostReductions.h"
#include "dialect/Slices.h"
#include "lib/Conversion/HostRows.h"
#include "lib/Transforms/Combine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "llvm/ADT/Sequence.h"

#include <limits>

using namespace mlir;
using namespace mlir::sdm;

namespace {

/// One reduction of rows of `width` columns; `slice` is the number of the one slice at hand, or null.
class Tree {
public:
  Tree(OpBuilder &builder, Location loc, ReduceKind kind, int64_t width, Value slice)
      : builder(builder), loc(loc), kind(kind), width(width), slice(slice) {}

  /// The whole tree over `count` slices; `partial` gives the 32 lanes' values of one slice.
  Value reduce(int64_t count, function_ref<Value(int64_t)> partial) {
    Value total;
    for (int64_t index = 0; index < count; ++index) {
      Value value = fold(partial(index));
      total = total ? combine(total, value) : value;
    }
    return total;
  }

  /// Column k of each lane's four, for k = 0 to 3: vectors of 32 lanes. Columns past the slice or the row are the
  /// identity.
  SmallVector<Value, 4> lanes(Value row, int64_t index) {
    Value columns = sliceOf(builder, loc, row, index);
    if (kind == ReduceKind::Amax)
      columns = magnitude(columns);
    int64_t length = sliceWidth(width);
    auto type = VectorType::get({length}, builder.getF32Type());
    Value identities = arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(type, identity()));

    int64_t last = sliceColumns(width, sliceCount(width) - 1);
    int64_t present = slice ? length : sliceColumns(width, index);
    if (slice)
      if (Value narrow = isNarrowSlice(builder, loc, width, slice)) {
        SmallVector<int64_t> kept = llvm::to_vector(llvm::seq<int64_t>(0, length));
        llvm::fill(MutableArrayRef(kept).drop_front(last), length);
        Value masked = shuffle(builder, loc, columns, identities, kept);
        columns = arith::SelectOp::create(builder, loc, narrow, masked, columns);
      }

    SmallVector<Value, 4> result;
    for (int64_t k = 0; k < kLaneColumns; ++k) {
      SmallVector<int64_t> picked;
      for (int64_t lane = 0; lane < kLanes; ++lane) {
        int64_t column = kLaneColumns * lane + k;
        picked.push_back(column < present ? column : length);
      }
      result.push_back(shuffle(builder, loc, columns, identities, picked));
    }
    return result;
  }

  Value combine(Value a, Value b) { return mlir::sdm::combine(builder, loc, kind, a, b); }

private:
  float identity() const {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    return kind == ReduceKind::Max ? -infinity : kind == ReduceKind::Min ? infinity : 0.0f;
  }

  /// |x|, and +0 for NaN.
  Value magnitude(Value columns) {
    Value zeros = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(columns.getType()));
    Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, columns, columns);
    Value absolute = math::AbsFOp::create(builder, loc, columns);
    return arith::SelectOp::create(builder, loc, isNaN, zeros, absolute);
  }

  /// Lane l of the lower half takes lane l + d of the upper: d = 16, 8, 4, 2, 1. What is left is lane 0's value.
  Value fold(Value partials) {
    for (int64_t half = kLanes / 2; half >= 1; half /= 2) {
      Value low = shuffle(builder, loc, partials, partials, llvm::to_vector(llvm::seq<int64_t>(0, half)));
      Value high = shuffle(builder, loc, partials, partials, llvm::to_vector(llvm::seq<int64_t>(half, 2 * half)));
      partials = combine(low, high);
    }
    return sliceOf(builder, loc, partials, 0);
  }

  OpBuilder &builder;
  Location loc;
  ReduceKind kind;
  int64_t width;
  Value slice;
};

} // namespace

Value mlir::sdm::lowerDot(OpBuilder &builder, DotOp op) {
  Location loc = op.getLoc();
  Tree tree(builder, loc, ReduceKind::Sum, op.getWidth(), op.getSlice());
  return tree.reduce(op.getLhs().getType().getDimSize(0), [&](int64_t slice) {
    auto x = tree.lanes(op.getLhs(), slice), m = tree.lanes(op.getRhs(), slice);
    Value partial = arith::MulFOp::create(builder, loc, x[0], m[0]);
    for (int64_t k = 1; k < kLaneColumns; ++k)
      partial = math::FmaOp::create(builder, loc, x[k], m[k], partial);
    return partial;
  });
}

Value mlir::sdm::lowerReduce(OpBuilder &builder, ReduceOp op) {
  Tree tree(builder, op.getLoc(), op.getKind(), op.getWidth(), op.getSlice());
  return tree.reduce(op.getRow().getType().getDimSize(0), [&](int64_t slice) {
    auto x = tree.lanes(op.getRow(), slice);
    return tree.combine(tree.combine(tree.combine(x[0], x[1]), x[2]), x[3]);
  });
}
