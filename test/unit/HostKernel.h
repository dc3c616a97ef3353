// Compiles a tiled function for this machine and runs it on hand-packed arguments.
#ifndef SDM_TEST_UNIT_HOSTKERNEL_H
#define SDM_TEST_UNIT_HOSTKERNEL_H

#include "dialect/SdmDialect.h"
#include "lib/Pipelines/Pipelines.h"
#include "lib/Runtime/HostExecutor.h"
#include "lib/Target/ArgumentLayout.h"
#include "lib/Target/Jit.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

#include <cstring>

namespace mlir::sdm {

class HostKernel {
public:
  /// `source` holds one function, `kernel`, as sdm-tile-walk leaves it.
  explicit HostKernel(const std::string &source) {
    MLIRContext context;
    context.loadDialect<SdmDialect>();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
    if (!module)
      return;
    auto found = computeArgumentLayout(*module->getOps<func::FuncOp>().begin());
    if (!found) {
      ADD_FAILURE() << llvm::toString(found.takeError());
      return;
    }
    layout = std::move(*found);
    buffer.resize(layout.bytes);
    PassManager manager(&context);
    addHostPhase(manager);
    if (failed(manager.run(*module)))
      return;
    auto stages = compileForHost(*module);
    if (!stages) {
      ADD_FAILURE() << llvm::toString(stages.takeError());
      return;
    }
    auto loaded = HostJit::load(stages->object);
    if (!loaded) {
      ADD_FAILURE() << llvm::toString(loaded.takeError());
      return;
    }
    jit = std::move(*loaded);
    auto found2 = jit->lookup("kernel");
    if (!found2)
      ADD_FAILURE() << llvm::toString(found2.takeError());
    else
      entry = *found2;
  }

  explicit operator bool() const { return entry != nullptr; }

  /// Rows and cells: a pointer, byte strides and extents.
  void setArray(unsigned argument, const void *pointer, ArrayRef<int64_t> strides, ArrayRef<int64_t> extents) {
    const ArgumentSlot &slot = layout.arguments[argument];
    put(slot.pointer(), pointer);
    for (unsigned axis = 0; axis < slot.axes; ++axis) {
      put(slot.stride(axis), strides[axis]);
      put(slot.extent(axis), extents[axis]);
    }
  }
  void setPlane(unsigned argument, unsigned plane, const void *pointer, int64_t chunkStride) {
    put(layout.arguments[argument].pointer(plane), pointer);
    put(layout.arguments[argument].chunkStride(plane), chunkStride);
  }
  void setPositions(unsigned argument, int64_t positions) { put(layout.arguments[argument].positions(), positions); }
  template <typename T> void setScalar(unsigned argument, T value) { put(layout.arguments[argument].value(), value); }

  void run(int64_t firstChunk, int64_t chunks, int64_t slices, int64_t tileLength, int64_t tiles,
           unsigned threads = 2) {
    put(layout.firstChunk, firstChunk);
    put(layout.chunks, chunks);
    put(layout.tileLength, tileLength);
    put(layout.tiles, tiles);
    ::sdm::runtime::runUnits(entry, buffer.data(), tiles * slices * chunks, threads);
  }

private:
  template <typename T> void put(unsigned at, T value) {
    static_assert(sizeof(T) == 4 || sizeof(T) == 8);
    std::memcpy(buffer.data() + layout.offset(at), &value, sizeof value);
  }

  ArgumentLayout layout;
  std::vector<char> buffer;
  std::unique_ptr<HostJit> jit;
  HostJit::Entry entry = nullptr;
};

} // namespace mlir::sdm

#endif // SDM_TEST_UNIT_HOSTKERNEL_H
