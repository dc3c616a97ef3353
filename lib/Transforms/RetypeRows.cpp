// Row values change their shape in place.
#include "lib/Transforms/RetypeRows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sdm;

bool mlir::sdm::isRow(Type type) {
  auto vector = llvm::dyn_cast<VectorType>(type);
  return vector && vector.getRank() == 2;
}

LogicalResult mlir::sdm::retypeRows(Operation *root, llvm::function_ref<VectorType(VectorType)> shape) {
  auto retype = [&](Value value) {
    if (isRow(value.getType()))
      value.setType(shape(llvm::cast<VectorType>(value.getType())));
  };
  WalkResult result = root->walk([&](Operation *op) {
    if (auto constant = llvm::dyn_cast<arith::ConstantOp>(op); constant && isRow(constant.getType())) {
      auto splat = llvm::dyn_cast<SplatElementsAttr>(constant.getValue());
      if (!splat) {
        constant.emitError() << "expected a constant row whose columns are equal";
        return WalkResult::interrupt();
      }
      VectorType type = shape(llvm::cast<VectorType>(constant.getType()));
      constant.setValueAttr(SplatElementsAttr::get(type, splat.getSplatValue<Attribute>()));
    }
    for (Value result : op->getResults())
      retype(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          retype(argument);
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}
