// One lane's value of one element as a word, and what the contract's arithmetic makes of words.
#ifndef SDM_LIB_LANES_WORDS_H
#define SDM_LIB_LANES_WORDS_H

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace mlir::sdm::lanes {

/// Integers lie in the low bits, the rest is zero; floats are their bits.
using Word = uint64_t;

/// Set where a value of up to 32 bits comes from shared memory that nobody wrote, or from a row that nobody asked for.
/// It may be dropped, not used.
inline constexpr Word kUndefined = Word(1) << 63;

inline float asFloat(Word word) { return std::bit_cast<float>(static_cast<uint32_t>(word)); }
inline Word asWord(float value) { return std::bit_cast<uint32_t>(value); }

inline Word lowBits(Word word, unsigned bits) { return bits >= 64 ? word : word & ((Word(1) << bits) - 1); }
inline int64_t asSigned(Word word, unsigned bits) {
  return bits >= 64 ? static_cast<int64_t>(word) : static_cast<int64_t>(word << (64 - bits)) >> (64 - bits);
}

inline Word canonicalNaN(Word word) { return std::isnan(asFloat(word)) ? 0x7FFFFFFF : word; }

/// IEEE 754-2019 maximum: NaN propagates, -0 is below +0.
inline float maximum(float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<float>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}
inline float minimum(float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<float>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? a : b;
  return a < b ? a : b;
}

/// bf16 or f16 to f32: exact.
Word widen(Word bits, bool isF16);
/// f32 to bf16 or f16: to nearest even, NaN becomes 0x7FFF.
Word roundTo16(Word word, bool isF16);

/// e4m3 to f32: exact.
Word widenE4M3(Word bits);
/// f32 to e4m3: to nearest even, saturating at 448, NaN becomes 0x7F.
Word roundToE4M3(Word word);
/// f32 to a nibble of two's complement: to nearest even, saturating at -8 and 7, NaN becomes 7.
Word roundToNibble(Word word);

} // namespace mlir::sdm::lanes

#endif // SDM_LIB_LANES_WORDS_H
