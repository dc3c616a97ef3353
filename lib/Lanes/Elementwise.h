// Handlers that do the same for every element of every lane. Lanes that are not active get values too: nobody reads
// them.
#ifndef SDM_LIB_LANES_ELEMENTWISE_H
#define SDM_LIB_LANES_ELEMENTWISE_H

#include "lib/Lanes/Cta.h"

namespace mlir::sdm::lanes {

inline unsigned resultBits(Warp &warp, const Step &step) { return warp.place(step.results[0]).bits; }
inline unsigned operandBits(Warp &warp, const Step &step) { return warp.place(step.operands[0]).bits; }
inline unsigned resultWords(Warp &warp, const Step &step) { return warp.place(step.results[0]).elements * kWarpLanes; }

template <typename Function> void mapOne(Warp &warp, const Step &step, Function function) {
  const Word *a = warp.words(step.operands[0]);
  Word *out = warp.words(step.results[0]);
  for (unsigned i = 0, n = resultWords(warp, step); i < n; ++i)
    out[i] = function(a[i]);
}

template <typename Function> void mapTwo(Warp &warp, const Step &step, Function function) {
  const Word *a = warp.words(step.operands[0]), *b = warp.words(step.operands[1]);
  Word *out = warp.words(step.results[0]);
  for (unsigned i = 0, n = resultWords(warp, step); i < n; ++i)
    out[i] = function(a[i], b[i]);
}

} // namespace mlir::sdm::lanes

#endif // SDM_LIB_LANES_ELEMENTWISE_H
