// The narrow formats, by integers and exact scaling.
#include "lib/Lanes/Words.h"

#include <algorithm>

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

Word mlir::sdm::lanes::widenE4M3(Word bits) {
  int exponent = static_cast<int>(bits >> 3 & 0xF), fraction = static_cast<int>(bits & 7);
  float magnitude = exponent ? std::ldexp(8.0f + fraction, exponent - 10) : std::ldexp(float(fraction), -9);
  if ((bits & 0x7F) == 0x7F)
    magnitude = std::numeric_limits<float>::quiet_NaN();
  return asWord(bits & 0x80 ? -magnitude : magnitude);
}

Word mlir::sdm::lanes::roundToE4M3(Word word) {
  float value = asFloat(word);
  if (std::isnan(value))
    return 0x7F;
  Word sign = word >> 24 & 0x80;
  double magnitude = std::min(std::fabs(static_cast<double>(value)), 448.0);
  // Numbers of one exponent are 2^(e - 3) apart; below 2^-6 as far apart as there.
  int quantum = std::max(magnitude > 0 ? std::ilogb(magnitude) : -6, -6) - 3;
  auto units = static_cast<Word>(std::nearbyint(std::ldexp(magnitude, -quantum)));
  // The bits count up: each further quantum is one more in the exponent's field.
  return sign | (units + (static_cast<Word>(quantum + 9) << 3));
}

Word mlir::sdm::lanes::roundToNibble(Word word) {
  float value = asFloat(word);
  if (std::isnan(value))
    return 7;
  return static_cast<Word>(static_cast<int>(std::clamp(std::nearbyint(value), -8.0f, 7.0f))) & 0xF;
}
