// When copies land. A lane's own copies are its wait's; the engine's are the barrier's, and count against what was
// announced.
#include "lib/Lanes/Copies.h"

#include <cstring>

using namespace mlir::sdm;
using namespace mlir::sdm::lanes;

Copies::Copies(SharedMemory &shared, GlobalMemory &global, FaultLog &faults, unsigned warps)
    : shared(shared), global(global), faults(faults), lanes(warps * kWarpLanes) {}

void Copies::start(Copy copy, const SharedMemory::Access &access) {
  if (Race race = shared.startCopy(copy.target, copy.bytes, access))
    faults.add(copy.op, race.kind, race.message);
  if (shared.whyNoAccess(copy.target, copy.bytes))
    return;
  auto started = std::make_shared<Copy>(std::move(copy));
  laneOf(access.warp, access.lane).open.push_back(started);
  flying.push_back(std::move(started));
}

void Copies::commit(unsigned warp, unsigned lane) {
  Lane &mine = laneOf(warp, lane);
  mine.groups.push_back(std::move(mine.open));
  mine.open.clear();
}

void Copies::waitGroups(unsigned pending, const SharedMemory::Access &access) {
  Lane &mine = laneOf(access.warp, access.lane);
  while (mine.groups.size() > pending) {
    for (const std::shared_ptr<Copy> &copy : mine.groups.front()) {
      land(*copy);
      shared.endCopy(copy->target, copy->bytes, access);
    }
    mine.groups.pop_front();
  }
  std::erase_if(flying, [](const std::shared_ptr<Copy> &copy) { return copy->landed; });
}

void Copies::checkDone(unsigned warp, Operation *end) {
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
    Lane &mine = laneOf(warp, lane);
    Operation *left = mine.open.empty() ? nullptr : mine.open.front()->op;
    for (const auto &group : mine.groups)
      if (!left && !group.empty())
        left = group.front()->op;
    if (left)
      return faults.add(left, kind::copiesLeft,
                        "expected every copy waited for before its warp ends, got one of lane " + llvm::Twine(lane) +
                            " of warp " + llvm::Twine(warp) + " in flight");
  }
}

void Copies::land(Copy &copy) {
  if (copy.landed)
    return;
  copy.landed = true;
  ++landings;
  if (!copy.source) {
    std::memset(shared.data(copy.target), 0, copy.bytes);
    return;
  }
  bool changed = std::memcmp(copy.atIssue.data(), copy.source, copy.bytes) != 0;
  if (copy.isSourceWritten)
    for (uint32_t byte = 0; byte < copy.bytes && !changed; ++byte)
      changed = global.writtenSince(reinterpret_cast<uint64_t>(copy.source + byte), copy.moment);
  if (changed)
    faults.add(copy.op, kind::sourceWritten,
               "expected a source that stays as it is until the copy lands, got one "
               "that was written in between");
  std::memcpy(shared.data(copy.target), copy.source, copy.bytes);
}

void Copies::landAny(std::mt19937_64 &random) {
  if (flying.empty())
    return;
  size_t picked = random() % flying.size();
  std::shared_ptr<Copy> copy = flying[picked];
  flying.erase(flying.begin() + picked);
  land(*copy);
  if (copy->barrier) {
    Barrier &barrier = barriers[copy->barrier - 1];
    barrier.bytes -= copy->bytes;
    settle(barrier);
  }
}

// Barriers.

void Copies::initialise(Operation *op, uint32_t address, uint32_t arrivals, const SharedMemory::Access &access) {
  if (Race race = shared.write(address, 8, access)) {
    faults.add(op, race.kind, race.message);
    if (shared.whyNoAccess(address, 8))
      return;
  }
  if (address % 8)
    faults.add(op, kind::misaligned, "expected a multiple of 8 as a barrier's address, got " + llvm::Twine(address));
  shared.makeBarrier(address, 8);
  Barrier made{};
  made.address = address;
  made.warp = access.warp;
  made.lane = access.lane;
  made.epoch = access.clock[access.warp];
  made.arrivals = arrivals;
  made.last = op;
  barriers.push_back(made);
}

