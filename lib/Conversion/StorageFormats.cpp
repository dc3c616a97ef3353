// Storage formats by integers: `arith.truncf` calls a function that some machines lack, both compilers fold it away at
// will, and it does not saturate.
#include "lib/Conversion/StorageFormats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace {

/// Arithmetic on one shape: a scalar's, or a vector's.
class Shaped {
public:
  Shaped(OpBuilder &builder, Location loc, Value like) : builder(builder), loc(loc), shape(like.getType()) {}

  Type like(Type element) const {
    auto vector = dyn_cast<VectorType>(shape);
    return vector ? Type(vector.clone(element)) : element;
  }
  Type integer(unsigned bits) const { return like(builder.getIntegerType(bits)); }

  Value constant(TypedAttr element) const {
    auto vector = dyn_cast<VectorType>(like(element.getType()));
    TypedAttr value = vector ? TypedAttr(DenseElementsAttr::get(vector, Attribute(element))) : element;
    return arith::ConstantOp::create(builder, loc, value);
  }
  Value i32(uint32_t value) const { return constant(builder.getI32IntegerAttr(static_cast<int32_t>(value))); }
  Value i16(uint16_t value) const { return constant(builder.getI16IntegerAttr(static_cast<int16_t>(value))); }
  Value f32(uint32_t bits) const { return asFloat(i32(bits)); }

  Value asFloat(Value bits) const { return arith::BitcastOp::create(builder, loc, like(builder.getF32Type()), bits); }
  Value asBits(Value value) const { return arith::BitcastOp::create(builder, loc, integer(32), value); }
  Value i8(uint8_t value) const { return constant(builder.getI8IntegerAttr(static_cast<int8_t>(value))); }
  Value narrow(Value bits, unsigned to = 16) const { return arith::TruncIOp::create(builder, loc, integer(to), bits); }
  Value widen(Value bits) const { return arith::ExtUIOp::create(builder, loc, integer(32), bits); }

  template <typename Op> Value make(Value a, Value b) const { return Op::create(builder, loc, a, b); }
  Value select(Value mask, Value yes, Value no) const { return arith::SelectOp::create(builder, loc, mask, yes, no); }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) const {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) const {
    return arith::CmpFOp::create(builder, loc, predicate, a, b);
  }
  Value isNaN(Value value) const { return compare(arith::CmpFPredicate::UNO, value, value); }

private:
  OpBuilder &builder;
  Location loc;
  Type shape;
};

Value widenF16(const Shaped &on, Value bits) {
  Value word = on.widen(bits);
  Value sign = on.make<arith::ShLIOp>(on.make<arith::AndIOp>(word, on.i32(0x8000)), on.i32(16));
  Value magnitude = on.make<arith::AndIOp>(word, on.i32(0x7FFF));
  Value shifted = on.make<arith::ShLIOp>(magnitude, on.i32(13));
  // Read with f32's bias the number is 2^112 too small; the product is exact, f16's subnormals included.
  Value finite = on.asBits(on.make<arith::MulFOp>(on.asFloat(shifted), on.f32(0x77800000)));
  Value special = on.make<arith::OrIOp>(shifted, on.i32(0x7F800000));
  Value isSpecial = on.compare(arith::CmpIPredicate::uge, magnitude, on.i32(0x7C00));
  return on.asFloat(on.make<arith::OrIOp>(on.select(isSpecial, special, finite), sign));
}

/// Adds half of the last kept place, minus one where that place is even, and drops the rest.
Value roundAway(const Shaped &on, Value bits, unsigned dropped) {
  Value odd = on.make<arith::AndIOp>(on.make<arith::ShRUIOp>(bits, on.i32(dropped)), on.i32(1));
  Value half = on.make<arith::AddIOp>(odd, on.i32((1u << (dropped - 1)) - 1));
  return on.make<arith::ShRUIOp>(on.make<arith::AddIOp>(bits, half), on.i32(dropped));
}

Value roundF16(const Shaped &on, Value value) {
  Value bits = on.asBits(value);
  Value sign = on.make<arith::ShRUIOp>(on.make<arith::AndIOp>(bits, on.i32(0x80000000)), on.i32(16));
  Value magnitude = on.make<arith::AndIOp>(bits, on.i32(0x7FFFFFFF));
  Value normal = roundAway(on, on.make<arith::SubIOp>(magnitude, on.i32(112u << 23)), 13);
  // Below 2^-14: adding 0.5 leaves f16's last place in f32's, and the addition rounds.
  Value sum = on.make<arith::AddFOp>(on.asFloat(magnitude), on.f32(0x3F000000));
  Value subnormal = on.make<arith::SubIOp>(on.asBits(sum), on.i32(0x3F000000));
  Value isSmall = on.compare(arith::CmpIPredicate::ult, magnitude, on.i32(113u << 23));
  Value isLarge = on.compare(arith::CmpIPredicate::uge, magnitude, on.i32(143u << 23));
  Value rounded = on.select(isLarge, on.i32(0x7C00), on.select(isSmall, subnormal, normal));
  return on.narrow(on.make<arith::OrIOp>(rounded, sign));
}

