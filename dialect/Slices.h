// How a row of columns is cut into slices: the rule that every reduction's order rests on.
#ifndef SDM_DIALECT_SLICES_H
#define SDM_DIALECT_SLICES_H

#include <algorithm>
#include <cstdint>

namespace mlir::sdm {

constexpr int64_t kSliceColumns = 128; // at most this many columns in a slice: 32 lanes of 4
constexpr int64_t kLanes = 32;
constexpr int64_t kLaneColumns = 4;

constexpr int64_t kCutWindow = 16; // positions in front of and behind a tile's nominal edge where it is cut

constexpr int64_t kBulkBytes = 16;  // what the copy engine's addresses and sizes are multiples of
constexpr int64_t kBarrierStep = 8; // bytes of a barrier

constexpr int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Slices of a row of `width` columns.
constexpr int64_t sliceCount(int64_t width) { return ceilDiv(width, kSliceColumns); }

/// Columns of a slice. Equal slices of a multiple of 4 columns where that cuts evenly; else quads dealt evenly, and the
/// last slice is the narrower one.
constexpr int64_t sliceWidth(int64_t width) {
  int64_t slices = sliceCount(width);
  if (width % slices == 0 && (width / slices) % kLaneColumns == 0)
    return width / slices;
  return kLaneColumns * ceilDiv(ceilDiv(width, kLaneColumns), slices);
}

/// Columns of slice `slice` that lie in the row.
constexpr int64_t sliceColumns(int64_t width, int64_t slice) {
  return std::clamp<int64_t>(width - slice * sliceWidth(width), 0, sliceWidth(width));
}

/// Bytes that one access of a row may move when its base and strides allow any: the largest of 16, 8 and 4 that divides
/// the row's length and every slice's offset and length, else an element (of 4 bits: the byte of two).
constexpr int64_t naturalPiece(int64_t width, int64_t elementBits) {
  int64_t last = sliceColumns(width, sliceCount(width) - 1);
  for (int64_t piece : {16, 8, 4})
    if (width * elementBits % (8 * piece) == 0 && sliceWidth(width) * elementBits % (8 * piece) == 0 &&
        last * elementBits % (8 * piece) == 0 && 8 * piece >= elementBits)
      return piece;
  return ceilDiv(elementBits, 8);
}

} // namespace mlir::sdm

#endif // SDM_DIALECT_SLICES_H
