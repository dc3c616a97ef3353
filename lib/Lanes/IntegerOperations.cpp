// Integers of up to 64 bits: overflow wraps, a shift by the width or more gives what the shift by one bit at a time
// would.
#include "lib/Lanes/Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sdm::lanes;

namespace {

template <typename Function> void wrapped(Warp &warp, const Step &step, Function function) {
  unsigned bits = resultBits(warp, step);
  mapTwo(warp, step, [&](Word a, Word b) { return lowBits(function(a, b), bits); });
}

template <typename Function> void onSigned(Warp &warp, const Step &step, Function function) {
  unsigned bits = resultBits(warp, step);
  mapTwo(warp, step, [&](Word a, Word b) {
    return lowBits(static_cast<Word>(function(asSigned(a, bits), asSigned(b, bits))), bits);
  });
}

void needDivisor(Warp &warp, const Step &step) {
  const Word *divisor = warp.words(step.operands[1]);
  for (unsigned i = 0, n = resultWords(warp, step); i < n; ++i)
    if (divisor[i] == 0 && warp.isActive(i % kWarpLanes))
      return warp.fault(step, kind::arithmetic, "expected a divisor other than 0, got 0");
}

void divideSigned(Warp &warp, const Step &step) {
  needDivisor(warp, step);
  // The most negative number by -1 wraps.
  onSigned(warp, step, [](int64_t a, int64_t b) {
    return b == 0 ? 0 : b == -1 ? static_cast<int64_t>(-Word(a)) : a / b;
  });
}
void remainderSigned(Warp &warp, const Step &step) {
  needDivisor(warp, step);
  onSigned(warp, step, [](int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; });
}
void divideUnsigned(Warp &warp, const Step &step) {
  needDivisor(warp, step);
  wrapped(warp, step, [](Word a, Word b) { return b == 0 ? 0 : a / b; });
}
void remainderUnsigned(Warp &warp, const Step &step) {
  needDivisor(warp, step);
  wrapped(warp, step, [](Word a, Word b) { return b == 0 ? 0 : a % b; });
}

void shiftLeft(Warp &warp, const Step &step) {
  wrapped(warp, step, [](Word a, Word b) { return b >= 64 ? 0 : a << b; });
}
void shiftRight(Warp &warp, const Step &step) {
  wrapped(warp, step, [](Word a, Word b) { return b >= 64 ? 0 : a >> b; });
}
void shiftRightSigned(Warp &warp, const Step &step) {
  unsigned bits = resultBits(warp, step);
  mapTwo(warp, step,
         [&](Word a, Word b) { return lowBits(static_cast<Word>(asSigned(a, bits) >> std::min<Word>(b, 63)), bits); });
}

void compare(Warp &warp, const Step &step) {
  unsigned bits = operandBits(warp, step);
  arith::CmpIPredicate predicate = cast<arith::CmpIOp>(step.op).getPredicate();
  mapTwo(warp, step, [&](Word a, Word b) -> Word {
    int64_t x = asSigned(a, bits), y = asSigned(b, bits);
    switch (predicate) {
    case arith::CmpIPredicate::eq:
      return a == b;
    case arith::CmpIPredicate::ne:
      return a != b;
    case arith::CmpIPredicate::slt:
      return x < y;
    case arith::CmpIPredicate::sle:
      return x <= y;
    case arith::CmpIPredicate::sgt:
      return x > y;
    case arith::CmpIPredicate::sge:
      return x >= y;
    case arith::CmpIPredicate::ult:
      return a < b;
    case arith::CmpIPredicate::ule:
      return a <= b;
    case arith::CmpIPredicate::ugt:
      return a > b;
    case arith::CmpIPredicate::uge:
      return a >= b;
    }
    llvm_unreachable("every predicate is handled");
  });
}

void extendSigned(Warp &warp, const Step &step) {
  unsigned from = operandBits(warp, step), to = resultBits(warp, step);
  mapOne(warp, step, [&](Word a) { return lowBits(static_cast<Word>(asSigned(a, from)), to); });
}
/// Zero extension, truncation, bit casts: the low bits.
void keepLowBits(Warp &warp, const Step &step) {
  unsigned bits = resultBits(warp, step);
  mapOne(warp, step, [&](Word a) { return lowBits(a, bits); });
}

void select(Warp &warp, const Step &step) {
  const Word *mask = warp.words(step.operands[0]), *yes = warp.words(step.operands[1]),
             *no = warp.words(step.operands[2]);
  Word *out = warp.words(step.results[0]);
  unsigned bits = resultBits(warp, step);
  bool byElement = warp.place(step.operands[0]).elements == warp.place(step.results[0]).elements;
  for (unsigned i = 0, n = resultWords(warp, step); i < n; ++i) {
    Word chosen = mask[byElement ? i : i % kWarpLanes];
    out[i] = mark(warp, chosen & 1 ? yes[i] : no[i], chosen, i, bits);
  }
}

/// Where one side is a zero that is known, the other does not matter.
void conjunction(Warp &warp, const Step &step) {
  const Word *a = warp.words(step.operands[0]), *b = warp.words(step.operands[1]);
  Word *out = warp.words(step.results[0]);
  unsigned bits = resultBits(warp, step);
  for (unsigned i = 0, n = resultWords(warp, step); i < n; ++i)
    out[i] = a[i] == 0 || b[i] == 0 ? 0 : mark(warp, lowBits(a[i] & b[i], bits), bits > 32 ? 0 : a[i] | b[i], i, bits);
}

void absolute(Warp &warp, const Step &step) {
  unsigned bits = resultBits(warp, step);
  mapOne(warp, step, [&](Word a) { return asSigned(a, bits) < 0 ? lowBits(-a, bits) : a; });
}

} // namespace