Barrier *Copies::find(Operation *op, uint32_t address, const SharedMemory::Access &access) {
  for (Barrier &barrier : llvm::reverse(barriers)) {
    if (barrier.address != address)
      continue;
    bool seen =
        (barrier.warp == access.warp && barrier.lane == access.lane) || access.clock[barrier.warp] > barrier.epoch;
    if (!seen)
      faults.add(op, kind::noBarrier,
                 "expected a barrier of warps or lanes between the initialisation of the barrier and its use, "
                 "got a use by lane " +
                     llvm::Twine(access.lane) + " of warp " + llvm::Twine(access.warp) + " without one");
    return &barrier;
  }
  faults.add(op, kind::noBarrier, "expected a barrier that is initialised, got shared address " + llvm::Twine(address));
  return nullptr;
}

/// The phase ends once its arrivals are there and every announced byte has landed.
void Copies::settle(Barrier &barrier) {
  bool allArrived = barrier.arrived == barrier.arrivals;
  if (allArrived && barrier.bytes < 0)
    faults.add(barrier.last, kind::wrongBytes,
               "expected the bytes of the copies that report to the barrier, got " + llvm::Twine(-barrier.bytes) +
                   " too few");
  if (!allArrived || barrier.bytes > 0)
    return;
  ++barrier.phase;
  barrier.published = std::exchange(barrier.released, {});
  barrier.arrived = 0;
  barrier.bytes = 0;
}

void Copies::announce(Operation *op, Barrier &barrier, int64_t bytes, const SharedMemory::Access &access) {
  if (barrier.arrived == barrier.arrivals)
    faults.add(op, kind::wrongBytes,
               "expected " + llvm::Twine(barrier.arrivals) + " arrivals in a phase of the barrier, got another");
  else
    ++barrier.arrived;
  barrier.bytes += bytes;
  barrier.last = op;
  barrier.released.resize(access.clock.size());
  for (size_t warp = 0; warp < access.clock.size(); ++warp)
    barrier.released[warp] = std::max(barrier.released[warp], access.clock[warp]);
  settle(barrier);
}

void Copies::startBulk(Copy copy, Barrier &barrier, const SharedMemory::Access &access) {
  if (Race race = shared.startCopy(copy.target, copy.bytes, access))
    faults.add(copy.op, race.kind, race.message);
  if (shared.whyNoAccess(copy.target, copy.bytes))
    return;
  copy.barrier = numberOf(barrier) + 1;
  copy.phase = barrier.phase;
  shared.handToEngine(copy.target, copy.bytes, numberOf(barrier), barrier.phase);
  auto started = std::make_shared<Copy>(std::move(copy));
  engine.push_back(started);
  flying.push_back(std::move(started));
}

bool Copies::landOneFor(uint32_t number, std::mt19937_64 &random) {
  std::vector<size_t> mine;
  for (size_t i = 0; i < flying.size(); ++i)
    if (flying[i]->barrier == number + 1)
      mine.push_back(i);
  if (mine.empty())
    return false;
  size_t picked = mine[random() % mine.size()];
  std::shared_ptr<Copy> copy = flying[picked];
  flying.erase(flying.begin() + picked);
  land(*copy);
  Barrier &barrier = barriers[number];
  barrier.bytes -= copy->bytes;
  settle(barrier);
  return true;
}

void Copies::checkEngineDone(const std::vector<uint32_t> &seenPhases) {
  for (const std::shared_ptr<Copy> &copy : engine)
    if (!copy->landed || copy->barrier > seenPhases.size() || seenPhases[copy->barrier - 1] <= copy->phase)
      return faults.add(copy->op, kind::copiesLeft,
                        "expected every copy waited for before its CTA ends, got one in flight");
  for (const Barrier &barrier : barriers)
    if (barrier.bytes != 0 || barrier.arrived)
      return faults.add(barrier.last, kind::wrongBytes,
                        "expected as many bytes landed as announced, got " + llvm::Twine(barrier.bytes) + " left");
}
