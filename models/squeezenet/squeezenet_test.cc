#include <cstdint>
#include <string>

#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/testing/image_classifier.h"

namespace assay::models {
namespace {

class SqueezeNetTest : public testing::TestWithParam<const char*> {};

TEST_P(SqueezeNetTest, IsAnImageClassifier) {
  Parameters parameters;
  parameters.Set("version", GetParam());
  parameters.Set("num_classes", 8);
  const int64_t minimum = GetParam() == std::string("1_0") ? 21 : 17;
  ExpectImageClassifier("squeezenet", parameters, {.minimum = minimum, .pixels = 64});
}

INSTANTIATE_TEST_SUITE_P(All, SqueezeNetTest, testing::Values("1_0", "1_1"));

}  // namespace
}  // namespace assay::models
