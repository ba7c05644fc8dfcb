#include "models/layers/vision/padding_by_size.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>

#include "gtest/gtest.h"

namespace assay::models {
namespace {

// Zeros before and behind, and that the image is between them. Wanted are those of TensorFlow's rule: the
// output has ceil(pixels / stride) pixels, and an odd zero stands behind.
void ExpectZeros(int64_t pixels, int64_t kernel, int64_t stride, int64_t before, int64_t behind) {
  const at::Tensor padded = PaddedBySize(at::ones({1, 1, pixels, pixels + stride}), kernel, stride);
  for (const int64_t direction : {2, 3}) {
    const int64_t length = direction == 2 ? pixels : pixels + stride;
    ASSERT_EQ(padded.size(direction), before + length + behind) << pixels << " " << kernel;
    EXPECT_EQ(padded.narrow(direction, 0, before).sum().item<double>(), 0);
    EXPECT_EQ(padded.narrow(direction, before + length, behind).sum().item<double>(), 0);
  }
  EXPECT_EQ(padded.sum().item<double>(), static_cast<double>(pixels * (pixels + stride)));
}

TEST(PaddingBySizeTest, PutsOddZerosBehindTheImage) {
  ExpectZeros(224, 3, 2, 0, 1);
  ExpectZeros(224, 5, 2, 1, 2);
  ExpectZeros(7, 3, 2, 1, 1);
  ExpectZeros(7, 5, 2, 2, 2);
  ExpectZeros(8, 2, 2, 0, 0);
  ExpectZeros(9, 1, 2, 0, 0);  // a kernel of one pixel reads none that is lacking
}

}  // namespace
}  // namespace assay::models
