// Tiles to loops over units of work on the CPU. Trusts the verifiers, and sdm-tile-walk for structured control flow.
#include "dialect/SdmOps.h"
#include "lib/Conversion/HostReductions.h"
#include "lib/Conversion/HostRows.h"
#include "lib/Conversion/Passes.h"
#include "lib/Conversion/StorageFormats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::sdm {
#define GEN_PASS_DEF_TOHOST
#include "lib/Conversion/Passes.h.inc"
} // namespace mlir::sdm

using namespace mlir;
using namespace mlir::sdm;

namespace {

/// A unit of work: one tile of one slice of one chunk; tiles run fastest.
struct Unit {
  Value tile, slice, chunk; ///< i64
};

/// Rewrites one outlined function to a host entry.
class HostEntryBuilder {
public:
  HostEntryBuilder(func::FuncOp function, ArgumentLayout layout)
      : function(function), layout(std::move(layout)), builder(function), loc(function.getLoc()) {}

  LogicalResult run() {
    func::FuncOp entry = createEntry();
    Block *body = loopOverUnits(entry);
    function.getBody().front().getTerminator()->erase();
    body->getOperations().splice(std::prev(body->end()), function.getBody().front().getOperations());
    for (auto [argument, operand] : llvm::zip(function.getArguments(), parts.operands))
      if (operand.scalar)
        argument.replaceAllUsesWith(operand.scalar);
    SmallVector<Operation *> operations;
    body->walk([&](Operation *op) { operations.push_back(op); });
    for (Operation *op : operations)
      lower(op);
    if (failed(checkLowered(function)))
      return failure();
    function.erase();
    return success();
  }

private:
  /// `name(packed arguments, first unit, end of units)`, with every argument loaded from the buffer.
  func::FuncOp createEntry() {
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
    Type i64 = builder.getI64Type();
    std::string name = function.getName().str();
    function.setName(name + "_structured"); // gone when the pass ends
    auto entry = func::FuncOp::create(builder, loc, name, builder.getFunctionType({pointer, i64, i64}, {}));
    builder.setInsertionPointToStart(entry.addEntryBlock());
    parts = takeApart(builder, loc, function, layout, [&](unsigned, const ArgumentEntry &at) -> Value {
      Value address = advance(builder, loc, entry.getArgument(0), at.offset);
      return LLVM::LoadOp::create(builder, loc, entryType(at, pointer), address, at.bytes());
    });
    return entry;
  }

  Block *loopOverUnits(func::FuncOp entry) {
    auto launch = function->getAttrOfType<LaunchAttr>(kLaunchAttr);
    Value one = constant(1);
    auto loop = scf::ForOp::create(builder, loc, entry.getArgument(1), entry.getArgument(2), one);
    func::ReturnOp::create(builder, loc);
    builder.setInsertionPointToStart(loop.getBody());
    unit.tile = arith::RemUIOp::create(builder, loc, loop.getInductionVar(), parts.tiles);
    Value rest = arith::DivUIOp::create(builder, loc, loop.getInductionVar(), parts.tiles);
    if (launch.getSlices() == 1) {
      unit.slice = constant(0);
    } else {
      Value slices = constant(launch.getSlices());
      unit.slice = arith::RemUIOp::create(builder, loc, rest, slices);
      rest = arith::DivUIOp::create(builder, loc, rest, slices);
    }
    unit.chunk = arith::AddIOp::create(builder, loc, parts.firstChunk, rest);
    return loop.getBody();
  }

