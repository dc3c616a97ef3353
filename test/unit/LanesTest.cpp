// The interpreter's parts: 16-bit formats, what shared memory remembers, a launch from parsed text.
#include "dialect/SdmDialect.h"
#include "lib/Lanes/Faults.h"
#include "lib/Lanes/GlobalMemory.h"
#include "lib/Lanes/SharedMemory.h"
#include "lib/Lanes/Words.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

using namespace mlir;
using namespace mlir::sdm;
using namespace mlir::sdm::lanes;

TEST(LanesWords, every16BitNumberComesBack) {
  for (bool isF16 : {false, true})
    for (Word bits = 0; bits < 0x10000; ++bits) {
      Word wide = widen(bits, isF16);
      EXPECT_EQ(roundTo16(wide, isF16), std::isnan(asFloat(wide)) ? 0x7FFF : bits);
    }
}

TEST(LanesWords, roundingIsToNearestEven) {
  EXPECT_EQ(roundTo16(asWord(1.0f + 0x1p-8f), false), 0x3F80u); // a tie, down to even
  EXPECT_EQ(roundTo16(asWord(1.0f + 0x3p-8f), false), 0x3F82u); // a tie, up to even
  EXPECT_EQ(roundTo16(asWord(65519.0f), true), 0x7BFFu);        // the largest f16
  EXPECT_EQ(roundTo16(asWord(65520.0f), true), 0x7C00u);        // half of a step further: infinity
  EXPECT_EQ(roundTo16(asWord(-0x1p-25f), true), 0x8000u);       // half of the smallest: even is zero
  EXPECT_EQ(roundTo16(asWord(0x3p-25f), true), 0x0002u);        // one and a half of it
  EXPECT_EQ(widen(0x0001, true), asWord(0x1p-24f));
}

TEST(LanesWords, extremaKeepTheSignOfZero) {
  EXPECT_FALSE(std::signbit(maximum(-0.0f, 0.0f)));
  EXPECT_TRUE(std::signbit(minimum(0.0f, -0.0f)));
  EXPECT_TRUE(std::isnan(maximum(NAN, 1.0f)));
}

namespace {
/// One lane's view of shared memory, with its warp's clock.
struct Lane {
  unsigned warp, lane;
  Clock clock;
  std::vector<uint32_t> phases = {};
  SharedMemory::Access access() const { return {warp, lane, clock, phases}; }
};

std::string kindOf(const Race &race) { return race ? race.kind : ""; }
} // namespace

TEST(LanesShared, whatOrdersAReadBehindAWrite) {
  SharedMemory shared(64, 2);
  Lane writer{0, 3, {1, 0}}, neighbour{0, 4, {1, 0}}, other{1, 3, {0, 1}};
  EXPECT_EQ(kindOf(shared.read(0, 4, writer.access())), kind::neverWritten);
  EXPECT_FALSE(shared.write(0, 4, writer.access()));
  EXPECT_FALSE(shared.read(0, 4, writer.access()));
  EXPECT_EQ(kindOf(shared.read(0, 4, neighbour.access())), kind::unorderedRead);
  neighbour.clock[0] = 2; // a warp barrier
  EXPECT_FALSE(shared.read(0, 4, neighbour.access()));
  EXPECT_EQ(kindOf(shared.read(0, 4, other.access())), kind::unorderedRead);
  other.clock = {2, 2}; // a CTA barrier
  EXPECT_FALSE(shared.read(0, 4, other.access()));
}

TEST(LanesShared, whatOrdersAWriteBehindReads) {
  SharedMemory shared(64, 2);
  Lane writer{0, 0, {1, 0}}, reader{1, 9, {0, 1}};
  EXPECT_FALSE(shared.write(0, 16, writer.access()));
  writer.clock = reader.clock = {2, 2};
  EXPECT_FALSE(shared.read(4, 4, reader.access()));
  EXPECT_FALSE(shared.write(8, 4, writer.access()));
  EXPECT_EQ(kindOf(shared.write(4, 4, writer.access())), kind::refill);
  EXPECT_FALSE(shared.read(0, 4, reader.access()));
  writer.clock = {3, 3};
  EXPECT_FALSE(shared.write(0, 4, writer.access()));
}

