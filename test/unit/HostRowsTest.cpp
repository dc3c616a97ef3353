// Rows and reductions on the host against plain loops, bit for bit: all kinds of widths, storage formats and odd
// values.
#include "dialect/Slices.h"
#include "test/unit/HostKernel.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include <sys/mman.h>
#include <unistd.h>

using namespace mlir::sdm;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// An array that ends where its last page does, with an inaccessible page behind it.
class Guarded {
public:
  explicit Guarded(size_t bytes) : page(sysconf(_SC_PAGESIZE)), bytes(bytes), mapped((bytes / page + 2) * page) {
    base = static_cast<char *>(mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(base + mapped - page, page, PROT_NONE);
  }
  ~Guarded() { munmap(base, mapped); }
  Guarded(const Guarded &) = delete;
  char *data() { return base + mapped - page - bytes; }

private:
  size_t page, bytes, mapped;
  char *base;
};

float canonical(float value) { return std::isnan(value) ? std::bit_cast<float>(0x7FFFFFFFu) : value; }

float fromStorage(const std::string &type, const char *at) {
  if (type == "f32") {
    float value;
    std::memcpy(&value, at, 4);
    return value;
  }
  uint16_t bits;
  std::memcpy(&bits, at, 2);
  if (type == "bf16")
    return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  float magnitude = exponent == 31 ? (fraction ? NAN : infinity)
                    : exponent     ? std::ldexp(1024.0f + fraction, exponent - 25)
                                   : std::ldexp(static_cast<float>(fraction), -24);
  return bits & 0x8000 ? -magnitude : magnitude;
}

/// Rounds in double precision, where every candidate is exact.
uint16_t toHalf(const std::string &type, float value) {
  if (std::isnan(value))
    return 0x7FFF;
  bool bf16 = type == "bf16";
  int places = bf16 ? 7 : 10, lowest = bf16 ? -133 : -24;
  uint16_t sign = std::signbit(value) ? 0x8000 : 0, inf = bf16 ? 0x7F80 : 0x7C00;
  double magnitude = std::fabs(static_cast<double>(value));
  if (magnitude == 0 || std::isinf(magnitude))
    return sign | (magnitude == 0 ? 0 : inf);
  int quantum = std::max(std::ilogb(magnitude) - places, lowest);
  auto units = static_cast<uint32_t>(std::nearbyint(std::ldexp(magnitude, -quantum)));
  // A number's bits count up: each further quantum is one more in the exponent's field.
  uint32_t bits = quantum == lowest ? units : units + (static_cast<uint32_t>(quantum - lowest) << places);
  return sign | static_cast<uint16_t>(std::min<uint32_t>(bits, inf));
}

void toStorage(const std::string &type, float value, char *at) {
  if (type == "f32") {
    value = canonical(value);
    std::memcpy(at, &value, 4);
    return;
  }
  uint16_t bits = toHalf(type, value);
  std::memcpy(at, &bits, 2);
}

float maximum(float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return NAN;
  return a == b ? (std::signbit(a) ? b : a) : std::max(a, b);
}
float minimum(float a, float b) { return -maximum(-a, -b); }
float add(float a, float b) { return a + b; }

using Combine = float (*)(float, float);

float butterfly(std::vector<float> lanes, Combine combine) {
  for (int distance = 16; distance; distance /= 2) {
    std::vector<float> next(32);
    for (int lane = 0; lane < 32; ++lane)
      next[lane] = combine(lanes[lane], lanes[lane ^ distance]);
    lanes = next;
  }
  return lanes[0];
}

/// The slices' values of a reduction; `lane` gives one lane's partial of its four columns.
template <typename Lane> std::vector<float> sliceValues(int64_t width, Combine combine, Lane lane) {
  std::vector<float> values;
  for (int64_t slice = 0; slice < sliceCount(width); ++slice) {
    std::vector<float> partials;
    for (int64_t l = 0; l < 32; ++l)
      partials.push_back(lane([&](const std::vector<float> &row, int64_t k, float identity) {
        int64_t column = 4 * l + k;
        return column < sliceColumns(width, slice) ? row[slice * sliceWidth(width) + column] : identity;
      }));
    values.push_back(butterfly(partials, combine));
  }
  return values;
}

std::vector<float> dotSlices(const std::vector<float> &x, const std::vector<float> &m) {
  return sliceValues(x.size(), add, [&](auto at) {
    float partial = at(x, 0, 0.0f) * at(m, 0, 0.0f);
    for (int k = 1; k < 4; ++k)
      partial = std::fma(at(x, k, 0.0f), at(m, k, 0.0f), partial);
    return partial;
  });
}

std::vector<float> reduceSlices(const std::vector<float> &x, Combine combine, float identity) {
  return sliceValues(x.size(), combine, [&](auto at) {
    float partial = at(x, 0, identity);
    for (int k = 1; k < 4; ++k)
      partial = combine(partial, at(x, k, identity));
    return partial;
  });
}

/// The five reductions' slice values of g (dot: with f).
std::vector<std::vector<float>> allReductions(const std::vector<float> &f, const std::vector<float> &g) {
  std::vector<float> magnitudes;
  for (float value : g)
    magnitudes.push_back(std::isnan(value) ? 0.0f : std::fabs(value));
  return {dotSlices(f, g), reduceSlices(g, add, 0.0f), reduceSlices(g, maximum, -infinity),
          reduceSlices(g, minimum, infinity), reduceSlices(magnitudes, maximum, 0.0f)};
}

const Combine combines[] = {add, add, maximum, minimum, maximum};

/// out[i] = y[i] + a * x[i] (one rounding), copy[i] = x[i] bit for bit, cells[slice, i, k] = reduction k. `split`: a
/// slice a unit.
std::string kernelText(int64_t width, const std::string &type, bool split) {
  auto text = [](int64_t number) { return std::to_string(number); };
  int64_t slices = sliceCount(width);
  std::string rows = "!sdm.rows<?x" + text(width) + "x" + type + ">";
  std::string shape = text(split ? 1 : slices) + "x" + text(sliceWidth(width)) + "x";
  std::string row = "vector<" + shape + "f32>", stored = "vector<" + shape + type + ">",
              cells = "!sdm.cells<?x?x?xf32>";
  std::string slice = split ? " slice %slice" : "";
  auto load = [&](std::string name) {
    std::string s =
        "%" + name + "s = sdm.load_row %" + name + "[%i]" + slice + " : " + rows + " [i32] -> " + stored + "\n";
    return s + (type == "f32" ? "%" + name + "f = arith.addf %" + name + "s, %minus : " + row + "\n"
                              : "%" + name + "f = arith.extf %" + name + "s : " + stored + " to " + row + "\n");
  };
  std::string out =
      "func.func @kernel(%x: " + rows + ", %y: " + rows + ", %out: " + rows + ", %copy: " + rows +
      ", %cells: " + cells +
      ", %a: f32) attributes {sdm.launch = #sdm.launch<rows, operand = 0, slices = " + text(split ? slices : 1) +
      ", warps = 1>} {\n"
      "%chunk, %slice, %begin, %end = sdm.tile %x : " +
      rows +
      "\n%one = arith.constant 1 : i32\n"
      "%minus = arith.constant dense<-0.0> : " +
      row + "\nscf.for %i = %begin to %end step %one : i32 {\n" + load("x") + load("y") +
      "%av = vector.broadcast %a : f32 to " + row + "\n%g = math.fma %av, %xf, %yf : " + row +
      "\nsdm.store_row %g, %out[%i]" + slice + " : " + row + ", " + rows + " [i32]\nsdm.store_row %xs, %copy[%i]" +
      slice + " bits : " + stored + ", " + rows + " [i32]\n";
  out += "%r0 = sdm.dot %xf, %g" + slice + " {width = " + text(width) + " : i64} : " + row + "\n";
  const char *kinds[] = {"sum", "max", "min", "amax"};
  for (int k = 0; k < 4; ++k)
    out += "%r" + text(k + 1) + " = sdm.reduce " + kinds[k] + " %g" + slice + " {width = " + text(width) +
           " : i64} : " + row + "\n";
  for (int k = 0; k < 5; ++k)
    out += "%k" + text(k) + " = arith.constant " + text(k) + " : i32\nsdm.store_cell %r" + text(k) +
           ", %cells[%slice, %i, %k" + text(k) + "] : f32, " + cells + " [i32, i32, i32]\n";
  return out + "}\nreturn\n}\n";
}

float oddValue(std::mt19937 &random) {
  switch (random() % 40) {
  case 0:
    return NAN;
  case 1:
    return -infinity;
  case 2:
    return -0.0f;
  case 3:
    return std::bit_cast<float>(static_cast<uint32_t>(random() % 0x800000)); // subnormal
  case 4:
    return std::bit_cast<float>(static_cast<uint32_t>(random())); // anything
  default:
    return std::ldexp(static_cast<float>(static_cast<int32_t>(random())), -31 - static_cast<int>(random() % 6));
  }
}

struct Case {
  int64_t width;
  std::string type;
  bool split;
};

class HostRows : public ::testing::TestWithParam<Case> {};

TEST_P(HostRows, EqualPlainLoops) {
  auto [width, type, split] = GetParam();
  HostKernel kernel(kernelText(width, type, split));
  ASSERT_TRUE(kernel);
  // Every second half of the rows is free of NaN and infinity, so that sums are compared in their bits.
  const int64_t rows = 12, bytes = type == "f32" ? 4 : 2, slices = sliceCount(width);
  const int64_t pitch = (width + 3) * bytes, size = (rows - 1) * pitch + width * bytes;
  Guarded x(size), y(size), out(size), copy(size);
  std::vector<char> wanted(size, 0x5A), copied(size, 0x5A);
  std::memset(out.data(), 0x5A, size);
  std::memset(copy.data(), 0x5A, size);
  std::mt19937 random(width);
  const float a = -1.37f;
  std::vector<float> cells(slices * rows * 5, 1e30f), wantedCells = cells;
  for (int64_t i = 0; i < rows; ++i) {
    std::vector<float> f, g;
    for (int64_t column = 0; column < width; ++column) {
      int64_t at = i * pitch + column * bytes;
      for (char *target : {x.data() + at, y.data() + at}) {
        float value = oddValue(random);
        while (i % 2 == 0 && !std::isfinite(value))
          value = oddValue(random);
        if (type == "f32" && i % 2 == 0 && std::fabs(value) > 1e18f)
          value = 1.0f; // products stay finite
        toStorage(type, value, target);
      }
      f.push_back(fromStorage(type, x.data() + at));
      g.push_back(std::fma(a, f.back(), fromStorage(type, y.data() + at)));
      toStorage(type, g.back(), wanted.data() + at);
      std::memcpy(copied.data() + at, x.data() + at, bytes);
    }
    auto values = allReductions(f, g);
    for (int k = 0; k < 5; ++k) {
      float total = values[k][0];
      for (int64_t slice = 0; slice < slices; ++slice) {
        if (split)
          wantedCells[(slice * rows + i) * 5 + k] = canonical(values[k][slice]);
        else if (slice > 0)
          total = combines[k](total, values[k][slice]);
      }
      if (!split)
        wantedCells[i * 5 + k] = canonical(total);
    }
  }
  int argument = 0;
  for (char *base : {x.data(), y.data(), out.data(), copy.data()})
    kernel.setArray(argument++, base, {pitch}, {rows});
  kernel.setArray(4, cells.data(), {rows * 5 * 4, 5 * 4, 4}, {slices, rows, 5});
  kernel.setScalar(5, a);
  kernel.run(0, 1, split ? slices : 1, /*tileLength=*/5, /*tiles=*/4);
  for (int64_t at = 0; at < size; ++at)
    ASSERT_EQ(wanted[at], out.data()[at]) << "row " << at / pitch << ", column " << at % pitch / bytes;
  EXPECT_EQ(std::memcmp(copied.data(), copy.data(), size), 0);
  for (size_t at = 0; at < cells.size(); ++at)
    EXPECT_EQ(std::bit_cast<uint32_t>(wantedCells[at]), std::bit_cast<uint32_t>(cells[at]))
        << "slice " << at / (rows * 5) << ", row " << at / 5 % rows << ", reduction " << at % 5;
}

std::vector<Case> allCases() {
  std::vector<Case> cases;
  for (int64_t width : {1, 3, 4, 127, 128, 130, 132, 196, 200, 260})
    for (std::string type : {"bf16", "f32", "f16"})
      for (bool split : {false, true})
        cases.push_back({width, type, split});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Widths, HostRows, ::testing::ValuesIn(allCases()), [](const auto &info) {
  return info.param.type + "_" + std::to_string(info.param.width) + (info.param.split ? "_split" : "_whole");
});

} // namespace
