#include "benchmarks/harness/numerics/seeded_tensor.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "ATen/ATen.h"
#include "ATen/Parallel.h"
#include "ATen/core/PhiloxRNGEngine.h"
#include "benchmarks/harness/numerics/philox.h"
#include "gtest/gtest.h"

namespace assay::numerics {
namespace {

using models::Init;

TensorSpec Spec(assay::Fill fill, Dtype dtype, std::vector<int64_t> shape, int64_t limit = 0) {
  TensorSpec spec;
  spec.set_name("x");
  spec.set_fill(fill);
  spec.set_dtype(dtype);
  spec.mutable_shape()->Assign(shape.begin(), shape.end());
  spec.set_limit(limit);
  return spec;
}

at::Tensor Made(const TensorSpec& spec, Dtype case_dtype = Dtype::FP32, uint64_t seed = 0) {
  absl::StatusOr<at::Tensor> tensor = MakeInput(spec, case_dtype, seed);
  EXPECT_TRUE(tensor.ok()) << tensor.status();
  return tensor.ok() ? *tensor : at::Tensor();
}

at::Tensor Filled(int64_t count, uint64_t seed, const std::string& name, const Init& init) {
  at::Tensor tensor = at::empty({count}, at::kFloat);
  const absl::Status status = Fill(tensor, seed, name, init);
  EXPECT_TRUE(status.ok()) << status;
  return tensor;
}

// LibTorch has a Philox of its own: key = seed, upper half of the counter = subsequence.
TEST(FillTest, DrawsTheWordsOfTorchsOwnPhilox) {
  const uint64_t seed = 0x123456789abcdef0;
  const std::string name = "layer4.2.conv3.weight";
  const int64_t count = 10007;  // neither whole vectors nor whole blocks
  const at::Tensor tensor = Filled(count, seed, name, Init{});
  at::Philox4_32 engine(seed, Fnv1a64(name));
  for (int64_t element = 0; element < count; ++element) {
    const float want = (static_cast<double>(engine() >> 8) - 8388608.0) / 8388608.0;
    ASSERT_EQ(tensor.const_data_ptr<float>()[element], want) << element;
  }
}

TEST(FillTest, RoundsTheExactValueOnceToFloat) {
  const Init init{.multiplier = std::sqrt(3.0) / std::sqrt(147.0), .offset = 1, .slope = 0.5};
  const at::Tensor tensor = Filled(4096, 3, "bn1.weight", init);
  const PhiloxStream stream(3, "bn1.weight");
  for (int64_t element = 0; element < 4096; ++element) {
    // long double holds offset + slope * u and its product with the multiplier to 64 bits.
    const long double u = PhiloxStream::Uniform(stream.Word(element));
    const double product = static_cast<double>(init.multiplier * (1.0L + 0.5L * u));
    ASSERT_NEAR(tensor.const_data_ptr<float>()[element], product, std::abs(product) * 0x1p-24);
  }
}

TEST(FillTest, DoesNotDependOnTheNumberOfThreads) {
  const int threads = at::get_num_threads();
  const int64_t count = (int64_t{1} << 20) + 7;  // a fifth of it is no whole block
  at::set_num_threads(1);
  const at::Tensor one = Filled(count, 0, "w", Init{});
  at::set_num_threads(7);
  const at::Tensor seven = Filled(count, 0, "w", Init{});
  at::set_num_threads(threads);
  EXPECT_TRUE(at::equal(one, seven));
}

TEST(FillTest, DoubleTensorsHoldTheFloatValues) {
  const Init init{.multiplier = 0.1};
  at::Tensor wide = at::empty({1000}, at::kDouble);
  ASSERT_TRUE(Fill(wide, 0, "w", init).ok());
  EXPECT_TRUE(at::equal(wide, Filled(1000, 0, "w", init).to(at::kDouble)));
}

TEST(FillTest, SeedAndNameEachChangeTheValues) {
  const at::Tensor tensor = Filled(64, 0, "w", Init{});
  EXPECT_FALSE(at::equal(tensor, Filled(64, 1, "w", Init{})));
  EXPECT_FALSE(at::equal(tensor, Filled(64, uint64_t{1} << 32, "w", Init{})));
  EXPECT_FALSE(at::equal(tensor, Filled(64, 0, "v", Init{})));
  EXPECT_TRUE(at::equal(tensor, Filled(64, 0, "w", Init{})));
}

TEST(FillTest, UniformHasTheMomentsOfAUniformDistribution) {
  const at::Tensor u = Filled(int64_t{1} << 20, 0, "w", Init{}).to(at::kDouble);
  // Five standard errors of the mean and of the variance of 2^20 draws.
  EXPECT_NEAR(u.mean().item<double>(), 0, 5 * std::sqrt(1.0 / 3) / 1024);
  EXPECT_NEAR(u.square().mean().item<double>(), 1.0 / 3, 5 * std::sqrt(4.0 / 45) / 1024);
  EXPECT_GE(u.min().item<double>(), -1);
  EXPECT_LT(u.max().item<double>(), 1);
}

TEST(FillTest, TakesScalarsAndEmptyTensors) {
  at::Tensor scalar = at::empty({}, at::kFloat);
  EXPECT_TRUE(Fill(scalar, 0, "logit_scale", Init{}).ok());
  EXPECT_EQ(scalar.item<float>(), Filled(1, 0, "logit_scale", Init{}).item<float>());
  EXPECT_TRUE(Fill(at::empty({0, 3}), 0, "none", Init{}).ok());
}

TEST(FillTest, RefusesWhatItCannotFillAndNamesIt) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const struct {
    at::Tensor tensor;
    Init init;
    std::string problem;
  } cases[] = {
      {at::Tensor(), {}, "undefined"},
      {at::empty({4}, at::kLong), {}, "Long"},
      {at::empty({4}, at::kHalf), {}, "Half"},
      {at::empty({4, 4}).t(), {}, "contiguous"},
      {at::empty({4}, at::device(at::kMeta)), {}, "CPU"},
      {at::empty({4}), {.multiplier = nan}, "Init"},
      {at::empty({4}), {.slope = 0.1}, "short binary fractions"},
      {at::empty({4}), {.offset = 1e9}, "short binary fractions"},
  };
  for (const auto& row : cases) {
    const absl::Status status = Fill(row.tensor, 0, "fc.weight", row.init);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << row.problem;
    EXPECT_NE(status.message().find("fc.weight"), std::string::npos) << status;
    EXPECT_NE(status.message().find(row.problem), std::string::npos) << status;
  }
}

TEST(MakeInputTest, UniformIsTheSeededFloatRoundedToTheDtype) {
  const at::Tensor floats = Made(Spec(UNIFORM, Dtype::FP32, {2, 3, 5}), Dtype::BF16);
  EXPECT_TRUE(
      at::equal(floats.flatten(), Filled(30, 0, "input:x", {.multiplier = std::sqrt(3.0)})));
  const at::Tensor rounded = Made(Spec(UNIFORM, Dtype::DTYPE_UNSPECIFIED, {2, 3, 5}), Dtype::BF16);
  EXPECT_EQ(rounded.scalar_type(), at::kBFloat16);
  EXPECT_TRUE(at::equal(rounded, floats.to(at::kBFloat16)));
  const at::Tensor wide = Made(Spec(UNIFORM, Dtype::DTYPE_UNSPECIFIED, {2, 3, 5}), Dtype::FP64);
  EXPECT_TRUE(at::equal(wide, floats.to(at::kDouble)));
}

TEST(MakeInputTest, FirstRowsOfALargeBatchAreASmallBatch) {
  for (const TensorSpec& spec :
       {Spec(UNIFORM, Dtype::FP32, {2, 129}), Spec(TOKEN_IDS, Dtype::INT64, {2, 129}, 1000),
        Spec(PREFIX_MASK, Dtype::INT64, {2, 129}), Spec(SEGMENT_IDS, Dtype::INT64, {2, 129})}) {
    TensorSpec larger = spec;
    larger.set_shape(0, 64);
    EXPECT_TRUE(at::equal(Made(spec), Made(larger).narrow(0, 0, 2))) << spec.ShortDebugString();
  }
}

TEST(MakeInputTest, TokenIdsAreTheWordsScaledToTheLimit) {
  const at::Tensor tokens = Made(Spec(TOKEN_IDS, Dtype::INT64, {2, 500}, 30522));
  at::Philox4_32 engine(0, Fnv1a64("input:x"));
  for (int64_t element = 0; element < 1000; ++element) {
    const int64_t want = static_cast<int64_t>((uint64_t{engine()} * 30522) >> 32);
    ASSERT_EQ(tokens.const_data_ptr<int64_t>()[element], want) << element;
  }
  const at::Tensor narrow = Made(Spec(TOKEN_IDS, Dtype::INT32, {2, 500}, 30522));
  EXPECT_EQ(narrow.scalar_type(), at::kInt);
  EXPECT_TRUE(at::equal(narrow.to(at::kLong), tokens));
}

TEST(MakeInputTest, PrefixMaskShortensRowsByEighths) {
  const at::Tensor mask = Made(Spec(PREFIX_MASK, Dtype::INT64, {6, 16}));
  // S - ((r + 1) mod 4) * (S / 8) for S = 16.
  EXPECT_TRUE(at::equal(mask.sum(1), at::tensor({14, 12, 10, 16, 14, 12}, at::kLong)));
  for (int64_t row = 0; row < 6; ++row) {
    const at::Tensor steps = mask[row].slice(0, 1) - mask[row].slice(0, 0, 15);
    EXPECT_LE(steps.max().item<int64_t>(), 0) << "ones come first in row " << row;
  }
  EXPECT_EQ(Made(Spec(PREFIX_MASK, Dtype::BOOL, {2, 8})).scalar_type(), at::kBool);
}

TEST(MakeInputTest, SegmentIdsSplitEachRowInHalf) {
  const at::Tensor ids = Made(Spec(SEGMENT_IDS, Dtype::INT64, {2, 5}));
  EXPECT_TRUE(at::equal(ids, at::tensor({0, 0, 1, 1, 1, 0, 0, 1, 1, 1}, at::kLong).view({2, 5})));
}

TEST(MakeInputTest, RefusesWhatDoesNotFitAndNamesTheInput) {
  const struct {
    TensorSpec spec;
    std::string problem;
  } cases[] = {
      {Spec(UNIFORM, Dtype::INT64, {4}), "not int64"},
      {Spec(TOKEN_IDS, Dtype::FP32, {4}, 5), "not fp32"},
      {Spec(TOKEN_IDS, Dtype::INT64, {4}, 0), "limit 0"},
      {Spec(TOKEN_IDS, Dtype::INT32, {4}, int64_t{1} << 32), "1 .. 2147483648"},
      {Spec(PREFIX_MASK, Dtype::INT64, {}), "at least one dimension"},
      {Spec(FILL_UNSPECIFIED, Dtype::FP32, {4}), "no fill"},
      {Spec(UNIFORM, Dtype::FP32, {-1}), "shape [-1]"},
      {Spec(UNIFORM, Dtype::FP32, {int64_t{1} << 40, int64_t{1} << 40}), "too large"},
  };
  for (const auto& row : cases) {
    const absl::Status status = MakeInput(row.spec, Dtype::FP32, 0).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << row.problem;
    EXPECT_NE(status.message().find("input \"x\""), std::string::npos) << status;
    EXPECT_NE(status.message().find(row.problem), std::string::npos) << status;
  }
  EXPECT_FALSE(
      MakeInput(Spec(UNIFORM, Dtype::DTYPE_UNSPECIFIED, {4}), Dtype::DTYPE_UNSPECIFIED, 0).ok());
}

TEST(MakeInputTest, ShapeThatFitsNoMemoryIsResourceExhausted) {
  const absl::Status status =
      MakeInput(Spec(UNIFORM, Dtype::FP32, {int64_t{1} << 50}), Dtype::FP32, 0).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
}

}  // namespace
}  // namespace assay::numerics
