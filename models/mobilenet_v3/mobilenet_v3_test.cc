#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/testing/image_classifier.h"

namespace assay::models {
namespace {

TEST(MobileNetV3Test, IsAnImageClassifier) {
  Parameters parameters;
  parameters.Set("size", "small");
  parameters.Set("num_classes", 8);
  ExpectImageClassifier("mobilenet_v3", parameters, {});
}

}  // namespace
}  // namespace assay::models
