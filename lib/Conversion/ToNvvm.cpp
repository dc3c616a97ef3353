// sdm-to-nvvm: one lane's program to NVVM and LLVM operations. Trusts sdm-lower-copies for what the chip has.
#include "dialect/SdmOps.h"
#include "dialect/Slices.h"
#include "lib/Conversion/NvvmCopies.h"
#include "lib/Conversion/NvvmPartials.h"
#include "lib/Conversion/NvvmRows.h"
#include "lib/Conversion/Passes.h"
#include "lib/Conversion/StorageFormats.h"
#include "lib/Target/Chip.h"
#include "lib/Transforms/FlatWalk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

#include "llvm/ADT/TypeSwitch.h"

namespace mlir::sdm {
#define GEN_PASS_DEF_TONVVM
#include "lib/Conversion/Passes.h.inc"
} // namespace mlir::sdm

using namespace mlir;
using namespace mlir::sdm;

namespace {

constexpr unsigned kGlobalSpace = 1, kSharedSpace = 3, kClusterSpace = 7;
constexpr llvm::StringLiteral kSharedName = "sdm_shared";

/// Rewrites one outlined function to a kernel whose parameters are the entries of the packed buffer.
class KernelBuilder {
public:
  KernelBuilder(func::FuncOp function, ArgumentLayout layout, const Chip &chip, bool farStrides)
      : function(function), layout(std::move(layout)), chip(chip), farStrides(farStrides), builder(function),
        loc(function.getLoc()), launch(function->getAttrOfType<LaunchAttr>(kLaunchAttr)) {}

  LogicalResult run() {
    LLVM::LLVMFuncOp kernel = createKernel();
    findWritten();
    Block *body = &kernel.front();
    body->getOperations().splice(body->end(), function.front().getOperations());
    for (auto [argument, operand] : llvm::zip(function.getArguments(), parts.operands))
      if (operand.scalar)
        argument.replaceAllUsesWith(operand.scalar);
    SmallVector<Operation *> operations;
    body->walk([&](Operation *op) { operations.push_back(op); });
    for (Operation *op : operations)
      if (auto partial = dyn_cast<PartialOp>(op); partial && readsMemoryOnly(partial))
        padded.insert(op);
    for (Operation *op : operations)
      lower(op);
    if (failed(checkLowered(function)))
      return failure();
    function.erase();
    return success();
  }

private:
  LLVM::LLVMFuncOp createKernel() {
    auto pointer = LLVM::LLVMPointerType::get(builder.getContext(), kGlobalSpace);
    SmallVector<Type> types;
    for (const ArgumentEntry &entry : layout.entries)
      types.push_back(entryType(entry, pointer));
    std::string name = function.getName().str();
    function.setName(name + "_scheduled"); // gone when the pass ends
    auto type = LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(builder.getContext()), types);
    auto kernel = LLVM::LLVMFuncOp::create(builder, loc, name, type);
    kernel->setAttr("nvvm.kernel", builder.getUnitAttr());
    if (hasPipeline())
      kernel->setAttr("nvvm.minctasm", builder.getI32IntegerAttr(residentCtas()));
    kernel->setAttr("nvvm.maxntid", builder.getDenseI32ArrayAttr({static_cast<int32_t>(launch.getWarps() * kLanes)}));
    builder.setInsertionPointToStart(kernel.addEntryBlock(builder));
    llvm::SmallDenseSet<unsigned> strides = strideEntries();
    parts = takeApart(builder, loc, function, layout, [&](unsigned index, const ArgumentEntry &) -> Value {
      return strides.contains(index) ? nearStride(kernel.getArgument(index)) : kernel.getArgument(index);
    });
    Value thread = NVVM::ThreadIdXOp::create(builder, loc, builder.getI32Type());
    lane = arith::AndIOp::create(builder, loc, thread, constant(kLanes - 1));
    warp = arith::ShRUIOp::create(builder, loc, thread, constant(5));
    return kernel;
  }

  bool hasPipeline() {
    return function
        .walk(
            [](scf::ForOp loop) { return loop->hasAttr(kUnitAttr) ? WalkResult::interrupt() : WalkResult::advance(); })
        .wasInterrupted();
  }

  /// CTAs of a multiprocessor that registers must have room for: 16 warps, so that a lane may hold rows and sums in up
  /// to 128 of them; fewer warps where a lane holds whole rows of several slices. Room for more warps costs more than
  /// they bring.
  int64_t residentCtas() {
    int64_t slices = 1;
    function.walk([&](LoadPieceOp load) { slices = std::max(slices, load.getType().getDimSize(0)); });
    function.walk([&](TakePieceOp take) { slices = std::max(slices, take.getType().getDimSize(0)); });
    return std::max<int64_t>(16 / slices / launch.getWarps(), 1);
  }

