#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>

#include <memory>

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

// Its second convolution has no padding, so that an image that leaves it less than 5 x 5 is refused.
TEST(InceptionV3Test, TheAuxiliaryHeadPadsNothing) {
  Parameters parameters;
  parameters.Set("num_classes", 8);
  const std::unique_ptr<Model> model = CreateOrDie("inception_v3", parameters);
  FillInFloat64(*model);
  const at::Tensor image = SeededFloats({1, 3, 267, 267});
  model->SetTraining(true);
  EXPECT_THROW(model->Forward({image}), c10::Error);
}

}  // namespace
}  // namespace assay::models
