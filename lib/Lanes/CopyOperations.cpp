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

/// Source and target of a copy of `bytes` bytes at byte `at` of a row; false after a fault.
bool makeCopy(Warp &warp, const Step &step, const Operand &operand, ArrayRef<int64_t> indices, int64_t at,
              int64_t target, int64_t bytes, int64_t alignment, unsigned lane, Copy &copy) {
  char *row = addressOf(warp, step, operand, indices);
  if (!row)
    return false;
  auto rows = cast<RowsType>(operand.type);
  int64_t rowBytes = rows.getWidth() * rows.getElementBytes();
  if (bytes <= 0 || at < 0 || at + bytes > rowBytes) {
    warp.fault(step, kind::outOfBounds,
               "expected bytes within the row's " + llvm::Twine(rowBytes) + " (" + operand.name + "), got " +
                   llvm::Twine(at) + " .. " + llvm::Twine(at + bytes - 1));
    return false;
  }
  const char *source = row + at;
  if (reinterpret_cast<uint64_t>(source) % alignment || target % alignment || bytes % alignment)
    warp.fault(step, kind::misaligned,
               "expected multiples of " + llvm::Twine(alignment) +
                   " as source, shared address and size of a copy, got one that is none");
  noteRead(warp, step, operand, source, bytes, lane, /*synchronised=*/false);
  copy = {};
  copy.op = step.op;
  copy.source = source;
  copy.target = static_cast<uint32_t>(target);
  copy.bytes = static_cast<uint32_t>(bytes);
  copy.warp = warp.number;
  copy.lane = lane;
  copy.atIssue.assign(source, source + bytes);
  copy.moment = warp.cta.launch.global.now();
  copy.isSourceWritten = operand.written;
  return true;
}

void copyAsync(Warp &warp, const Step &step) {
  auto op = cast<CopyAsyncOp>(step.op);
  const Operand &operand = warp.operand(step.operands[0]);
  size_t count = op.getIndices().size();
  ArrayRef<unsigned> operands = step.operands;
  int64_t bytes = op.getBytes();
  warp.checkDependency(step, operand);
  warp.forEachActive([&](unsigned lane) {
    Copy copy;
    if (makeCopy(warp, step, operand, indicesAt(warp, operands.slice(1, count), lane),
                 warp.signedWord(operands[count + 1], lane), warp.signedWord(operands[count + 2], lane), bytes, bytes,
                 lane, copy))
      warp.cta.copies.start(std::move(copy), warp.access(lane));
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
    Copy copy;
    if (barrier && makeCopy(warp, step, operand, indicesAt(warp, operands.slice(1, count), lane),
                            warp.signedWord(operands[count + 1], lane), warp.signedWord(operands[count + 2], lane),
                            warp.signedWord(operands[count + 3], lane), alignment, lane, copy))
      warp.cta.copies.startBulk(std::move(copy), *barrier, access);
  });
}

} // namespace

void mlir::sdm::lanes::addCopyOperations(OperationTable &table) {
  table["sdm.shared"] = sameWord;
  table["sdm.slab_at"] = sameWord;
  table["sdm.copy_async"] = copyAsync;
  table["sdm.commit"] = commit;
  table["sdm.wait_group"] = waitGroup;
  table["sdm.copy_bulk"] = copyBulk;
}
