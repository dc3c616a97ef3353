// sdm-split-slices: the slices of a row on different warps; partial reductions meet in planes.
#include "dialect/Slices.h"
#include "lib/Transforms/Combine.h"
#include "lib/Transforms/Passes.h"
#include "lib/Transforms/Places.h"
#include "lib/Transforms/RetypeRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::sdm {
#define GEN_PASS_DEF_SPLITSLICES
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::sdm

using namespace mlir;
using namespace mlir::sdm;

namespace {

/// A reduction whose slices are stored apart.
struct Plane {
  StoreCellOp store;
  ReduceKind kind;
  bool memberLevel;
  Value planes; // the kernel's new argument, [slices, chunks, n]
};

ScheduleAttr scheduleOf(Operation *walk) { return walk->getAttrOfType<ScheduleAttr>("schedule"); }

int64_t slicesOf(Operation *walk) {
  int64_t slices = 1;
  walk->walk([&](Operation *op) {
    for (Type type : llvm::concat<const Type>(op->getResultTypes(), op->getOperandTypes()))
      if (isRow(type))
        slices = std::max(slices, llvm::cast<VectorType>(type).getDimSize(0));
  });
  return slices;
}

struct Splitter {
  func::FuncOp kernel;
  Operation *walk;
  int64_t slices;
  SmallVector<Plane> planes;

  LogicalResult run() {
    Block *body = &walk->getRegion(0).front();
    OpBuilder builder(walk->getContext());
    Value slice = body->addArgument(builder.getI32Type(), walk->getLoc());
    walk->setAttr("slices", builder.getI64IntegerAttr(slices));
    sinkRows(body);
    if (failed(retypeRows(
            walk, [](VectorType row) { return VectorType::get({1, row.getDimSize(1)}, row.getElementType()); })))
      return failure();
    walk->walk([&](Operation *op) { giveSlice(op, slice); });
    storeOnce(body, slice);
    for (Plane &plane : planes)
      storeToPlane(plane, slice);
    addCombiningWalk(/*memberLevel=*/false);
    addCombiningWalk(/*memberLevel=*/true);
    return success();
  }

  /// Rows that are computed in front of the walk, from constants and scalars, are computed in it: other walks keep
  /// theirs.
  void sinkRows(Block *body) {
    SmallVector<OpOperand *> outer;
    auto collect = [&](Operation *root) {
      root->walk([&](Operation *op) {
        for (OpOperand &operand : op->getOpOperands())
          if (isRow(operand.get().getType()) && !walk->isAncestor(operand.get().getParentBlock()->getParentOp()))
            outer.push_back(&operand);
      });
    };
    collect(walk);
    while (!outer.empty()) {
      OpOperand *operand = outer.pop_back_val();
      auto result = llvm::cast<OpResult>(operand->get());
      Operation *copy = OpBuilder::atBlockBegin(body).clone(*result.getOwner());
      operand->set(copy->getResult(result.getResultNumber()));
      collect(copy);
    }
  }

  void giveSlice(Operation *op, Value slice) {
    if (auto load = llvm::dyn_cast<LoadRowOp>(op))
      return load.getSliceMutable().assign(slice);
    if (auto store = llvm::dyn_cast<StoreRowOp>(op))
      return store.getSliceMutable().assign(slice);
    if (auto dot = llvm::dyn_cast<DotOp>(op)) {
      dot.getSliceMutable().assign(slice);
      addPlane(dot, ReduceKind::Sum);
    }
    if (auto reduce = llvm::dyn_cast<ReduceOp>(op)) {
      reduce.getSliceMutable().assign(slice);
      addPlane(reduce, reduce.getKind());
    }
  }

  void addPlane(Operation *reduction, ReduceKind kind) {
    auto store = llvm::cast<StoreCellOp>(*reduction->user_begin());
    planes.push_back({store, kind, isMemberLevel(store), {}});
  }

  /// A cell that holds no reduction is the same in every slice: the first one stores it.
  void storeOnce(Block *body, Value slice) {
    SmallVector<StoreCellOp> stores;
    walk->walk([&](StoreCellOp store) {
      if (llvm::none_of(planes, [&](Plane &plane) { return plane.store == store; }))
        stores.push_back(store);
    });
    if (stores.empty())
      return;
    OpBuilder builder = OpBuilder::atBlockBegin(body);
    Value zero = arith::ConstantIntOp::create(builder, walk->getLoc(), 0, 32);
    Value first = arith::CmpIOp::create(builder, walk->getLoc(), arith::CmpIPredicate::eq, slice, zero);
    for (StoreCellOp store : stores) {
      builder.setInsertionPoint(store);
      auto once = scf::IfOp::create(builder, store.getLoc(), first, /*withElseRegion=*/false);
      store->moveBefore(once.thenBlock()->getTerminator());
    }
  }

  /// The store's record names its place in the planes: slice, chunk, position.
  static SmallVector<Value> planeIndices(OpBuilder &builder, Location loc, Value record, Value slice) {
    Value chunk = PropertyOp::create(builder, loc, builder.getI32Type(), record, PropertyKind::Chunk);
    Value pos = PropertyOp::create(builder, loc, builder.getI32Type(), record, PropertyKind::Pos);
    return {slice, chunk, pos};
  }

  Value recordOf(Operation *store) {
    if (auto members = store->getParentOfType<MembersOp>())
      return members.getBody()->getArgument(0);
    return walk->getRegion(0).front().getArgument(0);
  }

