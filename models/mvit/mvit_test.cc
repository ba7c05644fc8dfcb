#include <ATen/core/Tensor.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

Parameters Small(int64_t frames, std::vector<int64_t> layers) {
  Parameters parameters;
  parameters.Set("channels", 8);
  parameters.Set("layers", std::move(layers));
  parameters.Set("stochastic_depth", 0.2);
  parameters.Set("num_classes", 8);
  parameters.Set("frames", frames);
  parameters.Set("resolution", 20);
  return parameters;
}

TEST(MvitTest, RefusesOtherVideos) {
  const std::unique_ptr<Model> model = CreateOrDie("mvit", Small(4, {1, 1, 1, 1}));
  FillInFloat32(*model);
  const auto said = [&](at::IntArrayRef shape) -> std::string {
    try {
      model->Forward({SeededFloats(shape).to(at::kFloat)});
    } catch (const c10::ValueError& error) {
      return error.what_without_backtrace();
    }
    return "(not refused)";
  };
  EXPECT_EQ(said({2, 3, 4, 20, 20}), "(not refused)");
  EXPECT_EQ(said({2, 3, 6, 20, 20}),
            "mvit: the video is [2, 3, 6, 20, 20]; it must have exactly 4 frames");
  EXPECT_THAT(said({2, 3, 4, 24, 20}), testing::HasSubstr("must be exactly 20 pixels"));
}

TEST(MvitTest, RefusesParametersThatDoNotFit) {
  EXPECT_EQ(Create("mvit", Small(5, {1, 1, 1, 1})).status().message(),
            "mvit: 5 frames of 20 pixels a side; want multiples of 2 and 4");
  EXPECT_EQ(Create("mvit", Small(4, {1, 1, 1})).status().message(),
            "mvit: layers has 3 numbers; want 4, one for each stage");
}

}  // namespace
}  // namespace assay::models
