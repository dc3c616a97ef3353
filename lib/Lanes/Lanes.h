// The CPU as a GPU at its worst: scheduled IR, interpreted lane by lane, every fault reported by operation and line.
#ifndef SDM_LIB_LANES_LANES_H
#define SDM_LIB_LANES_LANES_H

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace mlir::sdm {

/// What went wrong at an operation; the run went on with whatever value was there, or stopped.
struct LaneFault {
  std::string kind;                                               ///< "in flight", "unordered read", ... (see Faults.h)
  std::string message;                                            ///< expected what (because), got what
  std::string operation;                                          ///< its text, without regions
  std::vector<std::tuple<std::string, unsigned, unsigned>> sites; ///< file, line, column; callee first
};

/// The indices that an axis of an operand has, where the packed arguments do not say: an axis that starts with another
/// chunk than 0, the chunks of a list of records.
struct AxisRange {
  unsigned argument, axis;
  int64_t first, extent;
};

struct LanesOptions {
  uint64_t seed = 0;           ///< order of CTAs and of warps, where a warp is interrupted
  bool late = true;            ///< copies land at the last moment that waits allow; otherwise at a seeded earlier one
  int64_t sharedBytes = 0;     ///< dynamic shared memory of a CTA
  bool exchangeOrders = false; ///< an exchange also orders shared memory within the warp (PTX does not promise it)
  std::vector<AxisRange> ranges;
  std::vector<int64_t> early; ///< operands that may be read before the dependency wait
  unsigned mostFaults = 4;    ///< different ones, then the run stops
};

struct LanesReport {
  std::vector<LaneFault> faults;
  uint64_t operations = 0; ///< executed, by all warps
};

/// Runs one launch: `entry` of a module as it stands after sdm-lower-copies, with the packed arguments that a GPU would
/// be given (lib/Target/ArgumentLayout.h), on the memory that they point to.
LanesReport runOnLanes(ModuleOp scheduled, StringRef entry, ArrayRef<char> arguments, const LanesOptions &options);

} // namespace mlir::sdm

#endif // SDM_LIB_LANES_LANES_H