Value widenF8(const Shaped &on, Value bits) {
  Value word = on.widen(bits);
  Value sign = on.make<arith::ShLIOp>(on.make<arith::AndIOp>(word, on.i32(0x80)), on.i32(24));
  Value magnitude = on.make<arith::AndIOp>(word, on.i32(0x7F));
  // Read with f32's bias the number is 2^120 too small; the product is exact, subnormals included.
  Value shifted = on.asFloat(on.make<arith::ShLIOp>(magnitude, on.i32(20)));
  Value finite = on.asBits(on.make<arith::MulFOp>(shifted, on.f32(0x7B800000)));
  // One more than the largest number's bits carries into bit 7, which becomes a NaN's exponent.
  Value carry = on.make<arith::AndIOp>(on.make<arith::AddIOp>(magnitude, on.i32(1)), on.i32(0x80));
  Value exponent = on.make<arith::MulIOp>(carry, on.i32(0xFF0000));
  return on.asFloat(on.make<arith::OrIOp>(on.make<arith::OrIOp>(finite, exponent), sign));
}

/// e4m3 bits of an f32 that is no NaN; 0x7E is 448, the largest number.
Value roundF8(const Shaped &on, Value value) {
  Value bits = on.asBits(value);
  Value sign = on.make<arith::ShRUIOp>(on.make<arith::AndIOp>(bits, on.i32(0x80000000)), on.i32(24));
  Value magnitude = on.make<arith::AndIOp>(bits, on.i32(0x7FFFFFFF));
  Value normal = roundAway(on, on.make<arith::SubIOp>(magnitude, on.i32(120u << 23)), 20);
  Value saturated = on.make<arith::MinUIOp>(normal, on.i32(0x7E));
  // Below 2^-6: adding 2^14 leaves e4m3's last place in f32's, and the addition rounds.
  Value sum = on.make<arith::AddFOp>(on.asFloat(magnitude), on.f32(0x46800000));
  Value subnormal = on.make<arith::SubIOp>(on.asBits(sum), on.i32(0x46800000));
  Value isSmall = on.compare(arith::CmpIPredicate::ult, magnitude, on.i32(121u << 23));
  return on.narrow(on.make<arith::OrIOp>(on.select(isSmall, subnormal, saturated), sign), 8);
}

/// The bounds are whole numbers, so they may be met before rounding; a NaN is not below 7.
Value roundI4(const Shaped &on, Value value) {
  Value most = on.f32(0x40E00000), least = on.f32(0xC1000000);
  Value low = on.select(on.compare(arith::CmpFPredicate::OLT, value, most), value, most);
  Value inside = on.select(on.compare(arith::CmpFPredicate::OGT, low, least), low, least);
  // 1.5 * 2^23 leaves a one in f32's last place, and the addition rounds.
  Value sum = on.make<arith::AddFOp>(inside, on.f32(0x4B400000));
  return on.narrow(on.make<arith::SubIOp>(on.asBits(sum), on.i32(0x4B400000)), 8);
}

} // namespace

Value mlir::sdm::canonicalNaN(OpBuilder &builder, Location loc, Value value) {
  Shaped on(builder, loc, value);
  return on.select(on.isNaN(value), on.f32(0x7FFFFFFF), value);
}

Value mlir::sdm::canonicalBits(OpBuilder &builder, Location loc, Value value) {
  Shaped on(builder, loc, value);
  return on.select(on.isNaN(value), on.i32(0x7FFFFFFF), on.asBits(value));
}

Value mlir::sdm::widenStorage(OpBuilder &builder, Location loc, Value bits, FloatType storage) {
  Shaped on(builder, loc, bits);
  if (storage.isF16())
    return widenF16(on, bits);
  if (isa<Float8E4M3FNType>(storage))
    return widenF8(on, bits);
  return on.asFloat(on.make<arith::ShLIOp>(on.widen(bits), on.i32(16)));
}

Value mlir::sdm::roundToStorage(OpBuilder &builder, Location loc, Value value, Type storage) {
  Shaped on(builder, loc, value);
  if (storage.isInteger(4))
    return roundI4(on, value);
  if (isa<Float8E4M3FNType>(storage))
    return on.select(on.isNaN(value), on.i8(0x7F), roundF8(on, value));
  Value rounded = storage.isF16() ? roundF16(on, value) : on.narrow(roundAway(on, on.asBits(value), 16));
  return on.select(on.isNaN(value), on.i16(0x7FFF), rounded);
}

Value mlir::sdm::unpackNibbles(OpBuilder &builder, Location loc, Value bytes) {
  Shaped on(builder, loc, bytes);
  Value four = on.i8(4);
  Value high = on.make<arith::ShRSIOp>(bytes, four);
  Value low = on.make<arith::ShRSIOp>(on.make<arith::ShLIOp>(bytes, four), four);
  return vector::InterleaveOp::create(builder, loc, high, low);
}

Value mlir::sdm::packNibbles(OpBuilder &builder, Location loc, Value numbers) {
  auto halves = vector::DeinterleaveOp::create(builder, loc, numbers);
  Shaped on(builder, loc, halves.getRes1());
  Value high = on.make<arith::ShLIOp>(halves.getRes1(), on.i8(4));
  return on.make<arith::OrIOp>(high, on.make<arith::AndIOp>(halves.getRes2(), on.i8(0x0F)));
}
