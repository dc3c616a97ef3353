// Constants, and moves of elements. A vector's elements lie in row-major order.
#include "lib/Lanes/Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::sdm::lanes;

namespace {

Word wordOf(Attribute attribute) {
  if (auto integer = dyn_cast<IntegerAttr>(attribute))
    return integer.getValue().getZExtValue();
  return cast<FloatAttr>(attribute).getValue().bitcastToAPInt().getZExtValue();
}

void constant(Warp &warp, const Step &step) {
  Word *out = warp.words(step.results[0]);
  Attribute value = cast<arith::ConstantOp>(step.op).getValue();
  auto elements = dyn_cast<DenseElementsAttr>(value);
  if (!elements) {
    std::fill_n(out, kWarpLanes, wordOf(value));
    return;
  }
  for (Attribute element : elements.getValues<Attribute>()) {
    std::fill_n(out, kWarpLanes, wordOf(element));
    out += kWarpLanes;
  }
}

/// A value that nobody may depend on.
void poison(Warp &warp, const Step &step) {
  std::fill_n(warp.words(step.results[0]), resultWords(warp, step), lowBits(0xFBFBFBFB, resultBits(warp, step)));
}

/// A scalar, or a vector of fewer elements in front dimensions, repeated.
void broadcast(Warp &warp, const Step &step) {
  const Word *in = warp.words(step.operands[0]);
  unsigned period = warp.place(step.operands[0]).elements * kWarpLanes;
  Word *out = warp.words(step.results[0]);
  for (unsigned i = 0, n = resultWords(warp, step); i < n; ++i)
    out[i] = in[i % period];
}

/// The number of the first element that a static position names.
unsigned firstElement(const Step &step, VectorType type, ArrayRef<int64_t> position) {
  int64_t first = 0, size = type.getNumElements();
  for (auto [index, extent] : llvm::zip(position, type.getShape())) {
    size /= extent;
    first += index * size;
  }
  return first;
}

void extract(Warp &warp, const Step &step) {
  auto op = cast<vector::ExtractOp>(step.op);
  if (!op.getDynamicPosition().empty())
    warp.cta.launch.faults.addFatal(op, kind::unsupported, "expected a position that is constant, got a value");
  const Word *in =
      warp.words(step.operands[0]) + kWarpLanes * firstElement(step, op.getSourceVectorType(), op.getStaticPosition());
  std::copy_n(in, resultWords(warp, step), warp.words(step.results[0]));
}

void insert(Warp &warp, const Step &step) {
  auto op = cast<vector::InsertOp>(step.op);
  if (!op.getDynamicPosition().empty())
    warp.cta.launch.faults.addFatal(op, kind::unsupported, "expected a position that is constant, got a value");
  Word *out = warp.words(step.results[0]);
  std::copy_n(warp.words(step.operands[1]), resultWords(warp, step), out);
  std::copy_n(warp.words(step.operands[0]), warp.place(step.operands[0]).elements * kWarpLanes,
              out + kWarpLanes * firstElement(step, op.getDestVectorType(), op.getStaticPosition()));
}

void fromElements(Warp &warp, const Step &step) {
  Word *out = warp.words(step.results[0]);
  for (unsigned value : step.operands)
    out = std::copy_n(warp.words(value), kWarpLanes, out);
}

void toElements(Warp &warp, const Step &step) {
  const Word *in = warp.words(step.operands[0]);
  for (unsigned value : step.results) {
    std::copy_n(in, kWarpLanes, warp.words(value));
    in += kWarpLanes;
  }
}

void reshape(Warp &warp, const Step &step) {
  std::copy_n(warp.words(step.operands[0]), resultWords(warp, step), warp.words(step.results[0]));
}

} // namespace

void mlir::sdm::lanes::addVectorOperations(OperationTable &table) {
  table["arith.constant"] = constant;
  table["ub.poison"] = poison;
  table["vector.broadcast"] = broadcast;
  table["vector.extract"] = extract;
  table["vector.insert"] = insert;
  table["vector.from_elements"] = fromElements;
  table["vector.to_elements"] = toElements;
  table["vector.shape_cast"] = reshape;
}
