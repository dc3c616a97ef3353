// sdm-lower-butterfly: butterflies become exchanges between lanes.
#include "dialect/SdmOps.h"
#include "lib/Transforms/Combine.h"
#include "lib/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::sdm {
#define GEN_PASS_DEF_LOWERBUTTERFLY
#include "lib/Transforms/Passes.h.inc"
} // namespace mlir::sdm

using namespace mlir;
using namespace mlir::sdm;

namespace {

struct ButterflyLowering {
  ButterflyOp op;
  OpBuilder builder{op};
  Location loc = op.getLoc();

  Value exchange(Value value, int64_t distance) {
    return ExchangeOp::create(builder, loc, builder.getF32Type(), value, distance);
  }

  /// Whether this lane has bit `distance` set.
  Value upper(int64_t distance) {
    Value lane = LaneOp::create(builder, loc, builder.getI32Type());
    Value bit = arith::ConstantIntOp::create(builder, loc, distance, 32);
    Value zero = arith::ConstantIntOp::create(builder, loc, 0, 32);
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, arith::AndIOp::create(builder, loc, lane, bit),
                                 zero);
  }

  /// Held before a step at distance d: `held.size()` partials, each combined over the lanes that differ in the bits of
  /// the steps done. While there is more than one, a lane keeps the half that its bit d names and sends the other.
  Value run() {
    SmallVector<Value> held = llvm::to_vector(op.getPartials());
    for (int64_t distance : {16, 8, 4, 2, 1}) {
      if (held.size() == 1) {
        held[0] = combine(builder, loc, op.getKind(), held[0], exchange(held[0], distance));
        continue;
      }
      Value up = upper(distance);
      size_t half = held.size() / 2;
      SmallVector<Value> kept;
      for (size_t i = 0; i < half; ++i) {
        Value keep = arith::SelectOp::create(builder, loc, up, held[i + half], held[i]);
        Value send = arith::SelectOp::create(builder, loc, up, held[i], held[i + half]);
        kept.push_back(combine(builder, loc, op.getKind(), keep, exchange(send, distance)));
      }
      held = kept;
    }
    return held[0];
  }
};

struct LowerButterflyPass : sdm::impl::LowerButterflyBase<LowerButterflyPass> {
  void runOnOperation() override {
    SmallVector<ButterflyOp> butterflies;
    getOperation().walk([&](ButterflyOp op) { butterflies.push_back(op); });
    for (ButterflyOp op : butterflies) {
      op.replaceAllUsesWith(ButterflyLowering{op}.run());
      op.erase();
    }
  }
};

} // namespace
