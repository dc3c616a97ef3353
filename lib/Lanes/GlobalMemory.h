// Global memory during a launch: who wrote and read each element of the operands that the launch writes.
#ifndef SDM_LIB_LANES_GLOBALMEMORY_H
#define SDM_LIB_LANES_GLOBALMEMORY_H

#include "lib/Lanes/Race.h"

#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <string>

namespace mlir::sdm::lanes {

/// One lane at one moment.
struct Thread {
  uint32_t warp; ///< counted over the whole launch
  uint32_t lane;
  uint32_t epoch; ///< warp barriers passed
};

class GlobalMemory {
public:
  /// Notes an access to the element at an address. Returns why it races, if it does. `synchronised`: the
  /// lowering puts a warp barrier in front of the load.
  Race read(uint64_t address, Thread thread, bool synchronised);
  Race write(uint64_t address, Thread thread);

  /// A moment, for `writtenSince`.
  uint64_t now() const { return serial; }
  bool writtenSince(uint64_t address, uint64_t moment) const {
    auto found = elements.find(address);
    return found != elements.end() && found->second.hasWriter && found->second.serial > moment;
  }

private:
  struct Element {
    Thread writer{};
    uint64_t serial = 0;
    uint32_t reader = 0;
    bool hasWriter = false, hasReader = false, manyReaders = false;
  };
  llvm::DenseMap<uint64_t, Element> elements;
  uint64_t serial = 0;
};

} // namespace mlir::sdm::lanes

#endif // SDM_LIB_LANES_GLOBALMEMORY_H
