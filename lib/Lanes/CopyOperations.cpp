// Copies into shared memory: by the lanes themselves, and by the copy engine.
#include "dialect/SdmOps.h"
#include "lib/Lanes/RowAccess.h"

using namespace mlir;
using namespace mlir::sdm;
using namespace mlir::sdm::lanes;

namespace {

/// A shared address is an offset from the CTA's memory; so is the slab that starts there.
void sameWord(Warp &warp, const Step &step) {
  std::copy_n(warp.words(step.operands[0]), kWarpLanes, warp.words(step.results[0]));
}

/// Bytes from the start of a row to the end of the rows that lie one behind the other.
int64_t bytesBehind(const Operand &operand, ArrayRef<int64_t> indices, int64_t rowBytes) {
  if (indices.empty())
    return rowBytes;
  const Axis &last = operand.axes[indices.size() - 1];
  return last.stride == rowBytes ? rowBytes * (last.first + last.extent - indices.back()) : rowBytes;
}

/// Where a copy of `bytes` bytes at byte `at` of a row comes from; null after a fault.
const char *sourceOf(Warp &warp, const Step &step, const Operand &operand, ArrayRef<int64_t> indices, int64_t at,
                     int64_t bytes) {
  const char *row = addressOf(warp, step, operand, indices);
  auto rows = cast<RowsType>(operand.type);
  int64_t rowBytes = rows.getWidth() * rows.getElementBytes();
  if (isa<CopyBulkOp>(step.op) && at == 0)
    rowBytes = bytesBehind(operand, indices, rowBytes);
  if (row && bytes > 0 && at >= 0 && at + bytes <= rowBytes)
    return row + at;
  if (row)
    warp.fault(step, kind::outOfBounds,
               "expected bytes within the " + llvm::Twine(rowBytes) + " (" + operand.name + "), got " +
                   llvm::Twine(at) + " .. " + llvm::Twine(at + bytes - 1));
  return nullptr;
}

/// A copy as it is issued; without a source it writes zeros.
Copy makeCopy(Warp &warp, const Step &step, const Operand &operand, const char *source, int64_t target, int64_t bytes,
              int64_t alignment, unsigned lane) {
  if (reinterpret_cast<uint64_t>(source) % alignment || target % alignment || bytes % alignment)
    warp.fault(step, kind::misaligned,
               "expected multiples of " + llvm::Twine(alignment) +
                   " as source, shared address and size of a copy, got one that is none (" + operand.name + ")");
  Copy copy;
  copy.op = step.op;
  copy.source = source;
  copy.target = static_cast<uint32_t>(target);
  copy.bytes = static_cast<uint32_t>(bytes);
  copy.warp = warp.number;
  copy.lane = lane;
  copy.moment = warp.cta.launch.global.now();
  if (source) {
    noteRead(warp, step, operand, source, bytes, lane, /*synchronised=*/false);
    copy.atIssue.assign(source, source + bytes);
    copy.isSourceWritten = operand.written;
  }
  return copy;
}

void copyAsync(Warp &warp, const Step &step) {
  auto op = cast<CopyAsyncOp>(step.op);
  const Operand &operand = warp.operand(step.operands[0]);
  size_t count = op.getIndices().size();
  ArrayRef<unsigned> operands = step.operands;
  int64_t bytes = op.getBytes();
  warp.checkDependency(step, operand);
  warp.forEachActive([&](unsigned lane) {
    const char *source = sourceOf(warp, step, operand, indicesAt(warp, operands.slice(1, count), lane),
                                  warp.signedWord(operands[count + 1], lane), bytes);
    if (source)
      startCopy(warp, step, operand, source, warp.signedWord(operands[count + 2], lane), bytes, lane);
  });
}

void commit(Warp &warp, const Step &step) {
  warp.forEachActive([&](unsigned lane) { warp.cta.copies.commit(warp.number, lane); });
}

void waitGroup(Warp &warp, const Step &step) {
  unsigned pending = cast<WaitGroupOp>(step.op).getPending();
  warp.forEachActive([&](unsigned lane) { warp.cta.copies.waitGroups(pending, warp.access(lane)); });
}

void copyBulk(Warp &warp, const Step &step) {
  constexpr int64_t alignment = 16;
  auto op = cast<CopyBulkOp>(step.op);
  const Operand &operand = warp.operand(step.operands[0]);
  size_t count = op.getIndices().size();
  ArrayRef<unsigned> operands = step.operands;
  warp.checkDependency(step, operand);
  warp.forEachActive([&](unsigned lane) {
    SharedMemory::Access access = warp.access(lane);
    Barrier *barrier = warp.cta.copies.find(step.op, warp.word(operands[count + 4], lane), access);
    int64_t bytes = warp.signedWord(operands[count + 3], lane);
    const char *source = sourceOf(warp, step, operand, indicesAt(warp, operands.slice(1, count), lane),
                                  warp.signedWord(operands[count + 1], lane), bytes);
    if (barrier && source)
      warp.cta.copies.startBulk(
          makeCopy(warp, step, operand, source, warp.signedWord(operands[count + 2], lane), bytes, alignment, lane),
          *barrier, access);
  });
}

} // namespace

void mlir::sdm::lanes::startCopy(Warp &warp, const Step &step, const Operand &operand, const char *source,
                                 int64_t target, int64_t bytes, unsigned lane) {
  warp.cta.copies.start(makeCopy(warp, step, operand, source, target, bytes, bytes, lane), warp.access(lane));
}

void mlir::sdm::lanes::addCopyOperations(OperationTable &table) {
  table["sdm.shared"] = sameWord;
  table["sdm.slab_at"] = sameWord;
  table["sdm.copy_async"] = copyAsync;
  table["sdm.commit"] = commit;
  table["sdm.wait_group"] = waitGroup;
  table["sdm.copy_bulk"] = copyBulk;
}
