#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>

#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

// The training case, of 299 pixels, is large.
TEST(InceptionV3Test, TheAuxiliaryHeadWeighsFourTenths) {
  Parameters parameters;
  parameters.Set("num_classes", 8);
  const std::unique_ptr<Model> model = CreateOrDie("inception_v3", parameters);
  auto* const trainable = dynamic_cast<Trainable*>(model.get());
  ASSERT_NE(trainable, nullptr);
  const at::Tensor logits = SeededFloats({2, 8}), labels = at::zeros({2}, at::kLong);
  const double alone = trainable->Loss({logits}, {labels}).item<double>();
  EXPECT_NEAR(trainable->Loss({logits, logits}, {labels}).item<double>(), 1.4 * alone, 1e-6);
}

// Its second convolution makes one pixel of 5 x 5, for it has no padding. Of one image there is then
// one value for a norm in training, which LibTorch refuses.
TEST(InceptionV3Test, TheAuxiliaryHeadPadsNothing) {
  Parameters parameters;
  parameters.Set("num_classes", 8);
  const std::unique_ptr<Model> model = CreateOrDie("inception_v3", parameters);
  FillInFloat64(*model);
  model->To(at::kCPU, at::kFloat);
  model->SetTraining(true);
  std::string refused = "nothing";
  try {
    model->Forward({SeededFloats({1, 3, 299, 299}).to(at::kFloat)});
  } catch (const c10::Error& error) {
    refused = error.what_without_backtrace();
  }
  EXPECT_THAT(refused, testing::HasSubstr("[1, 768, 1, 1]"));
}

}  // namespace
}  // namespace assay::models
