// A warp's own pipeline: records in a circular buffer, rows that share copy instructions, the search for a tile's
// start.
#include "dialect/SdmOps.h"
#include "dialect/Slices.h"
#include "lib/Lanes/Elementwise.h"
#include "lib/Lanes/RowAccess.h"

using namespace mlir;
using namespace mlir::sdm;
using namespace mlir::sdm::lanes;

namespace {

/// A buffer's value: its shared address, and above it the first position that was staged.
void bufferAt(Warp &warp, const Step &step) {
  Word *out = warp.words(step.results[0]);
  for (unsigned lane = 0; lane < kWarpLanes; ++lane)
    out[lane] = warp.word(step.operands[0], lane) | warp.word(step.operands[1], lane) << 32;
}

void peek(Warp &warp, const Step &step) {
  auto op = cast<PeekOp>(step.op);
  BufferType type = op.getBuffer().getType();
  FieldAttr field = type.getLayout().lookup(op.getName());
  Word *out = warp.words(step.results[0]);
  if (field.isConstant()) {
    std::fill_n(out, kWarpLanes, constantField(field));
    return;
  }
  int64_t bytes = type.getLayout().getPlanes()[field.getPlane()], plus = op.getPlus().value_or(0);
  warp.forEachActive([&](unsigned lane) {
    Word buffer = warp.word(step.operands[0], lane);
    int64_t begin = asSigned(buffer, 32), origin = asSigned(buffer >> 32, 32);
    int64_t slot = (warp.signedWord(step.operands[1], lane) - origin) & (2 * type.getBatch() - 1);
    int64_t address = begin + type.getPlaneStart(field.getPlane()) + (slot + plus) * bytes + field.getOffset();
    SharedRead read = readShared(warp, step, address, field.getType().isInteger(64) ? 8 : 4, lane);
    out[lane] = read.data ? fieldOf(read.data - field.getOffset(), field) : 0;
    if (read.mark)
      out[lane] = mark(warp, out[lane], read.mark, lane, resultBits(warp, step));
  });
}

/// The nearest start of a group in the window around p, the later one of two; else the next one behind it. Written from
/// the operation's description, not as the GPU does it.
template <typename StartsAt> static int64_t cutNear(int64_t p, int64_t length, StartsAt startsAt) {
  for (int64_t distance = 0; distance <= kCutWindow; ++distance) {
    if (distance < kCutWindow && (p + distance >= length || startsAt(p + distance)))
      return std::min(p + distance, std::max(p, length));
    if (p - distance >= 0 && p - distance < length && startsAt(p - distance))
      return p - distance;
  }
  int64_t pos = p + kCutWindow;
  while (pos < length && !startsAt(pos))
    ++pos;
  return pos;
}

/// Where the list is cut near each position that is given; the lanes look together.
void seek(Warp &warp, const Step &step) {
  auto op = cast<SeekOp>(step.op);
  warp.needWhole(step);
  const Operand &operand = warp.operand(step.operands[0]);
  warp.checkDependency(step, operand);
  LayoutAttr layout = op.getRecords().getType().getLayout();
  FieldAttr first = layout.lookup("$first");
  int64_t length = operand.axes[1].extent;
  for (auto [from, result] : llvm::zip(ArrayRef(step.operands).drop_front(2), step.results))
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      int64_t chunk = warp.signedWord(step.operands[1], lane), pos = warp.signedWord(from, lane);
      if (std::string why = whyOutside(operand, {chunk}); !why.empty() || pos < 0)
        return warp.fault(step, kind::outOfBounds, why.empty() ? "expected a position of at least 0" : why);
      int64_t cut = cutNear(pos, length, [&](int64_t at) {
        return fieldOf(recordAt(operand, layout, first.getPlane(), chunk, at), first) != 0;
      });
      warp.words(result)[lane] = lowBits(cut, 32);
    }
}

