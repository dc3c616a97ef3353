// A CTA: warps as threads of the CPU, one at a time, in an order drawn from a seed.
#ifndef SDM_LIB_LANES_CTA_H
#define SDM_LIB_LANES_CTA_H

#include "lib/Lanes/Warp.h"

#include <condition_variable>
#include <mutex>
#include <random>

namespace mlir::sdm::lanes {

/// What all CTAs of a launch share.
struct Launch {
  const Program &program;
  Arguments arguments;
  const LanesOptions &options;
  unsigned warps; ///< of a CTA
  int64_t slices;
  FaultLog &faults;
  GlobalMemory global;
  std::mt19937_64 random;
  uint64_t operations = 0;
};

class Cta {
public:
  Cta(Launch &launch, int64_t number);

  /// Runs all warps to their ends. Throws Stop when the run is over.
  void run();

  /// Before each operation: the baton may pass on, a copy may land.
  void tick(Warp &warp);
  void waitForCta(Warp &warp, const Step &step);
  void waitForPhase(Warp &warp, const Step &step, uint32_t barrier, uint32_t parity);

  Launch &launch;
  const int64_t number; ///< of the CTA in the grid
  SharedMemory shared;
  Copies copies;

private:
  void runWarp(Warp &warp);
  /// Gives the baton to a warp that can go on and takes it again when it is this warp's turn.
  void pass(Warp &warp);
  /// A warp that can go on; null when all are done.
  Warp *choose();
  void openCtaBarrier();
  bool isBlocked(Warp &warp);
  void reportStuck();
  void stop(std::exception_ptr why);

  std::vector<std::unique_ptr<Warp>> warps;
  std::mutex mutex;
  std::vector<std::condition_variable> turns;
  Warp *running = nullptr;
  bool stopping = false;
  std::exception_ptr reason;
  uint64_t patience; ///< operations until the baton passes on
};

} // namespace mlir::sdm::lanes

#endif // SDM_LIB_LANES_CTA_H
