// The list of faults of a run: one for each operation and kind, and the end of the run after a few.
#ifndef SDM_LIB_LANES_FAULTS_H
#define SDM_LIB_LANES_FAULTS_H

#include "lib/Lanes/Lanes.h"

#include "llvm/ADT/Twine.h"

#include <set>

namespace mlir::sdm::lanes {

/// Unwinds a warp when the run is over before its end.
struct Stop {};

/// What can go wrong; the names are part of the report.
namespace kind {
inline constexpr llvm::StringLiteral divergent = "divergent control flow"; ///< a loop that lanes leave apart
inline constexpr llvm::StringLiteral partialWarp = "partial warp";         ///< a barrier or exchange of some lanes
inline constexpr llvm::StringLiteral unorderedRead = "unordered read";     ///< another lane's write, no barrier between
inline constexpr llvm::StringLiteral refill = "refill";                    ///< bytes that another lane still reads
inline constexpr llvm::StringLiteral unorderedWrite = "unordered write";   ///< over another lane's write
inline constexpr llvm::StringLiteral neverWritten = "never written";       ///< shared bytes without a value
inline constexpr llvm::StringLiteral neverRead = "never read";             ///< a row that was not asked for
inline constexpr llvm::StringLiteral inFlight = "in flight";               ///< bytes of a copy that is not waited for
inline constexpr llvm::StringLiteral outOfBounds = "out of bounds";
inline constexpr llvm::StringLiteral misaligned = "misaligned";
inline constexpr llvm::StringLiteral twoWriters = "two writers";         ///< of a global byte in one launch
inline constexpr llvm::StringLiteral globalRace = "global race";         ///< a global byte written and read elsewhere
inline constexpr llvm::StringLiteral sourceWritten = "source written";   ///< while a copy of it was in flight
inline constexpr llvm::StringLiteral copiesLeft = "copies left";         ///< in flight at a warp's or the CTA's end
inline constexpr llvm::StringLiteral missingBarrier = "missing barrier"; ///< a warp ended, others wait for it
inline constexpr llvm::StringLiteral wrongBytes = "wrong bytes";         ///< landed and announced differ
inline constexpr llvm::StringLiteral noBarrier = "no barrier";           ///< used before it is initialised
inline constexpr llvm::StringLiteral deadlock = "deadlock";
inline constexpr llvm::StringLiteral tooEarly = "too early";    ///< before the dependency wait
inline constexpr llvm::StringLiteral arithmetic = "arithmetic"; ///< a division by zero
inline constexpr llvm::StringLiteral unsupported = "unsupported";
} // namespace kind

class FaultLog {
public:
  explicit FaultLog(unsigned most) : most(most) {}

  /// Adds a fault unless the operation has one of this kind; throws Stop when there are enough.
  void add(Operation *operation, llvm::StringRef kind, const llvm::Twine &message);
  /// Adds a fault after which the run cannot go on.
  [[noreturn]] void addFatal(Operation *operation, llvm::StringRef kind, const llvm::Twine &message);
  std::vector<LaneFault> take() { return std::move(faults); }

private:
  void append(Operation *operation, llvm::StringRef kind, const llvm::Twine &message);

  unsigned most;
  std::set<std::pair<Operation *, std::string>> known;
  std::vector<LaneFault> faults;
};

} // namespace mlir::sdm::lanes

#endif // SDM_LIB_LANES_FAULTS_H
