// Reads the packed buffer by its layout.
#include "lib/Lanes/Operands.h"

#include <cstring>

using namespace mlir;
using namespace mlir::sdm;
using namespace mlir::sdm::lanes;

namespace {

struct Reader {
  const ArgumentLayout &layout;
  ArrayRef<char> packed;

  template <typename T> T read(unsigned entry) const {
    T value;
    std::memcpy(&value, packed.data() + layout.offset(entry), sizeof(T));
    return value;
  }
  int64_t number(unsigned entry) const { return read<int64_t>(entry); }
  char *pointer(unsigned entry) const { return read<char *>(entry); }

  Operand operand(const ArgumentSlot &slot, unsigned number) const {
    Operand made;
    made.number = number;
    made.name = slot.name;
    made.type = slot.type;
    switch (slot.kind) {
    case ArgumentKind::scalar:
      made.scalar =
          layout.entries[slot.value()].bytes() == 8 ? read<uint64_t>(slot.value()) : read<uint32_t>(slot.value());
      if (slot.type.isInteger(1))
        made.scalar &= 1;
      break;
    case ArgumentKind::sorted:
      for (unsigned plane = 0; plane < slot.planes; ++plane)
        made.planes.push_back({pointer(slot.pointer(plane)), this->number(slot.chunkStride(plane))});
      made.axes.push_back({0, this->number(layout.firstChunk), this->number(layout.chunks)});
      made.axes.push_back({0, 0, this->number(slot.positions())});
      break;
    default:
      made.pointer = pointer(slot.pointer());
      for (unsigned axis = 0; axis < slot.axes; ++axis)
        made.axes.push_back({this->number(slot.stride(axis)), 0, this->number(slot.extent(axis))});
    }
    return made;
  }
};

} // namespace

Arguments mlir::sdm::lanes::takeApart(const ArgumentLayout &layout, ArrayRef<char> packed,
                                      const LanesOptions &options) {
  Reader reader{layout, packed};
  Arguments made;
  for (auto [number, slot] : llvm::enumerate(layout.arguments))
    made.operands.push_back(reader.operand(slot, number));
  for (const AxisRange &range : options.ranges)
    if (range.argument < made.operands.size() && range.axis < made.operands[range.argument].axes.size()) {
      Axis &axis = made.operands[range.argument].axes[range.axis];
      axis.first = range.first;
      axis.extent = range.extent;
    }
  for (int64_t number : options.early)
    if (number >= 0 && number < static_cast<int64_t>(made.operands.size()))
      made.operands[number].early = true;
  made.firstChunk = reader.number(layout.firstChunk);
  made.chunks = reader.number(layout.chunks);
  made.tileLength = reader.number(layout.tileLength);
  made.tiles = reader.number(layout.tiles);
  return made;
}

std::string mlir::sdm::lanes::whyOutside(const Operand &operand, ArrayRef<int64_t> indices) {
  for (auto [axis, index] : llvm::enumerate(indices)) {
    const Axis &range = operand.axes[axis];
    if (index < range.first || index >= range.first + range.extent)
      return "expected an index within " + std::to_string(range.first) + " .. " +
             std::to_string(range.first + range.extent - 1) + " (axis " + std::to_string(axis) + " of " + operand.name +
             "), got " + std::to_string(index);
  }
  return {};
}
