// Rows that the copy engine brings into rings. Unit n has stage n % D and that stage's barrier, of which it is phase n
// / D. Who does what for it:
//   lanes 0 to U - 1   lane p reads the record of position p, arrives with the bytes of its rows, starts their copies
//   the copy engine    fills the stage and reports the bytes; after U arrivals and all bytes the phase is over
//   every lane         waits for the phase, by its parity, and sees the rows then: no barrier of the warp is needed for
//   it
// A stage is filled again, and its barrier's next phase begun, behind a barrier of the warp: every lane has read the
// rows and seen the phase end. Units behind the tile's end ask for no rows, so nothing is on its way when the loop
// ends.
#include "lib/Transforms/BulkRings.h"
#include "dialect/Slices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::sdm;

BulkRings::BulkRings(scf::ForOp loop, int64_t unit, int64_t depth)
    : loc(loop.getLoc()), unit(unit), depth(depth), loads(findUnitLoads(loop, Placement::BulkRing)) {}

Value BulkRings::constant(OpBuilder &builder, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 32);
}

void BulkRings::makeBarriers(OpBuilder &builder) {
  if (!empty())
    barriers = RingBarriersOp::create(builder, loc, builder.getI32Type(), depth, unit);
}

Value BulkRings::barrierOf(OpBuilder &builder, Value number) {
  Value stage = arith::RemUIOp::create(builder, loc, number, constant(builder, depth));
  Value further = arith::MulIOp::create(builder, loc, stage, constant(builder, kBarrierStep));
  return arith::AddIOp::create(builder, loc, barriers, further);
}

void BulkRings::issue(OpBuilder &builder, scf::ForOp loop, Value k, Value number) {
  if (empty())
    return;
  // As if the loop stood at this lane's position: what is said of a unit's first position is said of it.
  Value lane = LaneOp::create(builder, loc, builder.getI32Type());
  Value mine = arith::AndIOp::create(builder, loc, lane, constant(builder, unit - 1));
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), arith::AddIOp::create(builder, loc, k, mine));
  AskedRows of;
  for (UnitLoad &load : loads)
    if (load.position == 0)
      of.add(load, askedIn(builder, loop, load.op, mapping));
  Value stage = arith::RemUIOp::create(builder, loc, number, constant(builder, depth));
  Value slot =
      arith::AddIOp::create(builder, loc, arith::MulIOp::create(builder, loc, stage, constant(builder, unit)), mine);
  IssueBulkOp::create(builder, loc, of.rows, of.indices, of.slice, of.rings, slot, of.masks, barrierOf(builder, number),
                      of.counts, unit);
}

void BulkRings::wait(OpBuilder &builder, Value number) {
  if (empty())
    return;
  Value phase = arith::DivUIOp::create(builder, loc, number, constant(builder, depth));
  Value parity = arith::AndIOp::create(builder, loc, phase, constant(builder, 1));
  WaitParityOp::create(builder, loc, barrierOf(builder, number), parity);
}
