#include <ATen/core/Tensor.h>

#include <memory>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/image_classifier.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

TEST(DcganTest, TheDiscriminatorIsAnImageClassifier) {
  Parameters parameters;
  parameters.Set("features", 8);
  ExpectImageClassifier("dcgan_discriminator", parameters,
                        {.minimum = 64, .pixels = 64, .size_words = "exactly", .output = {2}});
}

class GeneratorTest : public testing::Test {
 protected:
  GeneratorTest() {
    Parameters parameters;
    parameters.Set("latent_features", 20);
    parameters.Set("features", 8);
    model_ = CreateOrDie("dcgan_generator", parameters);
    FillInFloat64(*model_);
  }

  std::unique_ptr<Model> model_;
};

TEST_F(GeneratorTest, MakesAnImageOfEachRow) {
  const at::Tensor noise = SeededFloats({2, 20, 1, 1});
  const at::Tensor images = model_->Forward({noise})[0];
  EXPECT_EQ(images.sizes(), at::IntArrayRef({2, 3, 64, 64}));
  EXPECT_LE(images.abs().max().item<double>(), 1);
  EXPECT_TRUE(images.narrow(0, 1, 1).allclose(model_->Forward({noise.narrow(0, 1, 1)})[0]));
}

TEST_F(GeneratorTest, EveryParameterGetsAGradient) {
  model_->SetTraining(true);
  for (NamedTensor& entry : model_->State()) entry.tensor.requires_grad_(entry.trainable);
  model_->Forward({SeededFloats({2, 20, 1, 1})})[0].square().sum().backward();
  for (const NamedTensor& entry : model_->State()) {
    if (!entry.trainable) continue;
    ASSERT_TRUE(entry.tensor.grad().defined()) << entry.name;
    EXPECT_GT(entry.tensor.grad().abs().max().item<double>(), 0) << entry.name;
  }
}

TEST_F(GeneratorTest, RefusesOtherNoise) {
  try {
    model_->Forward({SeededFloats({2, 21, 1, 1})});
    ADD_FAILURE() << "not refused";
  } catch (const c10::ValueError& error) {
    EXPECT_STREQ(error.what_without_backtrace(),
                 "dcgan_generator: the noise is [2, 21, 1, 1]; want (N, 20, 1, 1)");
  }
}

}  // namespace
}  // namespace assay::models
