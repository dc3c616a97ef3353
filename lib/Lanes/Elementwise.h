// Handlers that do the same for every element of every lane. Lanes that are not active get values too: nobody reads
// them.
#ifndef SDM_LIB_LANES_ELEMENTWISE_H
#define SDM_LIB_LANES_ELEMENTWISE_H

#include "lib/Lanes/Cta.h"

namespace mlir::sdm::lanes {

inline unsigned resultBits(Warp &warp, const Step &step) { return warp.place(step.results[0]).bits; }
inline unsigned operandBits(Warp &warp, const Step &step) { return warp.place(step.operands[0]).bits; }
inline unsigned resultWords(Warp &warp, const Step &step) { return warp.place(step.results[0]).elements * kWarpLanes; }

/// A result is undefined where an operand is.
inline Word mark(Warp &warp, Word result, Word operands, unsigned i, unsigned bits) {
  if (!(operands & kUndefined))
    return result;
  if (bits > 32 && warp.isActive(i % kWarpLanes))
    warp.useUndefined();
  return bits > 32 ? result : result | kUndefined;
}

template <typename Function> void mapOne(Warp &warp, const Step &step, Function function) {
  const Word *a = warp.words(step.operands[0]);
  Word *out = warp.words(step.results[0]);
  unsigned from = operandBits(warp, step), bits = resultBits(warp, step);
  for (unsigned i = 0, n = resultWords(warp, step); i < n; ++i)
    out[i] = mark(warp, function(a[i]), from > 32 ? 0 : a[i], i, bits);
}

template <typename Function> void mapTwo(Warp &warp, const Step &step, Function function) {
  const Word *a = warp.words(step.operands[0]), *b = warp.words(step.operands[1]);
  Word *out = warp.words(step.results[0]);
  unsigned from = operandBits(warp, step), bits = resultBits(warp, step);
  for (unsigned i = 0, n = resultWords(warp, step); i < n; ++i)
    out[i] = mark(warp, function(a[i], b[i]), from > 32 ? 0 : a[i] | b[i], i, bits);
}

} // namespace mlir::sdm::lanes

#endif // SDM_LIB_LANES_ELEMENTWISE_H
