#include "benchmarks/backends/tensor_form.h"

#include <ATen/ATen.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::backends {
namespace {

TEST(FormsText, NamesDtypesAsTorchDoes) {
  EXPECT_EQ(FormsText({at::zeros({1, 3}), at::zeros({}, at::kLong), at::zeros({2}, at::kBool)}),
            "float32[1,3] int64[] bool[2]");
}

TEST(ParseForm, TakesNamesOfTorchAndOfCases) {
  for (const char* text : {"float32[8,3]", "fp32[8,3]"}) {
    const std::optional<TensorForm> form = ParseForm(text);
    ASSERT_TRUE(form.has_value()) << text;
    EXPECT_EQ(FormsText(*form), "float32[8,3]");
  }
  EXPECT_EQ(FormsText(*ParseForm("uint8[]")), "uint8[]");
  EXPECT_EQ(FormsText(*ParseForm("bf16[?,0]")), "bfloat16[?,0]");
}

TEST(ParseForm, RefusesOtherTexts) {
  for (const char* text :
       {"", "fp32", "[1]", "fp17[1]", "fp32[1", "fp32[1,]", "fp32[-1]", "fp32[1]x", "fp32[a]",
        "fp32[1099511627776,2]", "fp32[99999999999999999999]"})
    EXPECT_FALSE(ParseForm(text).has_value()) << text;
}

TEST(Misfit, NamesTheFirstInputThatDoesNotFit) {
  const at::Tensor x = at::empty({2, 3});
  EXPECT_EQ(Misfit({x}, {*ParseForm("fp32[2,3]")}), "");
  EXPECT_EQ(Misfit({x}, {*ParseForm("fp32[?,3]")}), "");
  EXPECT_EQ(Misfit({x}, {*ParseForm("fp32[?,4]")}), "size 1 of input 0 is 3; the file takes 4");
  EXPECT_EQ(Misfit({x}, {*ParseForm("fp32[2]")}),
            "input 0 is float32[2,3]; the file takes float32[2]");
  EXPECT_EQ(Misfit({x}, {*ParseForm("fp64[2,3]")}),
            "input 0 is float32[2,3]; the file takes float64[2,3]");
  EXPECT_EQ(Misfit({x}, {{.any_rank = true}}), "");
  EXPECT_NE(Misfit({x}, {{.dtype = at::kLong, .any_rank = true}}), "");
  EXPECT_EQ(Misfit({x, x}, {*ParseForm("fp32[2,3]")}), "there are 2 inputs; the file takes 1");
}

TEST(Misfit, KnowsRangesAndEqualSizes) {
  const TensorForm x = {.sizes = {-1, 3}, .name = "x", .open = {{0, {"s0", 1, 16}}}};
  const TensorForm y = {.sizes = {-1}, .name = "y", .open = {{0, {"s0", 1, 16}}}};
  EXPECT_EQ(FormsText({x, y}), "float32[1..16,3] float32[1..16]");
  EXPECT_EQ(FormsText(TensorForm{.sizes = {-1, -1}, .open = {{0, {"s0", 2}}, {1, {"s1"}}}}),
            "float32[2..,?]");
  EXPECT_EQ(Misfit({at::empty({16, 3}), at::empty({16})}, {x, y}), "");
  EXPECT_EQ(Misfit({at::empty({17, 3}), at::empty({17})}, {x, y}),
            "size 0 of x is 17; the file takes 1..16");
  EXPECT_EQ(Misfit({at::empty({2, 3}), at::empty({4})}, {x, y}),
            "size 0 of y is 4 and size 0 of x is 2; the file takes equal sizes there");
}

}  // namespace
}  // namespace assay::backends
