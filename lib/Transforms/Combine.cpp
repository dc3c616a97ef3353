// The operation that a reduction combines two values with.
#include "lib/Transforms/Combine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

Value mlir::sdm::combine(OpBuilder &builder, Location loc, ReduceKind kind, Value a, Value b) {
  switch (kind) {
  case ReduceKind::Sum:
    return arith::AddFOp::create(builder, loc, a, b);
  case ReduceKind::Min:
    return arith::MinimumFOp::create(builder, loc, a, b);
  case ReduceKind::Max:
  case ReduceKind::Amax:
    return arith::MaximumFOp::create(builder, loc, a, b);
  }
  llvm_unreachable("every kind is handled");
}

mlir::sdm::PartialKind mlir::sdm::partialOf(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::Sum:
    return PartialKind::Sum;
  case ReduceKind::Max:
    return PartialKind::Max;
  case ReduceKind::Min:
    return PartialKind::Min;
  case ReduceKind::Amax:
    return PartialKind::Amax;
  }
  llvm_unreachable("every kind is handled");
}
