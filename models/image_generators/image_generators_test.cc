#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/image_classifier.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

Parameters Small() {
  Parameters parameters;
  parameters.Set("channels", 4);
  parameters.Set("blocks", 1);
  parameters.Set("labels", 2);
  return parameters;
}

std::string Refusal(Model& model, const std::vector<at::Tensor>& inputs) {
  try {
    model.Forward(inputs);
  } catch (const c10::ValueError& error) {
    return error.what_without_backtrace();
  }
  return "(not refused)";
}

at::Tensor Floats(at::IntArrayRef shape) { return SeededFloats(shape).to(at::kFloat); }

TEST(ImageGeneratorsTest, CycleGanMakesAnImageOfEach) {
  ExpectImageClassifier("cyclegan_generator", Small(),
                        {.minimum = 8, .pixels = 16, .output = {2, 3, 16, 16}});
}

TEST(ImageGeneratorsTest, StarGansLabelsChangeTheImageAndAreAsManyAsImages) {
  const std::unique_ptr<Model> model = CreateOrDie("stargan_generator", Small());
  FillInFloat32(*model);
  const at::Tensor image = Floats({2, 3, 8, 12}), labels = Floats({2, 2});
  const at::Tensor made = model->Forward({image, labels})[0];
  EXPECT_EQ(made.sizes(), image.sizes());
  EXPECT_FALSE(made.allclose(model->Forward({image, labels.neg()})[0], 1e-2, 1e-2));
  EXPECT_EQ(Refusal(*model, {image, Floats({2, 3})}),
            "stargan_generator: the labels are [2, 3]; want (2, 2)");
  EXPECT_THAT(Refusal(*model, {Floats({1, 3, 10, 8}), labels}),
              testing::HasSubstr("must be multiples of 4 pixels"));
}

// It evaluates by statistics that training keeps; the counter of batches stays, as in PyTorch.
TEST(ImageGeneratorsTest, StarGanKeepsStatistics) {
  const std::unique_ptr<Model> model = CreateOrDie("stargan_generator", Small());
  FillInFloat32(*model);
  const at::Tensor mean = Find(*model, "main.1.running_mean").clone();
  model->SetTraining(true);
  model->Forward({Floats({2, 3, 8, 8}), Floats({2, 2})});
  EXPECT_FALSE(Find(*model, "main.1.running_mean").allclose(mean));
  EXPECT_EQ(Find(*model, "main.1.num_batches_tracked").item<int64_t>(), 0);
}

}  // namespace
}  // namespace assay::models