  llvm::SmallDenseSet<unsigned> strideEntries() {
    llvm::SmallDenseSet<unsigned> entries;
    for (const ArgumentSlot &slot : layout.arguments) {
      for (unsigned axis = 0; axis < slot.axes; ++axis)
        entries.insert(slot.stride(axis));
      for (unsigned plane = 0; plane < slot.planes; ++plane)
        entries.insert(slot.chunkStride(plane));
    }
    return entries;
  }

  /// A stride below 2^31 bytes: an index times it is one widening multiplication. The launcher says when one is not.
  Value nearStride(Value stride) {
    if (farStrides)
      return stride;
    return LLVM::TruncOp::create(builder, loc, builder.getI32Type(), stride);
  }

  /// Loads of what this function writes stay behind its stores.
  void findWritten() {
    function.walk([&](Operation *op) {
      if (auto piece = dyn_cast<StorePieceOp>(op))
        written.insert(piece.getRows());
      if (auto cell = dyn_cast<StoreCellOp>(op))
        written.insert(cell.getCells());
    });
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
        .Case([&](LoadPieceOp load) {
          replace(op, loadPiece(builder, load, parts.of(load.getRows()), lane, written.contains(load.getRows())));
        })
        .Case([&](StorePieceOp store) {
          storePiece(builder, store, parts.of(store.getRows()), lane);
          op->erase();
        })
        .Case([&](TakePieceOp take) {
          replace(op, takePiece(builder, take, sharedPointer(slabs[take.getSlab()]), lane));
        })
        .Case([&](LoadCellOp load) { lowerLoadCell(load); })
        .Case([&](StoreCellOp store) { lowerStoreCell(store); })
        .Case([&](DimOp dim) { replace(op, extentOf(builder, loc, parts, dim)); })
        .Case([&](StrideOp stride) {
          replace(op, wideIndex(builder, loc, parts.of(stride.getRows()).strides[stride.getAxis()]));
        })
        .Case([&](PartialOp partial) {
          partial->replaceAllUsesWith(lowerPartial(builder, partial, lane, padded.contains(op)));
          op->erase();
        })
        .Case<arith::ExtFOp, arith::SIToFPOp>([&](auto widening) {
          auto piece = dyn_cast<VectorType>(widening.getIn().getType());
          if (piece && isWidenedByIntegers(piece.getElementType()))
            replace(op, widenPiece(builder, loc, widening.getIn()));
        })
        .Case([&](func::ReturnOp) {
          LLVM::ReturnOp::create(builder, loc, ValueRange());
          op->erase();
        })
        .Case([&](LaneOp) { replace(op, lane); })
        .Case([&](WarpOp) { replace(op, warp); })
        .Case([&](ExchangeOp exchange) { lowerExchange(exchange); })
        .Default([&](Operation *) { lowerCopy(op); });
  }

  /// Byte `at` of a row.
  template <typename Copy> Value sourceOf(Copy copy) {
    Value row = rowAddress(builder, loc, parts.of(copy.getRows()), copy.getIndices());
    return advance(builder, loc, row, wideIndex(builder, loc, copy.getAt()));
  }

