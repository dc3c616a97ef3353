// The packed argument buffer: offsets by hand against the computed ones.
#include "lib/Target/ArgumentLayout.h"
#include "dialect/SdmDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::sdm;

namespace {

constexpr llvm::StringLiteral source = R"mlir(
#read = #sdm.layout<"Read", key = "slot", unique = ["token"], planes = [8, 4], fields = [
  <"slot" : i32 in 0 at 0>, <"scale" : f32 in 0 at 4>, <"token" : i32 in 1 at 0 bits 9 to 16>,
  <"$first" : i1 in 1 at 0 bits 31 to 31>, <"$last" : i1 in 1 at 0 bits 30 to 30>, <"$invalid" : i1 in 1 at 0 bits 17 to 17>]>
func.func private @kernel(
    !sdm.sorted<#read> {sdm.name = "reads"}, f32 {sdm.name = "scale"}, !sdm.rows<?x128xbf16>, i64,
    !sdm.cells<?x?x?xf32> {sdm.scratch}, i1, !sdm.cells<f32>)
func.func private @refused(memref<4xf32>)
)mlir";

class ArgumentLayoutTest : public ::testing::Test {
protected:
  void SetUp() override {
    context.loadDialect<func::FuncDialect, SdmDialect>();
    module = parseSourceString<ModuleOp>(source, &context);
    ASSERT_TRUE(module);
  }
  func::FuncOp function(StringRef name) { return module->lookupSymbol<func::FuncOp>(name); }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

TEST_F(ArgumentLayoutTest, Offsets) {
  auto layout = computeArgumentLayout(function("kernel"));
  ASSERT_TRUE(static_cast<bool>(layout));
  auto at = [&](unsigned entry) { return layout->offset(entry); };
  const ArgumentSlot &reads = layout->arguments[0];
  EXPECT_EQ(reads.kind, ArgumentKind::sorted);
  EXPECT_EQ(reads.name, "reads");
  EXPECT_EQ(at(reads.pointer(0)), 0u);
  EXPECT_EQ(at(reads.chunkStride(0)), 8u);
  EXPECT_EQ(at(reads.pointer(1)), 16u);
  EXPECT_EQ(at(reads.chunkStride(1)), 24u);
  EXPECT_EQ(at(reads.positions()), 32u);

  EXPECT_EQ(at(layout->arguments[1].value()), 40u);
  EXPECT_EQ(layout->entries[layout->arguments[1].value()].bytes(), 4u);

  const ArgumentSlot &rows = layout->arguments[2];
  EXPECT_EQ(rows.name, "arg2");
  EXPECT_EQ(at(rows.pointer()), 48u);
  EXPECT_EQ(at(rows.stride(0)), 56u);
  EXPECT_EQ(at(rows.extent(0)), 64u);

  EXPECT_EQ(at(layout->arguments[3].value()), 72u);

  const ArgumentSlot &scratch = layout->arguments[4];
  EXPECT_EQ(scratch.kind, ArgumentKind::scratch);
  EXPECT_EQ(at(scratch.stride(2)), 104u);
  EXPECT_EQ(at(scratch.extent(2)), 128u);

  EXPECT_EQ(at(layout->arguments[5].value()), 136u);
  EXPECT_EQ(at(layout->arguments[6].pointer()), 144u);
  EXPECT_EQ(at(layout->firstChunk), 152u);
  EXPECT_EQ(at(layout->tiles), 176u);
  EXPECT_EQ(layout->bytes, 184u);
}

TEST_F(ArgumentLayoutTest, Json) {
  auto layout = computeArgumentLayout(function("kernel"));
  ASSERT_TRUE(static_cast<bool>(layout));
  llvm::json::Object json = layout->toJson();
  EXPECT_EQ(json.getInteger("size"), 184);
  EXPECT_EQ(json.getObject("launch_params")->getInteger("tile_length"), 168);
  const llvm::json::Array &arguments = *json.getArray("arguments");
  ASSERT_EQ(arguments.size(), 7u);
  const llvm::json::Object &reads = *arguments[0].getAsObject();
  EXPECT_EQ(reads.getString("kind"), "sorted");
  EXPECT_EQ((*reads.getArray("planes"))[1].getAsObject()->getInteger("record_bytes"), 4);
  const llvm::json::Object &rows = *arguments[2].getAsObject();
  EXPECT_EQ(rows.getString("element"), "bf16");
  EXPECT_EQ(rows.getInteger("width"), 128);
  EXPECT_EQ(rows.getInteger("piece"), 16);
  EXPECT_EQ(rows.getInteger("rank"), 2);
  EXPECT_EQ((*rows.getArray("strides"))[0].getAsInteger(), 56);
  EXPECT_EQ(arguments[4].getAsObject()->getString("kind"), "scratch");
}

TEST_F(ArgumentLayoutTest, OtherTypesAreRefused) {
  auto layout = computeArgumentLayout(function("refused"));
  ASSERT_FALSE(layout);
  EXPECT_EQ(llvm::toString(layout.takeError()),
            "expected rows, cells, sorted records or a scalar (i1, i32, i64, f32) as argument arg0 of refused, got "
            "memref<4xf32>");
}

} // namespace
