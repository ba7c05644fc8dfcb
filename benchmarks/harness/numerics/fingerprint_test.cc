#include "benchmarks/harness/numerics/fingerprint.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "gtest/gtest.h"

namespace assay::numerics {
namespace {

TEST(Fingerprint, IsTheSameForTheSameBits) {
  const at::Tensor x = at::arange(1000, at::kFloat);
  EXPECT_EQ(Fingerprint({x}), Fingerprint({x.clone()}));
  x.fill_(std::nanf(""));
  EXPECT_EQ(Fingerprint({x}), Fingerprint({x.clone()})) << "NaN is bits too";
}

TEST(Fingerprint, SeesOneChangedElementOfASmallTensor) {
  const at::Tensor x = at::zeros({100, 100}), y = x.clone();
  y[57][3] = 1e-30f;
  EXPECT_NE(Fingerprint({x}), Fingerprint({y}));
}

TEST(Fingerprint, SeesTheEndsAndEveryEvenChangeOfALargeTensor) {
  const at::Tensor x = at::zeros({4 << 20});
  for (int64_t i : {int64_t{0}, x.numel() - 1}) {
    const at::Tensor y = x.clone();
    y[i] = 1;
    EXPECT_NE(Fingerprint({x}), Fingerprint({y})) << i;
  }
  EXPECT_NE(Fingerprint({x}), Fingerprint({x.add(1)}));
}

TEST(Fingerprint, KnowsOrderAndNumber) {
  const at::Tensor x = at::arange(8, at::kFloat), y = x.add(1);
  EXPECT_NE(Fingerprint({x, y}), Fingerprint({y, x}));
  EXPECT_NE(Fingerprint({x}), Fingerprint({x, x}));
  EXPECT_NE(Fingerprint({x}), Fingerprint({x, at::Tensor()}));
}

TEST(Fingerprint, ReadsValuesNotMemory) {
  const at::Tensor x = at::arange(12, at::kInt).view({3, 4});
  EXPECT_EQ(Fingerprint({x.t()}), Fingerprint({x.t().contiguous()}));
  EXPECT_NE(Fingerprint({x.t()}), Fingerprint({x}));
}

}  // namespace
}  // namespace assay::numerics