void clearRecord(Warp &warp, const Step &step) {
  uint32_t bytes = step.op->getAttrOfType<IntegerAttr>("bytes").getInt();
  warp.forEachActive([&](unsigned lane) {
    if (!(warp.word(step.operands[0], lane) & 1))
      return;
    SharedMemory &shared = warp.cta.shared;
    auto to = static_cast<uint32_t>(warp.word(step.operands[1], lane));
    if (Race race = shared.write(to, bytes, warp.access(lane)))
      warp.fault(step, race.kind, race.message);
    if (!shared.whyNoAccess(to, bytes))
      std::fill_n(shared.data(to), bytes, '\0');
  });
}

int64_t pieceOf(int64_t bytes) { return bytes % 16 == 0 ? 16 : bytes % 8 == 0 ? 8 : 4; }

/// Past the end a copy of no bytes writes zeros.
void copyRecord(Warp &warp, const Step &step) {
  auto op = cast<CopyRecordOp>(step.op);
  const Operand &operand = warp.operand(step.operands[0]);
  warp.checkDependency(step, operand);
  LayoutAttr layout = op.getRecords().getType().getLayout();
  int64_t plane = op.getPlane(), bytes = layout.getPlanes()[plane], size = pieceOf(bytes);
  warp.forEachActive([&](unsigned lane) {
    int64_t chunk = warp.signedWord(step.operands[1], lane), pos = warp.signedWord(step.operands[2], lane);
    int64_t target = warp.signedWord(step.operands[4], lane);
    const char *record = nullptr;
    if (warp.word(step.operands[3], lane) & 1) {
      if (std::string why = whyOutside(operand, {chunk, pos}); !why.empty())
        return warp.fault(step, kind::outOfBounds, why);
      record = recordAt(operand, layout, plane, chunk, pos);
    }
    for (int64_t at = 0; at < bytes; at += size)
      startCopy(warp, step, operand, record ? record + at : nullptr, target + at, size, lane);
  });
}

/// Lane l moves piece `first + l` of all rows' pieces put one after the other.
void copyShared(Warp &warp, const Step &step) {
  auto op = cast<CopySharedOp>(step.op);
  ArrayRef<int64_t> counts = op.getIndexCounts(), pieces = op.getPieces();
  ArrayRef<unsigned> operands = step.operands, rows = operands.take_front(op.getRows().size());
  ArrayRef<unsigned> indices = operands.slice(rows.size(), op.getIndices().size());
  size_t next = rows.size() + indices.size();
  std::optional<unsigned> slice;
  if (op.getSlice())
    slice = operands[next++];
  ArrayRef<unsigned> targets = operands.slice(next, rows.size()),
                     masks = operands.slice(next + rows.size(), rows.size());
  int64_t size = op.getBytes();
  for (unsigned row : rows)
    warp.checkDependency(step, warp.operand(row));
  warp.forEachActive([&](unsigned lane) {
    int64_t piece = op.getFirst() + lane, row = 0, index = 0;
    while (row < static_cast<int64_t>(rows.size()) && piece >= pieces[row]) {
      piece -= pieces[row];
      index += counts[row++];
    }
    if (row == static_cast<int64_t>(rows.size()) || !(warp.word(masks[row], lane) & 1))
      return;
    const Operand &operand = warp.operand(rows[row]);
    auto type = cast<RowsType>(operand.type);
    int64_t start = slice ? warp.signedWord(*slice, lane) * type.getBytes(sliceWidth(type.getWidth())) : 0;
    int64_t at = piece * size;
    if (start + at >= type.getBytes(type.getWidth()))
      return;
    if (const char *address = addressOf(warp, step, operand, indicesAt(warp, indices.slice(index, counts[row]), lane)))
      startCopy(warp, step, operand, address + start + at, warp.signedWord(targets[row], lane) + at, size, lane);
  });
}

/// A hint.
void prefetch(Warp &warp, const Step &step) {}

} // namespace

void mlir::sdm::lanes::addWarpCopyOperations(OperationTable &table) {
  table["sdm.buffer_at"] = bufferAt;
  table["sdm.peek"] = peek;
  table["sdm.seek"] = seek;
  table["sdm.clear_record"] = clearRecord;
  table["sdm.copy_record"] = copyRecord;
  table["sdm.copy_shared"] = copyShared;
  table["sdm.prefetch"] = prefetch;
}
