// The rule that picks a walk's schedule. Structure first (form, slices), then each load's placement, then the warps and
// the unit that shared memory has room for; what does not fit gives way in a fixed order.
#include "dialect/Slices.h"
#include "lib/Transforms/LowerWarpCopies.h"
#include "lib/Transforms/Schedule.h"
#include "llvm/ADT/bit.h"

#include <tuple>

using namespace mlir;
using namespace mlir::sdm;

int64_t mlir::sdm::recordBatch(int64_t unit, int64_t depth) {
  int64_t batch = kLanes;
  while ((2 * depth - 1) * unit > batch)
    batch *= 2;
  return batch;
}

namespace {
constexpr int64_t kWholeColumns = 1024; // what one warp's registers hold of a row
constexpr int64_t kDepth = 2;           // more depth moves nothing: the second cache is the limit by then
constexpr int64_t kUsualWarps = 16;     // of a multiprocessor, which its registers are divided among
constexpr int64_t kLongTile = 24;       // positions
constexpr int64_t kMostRegisters = 255; // of a lane
constexpr int64_t kWorkRegisters = 64;  // of a lane: addresses, sums
constexpr int64_t kUnitRegisters = 8;   // of a lane, for a slice of each position of a unit: its rows in use, its dots

/// What a CTA needs, once everything but the numbers is decided.
struct Fit {
  int64_t warps, unit;
};

class Planner {
public:
  Planner(MLIRContext *context, const WalkSummary &walk, const Extents &extents, const ScheduleRequest &request,
          const Chip *chip)
      : context(context), walk(walk), extents(extents), request(request), chip(chip) {}

  llvm::Expected<PlannedWalk> run() {
    if (llvm::Error error = pickSlices())
      return std::move(error);
    if (llvm::Error error = pickForm())
      return std::move(error);
    if (llvm::Error error = placeLoads())
      return std::move(error);
    llvm::Expected<Fit> fit = fitShared();
    if (!fit)
      return fit.takeError();
    plan.schedule =
        ScheduleAttr::get(context, form, slices, fit->warps, isFlat() ? fit->unit : 1, isFlat() ? depth : 1);
    return std::move(plan);
  }

private:
  bool isFlat() const { return form == WalkForm::Flat; }
  static std::string nameOf(const WalkSummary::Load &load) { return "operand " + llvm::Twine(load.argument).str(); }

  llvm::Error pickSlices() {
    if (request.slices == SliceForm::Split && !walk.splittable)
      return llvm::createStringError("expected a whole walk (" + walk.whyWhole + "), got a schedule that splits it");
    slices = request.slices.value_or(walk.splittable && !areBetterTogether() ? SliceForm::Split : SliceForm::Whole);
    if (slices == SliceForm::Whole && walk.slices * walk.sliceWidth > kWholeColumns)
      return llvm::createStringError("expected rows of at most " + llvm::Twine(kWholeColumns) +
                                     " columns in a whole walk (" +
                                     (walk.splittable ? "split it" : llvm::StringRef(walk.whyWhole)) + "), got " +
                                     llvm::Twine(walk.slices * walk.sliceWidth));
    if (walk.slices > 1)
      plan.reasons.push_back(slices == SliceForm::Split ? "split: every reduction is only stored"
                                                        : "whole: " + whyWhole());
    return llvm::Error::success();
  }

  /// Positions of a warp's tile where the usual warps of the whole chip share a launch whose slices are `parts` apart.
  int64_t tileLength(int64_t parts) const { return extents.positions * parts / (kUsualWarps * chip->multiprocessors); }
  bool isLong(int64_t tile) const { return extents.positions == 0 || tile >= kLongTile; }
  /// Slices that different warps compute.
  int64_t parts() const { return slices == SliceForm::Split ? std::max<int64_t>(walk.slices, 1) : 1; }

  /// Whether all slices are as wide, so that no column is masked.
  bool isEven() const { return walk.width == walk.slices * walk.sliceWidth; }

  /// Two slices that are narrower than a warp: apart, each would leave lanes idle and read all records. Uneven ones
  /// cost masks, which a short tile does not win back.
  bool areBetterTogether() const {
    bool isNarrow = walk.slices == 2 && walk.sliceWidth < kLanes * kLaneColumns;
    return chip && walk.flattenable && isNarrow && (isEven() || isLong(tileLength(1)));
  }

