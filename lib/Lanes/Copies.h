// Copies into shared memory between their issue and the wait that ends them, and the barriers that the copy engine
// reports to.
#ifndef SDM_LIB_LANES_COPIES_H
#define SDM_LIB_LANES_COPIES_H

#include "lib/Lanes/Faults.h"
#include "lib/Lanes/GlobalMemory.h"
#include "lib/Lanes/SharedMemory.h"

#include <deque>
#include <map>
#include <random>

namespace mlir::sdm::lanes {

struct Operand;

/// Bytes on their way. They are read where they come from when they land.
struct Copy {
  Operation *op = nullptr;
  const char *source = nullptr; ///< none: zeros
  uint32_t target = 0, bytes = 0;
  unsigned warp = 0, lane = 0;
  std::vector<char> atIssue;       ///< the source as it was
  uint64_t moment = 0;             ///< of the issue, in the launch's stores
  bool isSourceWritten = false;    ///< whether the launch writes the operand
  uint32_t barrier = 0, phase = 0; ///< of the copy engine's
  bool landed = false;
};

/// An mbarrier.
struct Barrier {
  uint32_t address;
  unsigned warp, lane; ///< who initialised it
  uint32_t epoch;
  uint32_t arrivals = 1;     ///< that end a phase
  uint32_t phase = 0;        ///< phases that are over
  uint32_t arrived = 0;      ///< in this phase
  int64_t bytes = 0;         ///< announced and not landed
  Clock released;            ///< what this phase's arrivals publish
  Clock published;           ///< what those who see a phase end learn
  Operation *last = nullptr; ///< the last operation on it
};

class Copies {
public:
  Copies(SharedMemory &shared, GlobalMemory &global, FaultLog &faults, unsigned warps);

  // cp.async, by lane.
  void start(Copy copy, const SharedMemory::Access &access);
  void commit(unsigned warp, unsigned lane);
  /// Lands all committed groups of the lane but the last `pending`.
  void waitGroups(unsigned pending, const SharedMemory::Access &access);
  /// A warp is at its end.
  void checkDone(unsigned warp, Operation *end);

  // Bulk copies and barriers.
  void initialise(Operation *op, uint32_t address, uint32_t arrivals, const SharedMemory::Access &access);
  /// The barrier at an address, if this lane may use it; a fault and null otherwise.
  Barrier *find(Operation *op, uint32_t address, const SharedMemory::Access &access);
  uint32_t numberOf(const Barrier &barrier) const { return &barrier - barriers.data(); }
  void announce(Operation *op, Barrier &barrier, int64_t bytes, const SharedMemory::Access &access);
  void startBulk(Copy copy, Barrier &barrier, const SharedMemory::Access &access);
  bool isOver(const Barrier &barrier, uint32_t parity) const { return (barrier.phase & 1) != (parity & 1); }
  /// Lands one copy that reports to a barrier; false when there is none.
  bool landOneFor(uint32_t barrier, std::mt19937_64 &random);
  /// Lands some copy, whatever it is.
  void landAny(std::mt19937_64 &random);
  /// The CTA is at its end: copies whose phase nobody saw end.
  void checkEngineDone(const std::vector<uint32_t> &seenPhases);

  std::vector<Barrier> barriers;
  /// Counts landings: a wait that blocks looks again after one.
  uint64_t landings = 0;

private:
  struct Lane {
    std::vector<std::shared_ptr<Copy>> open;
    std::deque<std::vector<std::shared_ptr<Copy>>> groups;
  };
  Lane &laneOf(unsigned warp, unsigned lane) { return lanes[warp * kWarpLanes + lane]; }
  void land(Copy &copy);
  void settle(Barrier &barrier);

  SharedMemory &shared;
  GlobalMemory &global;
  FaultLog &faults;
  std::vector<Lane> lanes;
  std::vector<std::shared_ptr<Copy>> flying; ///< not landed
  std::vector<std::shared_ptr<Copy>> engine; ///< every bulk copy
};

} // namespace mlir::sdm::lanes

#endif // SDM_LIB_LANES_COPIES_H
