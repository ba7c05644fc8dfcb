#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/testing/image_classifier.h"

namespace assay::models {
namespace {

TEST(AlexNetTest, IsAnImageClassifier) {
  Parameters parameters;
  parameters.Set("num_classes", 8);
  ExpectImageClassifier("alexnet", parameters, {.minimum = 63, .pixels = 64});
}

}  // namespace
}  // namespace assay::models
