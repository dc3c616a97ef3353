// The table of GPUs and the look-ups in it.
#include "lib/Target/Chip.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <utility>

namespace mlir::sdm {
namespace {

constexpr std::pair<llvm::StringLiteral, bool ChipFeatures::*> featureNames[] = {
    {"cp_async", &ChipFeatures::cpAsync},
    {"mbarrier", &ChipFeatures::mbarrier},
    {"mbarrier_try_wait", &ChipFeatures::mbarrierTryWait},
    {"bulk_copy", &ChipFeatures::bulkCopy},
    {"bulk_copy_default", &ChipFeatures::bulkCopyDefault},
    {"programmatic_launch", &ChipFeatures::programmaticLaunch},
    {"griddepcontrol_default", &ChipFeatures::programmaticLaunchDefault},
    {"prefetch_intrinsic", &ChipFeatures::prefetchIntrinsic},
    {"fp8_convert", &ChipFeatures::fp8Convert},
    {"packed_f32", &ChipFeatures::packedF32},
};

constexpr ChipFeatures ampere = {.cpAsync = true, .mbarrier = true};
constexpr ChipFeatures ada = {.cpAsync = true, .mbarrier = true, .fp8Convert = true};
constexpr ChipFeatures hopper = {.cpAsync = true,
                                 .mbarrier = true,
                                 .mbarrierTryWait = true,
                                 .bulkCopy = true,
                                 .bulkCopyDefault = true,
                                 .programmaticLaunch = true,
                                 .programmaticLaunchDefault = true,
                                 .prefetchIntrinsic = true,
                                 .fp8Convert = true};
constexpr ChipFeatures blackwell = [] {
  ChipFeatures features = hopper;
  features.packedF32 = true;
  return features;
}();
// The small Blackwells have the instructions, but their L1 and shared memory profit from neither by default.
constexpr ChipFeatures smallBlackwell = [] {
  ChipFeatures features = blackwell;
  features.bulkCopyDefault = false;
  features.programmaticLaunchDefault = false;
  return features;
}();

constexpr unsigned KiB = 1024;

// Oldest first: nearestChip takes the last row at or below a capability.
constexpr Chip chips[] = {
    // name  major minor PTX SMs  shared/SM   per block  reserved  registers warps blocks features
    {"sm_80", 8, 0, 70, 108, 164 * KiB, 163 * KiB, KiB, 65536, 64, 32, ampere},
    {"sm_86", 8, 6, 71, 84, 100 * KiB, 99 * KiB, KiB, 65536, 48, 16, ampere},
    {"sm_89", 8, 9, 78, 142, 100 * KiB, 99 * KiB, KiB, 65536, 48, 24, ada},
    {"sm_90", 9, 0, 78, 132, 228 * KiB, 227 * KiB, KiB, 65536, 64, 32, hopper},
    {"sm_100", 10, 0, 86, 148, 228 * KiB, 227 * KiB, KiB, 65536, 64, 32, blackwell},
    {"sm_103", 10, 3, 88, 148, 228 * KiB, 227 * KiB, KiB, 65536, 64, 32, blackwell},
    {"sm_120", 12, 0, 87, 170, 100 * KiB, 99 * KiB, KiB, 65536, 48, 24, smallBlackwell},
};

} // namespace

bool ChipFeatures::has(llvm::StringRef name) const {
  for (auto [known, member] : featureNames)
    if (known == name)
      return this->*member;
  return false;
}

llvm::SmallVector<llvm::StringRef> ChipFeatures::names() const {
  llvm::SmallVector<llvm::StringRef> names;
  for (auto [known, member] : featureNames)
    if (this->*member)
      names.push_back(known);
  return names;
}

unsigned Chip::blocksPerMultiprocessor(unsigned warpsPerBlock, unsigned sharedBytes,
                                       unsigned registersPerThread) const {
  if (warpsPerBlock == 0 || warpsPerBlock > 32 || sharedBytes > sharedPerBlock)
    return 0;
  unsigned fit = std::min(blocks, warps / warpsPerBlock);
  fit = std::min(fit, sharedPerMultiprocessor / (sharedBytes + sharedReserved));
  // Registers are given to a warp in units of 256, that is 8 a thread.
  if (unsigned perWarp = (registersPerThread + 7) / 8 * 8 * 32)
    fit = std::min(fit, registers / perWarp / warpsPerBlock);
  return fit;
}

llvm::ArrayRef<Chip> allChips() { return chips; }

const Chip *findChip(llvm::StringRef name) {
  for (const Chip &chip : chips)
    if (chip.name == name)
      return &chip;
  return nullptr;
}

std::string targetNames() {
  std::string names;
  for (const Chip &chip : chips)
    names.append(chip.name).append(", ");
  return names + hostTargetName.str();
}

NearestChip nearestChip(unsigned major, unsigned minor) {
  NearestChip nearest;
  for (const Chip &chip : chips)
    if (std::pair(chip.major, chip.minor) <= std::pair(major, minor))
      nearest.chip = &chip;
  std::string device = "sm_" + std::to_string(major) + std::to_string(minor);
  if (!nearest.chip)
    nearest.note = device + " is older than " + chips[0].name.str() + ", the oldest chip in the table";
  else if (nearest.chip->major != major)
    nearest.note = device + " is of a family that is not in the table: compiled as " + nearest.chip->name.str();
  else if (nearest.chip->minor != minor)
    nearest.note = device + " is not in the table: compiled as " + nearest.chip->name.str() + ", its family's nearest";
  return nearest;
}

} // namespace mlir::sdm