TEST(LanesShared, copiesAreSeenOnceTheyAreWaitedFor) {
  SharedMemory shared(64, 1);
  Lane lane{0, 0, {1}};
  EXPECT_FALSE(shared.startCopy(0, 16, lane.access()));
  EXPECT_EQ(kindOf(shared.read(0, 4, lane.access())), kind::inFlight);
  EXPECT_EQ(kindOf(shared.startCopy(8, 8, lane.access())), kind::inFlight);
  shared.endCopy(0, 16, lane.access());
  EXPECT_FALSE(shared.read(0, 4, lane.access()));
  EXPECT_FALSE(shared.startCopy(16, 16, lane.access()));
  shared.handToEngine(16, 16, /*barrier=*/0, /*phase=*/0);
  EXPECT_EQ(kindOf(shared.read(16, 4, lane.access())), kind::inFlight);
  lane.phases = {1};
  EXPECT_FALSE(shared.read(16, 4, lane.access()));
  EXPECT_EQ(kindOf(shared.read(60, 8, lane.access())), kind::outOfBounds);
  EXPECT_EQ(kindOf(shared.read(2, 4, lane.access())), kind::misaligned);
}

TEST(LanesGlobal, oneWriterAndNoReadersElsewhere) {
  GlobalMemory memory;
  EXPECT_FALSE(memory.read(64, {0, 0, 1}, false));
  EXPECT_FALSE(memory.write(64, {0, 0, 1}));
  EXPECT_FALSE(memory.write(64, {0, 0, 1}));
  EXPECT_EQ(kindOf(memory.write(64, {0, 1, 1})), kind::twoWriters);
  EXPECT_EQ(kindOf(memory.read(64, {5, 0, 1}, false)), kind::globalRace);
  EXPECT_FALSE(memory.read(128, {1, 0, 1}, false));
  EXPECT_EQ(kindOf(memory.write(128, {0, 0, 1})), kind::globalRace);
  uint64_t before = memory.now();
  EXPECT_FALSE(memory.write(256, {0, 0, 1}));
  EXPECT_TRUE(memory.writtenSince(256, before));
  EXPECT_FALSE(memory.writtenSince(256, memory.now()));
}

TEST(Lanes, aLaunchOfParsedText) {
  const char *text = R"(
    func.func @k(%x: !sdm.rows<?x128xf32>, %y: !sdm.rows<?x128xf32>)
        attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = 1, warps = 2>} {
      %chunk, %slice, %begin, %end = sdm.tile %x : !sdm.rows<?x128xf32>
      sdm.dependency_wait
      %c1 = arith.constant 1 : i32
      scf.for %i = %begin to %end step %c1 : i32 {
        %v = sdm.load_piece %x[%i] : !sdm.rows<?x128xf32> [i32] -> vector<1x4xf32>
        %s = arith.addf %v, %v : vector<1x4xf32>
        sdm.store_piece %s, %y[%i] : vector<1x4xf32>, !sdm.rows<?x128xf32> [i32]
      }
      return
    })";
  MLIRContext context;
  context.loadDialect<SdmDialect, arith::ArithDialect, func::FuncDialect, scf::SCFDialect, vector::VectorDialect>();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  std::vector<float> x(5 * 128, 1.5f), y(5 * 128);
  std::array<int64_t, 10> packed{reinterpret_cast<int64_t>(x.data()),
                                 512,
                                 5,
                                 reinterpret_cast<int64_t>(y.data()),
                                 512,
                                 5,
                                 /*first_chunk=*/0,
                                 /*chunks=*/1,
                                 /*tile_length=*/2,
                                 /*tiles=*/4};
  ArrayRef<char> bytes(reinterpret_cast<const char *>(packed.data()), sizeof(packed));
  for (uint64_t seed = 0; seed < 3; ++seed) {
    std::fill(y.begin(), y.end(), 0.0f);
    LanesOptions options;
    options.seed = seed;
    LanesReport report = runOnLanes(*module, "k", bytes, options);
    EXPECT_TRUE(report.faults.empty());
    EXPECT_GT(report.operations, 0u);
    EXPECT_EQ(y, std::vector<float>(5 * 128, 3.0f));
  }
  EXPECT_EQ(runOnLanes(*module, "other", bytes, {}).faults.front().kind, kind::unsupported);
}
