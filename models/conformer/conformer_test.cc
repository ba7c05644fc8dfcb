#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>
#include <c10/util/Exception.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

Parameters SmallConformer(int64_t kernel) {
  Parameters parameters;
  parameters.Set("input_dim", 8);
  parameters.Set("num_heads", 2);
  parameters.Set("ffn_dim", 16);
  parameters.Set("num_layers", 1);
  parameters.Set("depthwise_conv_kernel_size", kernel);
  parameters.Set("dropout", 0.0);
  parameters.Set("use_group_norm", false);
  parameters.Set("convolution_first", false);
  return parameters;
}

TEST(ConformerTest, RefusesAnEvenKernel) {
  const absl::Status status = Create("conformer", SmallConformer(4)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr("depthwise_conv_kernel_size 4 is even"));
}

TEST(ConformerTest, RefusesFramesOfOtherFeatures) {
  const std::unique_ptr<Model> model = CreateOrDie("conformer", SmallConformer(3));
  FillInFloat64(*model);
  const at::Tensor mask = at::ones({1, 5}, at::kLong);
  EXPECT_EQ(model->Forward({SeededFloats({1, 5, 8}), mask})[0].sizes(), at::IntArrayRef({1, 5, 8}));
  try {
    model->Forward({SeededFloats({1, 5, 9}), mask});
    FAIL() << "accepted";
  } catch (const c10::ValueError& error) {
    EXPECT_STREQ(error.what_without_backtrace(),
                 "conformer: the frames are [1, 5, 9]; want (N, frames, 8)");
  }
}

}  // namespace
}  // namespace assay::models
