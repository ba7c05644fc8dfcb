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

TEST(AreOfForms, ComparesNumberDtypeAndSizes) {
  const at::Tensor x = at::zeros({2, 3});
  EXPECT_TRUE(AreOfForms({x}, {*ParseForm("fp32[2,3]")}));
  EXPECT_TRUE(AreOfForms({x}, {*ParseForm("fp32[?,3]")}));
  EXPECT_FALSE(AreOfForms({x}, {*ParseForm("fp32[?,4]")}));
  EXPECT_FALSE(AreOfForms({x}, {*ParseForm("fp32[2]")}));
  EXPECT_FALSE(AreOfForms({x}, {*ParseForm("fp64[2,3]")}));
  EXPECT_TRUE(AreOfForms({x}, {{.any_rank = true}}));
  EXPECT_FALSE(AreOfForms({x}, {{.dtype = at::kLong, .any_rank = true}}));
  EXPECT_FALSE(AreOfForms({x, x}, {*ParseForm("fp32[2,3]")}));
}

}  // namespace
}  // namespace assay::backends