void mlir::sdm::lanes::addIntegerOperations(OperationTable &table) {
  table["arith.addi"] = [](Warp &w, const Step &s) { wrapped(w, s, [](Word a, Word b) { return a + b; }); };
  table["arith.subi"] = [](Warp &w, const Step &s) { wrapped(w, s, [](Word a, Word b) { return a - b; }); };
  table["arith.muli"] = [](Warp &w, const Step &s) { wrapped(w, s, [](Word a, Word b) { return a * b; }); };
  table["arith.andi"] = conjunction;
  table["arith.ori"] = [](Warp &w, const Step &s) { wrapped(w, s, [](Word a, Word b) { return a | b; }); };
  table["arith.xori"] = [](Warp &w, const Step &s) { wrapped(w, s, [](Word a, Word b) { return a ^ b; }); };
  table["arith.minui"] = [](Warp &w, const Step &s) { wrapped(w, s, [](Word a, Word b) { return std::min(a, b); }); };
  table["arith.maxui"] = [](Warp &w, const Step &s) { wrapped(w, s, [](Word a, Word b) { return std::max(a, b); }); };
  table["arith.minsi"] = [](Warp &w, const Step &s) {
    onSigned(w, s, [](int64_t a, int64_t b) { return std::min(a, b); });
  };
  table["arith.maxsi"] = [](Warp &w, const Step &s) {
    onSigned(w, s, [](int64_t a, int64_t b) { return std::max(a, b); });
  };
  table["arith.divsi"] = divideSigned;
  table["arith.remsi"] = remainderSigned;
  table["arith.divui"] = divideUnsigned;
  table["arith.remui"] = remainderUnsigned;
  table["arith.shli"] = shiftLeft;
  table["arith.shrui"] = shiftRight;
  table["arith.shrsi"] = shiftRightSigned;
  table["arith.cmpi"] = compare;
  table["arith.extsi"] = extendSigned;
  table["arith.index_cast"] = extendSigned;
  for (const char *name : {"arith.extui", "arith.trunci", "arith.bitcast", "arith.index_castui"})
    table[name] = keepLowBits;
  table["arith.select"] = select;
  table["math.absi"] = absolute;
}
