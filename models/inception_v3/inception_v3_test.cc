#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>

#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/image_classifier.h"
#include "models/testing/seeded_model.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

Parameters EightClasses() {
  Parameters parameters;
  parameters.Set("num_classes", 8);
  return parameters;
}

TEST(InceptionV3Test, IsAnImageClassifier) {
  ExpectImageClassifier("inception_v3", EightClasses(), {.minimum = 75, .pixels = 299});
}

TEST(InceptionV3Test, TrainingAddsTheAuxiliaryHead) {
  const std::unique_ptr<Model> model = CreateOrDie("inception_v3", EightClasses());
  FillInFloat64(*model);
  EXPECT_EQ(model->Forward({SeededFloats({2, 3, 299, 299})}).size(), 1);
  model->SetTraining(true);
  const std::vector<at::Tensor> outputs = model->Forward({SeededFloats({2, 3, 299, 299})});
  ASSERT_EQ(outputs.size(), 2);
  for (const at::Tensor& output : outputs) EXPECT_EQ(output.sizes(), at::IntArrayRef({2, 8}));
}

// The training case, of 299 pixels, is large.
TEST(InceptionV3Test, TheAuxiliaryHeadWeighsFourTenths) {
  const std::unique_ptr<Model> model = CreateOrDie("inception_v3", EightClasses());
  auto* const trainable = dynamic_cast<Trainable*>(model.get());
  ASSERT_NE(trainable, nullptr);
  const at::Tensor logits = SeededFloats({2, 8}), labels = at::zeros({2}, at::kLong);
  const double alone = trainable->Loss({logits}, {labels}).item<double>();
  EXPECT_NEAR(trainable->Loss({logits, logits}, {labels}).item<double>(), 1.4 * alone, 1e-6);
}

}  // namespace
}  // namespace assay::models
