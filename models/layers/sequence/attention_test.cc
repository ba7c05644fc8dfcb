#include "models/layers/sequence/attention.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/tensor.h>

#include <cmath>

#include "gtest/gtest.h"

namespace assay::models {
namespace {

at::Tensor Ramp(at::IntArrayRef shape, double step) {
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  return at::arange(count, at::kDouble).mul(step).sin().view(shape);
}

// The definition, head by head.
at::Tensor Textbook(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, int64_t heads,
                    const at::Tensor& mask) {
  const int64_t width = q.size(2) / heads;
  std::vector<at::Tensor> outputs;
  for (int64_t head = 0; head < heads; ++head) {
    const auto part = [&](const at::Tensor& x) { return x.narrow(2, head * width, width); };
    at::Tensor scores = at::matmul(part(q), part(k).transpose(1, 2)) / std::sqrt(width);
    if (mask.defined()) scores = scores + mask.squeeze(1);
    outputs.push_back(at::matmul(scores.softmax(-1), part(v)));
  }
  return at::concat(outputs, 2);
}

TEST(AttentionTest, EqualsTheDefinition) {
  const at::Tensor q = Ramp({2, 5, 12}, 0.7);
  const at::Tensor k = Ramp({2, 7, 12}, 1.1);
  const at::Tensor v = Ramp({2, 7, 12}, 1.9);
  const at::Tensor got = Attend(q, k, v, {.heads = 3});
  EXPECT_TRUE(got.is_contiguous());
  EXPECT_TRUE(got.allclose(Textbook(q, k, v, 3, {}), 1e-12, 1e-12));
}

TEST(AttentionTest, AddsTheMask) {
  const at::Tensor q = Ramp({2, 6, 8}, 0.7);
  const at::Tensor k = Ramp({2, 6, 8}, 1.1);
  const at::Tensor v = Ramp({2, 6, 8}, 1.9);
  const at::Tensor tokens = at::tensor({1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0}).view({2, 6});
  const at::Tensor mask = PaddingMask(tokens, at::kDouble);
  EXPECT_TRUE(Attend(q, k, v, {.heads = 2, .mask = mask})
                  .allclose(Textbook(q, k, v, 2, mask), 1e-12, 1e-12));
}

// Operator by operator as well, with either kind of mask.
TEST(AttentionTest, AMaskOfBooleansSaysWhatIsSeen) {
  const at::Tensor q = Ramp({2, 6, 8}, 0.7);
  const at::Tensor seen = at::tensor({1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 0}).view({2, 1, 1, 6}).ne(0);
  const at::Tensor added = PaddingMask(seen.view({2, 6}).to(at::kLong), at::kDouble);
  const at::Tensor wanted = Textbook(q, q, q, 2, added);
  for (const bool in_steps : {false, true}) {
    for (const at::Tensor& mask : {seen, added}) {
      const AttentionOptions options = {.heads = 2, .mask = mask, .in_steps = in_steps};
      EXPECT_TRUE(Attend(q, q, q, options).allclose(wanted, 1e-12, 1e-12)) << in_steps;
    }
  }
}

TEST(LowestScoreTest, IsEachDtypesLowestNumber) {
  EXPECT_EQ(LowestScore(at::kHalf), -65504);
  EXPECT_EQ(LowestScore(at::kBFloat16), -0x1.FEp127);
  EXPECT_EQ(LowestScore(at::kFloat), -0x1.FFFFFEp127);
  EXPECT_EQ(LowestScore(at::kDouble), -0x1.FFFFFFFFFFFFFp1023);
}

TEST(PaddingMaskTest, IsZeroAtTokensAndMinusInfinityAtPadding) {
  const at::Tensor mask = PaddingMask(at::tensor({1, 1, 0}, at::kLong).view({1, 3}), at::kHalf);
  EXPECT_EQ(mask.sizes(), at::IntArrayRef({1, 1, 3, 3}));
  EXPECT_EQ(mask.scalar_type(), at::kHalf);
  for (int64_t row = 0; row < 3; ++row) {
    EXPECT_EQ(mask[0][0][row][0].item<float>(), 0);
    EXPECT_EQ(mask[0][0][row][1].item<float>(), 0);
    EXPECT_EQ(mask[0][0][row][2].item<float>(), -INFINITY);
  }
}

}  // namespace
}  // namespace assay::models
