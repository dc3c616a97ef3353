// Structured control flow. Lanes that differ in a condition or a trip count run under a mask; what waits for the whole
// warp checks the mask itself. A while is left by all lanes together.
#include "lib/Lanes/Cta.h"

using namespace mlir;
using namespace mlir::sdm::lanes;

namespace {

/// The active lanes where an i1 value holds.
uint32_t lanesWhere(Warp &warp, unsigned condition) {
  uint32_t found = 0;
  warp.forEachActive([&](unsigned lane) { found |= uint32_t(warp.word(condition, lane) & 1) << lane; });
  return found;
}

void runUnder(Warp &warp, uint32_t mask, const Body &body, ArrayRef<unsigned> results) {
  if (!mask)
    return;
  uint32_t outer = warp.active;
  warp.active = mask;
  warp.run(body);
  warp.copy(body.passed, results);
  warp.active = outer;
}

void branch(Warp &warp, const Step &step) {
  uint32_t yes = lanesWhere(warp, step.operands[0]), no = warp.active & ~yes;
  runUnder(warp, yes, step.bodies[0], step.results);
  if (step.bodies[1].terminator)
    runUnder(warp, no, step.bodies[1], step.results);
}

void loop(Warp &warp, const Step &step) {
  const Body &body = step.bodies[0];
  ArrayRef<unsigned> operands = step.operands, carried = ArrayRef(body.arguments).drop_front();
  unsigned counter = body.arguments[0], bits = warp.place(counter).bits;
  warp.copy(operands.drop_front(3), carried);
  int64_t at[kWarpLanes], end[kWarpLanes], by[kWarpLanes];
  warp.forEachActive([&](unsigned lane) {
    at[lane] = warp.signedWord(operands[0], lane);
    end[lane] = warp.signedWord(operands[1], lane);
    by[lane] = warp.signedWord(operands[2], lane);
  });
  uint32_t outer = warp.active;
  for (;;) {
    uint32_t inside = 0;
    warp.forEachActive([&](unsigned lane) { inside |= uint32_t(at[lane] < end[lane]) << lane; });
    if (!inside)
      break;
    warp.active = inside;
    warp.forEachActive([&](unsigned lane) { warp.words(counter)[lane] = lowBits(at[lane], bits); });
    warp.run(body);
    warp.copy(body.passed, carried);
    warp.forEachActive([&](unsigned lane) { at[lane] += by[lane]; });
  }
  warp.active = outer;
  warp.copy(carried, step.results);
}

void repeat(Warp &warp, const Step &step) {
  const Body &before = step.bodies[0], &after = step.bodies[1];
  warp.copy(step.operands, before.arguments);
  for (;;) {
    warp.run(before);
    uint32_t more = lanesWhere(warp, before.passed[0]);
    if (more && more != warp.active)
      warp.cta.launch.faults.addFatal(step.op, kind::divergent,
                                      "expected a condition that is the same in every lane of the warp, got one that "
                                      "holds in " +
                                          llvm::Twine(llvm::popcount(more)) + " of " +
                                          llvm::Twine(llvm::popcount(warp.active)));
    ArrayRef<unsigned> passed = ArrayRef(before.passed).drop_front();
    if (!more)
      return warp.copy(passed, step.results);
    warp.copy(passed, after.arguments);
    warp.run(after);
    warp.copy(after.passed, before.arguments);
  }
}

} // namespace

void mlir::sdm::lanes::addControlOperations(OperationTable &table) {
  table["scf.if"] = branch;
  table["scf.for"] = loop;
  table["scf.while"] = repeat;
}
