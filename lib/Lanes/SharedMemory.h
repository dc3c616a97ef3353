// A CTA's shared memory: every 4 bytes know their state, who wrote them when, and who has read them since.
#ifndef SDM_LIB_LANES_SHAREDMEMORY_H
#define SDM_LIB_LANES_SHAREDMEMORY_H

#include "lib/Lanes/Race.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mlir::sdm::lanes {

inline constexpr unsigned kWarpLanes = 32;

/// What each warp knows of the others: barriers of warp w that lie before this warp's present. A write in w's epoch e
/// is seen where the clock of w is above e.
using Clock = std::vector<uint32_t>;

class SharedMemory {
public:
  SharedMemory(int64_t bytes, unsigned warps);

  /// Who accesses: a lane of a warp, its warp's clock, and the phases of barriers that the lane has seen end.
  struct Access {
    unsigned warp, lane;
    const Clock &clock;
    const std::vector<uint32_t> &phases;
  };

  int64_t size() const { return static_cast<int64_t>(bytes.size()); }
  char *data(uint32_t address) { return bytes.data() + address; }
  /// Out of bounds, or not aligned to 4 bytes.
  Race whyNoAccess(uint32_t address, uint32_t count) const;

  Race read(uint32_t address, uint32_t count, const Access &access);
  Race write(uint32_t address, uint32_t count, const Access &access);
  /// A copy into these bytes starts: they hold nothing until it is waited for.
  Race startCopy(uint32_t address, uint32_t count, const Access &access);
  /// The issuing lane has waited for its own copy.
  void endCopy(uint32_t address, uint32_t count, const Access &access);
  /// The bytes are in the hands of the copy engine; whoever sees that phase of that barrier end may read them.
  void handToEngine(uint32_t address, uint32_t count, uint32_t barrier, uint32_t phase);
  void makeBarrier(uint32_t address, uint32_t count);

private:
  enum class State : uint8_t { never, written, inFlight, byEngine, barrier };
  struct Unit {
    State state = State::never;
    uint8_t warp = 0, lane = 0;
    uint32_t epoch = 0; ///< of the writer; byEngine: the phase
    uint32_t barrier = 0;
  };
  struct Readers {
    uint32_t epoch = 0;
    uint32_t lanes = 0; ///< 0: none
  };

  Race whyUnseen(const Unit &unit, const Access &access, bool reading) const;
  Race whyOverwritten(uint32_t unit, const Access &access) const;
  void forget(uint32_t unit);

  std::vector<char> bytes;
  unsigned warps;
  std::vector<Unit> units;
  std::vector<Readers> readers; ///< of each unit, by warp
};

} // namespace mlir::sdm::lanes

#endif // SDM_LIB_LANES_SHAREDMEMORY_H
