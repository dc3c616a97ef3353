// Records, cells and a fold over a whole tile on the host, against plain loops.
#include "test/unit/HostKernel.h"

#include <bit>
#include <cmath>

using namespace mlir::sdm;

namespace {

constexpr char kLayout[] = R"(#use = #sdm.layout<"Use", key = "slot", planes = [8, 12], fields = [
  <"slot" : i64 in 0 at 0>, <"token" : i32 in 1 at 4 bits 9 to 16>, <"high" : i32 in 1 at 4 bits 8 to 31>, <"whole" : i32 in 1 at 0>,
  <"scale" : f32 in 1 at 8>, <"weight" : f32 = 0.5 : f32>, <"$first" : i1 in 1 at 4 bits 31 to 31>, <"$last" : i1 in 1 at 4 bits 0 to 0>]>
)";

TEST(HostRecords, FieldsCellsAndScalars) {
  HostKernel kernel(std::string(kLayout) + R"(
    func.func @kernel(%uses: !sdm.sorted<#use>, %keys: !sdm.cells<?x?xi64>, %words: !sdm.cells<?x?x?xi32>, %scales: !sdm.cells<?x?xf32>,
                      %count: !sdm.cells<i32>, %on: i1, %big: i64) attributes {sdm.launch = #sdm.launch<records, operand = 0, slices = 1, warps = 1>} {
      %chunk, %slice, %begin, %end = sdm.tile %uses : !sdm.sorted<#use>
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %c2 = arith.constant 2 : i32
      %c3 = arith.constant 3 : i32
      %c4 = arith.constant 4 : i32
      %minus = arith.constant -3 : i32
      %n = sdm.dim %uses, 0 : !sdm.sorted<#use>
      %rows = sdm.dim %keys, 1 : !sdm.cells<?x?xi64>
      scf.for %i = %begin to %end step %c1 : i32 {
        %key = sdm.fetch %uses[%chunk, %i] "slot" : !sdm.sorted<#use> -> i64
        %token = sdm.fetch %uses[%chunk, %i] "token" : !sdm.sorted<#use> -> i32
        %high = sdm.fetch %uses[%chunk, %i] "high" : !sdm.sorted<#use> -> i32
        %whole = sdm.fetch %uses[%chunk, %i] "whole" : !sdm.sorted<#use> -> i32
        %scale = sdm.fetch %uses[%chunk, %i] "scale" : !sdm.sorted<#use> -> f32
        %weight = sdm.fetch %uses[%chunk, %i] "weight" : !sdm.sorted<#use> -> f32
        %first = sdm.fetch %uses[%chunk, %i] "$first" : !sdm.sorted<#use> -> i1
        %base = sdm.load_cell %count[] : !sdm.cells<i32> -> i32
        %k0 = arith.addi %key, %big : i64
        %k1 = arith.addi %k0, %n : i64
        %k2 = arith.addi %k1, %rows : i64
        sdm.store_cell %k2, %keys[%chunk, %i] : i64, !sdm.cells<?x?xi64> [i32, i32]
        sdm.store_cell %token, %words[%chunk, %i, %c0] : i32, !sdm.cells<?x?x?xi32> [i32, i32, i32]
        sdm.store_cell %high, %words[%chunk, %i, %c1] : i32, !sdm.cells<?x?x?xi32> [i32, i32, i32]
        %q = arith.floordivsi %whole, %minus : i32
        sdm.store_cell %q, %words[%chunk, %i, %c2] : i32, !sdm.cells<?x?x?xi32> [i32, i32, i32]
        %f = arith.extui %first : i1 to i32
        sdm.store_cell %f, %words[%chunk, %i, %c3] : i32, !sdm.cells<?x?x?xi32> [i32, i32, i32]
        sdm.store_cell %base, %words[%chunk, %i, %c4] : i32, !sdm.cells<?x?x?xi32> [i32, i32, i32]
        %s = arith.mulf %scale, %weight : f32
        scf.if %on {
          sdm.store_cell %s, %scales[%i, %chunk] : f32, !sdm.cells<?x?xf32> [i32, i32]
        }
      }
      return
    })");
  ASSERT_TRUE(kernel);
  const int64_t chunks = 3, n = 7, first = 2;
  struct Word {
    int32_t whole;
    uint32_t bits;
    float scale;
  };
  std::vector<int64_t> slots(chunks * n);
  std::vector<Word> words(chunks * n);
  for (int64_t i = 0; i < chunks * n; ++i) {
    slots[i] = (int64_t(1) << 40) - 5 * i;
    words[i] = {static_cast<int32_t>(i - 9), static_cast<uint32_t>(i * 0x9E3779B1u), i % 5 ? 0.25f * i : -NAN};
  }
  std::vector<int64_t> keys(chunks * n);
  std::vector<int32_t> outWords(chunks * n * 5);
  std::vector<float> scales(chunks * n);
  int32_t count = 42;
  // Operands are bound with their own first chunk: their base lies that many strides before the data.
  kernel.setPlane(0, 0, slots.data() - first * n, n * 8);
  kernel.setPlane(0, 1, words.data() - first * n, n * 12);
  kernel.setPositions(0, n);
  kernel.setArray(1, keys.data() - first * n, {n * 8, 8}, {chunks, 1000});
  kernel.setArray(2, outWords.data() - first * n * 5, {n * 20, 20, 4}, {chunks, n, 5});
  kernel.setArray(3, scales.data() - first, {chunks * 4, 4}, {n, chunks});
  kernel.setArray(4, &count, {}, {});
  kernel.setScalar<int32_t>(5, 1);
  kernel.setScalar<int64_t>(6, int64_t(1) << 50);
  kernel.run(first, chunks, 1, /*tileLength=*/2, /*tiles=*/8); // more tiles than positions

  for (int64_t chunk = 0; chunk < chunks; ++chunk)
    for (int64_t i = 0; i < n; ++i) {
      int64_t at = chunk * n + i;
      EXPECT_EQ(keys[at], slots[at] + (int64_t(1) << 50) + n + 1000);
      const int32_t *out = &outWords[at * 5];
      EXPECT_EQ(out[0], static_cast<int32_t>(words[at].bits >> 9 & 255));
      EXPECT_EQ(out[1], static_cast<int32_t>(words[at].bits >> 8));
      EXPECT_EQ(out[2], static_cast<int32_t>(std::floor(words[at].whole / -3.0)));
      EXPECT_EQ(out[3], static_cast<int32_t>(words[at].bits >> 31));
      EXPECT_EQ(out[4], 42);
      float scaled = words[at].scale * 0.5f;
      uint32_t wanted = std::isnan(scaled) ? 0x7FFFFFFFu : std::bit_cast<uint32_t>(scaled);
      EXPECT_EQ(std::bit_cast<uint32_t>(scales[i * chunks + chunk]), wanted);
    }
}

