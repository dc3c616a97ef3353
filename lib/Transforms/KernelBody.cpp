// What a kernel may be made of. Passes after the gate copy, split and distribute these operations without a question.
#include "lib/Transforms/KernelBody.h"
#include "lib/Transforms/Places.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sdm;

static bool isF8(Type type) { return llvm::isa<Float8E4M3FNType>(getElementTypeOrSelf(type)); }

/// A number of eight bits is widened to f32, chosen, or moved; only a store makes one.
static bool computesF8(Operation *op) {
  if (!llvm::any_of(op->getResultTypes(), isF8) && !llvm::any_of(op->getOperandTypes(), isF8))
    return false;
  if (auto extend = llvm::dyn_cast<arith::ExtFOp>(op))
    return !getElementTypeOrSelf(extend.getType()).isF32();
  return llvm::isa<arith::ArithDialect, math::MathDialect, vector::VectorDialect>(op->getDialect()) &&
         !llvm::isa<arith::ConstantOp, arith::SelectOp>(op);
}

/// Operations whose result a target may choose: a remainder by division, what a conversion gives out of range, which
/// zero is the larger one.
static bool dependsOnTarget(Operation *op) {
  return computesF8(op) ||
         llvm::isa<arith::RemFOp, arith::FPToSIOp, arith::FPToUIOp, arith::MaxNumFOp, arith::MinNumFOp>(op);
}

static bool isAdmitted(Operation *op) {
  if (llvm::isa<WalkOp, EachRecordOp, EachRowOp, MembersOp, YieldOp, KeyOp, FieldOp, PropertyOp, LoadRowOp, StoreRowOp,
                LoadCellOp, StoreCellOp, DimOp, DotOp, ReduceOp, func::ReturnOp, scf::IfOp, scf::YieldOp,
                vector::BroadcastOp>(op))
    return true;
  if (llvm::isa<math::MathDialect>(op->getDialect()))
    return llvm::isa<math::FmaOp, math::SqrtOp, math::AbsFOp, math::AbsIOp>(op);
  return llvm::isa<arith::ArithDialect>(op->getDialect()) && !dependsOnTarget(op);
}

static bool hasSlice(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<LoadRowOp, StoreRowOp, DotOp, ReduceOp>([](auto sliced) { return static_cast<bool>(sliced.getSlice()); })
      .Case<WalkOp, EachRecordOp, EachRowOp>([](auto walk) { return walk.getSlices().has_value(); })
      .Default(false);
}

static bool isMasked(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<LoadRowOp, StoreCellOp>([](auto access) { return static_cast<bool>(access.getMask()); })
      .Default(false);
}

/// A row is one splat or one scalar in all its columns, or is computed column by column.
static LogicalResult checkRows(Operation *op) {
  for (Type type : op->getResultTypes()) {
    auto vector = llvm::dyn_cast<VectorType>(type);
    if (vector && (vector.getRank() != 2 || vector.isScalable()))
      return op->emitError() << "expected rows as vectors of slices and columns, got " << type;
    if (llvm::isa<RowsType, CellsType, SortedType, GroupType, MemberType>(type))
      return op->emitError()
             << "expected operands and handles used where they are (no operation chooses among them), got "
             << op->getName() << " of type " << type;
  }
  if (auto broadcast = llvm::dyn_cast<vector::BroadcastOp>(op);
      broadcast && llvm::isa<VectorType>(broadcast.getSourceType()))
    return op->emitError() << "expected a scalar in every column of a row, got " << broadcast.getSourceType();
  if (auto constant = llvm::dyn_cast<arith::ConstantOp>(op);
      constant && llvm::isa<VectorType>(constant.getType()) && !llvm::isa<SplatElementsAttr>(constant.getValue()))
    return op->emitError() << "expected a constant row whose columns are equal, got " << constant.getValue();
  return success();
}

static LogicalResult checkOp(Operation *op) {
  if (!isAdmitted(op))
    return op->emitError()
           << "expected operations that have the same bits on every target (sdm, arith without target's "
              "choice, math.fma, sqrt, absf, absi, scf.if, vector.broadcast), got "
           << op->getName();
  if (hasSlice(op))
    return op->emitError() << "expected whole rows (sdm-split-slices makes slices), got a slice";
  if (isMasked(op))
    return op->emitError()
           << "expected an access without 'where' (lanes have no name here; scf.if chooses), got one with it";
  return checkRows(op);
}

/// Between its walks a kernel computes scalars and constants only: each walk is launched by itself, and what it needs
/// of them is computed again.
static LogicalResult checkTopLevel(func::FuncOp kernel) {
  for (Operation &op : kernel.front())
    if (!isWalk(&op) && !llvm::isa<func::ReturnOp>(op) && !isMemoryEffectFree(&op))
      return op.emitError()
             << "expected walks, constants and scalars at the kernel's top level (each walk is a launch of "
                "its own), got "
             << op.getName();
  return success();
}

LogicalResult mlir::sdm::checkKernelBody(func::FuncOp kernel) {
  if (!kernel.getBody().hasOneBlock())
    return kernel.emitError() << "expected a kernel whose body is one block, got "
                              << kernel.getBody().getBlocks().size() << " blocks";
  if (kernel.getNumResults() != 0)
    return kernel.emitError() << "expected a kernel without results (it is launched), got " << kernel.getNumResults();
  LogicalResult result = checkTopLevel(kernel);
  kernel.getBody().walk([&](Operation *op) {
    if (failed(checkOp(op)))
      result = failure();
  });
  return result;
}
