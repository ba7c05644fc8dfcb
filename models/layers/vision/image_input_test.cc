#include "models/layers/vision/image_input.h"

#include <ATen/ops/empty.h>
#include <c10/util/Exception.h>

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::models {
namespace {

// The message for an image, or for a video if `frames` is given.
std::string Refusal(at::IntArrayRef shape, const ImageSides& sides, int64_t frames = 0) {
  try {
    if (frames > 0)
      CheckVideo(at::empty(shape), "toy", frames, sides);
    else
      CheckImage(at::empty(shape), "toy", sides);
  } catch (const c10::ValueError& error) {
    return error.what_without_backtrace();
  }
  return "";
}

TEST(CheckImage, TakesWhatIsLargeEnough) {
  EXPECT_EQ(Refusal({1, 3, 63, 64}, {.minimum = 63}), "");
  EXPECT_EQ(Refusal({2, 3, 224, 224}, {.minimum = 224, .maximum = 224}), "");
}

TEST(CheckImage, NamesTheFamilyTheImageAndTheMinimum) {
  EXPECT_EQ(Refusal({1, 3, 64, 62}, {.minimum = 63}),
            "toy: the image is [1, 3, 64, 62]; its height and width must be at least 63 pixels");
}

TEST(CheckImage, RefusesAnotherSizeThanTheOnlyOne) {
  EXPECT_THAT(Refusal({1, 3, 224, 225}, {.minimum = 224, .maximum = 224}),
              testing::HasSubstr("must be exactly 224 pixels"));
}

TEST(CheckImage, RefusesSidesThatAreNoMultiples) {
  EXPECT_EQ(Refusal({1, 3, 64, 96}, {.multiple_of = 32}), "");
  EXPECT_THAT(Refusal({1, 3, 64, 65}, {.multiple_of = 32}),
              testing::HasSubstr("must be multiples of 32 pixels"));
}

TEST(CheckImage, RefusesOtherChannelsAndDimensions) {
  EXPECT_EQ(Refusal({1, 4, 64, 64}, {}),
            "toy: the image is [1, 4, 64, 64]; want (N, 3, height, width)");
  EXPECT_THAT(Refusal({3, 64, 64}, {}), testing::HasSubstr("want (N, 3, height, width)"));
}

TEST(CheckVideo, NamesTheFramesAndTheSides) {
  EXPECT_EQ(Refusal({1, 3, 13, 32, 40}, {.minimum = 32}, 13), "");
  EXPECT_EQ(Refusal({1, 3, 12, 32, 40}, {.minimum = 32}, 13),
            "toy: the video is [1, 3, 12, 32, 40]; it must have at least 13 frames");
  EXPECT_EQ(
      Refusal({1, 3, 13, 32, 31}, {.minimum = 32}, 13),
      "toy: the video is [1, 3, 13, 32, 31]; its height and width must be at least 32 pixels");
  EXPECT_EQ(Refusal({1, 13, 3, 32, 32}, {}, 1),
            "toy: the video is [1, 13, 3, 32, 32]; want (N, 3, frames, height, width)");
  EXPECT_THAT(Refusal({1, 3, 32, 32}, {}, 1), testing::HasSubstr("want (N, 3, frames,"));
}

}  // namespace
}  // namespace assay::models
