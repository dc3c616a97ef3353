// A lane's share of a reduction: its four columns of each slice, in order.
#include "dialect/SdmOps.h"
#include "dialect/Slices.h"
#include "lib/Lanes/Elementwise.h"
#include "lib/Lanes/RowAccess.h"

using namespace mlir;
using namespace mlir::sdm;
using namespace mlir::sdm::lanes;

static float identityOf(PartialKind kind) {
  if (kind == PartialKind::Max)
    return -std::numeric_limits<float>::infinity();
  return kind == PartialKind::Min ? std::numeric_limits<float>::infinity() : 0.0f;
}

static float fold(PartialKind kind, const float *x, const float *m) {
  float total = kind == PartialKind::Dot ? x[0] * m[0] : x[0];
  for (int64_t j = 1; j < kLaneColumns; ++j) {
    if (kind == PartialKind::Dot)
      total = std::fma(x[j], m[j], total);
    else if (kind == PartialKind::Sum)
      total = total + x[j];
    else
      total = kind == PartialKind::Min ? minimum(total, x[j]) : maximum(total, x[j]);
  }
  return total;
}

static void partial(Warp &warp, const Step &step) {
  auto op = cast<PartialOp>(step.op);
  PartialKind which = op.getKind();
  size_t rows = op.getRows().size();
  for (size_t s = 0; s < step.results.size(); ++s)
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      int64_t number = op.getSlice() ? warp.signedWord(step.operands[rows], lane) : static_cast<int64_t>(s);
      Word marks = 0;
      float columns[2][kLaneColumns];
      for (size_t row = 0; row < rows; ++row)
        for (int64_t j = 0; j < kLaneColumns; ++j) {
          bool isIn = kLaneColumns * lane + j < sliceColumns(op.getWidth(), number);
          Word word = warp.words(step.operands[row])[(s * kLaneColumns + j) * kWarpLanes + lane];
          marks |= isIn ? word : 0;
          float value = isIn ? asFloat(word) : identityOf(which);
          if (which == PartialKind::Amax)
            value = std::isnan(value) ? 0.0f : std::fabs(value);
          columns[row][j] = value;
        }
      warp.words(step.results[s])[lane] = asWord(fold(which, columns[0], columns[1])) | (marks & kUndefined);
    }
}

void mlir::sdm::lanes::addReductionOperations(OperationTable &table) { table["sdm.partial"] = partial; }
