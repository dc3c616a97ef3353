// The rule that picks a schedule, and the text forms of what it is given.
#include "lib/Transforms/Schedule.h"
#include "lib/Transforms/FlatWalk.h"
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
        parts[2].getAsInteger(10, extent) || argument < 0 || axis < 0 || extent < 0)
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
    if (auto form = symbolizeWalkForm(text)) {
      request.form = *form;
    } else if (auto slices = symbolizeSliceForm(text)) {
      request.slices = *slices;
    } else if (name == "unit" && !value.getAsInteger(10, number)) {
      if (number < 1 || number > 32 || !llvm::isPowerOf2_64(number))
        return textError("a unit of 1, 2, 4, 8, 16 or 32 positions", value);
      request.unit = number;
    } else if (name == "depth" && !value.getAsInteger(10, number)) {
      if (number < 1 || number > 8)
        return textError("a depth of 1 to 8 units", value);
      request.depth = number;
    } else if (name == "warps" && !value.getAsInteger(10, number)) {
      if (number < 1 || number > 32)
        return textError("1 to 32 warps of a CTA", value);
      request.warps = number;
    } else if (auto placement = symbolizePlacement(value); placement && !name.getAsInteger(10, number)) {
      request.placements[number] = *placement;
    } else {
      return textError("nest, flat, split, whole, warps=N, unit=N, depth=N or OPERAND=PLACEMENT in a schedule", text);
    }
  }
  return request;
}

/// The chunk, or one scalar, in every index but the last. sdm-pipeline-rows finds the same loads alike.
static bool haveOneSlab(LoadRowOp a, LoadRowOp b) {
  return llvm::all_of(llvm::zip_equal(a.getIndices().drop_back(), b.getIndices().drop_back()), [](auto pair) {
    auto [x, y] = pair;
    bool areChunks = classifyIndex(x).place == Place::Chunk && classifyIndex(y).place == Place::Chunk;
    return areChunks || isSameScalar(x, y);
  });
}

/// A row at a group's key, or at a place of its own, is read once.
static bool isReused(LoadRowOp load) {
  return llvm::none_of(load.getIndices(), [](Value index) {
    Place place = classifyIndex(index).place;
    return place == Place::Key || place == Place::Ordinal || place == Place::Row || place == Place::MemberIndex ||
           place == Place::MemberPos || place == Place::GroupPos;
  });
}

WalkSummary mlir::sdm::summarizeWalk(Operation *walk) {
  WalkSummary summary;
  llvm::DenseMap<Value, LoadRowOp> slabs; // the first load of each operand's slab
  walk->walk([&](LoadRowOp load) {
    auto argument = llvm::dyn_cast<BlockArgument>(load.getRows());
    bool resident = canBeResident(load);
    bool other = resident && !haveOneSlab(slabs.try_emplace(load.getRows(), load).first->second, load);
    summary.loads.push_back({load, argument ? argument.getArgNumber() : -1, resident, other, isEarly(load),
                             canBeRing(load), canBeBulk(load), isReused(load)});
    summary.width = std::max(summary.width, load.getRows().getType().getWidth());
  });
  walk->walk([&](Operation *op) {
    summary.reductions += llvm::isa<DotOp, ReduceOp>(op);
    if (auto members = llvm::dyn_cast<MembersOp>(op))
      summary.carried = std::max<int64_t>(summary.carried, llvm::count_if(members.getResultTypes(), [](Type type) {
                                            return llvm::isa<VectorType>(type);
                                          }));
    for (Type type : op->getOperandTypes())
      if (auto rows = llvm::dyn_cast<RowsType>(type))
        summary.quantized |= rows.getElementType().getIntOrFloatBitWidth() < 16;
    for (Type type : llvm::concat<const Type>(op->getResultTypes(), op->getOperandTypes()))
      if (auto row = llvm::dyn_cast<VectorType>(type))
        if (row.getRank() == 2 && row.getDimSize(0) * row.getDimSize(1) > summary.slices * summary.sliceWidth) {
          summary.slices = row.getDimSize(0);
          summary.sliceWidth = row.getDimSize(1);
        }
  });
  summary.splittable = canSplit(walk, summary.whyWhole);
  summary.flattenable = summary.slices > 0 && canBeFlat(walk, summary.whyNest);
  if (auto records = llvm::dyn_cast<SortedType>(walk->getOperand(0).getType()))
    summary.layout = records.getLayout();
  return summary;
}
