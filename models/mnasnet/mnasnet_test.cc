#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/testing/image_classifier.h"

namespace assay::models {
namespace {

TEST(MnasNetTest, IsAnImageClassifier) {
  Parameters parameters;
  parameters.Set("alpha", 0.5);
  parameters.Set("num_classes", 8);
  ExpectImageClassifier("mnasnet", parameters, {});
}

}  // namespace
}  // namespace assay::models
