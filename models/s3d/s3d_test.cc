#include <ATen/core/Formatting.h>
#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

// The last block gives nothing but 1, so that the scores are a row's sum and a bias, however many places
// the video has: here 1 x 1 x 2, whereas the cases have one.
TEST(S3dTest, ScoresAreMeansOverAllPlaces) {
  Parameters parameters;
  parameters.Set("num_classes", 5);
  const std::unique_ptr<Model> model = CreateOrDie("s3d", parameters);
  FillInFloat32(*model);
  for (NamedTensor& entry : model->State()) {
    if (!entry.name.starts_with("features.15.") || entry.tensor.dim() != 1) continue;
    entry.tensor.fill_(entry.name.ends_with(".1.bias") || entry.name.ends_with("running_var"));
  }
  const at::Tensor scores = model->Forward({SeededFloats({1, 3, 13, 209, 241}).to(at::kFloat)})[0];
  const at::Tensor want =
      Find(*model, "classifier.1.weight").sum({1, 2, 3, 4}) + Find(*model, "classifier.1.bias");
  ASSERT_EQ(scores.sizes(), at::IntArrayRef({1, 5}));
  EXPECT_TRUE(scores[0].allclose(want, 1e-4, 1e-4)) << scores << want;
}

TEST(S3dTest, RefusesSmallVideos) {
  Parameters parameters;
  parameters.Set("num_classes", 5);
  const std::unique_ptr<Model> model = CreateOrDie("s3d", parameters);
  const auto said = [&](int64_t frames, int64_t pixels) -> std::string {
    try {
      model->Forward({SeededFloats({1, 3, frames, 209, pixels})});
    } catch (const c10::ValueError& error) {
      return error.what_without_backtrace();
    }
    return "accepted";
  };
  EXPECT_THAT(said(12, 209), testing::HasSubstr("at least 13 frames"));
  EXPECT_THAT(said(13, 208), testing::HasSubstr("at least 209 pixels"));
}

}  // namespace
}  // namespace assay::models
