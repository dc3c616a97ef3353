// Lanes and warps that meet: barriers, exchanges, the phases of the copy engine's barriers.
#include "dialect/SdmOps.h"
#include "lib/Lanes/Cta.h"

using namespace mlir;
using namespace mlir::sdm;
using namespace mlir::sdm::lanes;

namespace {

void lane(Warp &warp, const Step &step) {
  Word *out = warp.words(step.results[0]);
  for (unsigned number = 0; number < kWarpLanes; ++number)
    out[number] = number;
}

void warpNumber(Warp &warp, const Step &step) { std::fill_n(warp.words(step.results[0]), kWarpLanes, warp.number); }

void exchange(Warp &warp, const Step &step) {
  warp.needWhole(step);
  unsigned distance = cast<ExchangeOp>(step.op).getDistance();
  const Word *in = warp.words(step.operands[0]);
  Word *out = warp.words(step.results[0]);
  for (unsigned number = 0; number < kWarpLanes; ++number)
    out[number] = in[(number ^ distance) % kWarpLanes];
  if (warp.cta.launch.options.exchangeOrders)
    warp.passWarpBarrier();
}

void warpBarrier(Warp &warp, const Step &step) {
  warp.needWhole(step);
  warp.passWarpBarrier();
}

void ctaBarrier(Warp &warp, const Step &step) {
  warp.needWhole(step);
  warp.cta.waitForCta(warp, step);
}

void dependencyWait(Warp &warp, const Step &step) { warp.mayRead = true; }

void barrierInit(Warp &warp, const Step &step) {
  uint32_t arrivals = cast<BarrierInitOp>(step.op).getArrivals();
  warp.forEachActive([&](unsigned lane) {
    warp.cta.copies.initialise(step.op, warp.word(step.operands[0], lane), arrivals, warp.access(lane));
  });
}

void expectTx(Warp &warp, const Step &step) {
  warp.forEachActive([&](unsigned lane) {
    SharedMemory::Access access = warp.access(lane);
    if (Barrier *barrier = warp.cta.copies.find(step.op, warp.word(step.operands[0], lane), access))
      warp.cta.copies.announce(step.op, *barrier, warp.signedWord(step.operands[1], lane), access);
  });
}

/// Lanes may wait for different barriers; each learns of its own.
void waitParity(Warp &warp, const Step &step) {
  Copies &copies = warp.cta.copies;
  warp.forEachActive([&](unsigned lane) {
    Barrier *found = copies.find(step.op, warp.word(step.operands[0], lane), warp.access(lane));
    if (!found)
      return;
    uint32_t number = copies.numberOf(*found);
    warp.cta.waitForPhase(warp, step, number, warp.word(step.operands[1], lane) & 1);
    const Barrier &barrier = copies.barriers[number]; // others may have made barriers meanwhile
    std::vector<uint32_t> &seen = warp.phases[lane];
    seen.resize(std::max<size_t>(seen.size(), number + 1));
    seen[number] = barrier.phase;
    if (warp.isWhole())
      for (size_t other = 0; other < barrier.published.size(); ++other)
        if (other != warp.number)
          warp.clock[other] = std::max(warp.clock[other], barrier.published[other]);
  });
}

} // namespace

void mlir::sdm::lanes::addBarrierOperations(OperationTable &table) {
  table["sdm.lane"] = lane;
  table["sdm.warp"] = warpNumber;
  table["sdm.exchange"] = exchange;
  table["sdm.warp_barrier"] = warpBarrier;
  table["sdm.cta_barrier"] = ctaBarrier;
  table["sdm.dependency_wait"] = dependencyWait;
  table["sdm.barrier_init"] = barrierInit;
  table["sdm.expect_tx"] = expectTx;
  table["sdm.wait_parity"] = waitParity;
}