TEST(HostRecords, FoldsRowsOverATile) {
  HostKernel kernel(std::string(kLayout) + R"(
    func.func @kernel(%uses: !sdm.sorted<#use>, %tokens: !sdm.rows<?x?x130xbf16>, %sums: !sdm.rows<?x130xf32>)
        attributes {sdm.launch = #sdm.launch<groups, operand = 0, slices = 1, warps = 1>} {
      %chunk, %slice, %begin, %end = sdm.tile %uses : !sdm.sorted<#use>
      %one = arith.constant 1 : i32
      %zero = arith.constant dense<0.0> : vector<2x68xf32>
      %stop, %sum = scf.while (%i = %begin, %acc = %zero) : (i32, vector<2x68xf32>) -> (i32, vector<2x68xf32>) {
        %go = arith.cmpi slt, %i, %end : i32
        scf.condition(%go) %i, %acc : i32, vector<2x68xf32>
      } do {
      ^bb0(%i: i32, %acc: vector<2x68xf32>):
        %token = sdm.fetch %uses[%chunk, %i] "token" : !sdm.sorted<#use> -> i32
        %scale = sdm.fetch %uses[%chunk, %i] "scale" : !sdm.sorted<#use> -> f32
        %skip = sdm.fetch %uses[%chunk, %i] "$last" : !sdm.sorted<#use> -> i1
        %x = sdm.load_row %tokens[%chunk, %token] : !sdm.rows<?x?x130xbf16> [i32, i32] -> vector<2x68xbf16>
        %f = arith.extf %x : vector<2x68xbf16> to vector<2x68xf32>
        %s = vector.broadcast %scale : f32 to vector<2x68xf32>
        %product = arith.mulf %s, %f : vector<2x68xf32>
        %added = arith.addf %acc, %product : vector<2x68xf32>
        %kept = arith.select %skip, %acc, %added : vector<2x68xf32>
        %next = arith.addi %i, %one : i32
        scf.yield %next, %kept : i32, vector<2x68xf32>
      }
      %root = math.sqrt %sum : vector<2x68xf32>
      %less = arith.cmpf olt, %sum, %zero : vector<2x68xf32>
      %result = arith.select %less, %sum, %root : vector<2x68xi1>, vector<2x68xf32>
      sdm.store_row %result, %sums[%chunk] : vector<2x68xf32>, !sdm.rows<?x130xf32> [i32]
      return
    })");
  ASSERT_TRUE(kernel);
  const int64_t chunks = 2, n = 9, rows = 256, width = 130;
  std::vector<int64_t> slots(chunks * n);
  struct Word {
    int32_t whole;
    uint32_t bits;
    float scale;
  };
  std::vector<Word> words(chunks * n);
  std::vector<uint16_t> tokens(chunks * rows * width);
  for (size_t i = 0; i < tokens.size(); ++i)
    tokens[i] = static_cast<uint16_t>(0x3F00 + (i * 40503u >> 5 & 0x80FF));
  for (int64_t i = 0; i < chunks * n; ++i)
    words[i] = {0, static_cast<uint32_t>(i * 0x9E3779B1u), 0.3f * static_cast<float>(i) - 1.1f};
  std::vector<float> sums(chunks * width);
  kernel.setPlane(0, 0, slots.data(), n * 8);
  kernel.setPlane(0, 1, words.data(), n * 12);
  kernel.setPositions(0, n);
  kernel.setArray(1, tokens.data(), {rows * width * 2, width * 2}, {chunks, rows});
  kernel.setArray(2, sums.data(), {width * 4}, {chunks});
  kernel.run(0, chunks, 1, n, 1);

  for (int64_t chunk = 0; chunk < chunks; ++chunk)
    for (int64_t column = 0; column < width; ++column) {
      float sum = 0;
      for (int64_t i = 0; i < n; ++i) {
        const Word &word = words[chunk * n + i];
        if (word.bits & 1)
          continue;
        int64_t at = (chunk * rows + (word.bits >> 9 & 255)) * width + column;
        volatile float product = word.scale * std::bit_cast<float>(static_cast<uint32_t>(tokens[at]) << 16);
        sum += product; // two roundings
      }
      float wanted = sum < 0 ? sum : std::sqrt(sum);
      EXPECT_EQ(std::bit_cast<uint32_t>(sums[chunk * width + column]), std::bit_cast<uint32_t>(wanted)) << column;
    }
}

} // namespace
