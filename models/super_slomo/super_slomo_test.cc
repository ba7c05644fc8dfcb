#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>

#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

class SuperSlomoTest : public testing::Test {
 protected:
  SuperSlomoTest() {
    Parameters parameters;
    parameters.Set("channels", 4);
    model_ = CreateOrDie("super_slomo", parameters);
    FillInFloat64(*model_);
  }

  at::Tensor Between(const at::Tensor& before, const at::Tensor& after, int64_t number) {
    return model_->Forward({before, after, at::full({before.size(0)}, number, at::kLong)})[0];
  }

  std::string Refusal(const at::Tensor& before, const at::Tensor& after, int64_t number) {
    try {
      Between(before, after, number);
    } catch (const c10::Error& error) {
      return error.what_without_backtrace();
    }
    return "(not refused)";
  }

  std::unique_ptr<Model> model_;
};

// Without flows, the frame between is a mean, weighted by time where both frames are seen alike.
TEST_F(SuperSlomoTest, WithoutFlowsAFrameIsNearlyAWeightedMean) {
  for (NamedTensor& entry : model_->State()) entry.tensor.zero_();
  const at::Tensor black = at::full({1, 3, 32, 32}, 0, at::kDouble);
  const at::Tensor white = at::full({1, 3, 32, 32}, 1, at::kDouble);
  // In the middle of the image; pixels are taken half a pixel beside themselves, so zeros reach its edges.
  const auto middle = [&](int64_t number) {
    return Between(black, white, number)[0][0][16][16].item<double>();
  };
  EXPECT_DOUBLE_EQ(middle(0), 1. / 8);
  EXPECT_DOUBLE_EQ(middle(5), 6. / 8);
}

TEST_F(SuperSlomoTest, RefusesFramesAndTimesThatDoNotFit) {
  const at::Tensor frame = SeededFloats({1, 3, 32, 64});
  EXPECT_EQ(Between(frame, frame, 6).sizes(), frame.sizes());
  EXPECT_THAT(Refusal(SeededFloats({1, 3, 48, 32}), frame, 0),
              testing::HasSubstr("must be multiples of 32 pixels"));
  EXPECT_EQ(
      Refusal(frame, SeededFloats({1, 3, 32, 32}), 0),
      "super_slomo: the frame after is [1, 3, 32, 32]; want [1, 3, 32, 64], as the frame before");
  EXPECT_THAT(Refusal(frame, frame, 7), testing::HasSubstr("index out of range"));
}

}  // namespace
}  // namespace assay::models
