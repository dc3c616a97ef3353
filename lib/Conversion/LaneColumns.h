// Which of a lane's four columns lie in a slice of a row.
#ifndef SDM_LIB_CONVERSION_LANECOLUMNS_H
#define SDM_LIB_CONVERSION_LANECOLUMNS_H

#include "mlir/IR/Builders.h"

namespace mlir::sdm {

/// Lane l owns columns 4l to 4l+3 of each slice. `slice` is the slice's number where a unit holds one slice of several;
/// without it slice s of `slices` is held as number s.
class LaneColumns {
public:
  LaneColumns(OpBuilder &builder, Location loc, int64_t width, Value slice, Value lane);

  /// Whether every lane's columns lie in slice s.
  bool allIn(int64_t s) const;
  /// Whether a lane's columns lie in a slice together or not at all: rows of a multiple of four columns.
  bool lanesAreWhole() const;
  /// Whether column j of this lane lies in slice s (i1).
  Value isIn(int64_t s, int64_t j);
  /// Column j of this lane, counted within its slice (i32).
  Value column(int64_t j);

private:
  /// Columns of slice s (i32).
  Value limit(int64_t s);

  OpBuilder &builder;
  Location loc;
  int64_t width;
  Value slice;
  Value first;
};

} // namespace mlir::sdm

#endif // SDM_LIB_CONVERSION_LANECOLUMNS_H
