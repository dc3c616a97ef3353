// One lane's share of a reduction: its four columns of a slice, in order.
#include "lib/Conversion/NvvmPartials.h"
#include "lib/Conversion/NvvmRows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <limits>

using namespace mlir;
using namespace mlir::sdm;

bool mlir::sdm::readsMemoryOnly(PartialOp partial) {
  return llvm::all_of(partial.getRows(), [](Value row) {
    if (auto extend = row.getDefiningOp<arith::ExtFOp>())
      row = extend.getIn();
    return llvm::isa_and_nonnull<LoadPieceOp, TakePieceOp>(row.getDefiningOp());
  });
}

static float identityOf(PartialKind kind) {
  if (kind == PartialKind::Max)
    return -std::numeric_limits<float>::infinity();
  return kind == PartialKind::Min ? std::numeric_limits<float>::infinity() : 0.0f;
}

namespace {
/// The columns of one slice.
struct SliceFold {
  OpBuilder &builder;
  Location loc;
  PartialKind kind;

  Value column(Value row, int64_t j) {
    Value value = vector::ExtractOp::create(builder, loc, row, j);
    if (kind != PartialKind::Amax)
      return value;
    Value magnitude = math::AbsFOp::create(builder, loc, value);
    Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, value, value);
    Value zero = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(0.0f));
    return arith::SelectOp::create(builder, loc, isNaN, zero, magnitude);
  }

  Value combine(Value a, Value b) {
    if (kind == PartialKind::Sum)
      return arith::AddFOp::create(builder, loc, a, b);
    if (kind == PartialKind::Min)
      return arith::MinimumFOp::create(builder, loc, a, b);
    return arith::MaximumFOp::create(builder, loc, a, b);
  }

  /// fma(x3, m3, fma(x2, m2, fma(x1, m1, x0 * m0)))
  Value dot(Value x, Value m) {
    Value total = arith::MulFOp::create(builder, loc, column(x, 0), column(m, 0));
    for (int64_t j = 1; j < 4; ++j)
      total = math::FmaOp::create(builder, loc, column(x, j), column(m, j), total);
    return total;
  }

  /// ((x0 op x1) op x2) op x3
  Value fold(Value x) {
    Value total = column(x, 0);
    for (int64_t j = 1; j < 4; ++j)
      total = combine(total, column(x, j));
    return total;
  }
};
} // namespace

/// Keeps the value where it is computed. LLVM would move its chain to the reduction, some blocks on, and keep the rows
/// that it reads in registers until then.
static Value pin(OpBuilder &builder, Location loc, Value value) {
  return LLVM::InlineAsmOp::create(builder, loc, value.getType(), value, "", "=f,0", /*has_side_effects=*/true,
                                   /*is_align_stack=*/false, LLVM::TailCallKind::None,
                                   LLVM::AsmDialectAttr::get(builder.getContext(), LLVM::AsmDialect::AD_ATT),
                                   ArrayAttr())
      .getRes();
}

SmallVector<Value> mlir::sdm::lowerPartial(OpBuilder &builder, PartialOp partial, Value lane, bool padded) {
  Location loc = partial.getLoc();
  LaneColumns columns(builder, loc, partial.getWidth(), partial.getSlice(), lane);
  bool zeroIsIdentity = identityOf(partial.getKind()) == 0.0f;
  SliceFold fold{builder, loc, partial.getKind()};
  SmallVector<Value> results;
  for (int64_t s = 0; s < static_cast<int64_t>(partial.getPartials().size()); ++s) {
    SmallVector<Value, 2> rows;
    for (Value row : partial.getRows()) {
      Value slice = vector::ExtractOp::create(builder, loc, row, s);
      if (!padded || !zeroIsIdentity)
        slice = maskColumns(builder, loc, slice, columns, s, identityOf(partial.getKind()));
      rows.push_back(slice);
    }
    Value value = partial.getKind() == PartialKind::Dot ? fold.dot(rows[0], rows[1]) : fold.fold(rows[0]);
    if (columns.lanesAreWhole() && !columns.allIn(s)) {
      Value identity = arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(identityOf(partial.getKind())));
      value = arith::SelectOp::create(builder, loc, columns.isIn(s, 0), value, identity);
    }
    results.push_back(pin(builder, loc, value));
  }
  return results;
}
