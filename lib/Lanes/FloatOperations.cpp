// f32 by the contract: one rounding each, denormals kept, fma where it is written and nowhere else.
#include "lib/Lanes/Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sdm::lanes;

namespace {

/// Rows are widened before they are computed with.
void needF32(Warp &warp, const Step &step) {
  if (operandBits(warp, step) != 32)
    warp.cta.launch.faults.addFatal(step.op, kind::unsupported,
                                    "expected f32 arithmetic, got " + llvm::Twine(operandBits(warp, step)) + " bits");
}

template <typename Function> void floats(Warp &warp, const Step &step, Function function) {
  needF32(warp, step);
  mapTwo(warp, step, [&](Word a, Word b) { return asWord(function(asFloat(a), asFloat(b))); });
}

template <typename Function> void oneFloat(Warp &warp, const Step &step, Function function) {
  needF32(warp, step);
  mapOne(warp, step, [&](Word a) { return asWord(function(asFloat(a))); });
}

void fusedMultiplyAdd(Warp &warp, const Step &step) {
  needF32(warp, step);
  const Word *a = warp.words(step.operands[0]), *b = warp.words(step.operands[1]), *c = warp.words(step.operands[2]);
  Word *out = warp.words(step.results[0]);
  for (unsigned i = 0, n = resultWords(warp, step); i < n; ++i)
    out[i] = mark(warp, asWord(std::fma(asFloat(a[i]), asFloat(b[i]), asFloat(c[i]))), a[i] | b[i] | c[i], i, 32);
}

/// Bit 0: equal, bit 1: greater, bit 2: less, bit 3: unordered. The ordered predicates are numbered so; the others say
/// "unordered or" the ordered one seven below.
unsigned relationsOf(arith::CmpFPredicate predicate) {
  unsigned number = static_cast<unsigned>(predicate);
  if (number < 8)
    return number;
  return predicate == arith::CmpFPredicate::UNO          ? 8
         : predicate == arith::CmpFPredicate::AlwaysTrue ? 15
                                                         : 8 | (number - 7);
}

void compare(Warp &warp, const Step &step) {
  needF32(warp, step);
  unsigned relations = relationsOf(cast<arith::CmpFOp>(step.op).getPredicate());
  mapTwo(warp, step, [&](Word x, Word y) -> Word {
    float a = asFloat(x), b = asFloat(y);
    unsigned relation = std::isnan(a) || std::isnan(b) ? 8 : a < b ? 4 : a > b ? 2 : 1;
    return (relations & relation) != 0;
  });
}

bool isF16(Type type) { return getElementTypeOrSelf(type).isF16(); }

void extend(Warp &warp, const Step &step) {
  if (operandBits(warp, step) == 8)
    return mapOne(warp, step, widenE4M3);
  bool half = isF16(step.op->getOperand(0).getType());
  mapOne(warp, step, [&](Word a) { return widen(a, half); });
}
void shorten(Warp &warp, const Step &step) {
  needF32(warp, step);
  bool half = isF16(step.op->getResult(0).getType());
  mapOne(warp, step, [&](Word a) { return roundTo16(a, half); });
}

void fromSigned(Warp &warp, const Step &step) {
  unsigned bits = operandBits(warp, step);
  mapOne(warp, step, [&](Word a) { return asWord(static_cast<float>(asSigned(a, bits))); });
}
void fromUnsigned(Warp &warp, const Step &step) {
  mapOne(warp, step, [](Word a) { return asWord(static_cast<float>(a)); });
}

} // namespace

void mlir::sdm::lanes::addFloatOperations(OperationTable &table) {
  static_assert(static_cast<unsigned>(arith::CmpFPredicate::OGT) == 2 &&
                static_cast<unsigned>(arith::CmpFPredicate::OLT) == 4 &&
                static_cast<unsigned>(arith::CmpFPredicate::ULE) == 7 + 5);
  table["arith.addf"] = [](Warp &w, const Step &s) { floats(w, s, [](float a, float b) { return a + b; }); };
  table["arith.subf"] = [](Warp &w, const Step &s) { floats(w, s, [](float a, float b) { return a - b; }); };
  table["arith.mulf"] = [](Warp &w, const Step &s) { floats(w, s, [](float a, float b) { return a * b; }); };
  table["arith.divf"] = [](Warp &w, const Step &s) { floats(w, s, [](float a, float b) { return a / b; }); };
  table["arith.maximumf"] = [](Warp &w, const Step &s) { floats(w, s, maximum); };
  table["arith.minimumf"] = [](Warp &w, const Step &s) { floats(w, s, minimum); };
  table["arith.negf"] = [](Warp &w, const Step &s) { oneFloat(w, s, [](float a) { return -a; }); };
  table["math.absf"] = [](Warp &w, const Step &s) { oneFloat(w, s, [](float a) { return std::fabs(a); }); };
  table["math.sqrt"] = [](Warp &w, const Step &s) { oneFloat(w, s, [](float a) { return std::sqrt(a); }); };
  table["math.fma"] = fusedMultiplyAdd;
  table["arith.cmpf"] = compare;
  table["arith.extf"] = extend;
  table["arith.truncf"] = shorten;
  table["arith.sitofp"] = fromSigned;
  table["arith.uitofp"] = fromUnsigned;
}
