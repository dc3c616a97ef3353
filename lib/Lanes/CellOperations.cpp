// Records, cells, extents, and this warp's place in the launch.
#include "dialect/SdmOps.h"
#include "lib/Lanes/Elementwise.h"
#include "lib/Lanes/RowAccess.h"

#include <cstring>

using namespace mlir;
using namespace mlir::sdm;
using namespace mlir::sdm::lanes;

namespace {

void fetch(Warp &warp, const Step &step) {
  auto op = cast<FetchOp>(step.op);
  LayoutAttr layout = op.getRecords().getType().getLayout();
  FieldAttr field = layout.lookup(op.getName());
  Word *out = warp.words(step.results[0]);
  if (field.isConstant()) {
    std::fill_n(out, kWarpLanes, constantField(field));
    return;
  }
  const Operand &operand = warp.operand(step.operands[0]);
  warp.checkDependency(step, operand);
  warp.forEachActive([&](unsigned lane) {
    out[lane] = 0;
    int64_t chunk = warp.signedWord(step.operands[1], lane), pos = warp.signedWord(step.operands[2], lane);
    if (std::string why = whyOutside(operand, {chunk, pos}); !why.empty())
      return warp.fault(step, kind::outOfBounds, why);
    out[lane] = fieldOf(recordAt(operand, layout, field.getPlane(), chunk, pos), field);
  });
}

void loadCell(Warp &warp, const Step &step) {
  const Operand &operand = warp.operand(step.operands[0]);
  warp.checkDependency(step, operand);
  int64_t bytes = elementBytes(operand);
  Word *out = warp.words(step.results[0]);
  warp.forEachActive([&](unsigned lane) {
    out[lane] = 0;
    char *cell = addressOf(warp, step, operand, indicesAt(warp, ArrayRef(step.operands).drop_front(), lane));
    if (!cell)
      return;
    noteRead(warp, step, operand, cell, bytes, lane, /*synchronised=*/true);
    std::memcpy(&out[lane], cell, bytes);
  });
}

void storeCell(Warp &warp, const Step &step) {
  auto op = cast<StoreCellOp>(step.op);
  const Operand &operand = warp.operand(step.operands[1]);
  int64_t bytes = elementBytes(operand);
  bool canonical = op.getValue().getType().isF32() && !op.getBits();
  ArrayRef<unsigned> indices = ArrayRef(step.operands).slice(2, op.getIndices().size());
  warp.forEachActive([&](unsigned lane) {
    if (op.getMask() && !(warp.word(step.operands.back(), lane) & 1))
      return;
    char *cell = addressOf(warp, step, operand, indicesAt(warp, indices, lane));
    if (!cell)
      return;
    noteWrite(warp, step, operand, cell, lane);
    Word word = warp.word(step.operands[0], lane);
    word = canonical ? canonicalNaN(word) : word;
    std::memcpy(cell, &word, bytes);
  });
}

void extent(Warp &warp, const Step &step) {
  auto op = cast<DimOp>(step.op);
  const Operand &operand = warp.operand(step.operands[0]);
  int64_t value;
  if (!operand.planes.empty())
    value = operand.axes[1].extent; // positions of a chunk
  else if (op.getAxis() < operand.axes.size())
    value = operand.axes[op.getAxis()].extent;
  else
    value = cast<RowsType>(operand.type).getWidth();
  std::fill_n(warp.words(step.results[0]), kWarpLanes, static_cast<Word>(value));
}

void stride(Warp &warp, const Step &step) {
  const Axis &axis = warp.operand(step.operands[0]).axes[cast<StrideOp>(step.op).getAxis()];
  std::fill_n(warp.words(step.results[0]), kWarpLanes, static_cast<Word>(axis.stride));
}

/// The CTA's number gives the CTA of its chunk and slice, the slice, the chunk; the warp its tile.
void tile(Warp &warp, const Step &step) {
  const Launch &launch = warp.cta.launch;
  const Operand &walked = warp.operand(step.operands[0]);
  int64_t ctas = launch.arguments.tiles / launch.warps, cta = warp.cta.number % ctas, rest = warp.cta.number / ctas;
  int64_t count = walked.planes.empty() ? walked.axes[0].extent : walked.axes[1].extent;
  int64_t begin = (cta * launch.warps + warp.number) * launch.arguments.tileLength;
  int64_t values[] = {launch.arguments.firstChunk + rest / launch.slices, rest % launch.slices, std::min(begin, count),
                      std::min(begin + launch.arguments.tileLength, count)};
  for (auto [result, value] : llvm::zip(step.results, values))
    std::fill_n(warp.words(result), kWarpLanes, lowBits(value, warp.place(result).bits));
}

} // namespace

const char *mlir::sdm::lanes::recordAt(const Operand &operand, LayoutAttr layout, int64_t plane, int64_t chunk,
                                       int64_t pos) {
  return operand.planes[plane].pointer + chunk * operand.planes[plane].chunkStride + pos * layout.getPlanes()[plane];
}

Word mlir::sdm::lanes::constantField(FieldAttr field) {
  if (auto integer = dyn_cast<IntegerAttr>(field.getValue()))
    return lowBits(integer.getValue().getZExtValue(), integer.getValue().getBitWidth());
  return cast<FloatAttr>(field.getValue()).getValue().bitcastToAPInt().getZExtValue();
}

Word mlir::sdm::lanes::fieldOf(const char *record, FieldAttr field) {
  Word word = 0;
  std::memcpy(&word, record + field.getOffset(), field.getType().isInteger(64) ? 8 : 4);
  if (field.isBits())
    word = lowBits(word >> field.getLowBit(), field.getBitCount());
  return field.getType().isInteger(1) ? word & 1 : word;
}

void mlir::sdm::lanes::addCellOperations(OperationTable &table) {
  table["sdm.fetch"] = fetch;
  table["sdm.load_cell"] = loadCell;
  table["sdm.store_cell"] = storeCell;
  table["sdm.dim"] = extent;
  table["sdm.stride"] = stride;
  table["sdm.tile"] = tile;
}
