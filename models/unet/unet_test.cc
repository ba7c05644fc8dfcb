#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/testing/image_classifier.h"

namespace assay::models {
namespace {

// 38 pixels are halved to 19 and 9: what is doubled again lacks a row and a column.
void ExpectUNet(bool bilinear) {
  Parameters parameters;
  parameters.Set("bilinear", bilinear);
  parameters.Set("num_classes", 8);
  ExpectImageClassifier("unet", parameters,
                        {.minimum = 16, .pixels = 38, .output = {2, 8, 38, 38}});
}

TEST(UNetTest, WithTransposedConvolutions) { ExpectUNet(false); }

TEST(UNetTest, WithInterpolation) { ExpectUNet(true); }

}  // namespace
}  // namespace assay::models
