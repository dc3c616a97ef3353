// The packed layout, from types, and as JSON for the launcher.
#include "lib/Target/ArgumentLayout.h"
#include "dialect/SdmDialect.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::sdm {
namespace {

using EntryKind = ArgumentEntry::Kind;

std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream);
  return text;
}

struct Builder {
  ArgumentLayout layout;

  unsigned add(EntryKind kind) {
    ArgumentEntry entry{kind, 0};
    entry.offset = llvm::alignTo(layout.bytes, entry.bytes());
    layout.bytes = entry.offset + entry.bytes();
    layout.entries.push_back(entry);
    return layout.entries.size() - 1;
  }

  void addArray(ArgumentSlot &slot, int64_t axes) {
    slot.axes = axes;
    add(EntryKind::pointer);
    for (int64_t i = 0; i < 2 * axes; ++i)
      add(EntryKind::i64);
  }

  void addSorted(ArgumentSlot &slot, SortedType type) {
    slot.planes = type.getLayout().getPlanes().size();
    for (unsigned plane = 0; plane < slot.planes; ++plane) {
      add(EntryKind::pointer);
      add(EntryKind::i64);
    }
    add(EntryKind::i64);
  }

  /// False when the type cannot be passed.
  bool add(ArgumentSlot &slot) {
    slot.firstEntry = layout.entries.size();
    return llvm::TypeSwitch<Type, bool>(slot.type)
        .Case([&](RowsType type) {
          slot.kind = ArgumentKind::rows;
          addArray(slot, type.getIndexRank());
          return true;
        })
        .Case([&](CellsType type) {
          slot.kind = ArgumentKind::cells;
          addArray(slot, type.getIndexRank());
          return true;
        })
        .Case([&](SortedType type) {
          slot.kind = ArgumentKind::sorted;
          addSorted(slot, type);
          return true;
        })
        .Case([&](IntegerType type) {
          slot.kind = ArgumentKind::scalar;
          if (type.getWidth() != 1 && type.getWidth() != 32 && type.getWidth() != 64)
            return false;
          add(type.getWidth() == 64 ? EntryKind::i64 : EntryKind::i32);
          return true;
        })
        .Case([&](Float32Type) {
          slot.kind = ArgumentKind::scalar;
          add(EntryKind::f32);
          return true;
        })
        .Default([](Type) { return false; });
  }
};

template <typename Place> llvm::json::Array offsets(const ArgumentLayout &layout, unsigned count, Place place) {
  llvm::json::Array array;
  for (unsigned i = 0; i < count; ++i)
    array.push_back(layout.offset(place(i)));
  return array;
}

llvm::json::Object toJson(const ArgumentLayout &layout, const ArgumentSlot &slot) {
  llvm::json::Object object{{"name", slot.name},
                            {"kind", toString(slot.kind)},
                            {"type", print(slot.type)},
                            {"offset", layout.offset(slot.firstEntry)}};
  auto addAxes = [&](Type element) {
    object["element"] = print(element);
    object["axes"] = slot.axes;
    object["strides"] = offsets(layout, slot.axes, [&](unsigned i) { return slot.stride(i); });
    object["extents"] = offsets(layout, slot.axes, [&](unsigned i) { return slot.extent(i); });
  };
  llvm::TypeSwitch<Type>(slot.type)
      .Case([&](RowsType type) {
        addAxes(type.getElementType());
        object["rank"] = slot.axes + 1;
        object["width"] = type.getWidth();
        object["piece"] = type.getPiece();
      })
      .Case([&](CellsType type) {
        addAxes(type.getElementType());
        object["rank"] = slot.axes;
      })
      .Case([&](SortedType type) {
        llvm::json::Array planes;
        for (auto [plane, bytes] : llvm::enumerate(type.getLayout().getPlanes()))
          planes.push_back(llvm::json::Object{{"pointer", layout.offset(slot.pointer(plane))},
                                              {"chunk_stride", layout.offset(slot.chunkStride(plane))},
                                              {"record_bytes", bytes}});
        object["planes"] = std::move(planes);
        object["positions"] = layout.offset(slot.positions());
        object["rank"] = 2;
      })
      .Default([&](Type type) {
        object["element"] = print(type);
        object["bytes"] = layout.entries[slot.value()].bytes();
        object["rank"] = 0;
      });
  return object;
}

} // namespace

llvm::StringRef toString(ArgumentKind kind) {
  switch (kind) {
  case ArgumentKind::rows:
    return "rows";
  case ArgumentKind::cells:
    return "cells";
  case ArgumentKind::sorted:
    return "sorted";
  case ArgumentKind::scalar:
    return "scalar";
  case ArgumentKind::scratch:
    return "scratch";
  }
  llvm_unreachable("unknown argument kind");
}

llvm::Expected<ArgumentLayout> computeArgumentLayout(func::FuncOp function) {
  Builder builder;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    ArgumentSlot slot{};
    slot.type = type;
    auto name = function.getArgAttrOfType<StringAttr>(index, kArgumentNameAttr);
    slot.name = name ? name.str() : "arg" + std::to_string(index);
    if (!builder.add(slot))
      return llvm::createStringError(
          "expected rows, cells, sorted records or a scalar (i1, i32, i64, f32) as argument " + slot.name + " of " +
          function.getName().str() + ", got " + print(type));
    if (function.getArgAttr(index, kScratchAttr))
      slot.kind = ArgumentKind::scratch;
    builder.layout.arguments.push_back(std::move(slot));
  }
  builder.layout.firstChunk = builder.add(EntryKind::i64);
  builder.layout.chunks = builder.add(EntryKind::i64);
  builder.layout.tileLength = builder.add(EntryKind::i64);
  builder.layout.tiles = builder.add(EntryKind::i64);
  return std::move(builder.layout);
}

llvm::json::Object ArgumentLayout::toJson() const {
  llvm::json::Array slots;
  for (const ArgumentSlot &slot : arguments)
    slots.push_back(sdm::toJson(*this, slot));
  return llvm::json::Object{{"size", bytes},
                            {"arguments", std::move(slots)},
                            {"launch_params", llvm::json::Object{{"first_chunk", offset(firstChunk)},
                                                                 {"chunks", offset(chunks)},
                                                                 {"tile_length", offset(tileLength)},
                                                                 {"tiles", offset(tiles)}}}};
}

} // namespace mlir::sdm