  std::string whyWhole() const {
    if (!walk.splittable)
      return walk.whyWhole;
    return request.slices ? "asked for" : "two slices that leave lanes idle";
  }

  llvm::Error pickForm() {
    bool legal = chip && walk.flattenable;
    if (request.form == WalkForm::Flat && chip && !legal)
      return llvm::createStringError("expected the nest form (" +
                                     (walk.slices == 0 ? std::string("the walk holds no rows") : walk.whyNest) +
                                     "), got flat");
    form = legal && request.form.value_or(WalkForm::Flat) == WalkForm::Flat ? WalkForm::Flat : WalkForm::Nest;
    depth = request.depth.value_or(kDepth);
    if (chip && !legal && walk.slices > 0)
      plan.reasons.push_back("nest: " + walk.whyNest);
    return llvm::Error::success();
  }

  VectorType rowType(LoadRowOp load) const {
    RowsType rows = load.getRows().getType();
    return slices == SliceForm::Split ? rows.getSliceType() : rows.getRowType();
  }
  int64_t rowPitch(LoadRowOp load) const { return SlabType::get(context, rowType(load)).getPitch(); }

  /// Bytes of the slab of a load, nothing where its extent is not known.
  std::optional<int64_t> slabBytes(const WalkSummary::Load &load) {
    RowsType rows = LoadRowOp(load.op).getRows().getType();
    std::optional<int64_t> extent = extents.find(load.argument, rows.getIndexRank() - 1);
    return extent ? std::optional(*extent * rowPitch(load.op)) : std::nullopt;
  }

  static std::string needsOfRowsAhead(StringRef who, StringRef pieces) {
    return (who + " the flat form, indices that the record alone gives, " + pieces + "and no store before the load")
        .str();
  }

  /// The reason why a load cannot have a placement, empty where it can.
  std::string whyNot(const WalkSummary::Load &load, Placement placement) {
    if (placement == Placement::Resident && (!load.canBeResident || load.otherSlab))
      return "resident rows need chunk or launch scalars in all indices but the last, one slab an operand, and no "
             "store "
             "to the operand";
    if (placement == Placement::Resident && chip && !slabBytes(load))
      return "a resident slab needs a known extent";
    if (placement == Placement::Ring && (!isFlat() || !load.canBeRing))
      return needsOfRowsAhead("a ring needs", "pieces of at least 4 bytes, ");
    if (placement == Placement::Registers && (!isFlat() || !load.isEarly))
      return needsOfRowsAhead("registers need", "");
    if (placement == Placement::BulkRing && chip && !chip->features.bulkCopy)
      return "a ring that bulk copies fill needs a chip that has them, and " + chip->name.str() + " has none";
    if (placement == Placement::BulkRing && (!isFlat() || !load.canBeBulk))
      return needsOfRowsAhead("a ring that bulk copies fill needs", "pieces of 16 bytes, ");
    return "";
  }

  llvm::Error placeLoads() {
    for (const WalkSummary::Load &load : walk.loads) {
      auto asked = request.placements.find(load.argument);
      if (asked != request.placements.end() && chip) {
        std::string why = whyNot(load, asked->second);
        if (!why.empty())
          return llvm::createStringError("expected another placement of " + nameOf(load) + " (" + why + "), got " +
                                         stringifyPlacement(asked->second));
        plan.placements.push_back(asked->second);
        continue;
      }
      Placement placement = Placement::Direct;
      for (Placement better : {Placement::Ring, Placement::Resident})
        if (chip && (better == Placement::Ring || load.reused) && whyNot(load, better).empty())
          placement = better;
      plan.placements.push_back(placement);
    }
    return llvm::Error::success();
  }

  int64_t sharedBytes(const Fit &fit) {
    int64_t slabs = 0, ring = 0;
    bool bulk = llvm::is_contained(plan.placements, Placement::BulkRing);
    llvm::SmallDenseSet<int64_t> kept;
    for (auto [load, placement] : llvm::zip(walk.loads, plan.placements)) {
      if (placement == Placement::Resident && kept.insert(load.argument).second)
        slabs += *slabBytes(load);
      if (placement == Placement::Ring || placement == Placement::BulkRing)
        ring += rowPitch(load.op);
    }
    int64_t buffer =
        isFlat() && walk.layout ? BufferType::get(context, walk.layout, recordBatch(fit.unit, depth)).getBytes() : 0;
    return kBarrierBytes + slabs +
           fit.warps * (buffer + fit.unit * depth * ring + (bulk ? ringBarrierBytes(depth) : 0));
  }

