#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/image_classifier.h"
#include "models/testing/seeded_model.h"

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

}  // namespace
}  // namespace assay::models
