#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/conv2d.h>

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

Parameters ResNet(const char* block, std::vector<int64_t> layers, int64_t groups = 1,
                  int64_t width_per_group = 64) {
  Parameters parameters;
  parameters.Set("block", block);
  parameters.Set("layers", std::move(layers));
  parameters.Set("groups", groups);
  parameters.Set("width_per_group", width_per_group);
  parameters.Set("num_classes", 8);
  return parameters;
}

struct Small {
  const char* name;
  Parameters parameters;
};

void PrintTo(const Small& value, std::ostream* out) { *out << value.name; }

class SmallResNetTest : public testing::TestWithParam<Small> {
 protected:
  void SetUp() override {
    model_ = CreateOrDie("resnet", GetParam().parameters);
    FillInFloat64(*model_);
  }

  std::unique_ptr<Model> model_;
  const at::Tensor x_ = SeededFloats({2, 3, 64, 64});
};

TEST_P(SmallResNetTest, TrainingTakesTheBatchsStatisticsIntoTheRunningOnes) {
  const at::Tensor mean = Find(*model_, "bn1.running_mean").clone();
  const at::Tensor variance = Find(*model_, "bn1.running_var").clone();
  // The first norm sees the stem's convolution of the input.
  const at::Tensor y = at::conv2d(x_, Find(*model_, "conv1.weight"), /*bias=*/{}, /*stride=*/2,
                                  /*padding=*/3);
  model_->SetTraining(true);
  model_->Forward({x_});
  const at::Tensor of_batch = y.var(at::IntArrayRef({0, 2, 3}), /*unbiased=*/true);
  EXPECT_TRUE(Find(*model_, "bn1.running_mean")
                  .allclose(0.9 * mean + 0.1 * y.mean(at::IntArrayRef({0, 2, 3})), 1e-12, 1e-12));
  EXPECT_TRUE(
      Find(*model_, "bn1.running_var").allclose(0.9 * variance + 0.1 * of_batch, 1e-12, 1e-12));
  EXPECT_EQ(Find(*model_, "bn1.num_batches_tracked").item<int64_t>(), 1);
  EXPECT_EQ(Find(*model_, "layer4.1.bn2.num_batches_tracked").item<int64_t>(), 1);
}

INSTANTIATE_TEST_SUITE_P(All, SmallResNetTest,
                         testing::Values(Small{"basic", ResNet("basic", {2, 1, 1, 2})},
                                         Small{"bottleneck",
                                               ResNet("bottleneck", {2, 1, 1, 2}, 4, 16)}),
                         [](const auto& small) { return std::string(small.param.name); });

// The batch's own statistics take a factor of the input out again, the running ones do not.
TEST(ResNetTest, TrainingNormalizesByTheBatch) {
  const std::unique_ptr<Model> model = CreateOrDie("resnet", ResNet("basic", {1, 1, 1, 1}));
  FillInFloat64(*model);
  model->To(at::kCPU, at::kFloat);
  const at::Tensor x = SeededFloats({2, 3, 64, 64}).to(at::kFloat);
  const auto change = [&] {
    const at::Tensor before = model->Forward({x})[0], after = model->Forward({4 * x})[0];
    return ((after - before).abs().max() / before.std()).item<double>();
  };
  EXPECT_GT(change(), 1e-1);
  model->SetTraining(true);
  EXPECT_LT(change(), 1e-3) << "what is left is eps beside the variance";
}

TEST(ResNetTest, TrainingRefusesOneValueAChannel) {
  const std::unique_ptr<Model> model = CreateOrDie("resnet", ResNet("basic", {1, 1, 1, 1}));
  model->SetTraining(true);
  const at::Tensor image = SeededFloats({1, 3, 32, 32}).to(at::kFloat);
  try {
    model->Forward({image});
    ADD_FAILURE() << "the last stage sees one pixel of one image";
  } catch (const c10::Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("give a larger batch or a larger image"));
  }
}

}  // namespace
}  // namespace assay::models