  /// Registers of a lane that hold one row of each load of a placement: words, and where a row is loaded by elements a
  /// register for each column as well.
  int64_t words(Placement of) const {
    int64_t words = 0;
    for (auto [load, placement] : llvm::zip(walk.loads, plan.placements))
      if (placement == of) {
        LoadRowOp op = load.op;
        RowsType rows = op.getRows().getType();
        int64_t columns = rows.getPiece() < 4 ? kLaneColumns : 0;
        words += rowType(op).getDimSize(0) * (columns + std::max<int64_t>(rows.getBytes(kLaneColumns) / 4, 1));
      }
    return words;
  }
  /// Slices of a row that a warp holds.
  int64_t heldSlices() const { return slices == SliceForm::Whole ? std::max<int64_t>(walk.slices, 1) : 1; }

  /// Registers of a lane that hold the rows of the units ahead, or of this one where nothing is ahead.
  int64_t rowRegisters(const Fit &fit) const {
    return fit.unit * std::max<int64_t>(depth - 1, 1) * words(Placement::Registers);
  }

  /// Registers of a lane that the fold leaves for such rows.
  int64_t registersForRows(const Fit &fit) const {
    int64_t warps = std::max(fit.warps, kUsualWarps / heldSlices());
    int64_t all = std::min<int64_t>(chip->registers / (kLanes * warps), kMostRegisters);
    return std::max<int64_t>(all - kWorkRegisters - kUnitRegisters * fit.unit * heldSlices(), 0);
  }

  /// Positions of a unit that pay: eight where tiles are long, since a group inside a unit then has no branches for
  /// longer, and a lane has registers for their rows and sums; four where a tile is a few units, of which the last is
  /// mostly empty.
  int64_t usualUnit() const {
    constexpr int64_t mostWords = 4; // of rows that a position reads from rings
    bool isLight =
        !walk.quantized && words(Placement::Ring) <= mostWords && (parts() == 1 || (isEven() && walk.reductions <= 1));
    return isLight && isLong(tileLength(parts())) ? 8 : 4;
  }

  /// Two CTAs of eight warps on a multiprocessor, or one of sixteen, with units of at least four; then fewer warps;
  /// then any unit. What still does not fit is streamed instead of resident, the largest slab first.
  llvm::Expected<Fit> fitShared() {
    if (!chip)
      return Fit{request.warps.value_or(8), 1};
    while (true) {
      int64_t half = static_cast<int64_t>(chip->sharedPerMultiprocessor / 2) - chip->sharedReserved;
      int64_t whole = chip->sharedPerBlock, unit = usualUnit();
      for (auto [limit, most, largest, least] :
           {std::tuple(half, int64_t(8), unit, int64_t(4)), std::tuple(whole, int64_t(16), int64_t(4), int64_t(4)),
            std::tuple(whole, int64_t(8), int64_t(2), int64_t(1))})
        if (std::optional<Fit> fit = search(limit, most, largest, least)) {
          describe(*fit);
          return *fit;
        }
      Fit least{request.warps.value_or(1), request.unit.value_or(1)};
      if (rowRegisters(least) > registersForRows(least))
        return llvm::createStringError("expected rows in registers that fit " + llvm::Twine(registersForRows(least)) +
                                       " of a lane's (a smaller unit or depth, or fewer operands there), got " +
                                       llvm::Twine(rowRegisters(least)));
      if (!streamLargestSlab())
        return llvm::createStringError("expected a schedule that fits " + llvm::Twine(chip->sharedPerBlock) +
                                       " bytes of shared memory of " + chip->name + ", got " +
                                       llvm::Twine(sharedBytes(least)));
    }
  }

