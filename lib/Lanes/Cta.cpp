// The baton: who runs next, and what opens when nobody can.
#include "lib/Lanes/Cta.h"
#include "lib/Runtime/FloatModes.h"

#include <thread>

using namespace mlir;
using namespace mlir::sdm;
using namespace mlir::sdm::lanes;

static constexpr uint64_t kLongestTurn = 200; // operations

Cta::Cta(Launch &launch, int64_t number)
    : launch(launch), number(number), shared(launch.options.sharedBytes, launch.warps),
      copies(shared, launch.global, launch.faults, launch.warps), turns(launch.warps),
      patience(1 + launch.random() % kLongestTurn) {
  for (unsigned warp = 0; warp < launch.warps; ++warp)
    warps.push_back(std::make_unique<Warp>(*this, warp));
}

void Cta::run() {
  running = choose();
  std::vector<std::thread> threads;
  for (auto &warp : warps)
    threads.emplace_back([&] { runWarp(*warp); });
  for (std::thread &thread : threads)
    thread.join();
  for (auto &warp : warps)
    launch.operations += warp->operations;
  if (reason)
    std::rethrow_exception(reason);
  std::vector<uint32_t> seen(copies.barriers.size());
  for (auto &warp : warps)
    for (const auto &lane : warp->phases)
      for (size_t barrier = 0; barrier < lane.size(); ++barrier)
        seen[barrier] = std::max(seen[barrier], lane[barrier]);
  copies.checkEngineDone(seen);
}

void Cta::runWarp(Warp &warp) {
  ::sdm::runtime::ContractFloatModes modes;
  try {
    {
      std::unique_lock lock(mutex);
      turns[warp.number].wait(lock, [&] { return running == &warp || stopping; });
      if (stopping)
        return;
    }
    warp.runAll();
    warp.finished = true;
    std::unique_lock lock(mutex);
    running = choose();
    if (running)
      turns[running->number].notify_one();
  } catch (...) {
    stop(std::current_exception());
  }
}

void Cta::stop(std::exception_ptr why) {
  std::unique_lock lock(mutex);
  if (!stopping)
    reason = why;
  stopping = true;
  for (auto &turn : turns)
    turn.notify_all();
}

void Cta::pass(Warp &warp) {
  patience = 1 + launch.random() % kLongestTurn;
  std::unique_lock lock(mutex);
  running = choose();
  if (running == &warp)
    return;
  turns[running->number].notify_one();
  turns[warp.number].wait(lock, [&] { return running == &warp || stopping; });
  if (stopping)
    throw Stop{};
}

void Cta::tick(Warp &warp) {
  ++warp.operations;
  if (!launch.options.late && launch.random() % 16 == 0)
    copies.landAny(launch.random);
  if (--patience == 0)
    pass(warp);
}

void Cta::waitForCta(Warp &warp, const Step &step) {
  warp.waiting = Waiting::ctaBarrier;
  warp.at = &step;
  pass(warp);
}

void Cta::waitForPhase(Warp &warp, const Step &step, uint32_t barrier, uint32_t parity) {
  warp.at = &step;
  warp.barrier = barrier;
  warp.parity = parity;
  warp.waiting = Waiting::phase;
  if (isBlocked(warp))
    pass(warp);
  warp.waiting = Waiting::nothing;
}

bool Cta::isBlocked(Warp &warp) {
  if (warp.finished || warp.waiting == Waiting::ctaBarrier)
    return true;
  return warp.waiting == Waiting::phase && !copies.isOver(copies.barriers[warp.barrier], warp.parity);
}

Warp *Cta::choose() {
  for (;;) {
    std::vector<Warp *> ready;
    unsigned finished = 0, atBarrier = 0;
    for (auto &warp : warps) {
      finished += warp->finished;
      atBarrier += warp->waiting == Waiting::ctaBarrier;
      if (!isBlocked(*warp))
        ready.push_back(warp.get());
    }
    if (!ready.empty())
      return ready[launch.random() % ready.size()];
    if (finished == warps.size())
      return nullptr;
    if (atBarrier == warps.size()) {
      openCtaBarrier();
      continue;
    }
    // Nobody can go on: the last moment for a copy that somebody waits for.
    bool landed = false;
    for (auto &warp : warps)
      if (!landed && !warp->finished && warp->waiting == Waiting::phase)
        landed = copies.landOneFor(warp->barrier, launch.random);
    if (!landed)
      reportStuck();
  }
}

/// Every warp knows what all knew when they came.
void Cta::openCtaBarrier() {
  Clock known(launch.warps);
  for (auto &warp : warps) {
    warp->passWarpBarrier();
    warp->waiting = Waiting::nothing;
    for (unsigned other = 0; other < launch.warps; ++other)
      known[other] = std::max(known[other], warp->clock[other]);
  }
  std::vector<uint32_t> seen(copies.barriers.size());
  for (auto &warp : warps)
    for (size_t barrier = 0; barrier < warp->phases[0].size(); ++barrier)
      seen[barrier] = std::max(seen[barrier], warp->phases[0][barrier]);
  for (auto &warp : warps) {
    warp->clock = known;
    std::fill(warp->phases.begin(), warp->phases.end(), seen);
  }
}

void Cta::reportStuck() {
  Warp *stuck = nullptr;
  unsigned finished = 0;
  for (auto &warp : warps) {
    finished += warp->finished;
    if (!warp->finished && (!stuck || warp->waiting == Waiting::phase))
      stuck = warp.get();
  }
  if (stuck->waiting == Waiting::ctaBarrier && finished)
    launch.faults.addFatal(stuck->at->op, kind::missingBarrier,
                           "expected every warp of the CTA at the barrier, got " + llvm::Twine(finished) +
                               " that ended without it");
  if (stuck->waiting == Waiting::phase) {
    const Barrier &barrier = copies.barriers[stuck->barrier];
    std::string why = "expected an arrival that ends the phase, got a wait that nothing ends";
    if (barrier.arrived == barrier.arrivals)
      why = "expected copies of all bytes that were announced, got a wait for " + std::to_string(barrier.bytes) +
            " that no copy brings";
    launch.faults.addFatal(stuck->at->op, kind::deadlock, why);
  }
  launch.faults.addFatal(stuck->at->op, kind::deadlock, "expected a warp that can go on, got none");
}
