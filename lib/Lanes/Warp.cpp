// A warp's own state.
#include "lib/Lanes/Warp.h"
#include "dialect/SdmOps.h"
#include "lib/Lanes/Cta.h"

using namespace mlir;
using namespace mlir::sdm;
using namespace mlir::sdm::lanes;

Warp::Warp(Cta &cta, unsigned number)
    : cta(cta), number(number), clock(cta.launch.warps, 0), phases(kWarpLanes),
      registers(cta.launch.program.words, 0xFBFBFBFB) {
  // The first epoch is above what a warp knows of the others.
  clock[number] = 1;
  const Program &program = cta.launch.program;
  for (size_t value = 0; value < program.arguments.size(); ++value)
    if (program.arguments[value] >= 0)
      std::fill_n(words(value), kWarpLanes, operand(value).scalar);
}

const Register &Warp::place(unsigned value) const { return cta.launch.program.registers[value]; }

const Operand &Warp::operand(unsigned value) const {
  return cta.launch.arguments.operands[cta.launch.program.arguments[value]];
}

void Warp::run(const Body &body) {
  for (const Step &step : body.steps) {
    cta.tick(*this);
    current = &step;
    step.run(*this, step);
  }
}

void Warp::runAll() {
  run(cta.launch.program.body);
  cta.copies.checkDone(number, cta.launch.program.body.terminator);
}

void Warp::copy(ArrayRef<unsigned> from, ArrayRef<unsigned> to) {
  // Values may change places: all are read before one is written.
  std::vector<Word> held;
  for (unsigned value : from)
    held.insert(held.end(), words(value), words(value) + kWarpLanes * place(value).elements);
  const Word *next = held.data();
  for (unsigned value : to) {
    Word *target = words(value);
    for (unsigned element = 0; element < place(value).elements; ++element, target += kWarpLanes, next += kWarpLanes)
      forEachActive([&](unsigned lane) { target[lane] = next[lane]; });
  }
}

void Warp::needWhole(const Step &step) {
  if (!isWhole())
    cta.launch.faults.addFatal(step.op, kind::partialWarp,
                               "expected every lane of the warp here (they wait for each other), got " +
                                   llvm::Twine(llvm::popcount(active)) + " of 32");
}

void Warp::checkDependency(const Step &step, const Operand &operand) {
  if (!mayRead && !operand.early)
    fault(step, kind::tooEarly,
          "expected the dependency wait before operand " + operand.name +
              " is touched (the previous kernel may write it), got an access in front of it");
}

Thread Warp::thread(unsigned lane) const {
  return {static_cast<uint32_t>(cta.number * cta.launch.warps + number), lane, clock[number]};
}

void Warp::useUndefined() {
  const Step &origin = unwritten ? *unwritten : *current;
  StringRef user = current->op->getName().getStringRef();
  if (llvm::isa<LoadPieceOp>(origin.op))
    return fault(origin, kind::neverRead,
                 "expected a row that is read (" + user + " depends on it), got one whose mask was false");
  fault(origin, kind::neverWritten,
        "expected shared memory that was written (" + user + " depends on it), got bytes that never were");
}

void Warp::passWarpBarrier() {
  ++clock[number];
  std::vector<uint32_t> seen;
  for (const auto &lane : phases) {
    seen.resize(std::max(seen.size(), lane.size()));
    for (size_t barrier = 0; barrier < lane.size(); ++barrier)
      seen[barrier] = std::max(seen[barrier], lane[barrier]);
  }
  std::fill(phases.begin(), phases.end(), seen);
}

void Warp::fault(const Step &step, StringRef kind, const llvm::Twine &message) {
  cta.launch.faults.add(step.op, kind, message);
}