  /// Positions of a unit whose rows a lane's 128 registers hold: eight, or of several slices eight slices' worth where
  /// a short tile is to be under way at once, else four; half of that for two rows that go from member to member, or a
  /// quantized one, a quarter for more.
  int64_t heldUnit() const {
    int64_t worth = heldSlices() == 1 || !isLong(tileLength(1)) ? 8 : 4;
    int64_t carried = std::clamp<int64_t>(walk.carried + walk.quantized, 1, 3);
    return llvm::bit_floor<uint64_t>(std::max<int64_t>((worth >> (carried - 1)) / heldSlices(), 1));
  }

  /// Fewer warps for a CTA of a launch that would have fewer CTAs than there are multiprocessors.
  int64_t spread(int64_t warps) const {
    constexpr int64_t shortestTile = 8, fewest = 4;
    while (isFlat() && extents.positions > 0 && warps > fewest &&
           extents.positions * parts() < shortestTile * warps * chip->multiprocessors)
      warps /= 2;
    return warps;
  }

  std::optional<Fit> search(int64_t limit, int64_t mostWarps, int64_t largestUnit, int64_t leastUnit) {
    largestUnit = std::min(largestUnit, heldUnit());
    leastUnit = std::min(leastUnit, largestUnit);
    for (int64_t warps = isFlat() ? mostWarps : 8; warps >= 1; warps /= 2)
      for (int64_t unit = largestUnit; unit >= leastUnit; unit /= 2) {
        Fit fit{request.warps.value_or(spread(warps)), request.unit.value_or(unit)};
        if (sharedBytes(fit) <= limit && rowRegisters(fit) <= registersForRows(fit))
          return fit;
      }
    return std::nullopt;
  }

  bool streamLargestSlab() {
    int64_t largest = -1;
    for (auto [index, load] : llvm::enumerate(walk.loads))
      if (plan.placements[index] == Placement::Resident && !request.placements.contains(load.argument) &&
          (largest < 0 || *slabBytes(load) > *slabBytes(walk.loads[largest])))
        largest = index;
    if (largest < 0)
      return false;
    int64_t argument = walk.loads[largest].argument;
    plan.reasons.push_back(nameOf(walk.loads[largest]) + ": streamed, its slab of " +
                           llvm::Twine(*slabBytes(walk.loads[largest])).str() + " bytes does not fit");
    for (auto [index, load] : llvm::enumerate(walk.loads))
      if (load.argument == argument && plan.placements[index] == Placement::Resident)
        plan.placements[index] = whyNot(load, Placement::Ring).empty() ? Placement::Ring : Placement::Direct;
    return true;
  }

  void describe(const Fit &fit) {
    for (auto [load, placement] : llvm::zip(walk.loads, plan.placements))
      if (placement == Placement::Resident)
        plan.reasons.push_back(nameOf(load) + ": resident, " + llvm::Twine(*slabBytes(load)).str() +
                               " bytes of shared memory");
      else if (placement == Placement::Ring || placement == Placement::BulkRing)
        plan.reasons.push_back(nameOf(load) + ": through a ring of " + llvm::Twine(fit.unit * depth).str() + " rows" +
                               (placement == Placement::BulkRing ? ", filled by bulk copies" : ""));
      else if (placement == Placement::Registers)
        plan.reasons.push_back(nameOf(load) + ": " + llvm::Twine(fit.unit * (depth - 1)).str() +
                               " rows ahead in registers");
      else if (load.otherSlab)
        plan.reasons.push_back(nameOf(load) + ": direct at indices that its slab does not have");
    plan.reasons.push_back(llvm::Twine(fit.warps).str() + " warps, " + llvm::Twine(sharedBytes(fit)).str() +
                           " bytes of shared memory" + registersSaid(fit));
  }

  std::string registersSaid(const Fit &fit) const {
    int64_t words = rowRegisters(fit);
    return words ? ", " + std::to_string(words) + " registers of a lane for rows ahead" : "";
  }

  MLIRContext *context;
  const WalkSummary &walk;
  const Extents &extents;
  const ScheduleRequest &request;
  const Chip *chip;
  PlannedWalk plan;
  SliceForm slices = SliceForm::Whole;
  WalkForm form = WalkForm::Nest;
  int64_t depth = kDepth;
};
} // namespace

llvm::Expected<PlannedWalk> mlir::sdm::planWalk(MLIRContext *context, const WalkSummary &walk, const Extents &extents,
                                                const ScheduleRequest &request, const Chip *chip) {
  return Planner(context, walk, extents, request, chip).run();
}
