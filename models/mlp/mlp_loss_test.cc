#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>

#include <cmath>
#include <memory>

#include "gtest/gtest.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

std::unique_ptr<Model> Mlp() {
  Parameters parameters;
  parameters.Set("in_features", 8);
  parameters.Set("hidden_features", 16);
  parameters.Set("out_features", 5);
  std::unique_ptr<Model> model = *Create("mlp", parameters);
  model->To(at::kCPU, at::kDouble);
  for (NamedTensor& entry : model->State()) entry.tensor.copy_(at::randn(entry.tensor.sizes()));
  return model;
}

at::Tensor Loss(Model& model, const at::Tensor& probabilities, const at::Tensor& labels) {
  return dynamic_cast<Trainable&>(model).Loss({probabilities}, {labels});
}

TEST(MlpLoss, IsTheMeanOfTheLabelsNegativeLogProbability) {
  const at::Tensor probabilities = at::tensor({0.5, 0.25, 0.25, 0.1, 0.1, 0.8}).view({2, 3});
  const at::Tensor loss = Loss(*Mlp(), probabilities, at::tensor({1, 2}, at::kLong));
  EXPECT_EQ(loss.dim(), 0);
  EXPECT_NEAR(loss.item<double>(), -(std::log(0.25) + std::log(0.8)) / 2, 1e-7);
}

TEST(MlpLoss, EqualsTorchsCrossEntropyOfTheLogits) {
  const at::Tensor logits = at::randn({7, 5}, at::kDouble);
  const at::Tensor labels = at::randint(5, {7}, at::kLong);
  EXPECT_NEAR(Loss(*Mlp(), logits.softmax(-1), labels).item<double>(),
              at::cross_entropy_loss(logits, labels).item<double>(), 1e-12);
}

TEST(MlpLoss, GivesEachParameterAGradient) {
  const std::unique_ptr<Model> model = Mlp();
  for (NamedTensor& entry : model->State()) entry.tensor.requires_grad_(entry.trainable);
  const std::vector<at::Tensor> outputs = model->Forward({at::randn({7, 8}, at::kDouble)});
  Loss(*model, outputs[0], at::randint(5, {7}, at::kLong)).backward();
  for (const NamedTensor& entry : model->State()) {
    ASSERT_TRUE(entry.tensor.grad().defined()) << entry.name;
    EXPECT_GT(entry.tensor.grad().abs().max().item<double>(), 0) << entry.name;
  }
}

}  // namespace
}  // namespace assay::models
