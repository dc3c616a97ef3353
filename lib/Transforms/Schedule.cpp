// The rule that picks a schedule, and the text forms of what it is given.
#include "lib/Transforms/Schedule.h"
#include "dialect/Slices.h"
#include "lib/Transforms/Places.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::sdm;

static llvm::Error textError(const llvm::Twine &expected, StringRef got) {
  return llvm::createStringError("expected " + expected + ", got '" + got + "'");
}

llvm::Expected<Extents> Extents::parse(ArrayRef<std::string> texts) {
  Extents extents;
  for (StringRef text : texts) {
    SmallVector<StringRef, 3> parts;
    text.split(parts, ':');
    int64_t argument, axis, extent;
    if (parts.size() != 3 || parts[0].getAsInteger(10, argument) || parts[1].getAsInteger(10, axis) ||
        parts[2].getAsInteger(10, extent))
      return textError("an extent as operand:axis:extent", text);
    extents.known[{argument, axis}] = extent;
  }
  return extents;
}

std::optional<int64_t> Extents::find(int64_t argument, int64_t axis) const {
  auto it = known.find({argument, axis});
  return it == known.end() ? std::nullopt : std::optional(it->second);
}

llvm::Expected<ScheduleRequest> ScheduleRequest::parse(ArrayRef<std::string> texts) {
  ScheduleRequest request;
  for (StringRef text : texts) {
    auto [name, value] = text.split('=');
    int64_t number;
    if (text == "nest")
      continue;
    if (auto slices = symbolizeSliceForm(text)) {
      request.slices = *slices;
    } else if (name == "warps" && !value.getAsInteger(10, number)) {
      if (number < 1 || number > 32)
        return textError("1 to 32 warps of a CTA", value);
      request.warps = number;
    } else if (auto placement = symbolizePlacement(value); placement && !name.getAsInteger(10, number)) {
      if (*placement != Placement::Direct && *placement != Placement::Resident)
        return textError("placement direct or resident (the nest form has no pipeline)", value);
      request.placements[number] = *placement;
    } else {
      return textError("nest, split, whole, warps=N or OPERAND=PLACEMENT in a schedule", text);
    }
  }
  return request;
}

/// The chunk, or one scalar, in every index but the last. sdm-pipeline-rows finds the same loads alike.
static bool haveOneSlab(LoadRowOp a, LoadRowOp b) {
  return llvm::all_of(llvm::zip_equal(a.getIndices().drop_back(), b.getIndices().drop_back()), [](auto pair) {
    auto [x, y] = pair;
    if (x == y || (classifyIndex(x).place == Place::Chunk && classifyIndex(y).place == Place::Chunk))
      return true;
    Operation *defX = x.getDefiningOp(), *defY = y.getDefiningOp();
    return defX && defY &&
           OperationEquivalence::isEquivalentTo(
               defX, defY, [](Value v, Value w) { return success(v == w); }, [](Value, Value) {},
               OperationEquivalence::IgnoreLocations);
  });
}

WalkSummary mlir::sdm::summarizeWalk(Operation *walk) {
  WalkSummary summary;
  llvm::DenseMap<Value, LoadRowOp> slabs; // the first load of each operand's slab
  walk->walk([&](LoadRowOp load) {
    auto argument = llvm::dyn_cast<BlockArgument>(load.getRows());
    bool resident = canBeResident(load);
    bool other = resident && !haveOneSlab(slabs.try_emplace(load.getRows(), load).first->second, load);
    summary.loads.push_back({load, argument ? argument.getArgNumber() : -1, resident, other});
  });
  walk->walk([&](Operation *op) {
    for (Type type : llvm::concat<const Type>(op->getResultTypes(), op->getOperandTypes()))
      if (auto row = llvm::dyn_cast<VectorType>(type))
        if (row.getRank() == 2 && row.getDimSize(0) * row.getDimSize(1) > summary.slices * summary.sliceWidth) {
          summary.slices = row.getDimSize(0);
          summary.sliceWidth = row.getDimSize(1);
        }
  });
  summary.splittable = canSplit(walk, summary.whyWhole);
  return summary;
}