  /// Copies and barriers. A shared address is an offset from the CTA's dynamic shared memory until it is used.
  void lowerCopy(Operation *op) {
    TypeSwitch<Operation *>(op)
        .Case([&](SharedOp shared) { replace(op, shared.getOffset()); })
        .Case([&](BufferAtOp buffer) {
          buffers[buffer.getBuffer()] = {buffer.getAddress(), buffer.getOrigin()};
          dead.push_back(op);
        })
        .Case([&](PeekOp peek) {
          auto [begin, origin] = buffers[peek.getBuffer()];
          replace(op, lowerPeek(builder, peek, begin, origin, [&](Value at) { return sharedPointer(at); }));
        })
        .Case([&](SeekOp seek) {
          op->replaceAllUsesWith(lowerSeek(builder, seek, parts.of(seek.getRecords()), lane));
          op->erase();
        })
        .Case([&](ClearRecordOp clear) {
          lowerClearRecord(builder, clear, [&](Value at) { return sharedPointer(at); });
          op->erase();
        })
        .Case([&](PrefetchOp prefetch) {
          lowerPrefetch(builder, prefetch, parts.of(prefetch.getRows()));
          op->erase();
        })
        .Case([&](CopySharedOp copy) {
          lowerCopyShared(builder, copy, parts, lane, [&](Value at) { return sharedPointer(at); });
          op->erase();
        })
        .Case([&](CopyRecordOp copy) {
          lowerCopyRecord(builder, copy, parts.of(copy.getRecords()), [&](Value at) { return sharedPointer(at); });
          op->erase();
        })
        .Case([&](SlabAtOp slab) {
          slabs[slab.getSlab()] = slab.getAddress();
          dead.push_back(op);
        })
        .Case([&](CopyAsyncOp copy) {
          Value from = sourceOf(copy);
          auto cache = copy.getBytes() == 16 ? NVVM::LoadCacheModifierKind::CG : NVVM::LoadCacheModifierKind::CA;
          NVVM::CpAsyncOp::create(builder, loc, sharedPointer(copy.getTo()), from, copy.getBytes(), cache, Value());
          op->erase();
        })
        .Case([&](CommitOp) {
          NVVM::CpAsyncCommitGroupOp::create(builder, loc);
          op->erase();
        })
        .Case([&](WaitGroupOp wait) {
          NVVM::CpAsyncWaitGroupOp::create(builder, loc, wait.getPending());
          op->erase();
        })
        .Case([&](CopyBulkOp copy) {
          Value from = sourceOf(copy);
          auto cluster = LLVM::LLVMPointerType::get(builder.getContext(), kClusterSpace);
          Value to = LLVM::AddrSpaceCastOp::create(builder, loc, cluster, sharedPointer(copy.getTo()));
          NVVM::CpAsyncBulkGlobalToSharedClusterOp::create(builder, loc, to, from, sharedPointer(copy.getBarrier()),
                                                           copy.getBytes(), Value(), Value());
          op->erase();
        })
        .Case([&](BarrierInitOp init) {
          NVVM::MBarrierInitOp::create(builder, loc, sharedPointer(init.getBarrier()), constant(init.getArrivals()),
                                       Value());
          NVVM::FenceMbarrierInitOp::create(builder, loc);
          op->erase();
        })
        .Case([&](ExpectTxOp expect) {
          NVVM::MBarrierArriveExpectTxOp::create(builder, loc, Type(), sharedPointer(expect.getBarrier()),
                                                 expect.getBytes(), NVVM::MemScopeKind::CTA, /*relaxed=*/false,
                                                 Value());
          op->erase();
        })
        .Case([&](WaitParityOp wait) {
          lowerWaitParity(wait);
          op->erase();
        })
        .Case([&](CtaBarrierOp) {
          NVVM::Barrier0Op::create(builder, loc);
          op->erase();
        })
        .Case([&](WarpBarrierOp) {
          NVVM::SyncWarpOp::create(builder, loc, constant(-1));
          op->erase();
        })
        .Case([&](DependencyWaitOp) {
          if (chip.features.programmaticLaunchDefault) {
            NVVM::GriddepcontrolOp::create(builder, loc, NVVM::GridDepActionKind::wait);
            NVVM::GriddepcontrolOp::create(builder, loc, NVVM::GridDepActionKind::launch_dependents);
          }
          op->erase();
        });
  }

  void replace(Operation *op, Value value) {
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }

