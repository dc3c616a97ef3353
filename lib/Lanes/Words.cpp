// The 16-bit formats, by integers and exact scaling.
#include "lib/Lanes/Words.h"

using namespace mlir::sdm::lanes;

static Word widenF16(Word bits) {
  Word sign = (bits & 0x8000) << 16, magnitude = bits & 0x7FFF;
  if (magnitude >= 0x7C00)
    return sign | 0x7F800000 | (magnitude & 0x3FF) << 13;
  // Read with f32's bias the number is 2^112 too small; the product is exact.
  return sign | asWord(asFloat(magnitude << 13) * 0x1p112f);
}

Word mlir::sdm::lanes::widen(Word bits, bool isF16) { return isF16 ? widenF16(bits) : lowBits(bits << 16, 32); }

/// Drops `dropped` bits, to nearest even.
static Word drop(Word bits, unsigned dropped) {
  Word odd = bits >> dropped & 1;
  return (bits + odd + ((Word(1) << (dropped - 1)) - 1)) >> dropped;
}

Word mlir::sdm::lanes::roundTo16(Word word, bool isF16) {
  if (std::isnan(asFloat(word)))
    return 0x7FFF;
  if (!isF16)
    return drop(word, 16);
  Word sign = word >> 16 & 0x8000, magnitude = word & 0x7FFFFFFF;
  if (magnitude >= asWord(0x1p16f))
    return sign | 0x7C00;
  if (magnitude < asWord(0x1p-14f)) // adding 0.5 leaves f16's last place in f32's, and the addition rounds
    return sign | (asWord(asFloat(magnitude) + 0.5f) - asWord(0.5f));
  return sign | drop(magnitude - (Word(112) << 23), 13);
}
