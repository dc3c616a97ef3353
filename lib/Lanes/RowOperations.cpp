// Rows: a lane's four columns of each slice, from and to global memory, and from a slab.
#include "dialect/SdmOps.h"
#include "dialect/Slices.h"
#include "lib/Lanes/RowAccess.h"

#include <cstring>

using namespace mlir;
using namespace mlir::sdm;
using namespace mlir::sdm::lanes;

std::vector<int64_t> mlir::sdm::lanes::indicesAt(Warp &warp, ArrayRef<unsigned> values, unsigned lane) {
  std::vector<int64_t> indices;
  for (unsigned value : values)
    indices.push_back(warp.signedWord(value, lane));
  return indices;
}

char *mlir::sdm::lanes::addressOf(Warp &warp, const Step &step, const Operand &operand, ArrayRef<int64_t> indices) {
  if (std::string why = whyOutside(operand, indices); !why.empty()) {
    warp.fault(step, kind::outOfBounds, why);
    return nullptr;
  }
  char *address = operand.pointer;
  for (auto [axis, index] : llvm::zip(operand.axes, indices))
    address += axis.stride * index;
  return address;
}

void mlir::sdm::lanes::noteRead(Warp &warp, const Step &step, const Operand &operand, const char *address,
                                int64_t bytes, unsigned lane, bool synchronised) {
  if (!operand.written)
    return;
  int64_t each = elementBytes(operand);
  for (int64_t byte = 0; byte < bytes; byte += each) {
    uint64_t place = reinterpret_cast<uint64_t>(address + byte);
    if (Race race = warp.cta.launch.global.read(place, warp.thread(lane), synchronised))
      warp.fault(step, race.kind, race.message + " (" + operand.name + ")");
  }
}

void mlir::sdm::lanes::noteWrite(Warp &warp, const Step &step, const Operand &operand, const char *address,
                                 unsigned lane) {
  if (!warp.mayRead)
    warp.fault(step, kind::tooEarly,
               "expected the dependency wait before operand " + operand.name +
                   " is written (the previous kernel may read it), got a store in front of it");
  if (Race race = warp.cta.launch.global.write(reinterpret_cast<uint64_t>(address), warp.thread(lane)))
    warp.fault(step, race.kind, race.message + " (" + operand.name + ")");
}

int64_t mlir::sdm::lanes::elementBytes(const Operand &operand) {
  if (auto rows = dyn_cast<RowsType>(operand.type))
    return rows.getElementBytes();
  return cast<CellsType>(operand.type).getElementBytes();
}

namespace {

constexpr int64_t kWordBytes = 4; // bytes of a word of shared memory

/// The columns of one row that a lane holds: `visit(s, j, byte)` for column 4 * lane + j of held slice s where that
/// lies in the row, with its byte in the row.
template <typename Function>
void forEachColumn(RowsType rows, int64_t held, std::optional<int64_t> slice, unsigned lane, Function visit) {
  int64_t width = rows.getWidth(), each = sliceWidth(width);
  for (int64_t s = 0; s < held; ++s) {
    int64_t number = slice.value_or(s), columns = sliceColumns(width, number);
    for (int64_t j = 0; j < kLaneColumns; ++j)
      if (int64_t column = kLaneColumns * lane + j; column < columns)
        visit(s, j, rows.getBytes(number * each + column));
  }
}

/// What a register holds that a load did not fill: bits of no use as f32, bf16 or f16.
constexpr Word kUnread = 0xFBFB;

/// Operands of load_piece and store_piece: rows, indices, slice.
struct Piece {
  const Operand &operand;
  RowsType rows;
  ArrayRef<unsigned> indices;
  std::optional<unsigned> slice;