  /// The block's number gives the CTA of its chunk and slice, the slice, the chunk; the warp its tile.
  void lowerTile(TileOp tile) {
    Value block = NVVM::BlockIdXOp::create(builder, loc, builder.getI32Type());
    Value warps = constant(launch.getWarps());
    Value ctas = arith::DivUIOp::create(builder, loc, narrow(parts.tiles), warps);
    Value cta = arith::RemUIOp::create(builder, loc, block, ctas);
    Value rest = arith::DivUIOp::create(builder, loc, block, ctas);
    Value slice = constant(0);
    if (launch.getSlices() > 1) {
      slice = arith::RemUIOp::create(builder, loc, rest, constant(launch.getSlices()));
      rest = arith::DivUIOp::create(builder, loc, rest, constant(launch.getSlices()));
    }
    Value chunk = arith::AddIOp::create(builder, loc, narrow(parts.firstChunk), rest);
    Value number = arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, cta, warps), warp);
    Value wide = arith::ExtUIOp::create(builder, loc, builder.getI64Type(), number);
    auto [begin, end] = nominalRange(builder, loc, parts, tile, wide);
    std::array<Value, 4> values{chunk, slice, narrow(begin), narrow(end)};
    for (auto [result, value] : llvm::zip_equal(tile->getResults(), values))
      result.replaceAllUsesWith(value);
    tile.erase();
  }

  void lowerLoadCell(LoadCellOp load) {
    bool fresh = written.contains(load.getCells());
    if (fresh && !function->hasAttr("sdm.per_lane")) // one lane wrote it for all
      NVVM::SyncWarpOp::create(builder, loc, constant(-1));
    Value address = cellAddress(builder, loc, parts.of(load.getCells()), load.getIndices());
    replace(load, loadCoherent(builder, loc, load.getType(), address, fresh));
  }

  void lowerStoreCell(StoreCellOp store) {
    Value value = store.getValue();
    if (value.getType().isF32() && !store.getBits())
      value = canonicalNaN(builder, loc, value);
    OpBuilder::InsertionGuard guard(builder);
    if (store.getMask()) {
      auto guarded = scf::IfOp::create(builder, loc, store.getMask(), /*withElseRegion=*/false);
      builder.setInsertionPointToStart(guarded.thenBlock());
    }
    Value address = cellAddress(builder, loc, parts.of(store.getCells()), store.getIndices());
    LLVM::StoreOp::create(builder, loc, value, address, store.getCells().getType().getElementBytes());
    store.erase();
  }

  void lowerExchange(ExchangeOp exchange) {
    constexpr int64_t wholeWarp = 0x1f;
    replace(exchange, NVVM::ShflOp::create(builder, loc, builder.getF32Type(), constant(-1), exchange.getValue(),
                                           constant(exchange.getDistance()), constant(wholeWarp), NVVM::ShflKind::bfly,
                                           UnitAttr()));
  }

  /// A try may give up before the phase is over: it is repeated.
  void lowerWaitParity(WaitParityOp wait) {
    Value barrier = sharedPointer(wait.getBarrier());
    scf::WhileOp::create(
        builder, loc, TypeRange(), ValueRange(),
        [&](OpBuilder &inner, Location, ValueRange) {
          Value done = NVVM::MBarrierTryWaitOp::create(inner, loc, builder.getI1Type(), barrier, wait.getParity(),
                                                       Value(), NVVM::MemScopeKind::CTA, /*relaxed=*/false);
          Value more = arith::XOrIOp::create(inner, loc, done, arith::ConstantIntOp::create(inner, loc, 1, 1));
          scf::ConditionOp::create(inner, loc, more, ValueRange());
        },
        [&](OpBuilder &inner, Location, ValueRange) { scf::YieldOp::create(inner, loc); });
  }

  Value sharedPointer(Value offset) {
    auto type = LLVM::LLVMPointerType::get(builder.getContext(), kSharedSpace);
    Value base = LLVM::AddressOfOp::create(builder, loc, type, kSharedName);
    return advance(builder, loc, base, wideIndex(builder, loc, offset));
  }

  Value narrow(Value wide) { return arith::TruncIOp::create(builder, loc, builder.getI32Type(), wide); }
  Value constant(int64_t value) { return arith::ConstantIntOp::create(builder, loc, value, 32); }

  func::FuncOp function;
  ArgumentLayout layout;
  const Chip &chip;
  bool farStrides;
  OpBuilder builder;
  Location loc;
  LaunchAttr launch;
  KernelParts parts;
  Value lane, warp;
  llvm::DenseMap<Value, Value> slabs;                     // a slab's address
  llvm::DenseMap<Value, std::pair<Value, Value>> buffers; // a buffer's address, and the first position that was staged
  llvm::SmallDenseSet<Value> written;
  llvm::SmallDenseSet<Operation *> padded;

public:
  SmallVector<Operation *> dead; // slabs: erased once nothing names them
};

struct ToNvvm : mlir::sdm::impl::ToNvvmBase<ToNvvm> {
  using ToNvvmBase::ToNvvmBase;

  void declareShared() {
    bool needed = getOperation().walk([](SharedOp) { return WalkResult::interrupt(); }).wasInterrupted();
    if (!needed)
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(getOperation().getBody());
    auto bytes = LLVM::LLVMArrayType::get(builder.getI8Type(), 0);
    LLVM::GlobalOp::create(builder, getOperation().getLoc(), bytes, /*isConstant=*/false, LLVM::Linkage::External,
                           kSharedName, Attribute(), /*alignment=*/128, kSharedSpace);
  }

  void runOnOperation() override {
    const Chip *row = findChip(chip);
    if (!row) {
      getOperation().emitError() << "expected one of the chips of " << targetNames() << ", got '" << chip << "'";
      return signalPassFailure();
    }
    declareShared();
    for (func::FuncOp function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>())) {
      if (!function->getAttrOfType<LaunchAttr>(kLaunchAttr))
        continue;
      FailureOr<ArgumentLayout> layout = layoutOfTiled(function);
      if (failed(layout))
        return signalPassFailure();
      KernelBuilder builder(function, std::move(*layout), *row, farStrides);
      if (failed(builder.run()))
        return signalPassFailure();
      for (Operation *op : builder.dead)
        op->erase();
    }
    RewritePatternSet patterns(&getContext());
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
