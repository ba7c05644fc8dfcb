#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/testing/image_classifier.h"

namespace assay::models {
namespace {

// Three boxes in each of 1, 4 and 16 cells, of five numbers and those of the classes.
void ExpectDetector(const char* implementation) {
  Parameters parameters;
  parameters.Set("num_classes", 8);
  ExpectImageClassifier(
      implementation, parameters,
      {.minimum = 32, .size_words = "multiples of", .output = {2, 3 * (1 + 4 + 16), 13}});
}

TEST(YoloV3Test, IsADetector) { ExpectDetector("yolov3"); }

TEST(YoloV3Test, WithAPyramidToo) { ExpectDetector("yolov3_spp"); }

}  // namespace
}  // namespace assay::models
