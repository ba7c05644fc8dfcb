#include <string>
#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/testing/image_classifier.h"

namespace assay::models {
namespace {

Parameters Segmentation(std::string_view head, std::string_view backbone, bool aux_loss) {
  Parameters parameters;
  parameters.Set("head", std::string(head));
  parameters.Set("backbone", std::string(backbone));
  parameters.Set("aux_loss", aux_loss);
  parameters.Set("num_classes", 8);
  return parameters;
}

void ExpectSegmentation(const Parameters& parameters, int64_t outputs = 1) {
  ExpectImageClassifier("segmentation", parameters, {.output = {2, 8, 32, 32}, .outputs = outputs});
}

TEST(SegmentationTest, FcnWithItsAuxiliaryHead) {
  ExpectSegmentation(Segmentation("fcn", "resnet50", true), 2);
}

TEST(SegmentationTest, DeepLab) {
  ExpectSegmentation(Segmentation("deeplabv3", "mobilenet_v3_large", false));
}

TEST(SegmentationTest, Lraspp) {
  ExpectSegmentation(Segmentation("lraspp", "mobilenet_v3_large", false));
}

TEST(SegmentationTest, RefusesWhatTorchvisionDoesNotHave) {
  const auto refusal = [](std::string_view head, std::string_view backbone, bool aux_loss) {
    return std::string(
        Create("segmentation", Segmentation(head, backbone, aux_loss)).status().message());
  };
  EXPECT_THAT(refusal("fcn", "mobilenet_v3_large", false),
              testing::HasSubstr("no fcn on mobilenet_v3_large"));
  EXPECT_THAT(refusal("lraspp", "resnet50", false), testing::HasSubstr("no lraspp on resnet50"));
  EXPECT_THAT(refusal("lraspp", "mobilenet_v3_large", true),
              testing::HasSubstr("lraspp has no auxiliary head"));
}

}  // namespace
}  // namespace assay::models
