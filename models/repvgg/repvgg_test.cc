#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/image_classifier.h"

namespace assay::models {
namespace {

Parameters RepVgg(std::vector<int64_t> widths, bool reparameterized) {
  Parameters parameters;
  parameters.Set("stem", 16);
  parameters.Set("widths", std::move(widths));
  parameters.Set("layers", std::vector<int64_t>{1, 3});
  parameters.Set("groups", 4);
  parameters.Set("reparameterized", reparameterized);
  parameters.Set("num_classes", 8);
  return parameters;
}

TEST(RepVggTest, IsAnImageClassifier) {
  ExpectImageClassifier("repvgg", RepVgg({16, 24}, false), {});
}

TEST(RepVggTest, ReparameterizedIsAnImageClassifier) {
  ExpectImageClassifier("repvgg", RepVgg({16, 24}, true), {});
}

TEST(RepVggTest, RefusesAStageWithoutAWidth) {
  EXPECT_THAT(Create("repvgg", RepVgg({16}, false)).status().message(),
              testing::HasSubstr("2 layers and 1 widths"));
}

TEST(RepVggTest, RefusesAWidthThatGroupsDoNotDivide) {
  const absl::Status status = Create("repvgg", RepVgg({16, 26}, false)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), testing::HasSubstr("the width 26 is not a multiple of groups 4"));
}

}  // namespace
}  // namespace assay::models