  void lower(Operation *op) {
    builder.setInsertionPoint(op);
    loc = op->getLoc();
    TypeSwitch<Operation *>(op)
        .Case([&](TileOp tile) { lowerTile(tile); })
        .Case([&](FetchOp fetch) {
          FieldAttr field = fetch.getRecords().getType().getLayout().lookup(fetch.getName());
          replace(op, recordField(builder, loc, parts.of(fetch.getRecords()), fetch.getChunk(), fetch.getPos(), field));
        })
        .Case([&](LoadRowOp load) { replace(op, loadRow(builder, load, parts.of(load.getRows()))); })
        .Case([&](StoreRowOp store) {
          storeRow(builder, store, parts.of(store.getRows()));
          op->erase();
        })
        .Case([&](LoadCellOp load) {
          Value address = cellAddress(builder, loc, parts.of(load.getCells()), load.getIndices());
          replace(op, LLVM::LoadOp::create(builder, loc, load.getType(), address,
                                           load.getCells().getType().getElementBytes()));
        })
        .Case([&](StoreCellOp store) { lowerStoreCell(store); })
        .Case([&](DimOp dim) { replace(op, extentOf(builder, loc, parts, dim)); })
        .Case([&](DotOp dot) { replace(op, lowerDot(builder, dot)); })
        .Case([&](ReduceOp reduce) { replace(op, lowerReduce(builder, reduce)); })
        .Case([&](arith::ExtFOp extend) { lowerExtension(extend); })
        .Case([&](arith::TruncFOp round) { lowerRounding(round); })
        .Case([&](DependencyWaitOp) { op->erase(); });
  }

  void replace(Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }

  /// Tile t covers positions [t * L, (t + 1) * L) as far as there are any.
  void lowerTile(TileOp tile) {
    auto [begin, end] = nominalRange(builder, loc, parts, tile, unit.tile);
    std::array<Value, 4> values{unit.chunk, unit.slice, begin, end};
    for (auto [result, value] : llvm::zip_equal(tile->getResults(), values))
      result.replaceAllUsesWith(arith::TruncIOp::create(builder, loc, builder.getI32Type(), value));
    tile.erase();
  }

  void lowerStoreCell(StoreCellOp store) {
    if (store.getMask())
      builder.setInsertionPointToStart(scf::IfOp::create(builder, loc, store.getMask()).thenBlock());
    Value value = store.getValue();
    if (value.getType().isF32() && !store.getBits())
      value = canonicalBits(builder, loc, value);
    Value address = cellAddress(builder, loc, parts.of(store.getCells()), store.getIndices());
    LLVM::StoreOp::create(builder, loc, value, address, store.getCells().getType().getElementBytes());
    store.erase();
  }

  /// The narrow format that a value is stored in; null for others.
  static FloatType storageOf(Type type) {
    auto storage = cast<FloatType>(getElementTypeOrSelf(type));
    return isa<BFloat16Type, Float16Type, Float8E4M3FNType>(storage) ? storage : FloatType();
  }

  void lowerExtension(arith::ExtFOp extend) {
    FloatType storage = storageOf(extend.getIn().getType());
    if (!storage)
      return;
    Type bits = builder.getIntegerType(storage.getWidth());
    if (auto vector = dyn_cast<VectorType>(extend.getIn().getType()))
      bits = vector.clone(bits);
    Value word = arith::BitcastOp::create(builder, loc, bits, extend.getIn());
    replace(extend, widenStorage(builder, loc, word, storage));
  }

  void lowerRounding(arith::TruncFOp round) {
    if (FloatType storage = storageOf(round.getType()); storage && storage.getWidth() == 16) {
      Value bits = roundToStorage(builder, loc, round.getIn(), storage);
      replace(round, arith::BitcastOp::create(builder, loc, round.getType(), bits));
    }
  }

  Value constant(int64_t value) { return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value)); }

  func::FuncOp function;
  ArgumentLayout layout;
  OpBuilder builder;
  Location loc;
  KernelParts parts;
  Unit unit;
};

struct ToHost : mlir::sdm::impl::ToHostBase<ToHost> {
  void runOnOperation() override {
    for (func::FuncOp function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (!function->getAttrOfType<LaunchAttr>(kLaunchAttr))
        continue;
      FailureOr<ArgumentLayout> layout = layoutOfTiled(function);
      if (failed(layout))
        return signalPassFailure();
      if (failed(HostEntryBuilder(function, std::move(*layout)).run()))
        return signalPassFailure();
    }
    // Only these of arith's expansions: its maximumf would lose the order of the zeros.
    RewritePatternSet patterns(&getContext());
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
