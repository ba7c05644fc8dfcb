#include "tools/run_model/input_specs.h"

#include <ATen/ATen.h>

#include <cstdint>
#include <limits>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::run_model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ParseInputSpec, ReadsNameDtypeSizesAndLimit) {
  const absl::StatusOr<TensorSpec> x = ParseInputSpec("x:fp32[8,3]");
  ASSERT_TRUE(x.ok()) << x.status();
  EXPECT_EQ(x->name(), "x");
  EXPECT_EQ(x->dtype(), FP32);
  EXPECT_THAT(x->shape(), ElementsAre(8, 3));
  EXPECT_TRUE(x->distribution().has_uniform());
  EXPECT_EQ(ParseInputSpec("input_ids:0:fp32[2,8]")->name(), "input_ids:0");
  EXPECT_EQ(ParseInputSpec("x[0]:fp32[2,8]")->name(), "x[0]");
  EXPECT_EQ(ParseInputSpec("ids:int64[1,128]<30522")->distribution().integers().limit(), 30522);
  EXPECT_EQ(ParseInputSpec("mask:int32[1]")->distribution().integers().limit(), 2);
  EXPECT_EQ(ParseInputSpec("keep:bool[]")->distribution().bernoulli().p(), 0.5);
  EXPECT_TRUE(ParseInputSpec("x:uint8[1]").ok());
}

TEST(ParseInputSpec, RefusesOtherTexts) {
  for (const char* text :
       {"", "x", "x:", ":fp32[1]", "x:fp32", "x:fp32[?]", "x:fp32[1]<4", "x:int64[1]<0",
        "x:int64[1]<a", "x:int64[1]4", "x]:fp32[1", "x:uint16[1]"})
    EXPECT_THAT(ParseInputSpec(text).status().message(), HasSubstr("NAME:DTYPE[SIZES]")) << text;
}

TEST(DeclaredInput, NeedsEverySize) {
  EXPECT_TRUE(DeclaredInput({.dtype = at::kLong, .sizes = {2}, .name = "ids"}).ok());
  EXPECT_THAT(DeclaredInput({.sizes = {-1, 3}, .name = "x"}).status().message(),
              HasSubstr("open: x:float32[?,3]; give --input-spec='x:fp32[SIZES]' with"));
  EXPECT_THAT(DeclaredInput({.name = "x", .any_rank = true}).status().message(),
              HasSubstr("dimensions its input x has; give --input-spec='x:fp32[SIZES]'"));
}

TEST(InputLike, KeepsToTheRangeOfWhatWasGiven) {
  const Distribution ids = InputLike("ids", at::tensor({7, 3, 9}))->distribution();
  EXPECT_EQ(ids.integers().low(), 3);
  EXPECT_EQ(ids.integers().limit(), 10);
  const Distribution x = InputLike("x", at::tensor({0.5f, -2.f}))->distribution();
  EXPECT_EQ(x.uniform().low(), -2);
  EXPECT_EQ(x.uniform().high(), 0.5);
  // The default would be numbers of standard deviation 1.
  EXPECT_LT(InputLike("x", at::zeros({2}))->distribution().uniform().high(), 1e-5);
  for (const float value : {1.f, -0.1f, 3e38f}) {
    const Distribution one = InputLike("x", at::full({3}, value))->distribution();
    EXPECT_EQ(one.uniform().low(), value);
    EXPECT_EQ(static_cast<float>(one.uniform().high()), value);
    EXPECT_GT(one.uniform().high(), one.uniform().low());
  }
  const int64_t largest = std::numeric_limits<int64_t>::max();
  const Distribution end = InputLike("ends", at::full({1}, largest, at::kLong))->distribution();
  EXPECT_EQ(end.integers().low(), largest - 1);
  EXPECT_EQ(end.integers().limit(), largest);
  const at::Tensor both =
      at::stack({at::full({1}, largest, at::kLong), at::full({1}, -largest - 1, at::kLong)});
  const Distribution all = InputLike("starts", both)->distribution();
  EXPECT_EQ(all.integers().limit(), largest);
  EXPECT_EQ(all.integers().low(), largest - (int64_t{1} << 32));
  EXPECT_EQ(InputLike("x", at::tensor({1, 0}).to(at::kBool))->distribution().bernoulli().p(), 0.5);
  // An input with NaN or infinities is timed as it was given.
  const Distribution mask = InputLike("x", at::tensor({0.f, -INFINITY, NAN, 2.f}))->distribution();
  EXPECT_EQ(mask.uniform().low(), 0);
  EXPECT_EQ(mask.uniform().high(), 2);
  EXPECT_TRUE(InputLike("x", at::full({1}, NAN)).ok());
}

}  // namespace
}  // namespace assay::run_model
