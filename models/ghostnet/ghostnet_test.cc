#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/testing/image_classifier.h"

namespace assay::models {
namespace {

TEST(GhostNetTest, IsAnImageClassifier) {
  Parameters parameters;
  parameters.Set("width_multiplier", 0.25);
  parameters.Set("num_classes", 8);
  ExpectImageClassifier("ghostnet", parameters, {});
}

}  // namespace
}  // namespace assay::models
