#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/model.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/seeded_model.h"

namespace assay::models {
namespace {

using testing::HasSubstr;

Parameters WithLayers(const std::vector<int64_t>& layers) {
  Parameters parameters;
  parameters.Set("architecture", "mc3");
  parameters.Set("layers", layers);
  parameters.Set("num_classes", 2);
  return parameters;
}

TEST(VideoResNetTest, RefusesOtherStages) {
  EXPECT_THAT(std::string(Create("video_resnet", WithLayers({1, 1, 1})).status().message()),
              HasSubstr("layers has 3 numbers; want 4, one for each stage"));
  EXPECT_EQ(Create("video_resnet", WithLayers({1, 1, 0, 1})).status().message(),
            "video_resnet: each stage needs a block");
}

TEST(VideoResNetTest, RefusesSmallImages) {
  const std::unique_ptr<Model> model = CreateOrDie("video_resnet", WithLayers({1, 1, 1, 1}));
  try {
    model->Forward({SeededFloats({1, 3, 1, 16, 15})});
    ADD_FAILURE() << "15 is less than 16";
  } catch (const c10::ValueError& error) {
    EXPECT_THAT(error.what_without_backtrace(), HasSubstr("at least 16 pixels"));
  }
}

}  // namespace
}  // namespace assay::models