  /// The original store stays in the IR, detached from its walk, until the combining walk has copied its indices.
  void storeToPlane(Plane &plane, Value slice) {
    Type cell = plane.store.getCells().getType().getElementType();
    auto type = CellsType::get(walk->getContext(), SmallVector<int64_t>(3, ShapedType::kDynamic), cell);
    unsigned number = kernel.getNumArguments();
    auto attrs = DictionaryAttr::get(
        walk->getContext(), NamedAttribute(StringAttr::get(walk->getContext(), "sdm.scratch"),
                                           IntegerAttr::get(IntegerType::get(walk->getContext(), 64), slices)));
    (void)kernel.insertArgument(number, type, attrs, walk->getLoc());
    plane.planes = kernel.getArgument(number);
    OpBuilder builder(plane.store);
    // A group's position is its first record's: asked for in front of its members, where that record is at hand.
    OpBuilder front = OpBuilder::atBlockBegin(&walk->getRegion(0).front());
    SmallVector<Value> place =
        planeIndices(plane.memberLevel ? builder : front, plane.store.getLoc(), recordOf(plane.store), slice);
    StoreCellOp::create(builder, plane.store.getLoc(), plane.store.getValue(), plane.planes, place, Value());
  }

  /// A walk that adds the planes in slice order and writes the cells that the records name. Member stores are combined
  /// record by record, group stores group by group.
  void addCombiningWalk(bool memberLevel) {
    SmallVector<Plane> mine =
        llvm::filter_to_vector(planes, [&](Plane &plane) { return plane.memberLevel == memberLevel; });
    if (mine.empty())
      return;
    OpBuilder builder(walk->getContext());
    builder.setInsertionPointAfter(walk); // before any walk that reads the cells
    Location loc = walk->getLoc();
    Operation *combining;
    Type handle;
    if (memberLevel) {
      combining = EachRecordOp::create(builder, loc, walk->getOperand(0), IntegerAttr(), ScheduleAttr());
      handle = MemberType::get(walk->getContext());
    } else {
      combining = WalkOp::create(builder, loc, walk->getOperand(0), IntegerAttr(), ScheduleAttr());
      handle = GroupType::get(walk->getContext());
    }
    ScheduleAttr schedule = scheduleOf(walk);
    combining->setAttr(
        "schedule", ScheduleAttr::get(walk->getContext(), WalkForm::Nest, SliceForm::Whole, schedule.getWarps(), 1, 1));
    Block *body = builder.createBlock(&combining->getRegion(0), {}, handle, loc);
    Value record = body->getArgument(0);
    for (Plane &plane : mine) {
      Value total;
      SmallVector<Value> place = planeIndices(builder, loc, record, {});
      for (int64_t slice = 0; slice < slices; ++slice) {
        place[0] = arith::ConstantIntOp::create(builder, loc, slice, 32);
        Value part =
            LoadCellOp::create(builder, loc, plane.store.getCells().getType().getElementType(), plane.planes, place);
        total = total ? combine(builder, loc, plane.kind, total, part) : part;
      }
      IRMapping mapping;
      SmallVector<Value> indices;
      for (Value index : plane.store.getIndices())
        indices.push_back(copyIndex(builder, index, record, mapping));
      StoreCellOp::create(builder, plane.store.getLoc(), total, plane.store.getCells(), indices, Value());
      plane.store.erase();
    }
    YieldOp::create(builder, loc);
  }

  /// The same index of the same record, in the combining walk. A group's key and ordinal are fields of each member.
  Value copyIndex(OpBuilder &builder, Value index, Value record, IRMapping &mapping) {
    if (mapping.contains(index))
      return mapping.lookup(index);
    Operation *def = index.getDefiningOp();
    if (!def || !walk->isProperAncestor(def))
      return index;
    LayoutAttr layout = llvm::cast<SortedType>(walk->getOperand(0).getType()).getLayout();
    bool toMember = llvm::isa<MemberType>(record.getType());
    Value copy;
    if (llvm::isa<KeyOp>(def) && toMember) {
      copy = FieldOp::create(builder, def->getLoc(), index.getType(), record, layout.getKey());
    } else if (auto property = llvm::dyn_cast<PropertyOp>(def)) {
      bool ofGroup = llvm::isa<GroupType>(property.getRecord().getType());
      if (ofGroup && toMember && property.getKind() == PropertyKind::Index)
        copy = FieldOp::create(builder, def->getLoc(), index.getType(), record, "$ordinal");
      else
        copy = PropertyOp::create(builder, def->getLoc(), index.getType(), record, property.getKind());
    } else {
      for (Value operand : def->getOperands())
        mapping.map(operand, llvm::isa<GroupType, MemberType>(operand.getType())
                                 ? record
                                 : copyIndex(builder, operand, record, mapping));
      copy = builder.clone(*def, mapping)->getResult(llvm::cast<OpResult>(index).getResultNumber());
    }
    mapping.map(index, copy);
    return copy;
  }
};

struct SplitSlicesPass : sdm::impl::SplitSlicesBase<SplitSlicesPass> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      SmallVector<Operation *> walks;
      kernel.walk([&](Operation *op) {
        ScheduleAttr schedule = isWalk(op) ? scheduleOf(op) : ScheduleAttr();
        if (schedule && schedule.getSlices() == SliceForm::Split && slicesOf(op) > 1)
          walks.push_back(op);
      });
      for (Operation *walk : walks)
        if (failed(Splitter{kernel, walk, slicesOf(walk), {}}.run()))
          return signalPassFailure();
    }
  }
};

} // namespace
