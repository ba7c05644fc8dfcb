#include <ATen/core/Tensor.h>
#include <ATen/ops/tensor.h>

#include <cmath>
#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/detector.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

using testing::HasSubstr;

Parameters Small(int64_t d_model) {
  Parameters parameters;
  parameters.Set("backbone", "resnet18");
  parameters.Set("d_model", d_model);
  parameters.Set("attention_heads", 2);
  for (const char* layers : {"encoder_layers", "decoder_layers"}) parameters.Set(layers, 1);
  parameters.Set("ffn_dim", 16);
  parameters.Set("num_queries", 3);
  parameters.Set("num_labels", 2);
  return parameters;
}

TEST(DetrTest, BoxesAreInPixelsOfTheImage) {
  const std::unique_ptr<Model> model = CreateOrDie("detr", Small(8));
  FillInFloat64(*model);
  EXPECT_EQ(model->Forward({SeededFloats({1, 3, 32, 100})})[1].sizes(), at::IntArrayRef({1, 3, 4}));
  // The third score is of no label, and the second query's likeliest one.
  const at::Tensor logits = at::tensor({0., std::log(2.), 0., 1., 0., 9.}).view({1, 2, 3});
  const at::Tensor boxes = at::tensor({.5, .5, .5, 1., .25, .5, .1, .2}).view({1, 2, 4});
  const at::Tensor found = dynamic_cast<Detector&>(*model).Detections({logits, boxes});
  EXPECT_TRUE(found[0][0].allclose(at::tensor({1., .5, 25., 0., 75., 32.})));
  const double score = std::exp(1) / (std::exp(1) + 1 + std::exp(9));
  EXPECT_TRUE(found[0][1].allclose(at::tensor({0., score, 20., 12.8, 30., 19.2})));
}

TEST(DetrTest, RefusesWhatDoesNotFit) {
  EXPECT_THAT(std::string(Create("detr", Small(6)).status().message()),
              HasSubstr("d_model must be a multiple of attention_heads and of 4"));
  const std::unique_ptr<Model> model = CreateOrDie("detr", Small(8));
  try {
    model->Forward({SeededFloats({1, 3, 31, 40}).to(at::kFloat)});
    ADD_FAILURE() << "31 is less than 32";
  } catch (const c10::Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("32"));
  }
}

}  // namespace
}  // namespace assay::models