  std::optional<int64_t> sliceAt(Warp &warp, unsigned lane) const {
    if (!slice)
      return std::nullopt;
    return warp.signedWord(*slice, lane);
  }
  /// Bytes of one access.
  int64_t accessBytes() const { return std::min(rows.getPiece(), rows.getBytes(kLaneColumns)); }
};

Piece pieceOf(Warp &warp, ArrayRef<unsigned> operands, size_t indexCount, bool sliced) {
  const Operand &operand = warp.operand(operands[0]);
  std::optional<unsigned> slice;
  if (sliced)
    slice = operands[1 + indexCount];
  return {operand, cast<RowsType>(operand.type), operands.slice(1, indexCount), slice};
}

void checkAligned(Warp &warp, const Step &step, const Piece &piece, const char *address, int64_t column) {
  int64_t bytes = piece.accessBytes();
  bool starts = piece.rows.getBytes(column) % bytes == 0;
  if (starts && reinterpret_cast<uint64_t>(address) % bytes)
    warp.fault(step, kind::misaligned,
               "expected rows of " + piece.operand.name + " in pieces of " + llvm::Twine(bytes) +
                   " bytes, got an address that is no multiple");
}

/// The i8 of a byte's half; the one of an even column is high.
Word fromNibble(Word byte, int64_t column) {
  return lowBits(static_cast<Word>(asSigned(column % 2 ? byte & 0xF : byte >> 4, 4)), 8);
}

void loadPiece(Warp &warp, const Step &step) {
  auto op = cast<LoadPieceOp>(step.op);
  Piece piece = pieceOf(warp, step.operands, op.getIndices().size(), static_cast<bool>(op.getSlice()));
  warp.checkDependency(step, piece.operand);
  Word *out = warp.words(step.results[0]);
  int64_t held = op.getType().getDimSize(0), bytes = piece.rows.getElementBytes();
  warp.forEachActive([&](unsigned lane) {
    bool wanted = !op.getMask() || warp.word(step.operands.back(), lane) & 1;
    for (int64_t element = 0; element < held * kLaneColumns; ++element)
      out[element * kWarpLanes + lane] = wanted ? 0 : kUndefined | kUnread;
    if (!wanted) {
      warp.unwritten = &step;
      return;
    }
    char *row = addressOf(warp, step, piece.operand, indicesAt(warp, piece.indices, lane));
    if (!row)
      return;
    forEachColumn(piece.rows, held, piece.sliceAt(warp, lane), lane, [&](int64_t s, int64_t j, int64_t byte) {
      checkAligned(warp, step, piece, row + byte, j);
      noteRead(warp, step, piece.operand, row + byte, bytes, lane, /*synchronised=*/false);
      Word &word = out[(s * kLaneColumns + j) * kWarpLanes + lane];
      std::memcpy(&word, row + byte, bytes);
      if (piece.rows.getElementType().isInteger())
        word = fromNibble(word, j);
    });
  });
}

/// The bits that are stored for a word.
Word stored(Word word, RowsType rows, bool bits) {
  if (bits)
    return word;
  Type storage = rows.getElementType();
  if (storage.isInteger())
    return roundToNibble(word);
  if (isa<Float8E4M3FNType>(storage))
    return roundToE4M3(word);
  return storage.isF32() ? canonicalNaN(word) : roundTo16(word, storage.isF16());
}

void storePiece(Warp &warp, const Step &step) {
  auto op = cast<StorePieceOp>(step.op);
  Piece piece =
      pieceOf(warp, ArrayRef(step.operands).drop_front(), op.getIndices().size(), static_cast<bool>(op.getSlice()));
  int64_t held = op.getValue().getType().getDimSize(0);
  warp.forEachActive([&](unsigned lane) {
    char *row = addressOf(warp, step, piece.operand, indicesAt(warp, piece.indices, lane));
    if (!row)
      return;
    forEachColumn(piece.rows, held, piece.sliceAt(warp, lane), lane, [&](int64_t s, int64_t j, int64_t byte) {
      checkAligned(warp, step, piece, row + byte, j);
      noteWrite(warp, step, piece.operand, row + byte, lane);
      Word word = stored(warp.word(step.operands[0], lane, s * kLaneColumns + j), piece.rows, op.getBits());
      if (piece.rows.getElementType().isInteger()) // the first nibble of a byte comes first, and is high
        word = j % 2 ? (static_cast<unsigned char>(row[byte]) & 0xF0) | (word & 0xF) : (word & 0xF) << 4;
      std::memcpy(row + byte, &word, piece.rows.getElementBytes());
    });
  });
}

/// Lanes past the slab's columns and columns past the row are +0; what the slab holds there is not looked at.
void takePiece(Warp &warp, const Step &step) {
  auto op = cast<TakePieceOp>(step.op);
  SlabType slab = op.getSlab().getType();
  int64_t width = op.getWidth(), columns = slab.getRow().getDimSize(1);
  bool packed = slab.getElementType().isInteger();
  int64_t bytes = packed ? 1 : slab.getBytes(1);
  int64_t held = op.getType().getDimSize(0);
  Word *out = warp.words(step.results[0]);
  warp.forEachActive([&](unsigned lane) {
    int64_t row = warp.signedWord(step.operands[0], lane) + warp.signedWord(step.operands[1], lane) * slab.getPitch();
    for (int64_t s = 0; s < held; ++s) {
      int64_t number = step.operands.size() > 2 ? warp.signedWord(step.operands[2], lane) : s;
      int64_t present = std::clamp<int64_t>(sliceColumns(width, number) - kLaneColumns * lane, 0, kLaneColumns);
      Word *words = out + s * kLaneColumns * kWarpLanes + lane;
      for (int64_t j = 0; j < kLaneColumns; ++j)
        words[j * kWarpLanes] = 0;
      if (!present)
        continue;
      int64_t first = row + slab.getBytes(s * columns + kLaneColumns * lane);
      // One access of the lane's four columns, in whole words, which memory is copied and noted by; columns past the
      // row are padding, which nobody fills.
      int64_t inside = first % kWordBytes;
      int64_t size = llvm::alignTo(inside + slab.getBytes(present), kWordBytes);
      SharedRead read = readShared(warp, step, first - inside, static_cast<uint32_t>(size), lane);
      for (int64_t j = 0; read.data && j < present; ++j) {
        Word &word = words[j * kWarpLanes];
        std::memcpy(&word, read.data + inside + slab.getBytes(j), bytes);
        word = (packed ? fromNibble(word, j) : word) | read.mark;
      }
    }
  });
}

} // namespace

SharedRead mlir::sdm::lanes::readShared(Warp &warp, const Step &step, int64_t address, uint32_t bytes, unsigned lane) {
  SharedMemory &shared = warp.cta.shared;
  uint32_t place = address < 0 ? ~0u : static_cast<uint32_t>(address);
  SharedRead found;
  if (Race race = shared.read(place, bytes, warp.access(lane))) {
    if (race.kind == kind::neverWritten) {
      found.mark = kUndefined;
      warp.unwritten = &step;
    } else {
      warp.fault(step, race.kind, race.message);
    }
  }
  if (!shared.whyNoAccess(place, bytes))
    found.data = shared.data(place);
  return found;
}

void mlir::sdm::lanes::addRowOperations(OperationTable &table) {
  table["sdm.load_piece"] = loadPiece;
  table["sdm.store_piece"] = storePiece;
  table["sdm.take_piece"] = takePiece;
}
