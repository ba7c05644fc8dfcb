#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/testing/image_classifier.h"

namespace assay::models {
namespace {

TEST(MobileNetV2Test, IsAnImageClassifier) {
  Parameters parameters;
  parameters.Set("num_classes", 8);
  ExpectImageClassifier("mobilenet_v2", parameters, {});
}

}  // namespace
}  // namespace assay::models
