// The table of GPUs: what each chip has, by named feature. No code outside compares capability numbers.
#ifndef SDM_LIB_TARGET_CHIP_H
#define SDM_LIB_TARGET_CHIP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace mlir::sdm {

/// What a chip can do. A `...Default` feature says what a schedule picks when nobody asks; the feature beside it says
/// what the instructions need.
struct ChipFeatures {
  bool cpAsync = false;                   ///< cp.async from global to shared memory
  bool mbarrier = false;                  ///< mbarrier.init, arrive
  bool mbarrierTryWait = false;           ///< mbarrier.try_wait, expect_tx
  bool bulkCopy = false;                  ///< cp.async.bulk with an mbarrier
  bool bulkCopyDefault = false;           ///< resident rows are staged by bulk copies
  bool programmaticLaunch = false;        ///< griddepcontrol and the launch attribute
  bool programmaticLaunchDefault = false; ///< every kernel holds the wait and the trigger
  bool prefetchIntrinsic = false;         ///< nvvm.prefetch; inline assembly below
  bool fp8Convert = false;                ///< cvt to and from e4m3x2
  bool packedF32 = false;                 ///< fma.rn.f32x2

  /// Looks a feature up by its name in the table ("bulk_copy"); an unknown name is no feature.
  bool has(llvm::StringRef name) const;
  /// Names of the features that are set, in the table's order.
  llvm::SmallVector<llvm::StringRef> names() const;
};

struct Chip {
  llvm::StringLiteral name; ///< "sm_90"
  unsigned major, minor;    ///< compute capability
  unsigned ptxVersion;      ///< lowest PTX version that knows the chip, as LLVM names it (78 is 7.8)
  unsigned multiprocessors; ///< of the family's usual board
  unsigned sharedPerMultiprocessor;
  unsigned sharedPerBlock; ///< most that one block may opt in to, in bytes
  unsigned sharedReserved; ///< what the system takes of each block's shared memory
  unsigned registers;      ///< 32-bit registers of a multiprocessor
  unsigned warps;          ///< resident warps of a multiprocessor
  unsigned blocks;         ///< resident blocks of a multiprocessor
  ChipFeatures features;

  /// Blocks of `warpsPerBlock` warps, each with `sharedBytes` of shared memory and `registersPerThread` registers, that
  /// fit on one multiprocessor; 0 when not even one does.
  unsigned blocksPerMultiprocessor(unsigned warpsPerBlock, unsigned sharedBytes, unsigned registersPerThread = 0) const;
};

/// The host target's name where a chip's is expected; it has no row.
inline constexpr llvm::StringLiteral hostTargetName = "host";
inline bool isHostTarget(llvm::StringRef target) { return target == hostTargetName; }

llvm::ArrayRef<Chip> allChips();

/// The row of that name, or null.
const Chip *findChip(llvm::StringRef name);

/// Names of all targets, joined for a message: "sm_80, sm_86, ..., host".
std::string targetNames();

struct NearestChip {
  const Chip *chip = nullptr; ///< null: older than every row
  std::string note;           ///< empty when the row is the chip's own
};

/// The row for a device of this compute capability: its own, else the newest row of its family (same major) at or below
/// it, else the newest row below it, with a note that says so. Its PTX runs there through the driver's compiler.
NearestChip nearestChip(unsigned major, unsigned minor);

} // namespace mlir::sdm

#endif // SDM_LIB_TARGET_CHIP_H
