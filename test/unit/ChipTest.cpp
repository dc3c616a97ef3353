// The chip table: look-ups, features, the nearest row for a device.
#include "lib/Target/Chip.h"

#include <gtest/gtest.h>

using namespace mlir::sdm;

namespace {

TEST(Chip, EveryRowIsFoundByItsName) {
  for (const Chip &chip : allChips()) {
    EXPECT_EQ(findChip(chip.name), &chip);
    EXPECT_EQ(chip.name.str(), "sm_" + std::to_string(chip.major) + std::to_string(chip.minor));
    EXPECT_LE(chip.sharedPerBlock + chip.sharedReserved, chip.sharedPerMultiprocessor);
  }
  EXPECT_EQ(findChip("sm_75"), nullptr);
  EXPECT_EQ(findChip("host"), nullptr);
  EXPECT_TRUE(isHostTarget("host"));
}

TEST(Chip, RowsAreOldestFirst) {
  for (size_t i = 1; i < allChips().size(); ++i)
    EXPECT_LT(std::pair(allChips()[i - 1].major, allChips()[i - 1].minor),
              std::pair(allChips()[i].major, allChips()[i].minor));
}

TEST(Chip, Features) {
  EXPECT_TRUE(findChip("sm_80")->features.has("cp_async"));
  EXPECT_FALSE(findChip("sm_80")->features.has("bulk_copy"));
  EXPECT_FALSE(findChip("sm_89")->features.has("programmatic_launch"));
  EXPECT_TRUE(findChip("sm_90")->features.has("bulk_copy_default"));
  EXPECT_TRUE(findChip("sm_103")->features.has("griddepcontrol_default"));
  EXPECT_TRUE(findChip("sm_120")->features.has("programmatic_launch"));
  EXPECT_FALSE(findChip("sm_120")->features.has("griddepcontrol_default"));
  EXPECT_FALSE(findChip("sm_90")->features.has("no such feature"));
}

TEST(Chip, NearestIsItsOwnRow) {
  for (const Chip &chip : allChips()) {
    NearestChip nearest = nearestChip(chip.major, chip.minor);
    EXPECT_EQ(nearest.chip, &chip);
    EXPECT_EQ(nearest.note, "");
  }
}

TEST(Chip, NearestOfTheFamily) {
  NearestChip nearest = nearestChip(8, 7);
  EXPECT_EQ(nearest.chip, findChip("sm_86"));
  EXPECT_EQ(nearest.note, "sm_87 is not in the table: compiled as sm_86, its family's nearest");
  EXPECT_EQ(nearestChip(12, 1).chip, findChip("sm_120"));
}

TEST(Chip, NearestOfAnUnknownFamily) {
  NearestChip nearest = nearestChip(11, 0);
  EXPECT_EQ(nearest.chip, findChip("sm_103"));
  EXPECT_EQ(nearest.note, "sm_110 is of a family that is not in the table: compiled as sm_103");
}

TEST(Chip, OlderThanTheTable) {
  NearestChip nearest = nearestChip(7, 5);
  EXPECT_EQ(nearest.chip, nullptr);
  EXPECT_EQ(nearest.note, "sm_75 is older than sm_80, the oldest chip in the table");
}

TEST(Chip, BlocksPerMultiprocessor) {
  const Chip &hopper = *findChip("sm_90");
  EXPECT_EQ(hopper.blocksPerMultiprocessor(8, 0), 8u);
  EXPECT_EQ(hopper.blocksPerMultiprocessor(8, 64 * 1024), 3u);
  EXPECT_EQ(hopper.blocksPerMultiprocessor(8, 227 * 1024), 1u);
  EXPECT_EQ(hopper.blocksPerMultiprocessor(8, 228 * 1024), 0u);
  EXPECT_EQ(hopper.blocksPerMultiprocessor(8, 0, 128), 2u);
  EXPECT_EQ(hopper.blocksPerMultiprocessor(33, 0), 0u);
}

} // namespace
