#include "benchmarks/operators/sweep/sample_arguments.h"

#include <torch/csrc/jit/frontend/function_schema_parser.h>

#include "gtest/gtest.h"

namespace assay::sweep {
namespace {

std::string Text(const std::string& schema, const SampleRow& row = {},
                 SampleSize size = SampleSize::kSmall) {
  const auto texts = TextsOf(torch::jit::parseSchema(schema), row, "f[4|9]", size);
  return texts ? SampleText(*texts) : "none";
}

TEST(TextsOf, FollowsTheTypesOfWhatHasNoDefault) {
  EXPECT_EQ(
      Text("x::a(Tensor self, Scalar s, int[2] k, float f, bool b, str t, int d=3) -> Tensor"),
      "self=f[4] s=1 k=[1,1] f=0.5 b=false t='mean'");
  EXPECT_EQ(Text("x::a(Tensor[] list, Tensor? maybe, Tensor?[] index, bool[3] mask) -> Tensor"),
            "list={f[4];f[4]} maybe=none index={t:1,0} mask=[true,true,true]");
  EXPECT_EQ(Text("x::a(Tensor self, Storage s) -> Tensor"), "none");
}

TEST(TextsOf, RowsGoFirstAndMayNameDefaults) {
  EXPECT_EQ(Text("x::a(Tensor self, Tensor other, int d=3) -> Tensor",
                 {.arguments = {{"self", "i[2]"}, {"d", "1"}}}),
            "self=i[2] other=f[4] d=1");
  EXPECT_EQ(Text("x::a(Tensor self) -> Tensor", {.arguments = {{"*", "p[3]"}}}), "self=p[3]");
}

TEST(TextsOf, TheLargeSampleHasTheSecondNumberOfEachText) {
  EXPECT_EQ(Text("x::a(Tensor self, Tensor other, int k) -> Tensor",
                 {.arguments = {{"other", "f[2,3|70]"}}}, SampleSize::kLarge),
            "self=f[9] other=f[2,70] k=1");
}

}  // namespace
}  // namespace assay::sweep