namespace {
constexpr int64_t kWholeColumns = 1024; // what one warp's registers hold of a row

struct Planner {
  const WalkSummary &walk;
  const Extents &extents;
  const ScheduleRequest &request;
  const Chip *chip;
  PlannedWalk plan;

  llvm::Expected<SliceForm> pickSlices() {
    if (request.slices == SliceForm::Split && !walk.splittable)
      return llvm::createStringError("expected a whole walk (" + walk.whyWhole + "), got a schedule that splits it");
    SliceForm form = request.slices.value_or(walk.splittable ? SliceForm::Split : SliceForm::Whole);
    if (form == SliceForm::Whole && walk.slices * walk.sliceWidth > kWholeColumns)
      return llvm::createStringError("expected rows of at most " + llvm::Twine(kWholeColumns) +
                                     " columns in a whole walk (" +
                                     (walk.splittable ? "split it" : llvm::StringRef(walk.whyWhole)) + "), got " +
                                     llvm::Twine(walk.slices * walk.sliceWidth));
    if (walk.slices > 1)
      plan.reasons.push_back(form == SliceForm::Split ? "split: every reduction is only stored"
                                                      : "whole: " + (walk.splittable ? "asked for" : walk.whyWhole));
    return form;
  }

  /// Bytes of the slab of a load, nothing where its extent is not known.
  std::optional<int64_t> slabBytes(LoadRowOp load, int64_t argument, SliceForm form) {
    RowsType rows = load.getRows().getType();
    VectorType row = form == SliceForm::Split ? rows.getSliceType() : rows.getRowType();
    std::optional<int64_t> extent = extents.find(argument, rows.getIndexRank() - 1);
    if (!extent)
      return std::nullopt;
    return *extent * SlabType::get(row.getContext(), row).getPitch();
  }

  llvm::Error placeLoads(SliceForm form) {
    int64_t used = 128; // barriers
    llvm::SmallDenseSet<int64_t> kept;
    for (const WalkSummary::Load &load : walk.loads) {
      std::string name = "operand " + llvm::Twine(load.argument).str();
      auto asked = request.placements.find(load.argument);
      bool wanted = asked == request.placements.end() || asked->second == Placement::Resident;
      bool demanded = asked != request.placements.end() && asked->second == Placement::Resident;
      if (demanded && !load.canBeResident)
        return llvm::createStringError(
            "expected direct rows of " + name +
            " (resident rows need chunk or launch scalars in all indices but the last, and no "
            "store to the operand), got resident");
      if (load.otherSlab) {
        plan.placements.push_back(Placement::Direct);
        if (chip)
          plan.reasons.push_back(name + ": direct at indices that its slab does not have");
        continue;
      }
      Placement placement = Placement::Direct;
      std::optional<int64_t> bytes = slabBytes(load.op, load.argument, form);
      if (chip && wanted && load.canBeResident && bytes) {
        bool fits = kept.contains(load.argument) || used + *bytes <= chip->sharedPerBlock;
        if (fits && kept.insert(load.argument).second)
          used += *bytes;
        if (fits)
          placement = Placement::Resident;
        else if (demanded)
          return llvm::createStringError("expected a slab that fits " + llvm::Twine(chip->sharedPerBlock) +
                                         " bytes of shared memory of " + chip->name + ", got " + llvm::Twine(*bytes) +
                                         " for " + name);
        plan.reasons.push_back(name + (fits ? ": resident, " : ": direct, ") + llvm::Twine(*bytes).str() +
                               " bytes of shared memory");
      }
      plan.placements.push_back(placement);
    }
    return llvm::Error::success();
  }
};
} // namespace

llvm::Expected<PlannedWalk> mlir::sdm::planWalk(MLIRContext *context, const WalkSummary &walk, const Extents &extents,
                                                const ScheduleRequest &request, const Chip *chip) {
  Planner planner{walk, extents, request, chip, {}};
  llvm::Expected<SliceForm> slices = planner.pickSlices();
  if (!slices)
    return slices.takeError();
  if (llvm::Error error = planner.placeLoads(*slices))
    return std::move(error);
  planner.plan.schedule = ScheduleAttr::get(context, WalkForm::Nest, *slices, request.warps.value_or(8));
  return std::move(planner.plan);
}
