#include "benchmarks/harness/numerics/seeded_tensor.h"

#include <google/protobuf/text_format.h>
#include <google/protobuf/util/json_util.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "ATen/Parallel.h"
#include "ATen/TensorOperators.h"
#include "ATen/core/PhiloxRNGEngine.h"
#include "ATen/core/Tensor.h"
#include "ATen/ops/concat.h"
#include "ATen/ops/empty.h"
#include "ATen/ops/equal.h"
#include "ATen/ops/tensor.h"
#include "benchmarks/harness/base/sha256.h"
#include "defs/case/philox.h"
#include "gtest/gtest.h"

namespace assay::numerics {
namespace {

using models::Init;

constexpr char kUniform[] = "uniform {}";
constexpr char kPrefixMask[] = "prefix_mask {}";
constexpr char kSegments[] = "segments {}";
constexpr char kTokens[] = "integers { limit: 30522 }";

// `distribution` is the text of one.
TensorSpec Spec(const std::string& distribution, Dtype dtype, std::vector<int64_t> shape) {
  TensorSpec spec;
  spec.set_name("x");
  EXPECT_TRUE(
      google::protobuf::TextFormat::ParseFromString(distribution, spec.mutable_distribution()));
  spec.set_dtype(dtype);
  *spec.mutable_shape() = {shape.begin(), shape.end()};
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

TEST(FillTest, TensorsOfOtherDtypesHoldTheFloatValues) {
  const Init init{.multiplier = 0.1};
  for (const at::ScalarType dtype : {at::kDouble, at::kBFloat16, at::kHalf}) {
    const at::Tensor tensor = at::empty({100003}, dtype);
    ASSERT_TRUE(Fill(tensor, 0, "w", init).ok());
    EXPECT_TRUE(at::equal(tensor, Filled(100003, 0, "w", init).to(dtype))) << dtype;
  }
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
  const at::Tensor floats = Made(Spec(kUniform, Dtype::FP32, {2, 3, 5}), Dtype::BF16);
  EXPECT_TRUE(
      at::equal(floats.flatten(), Filled(30, 0, "input:x", {.multiplier = std::sqrt(3.0)})));
  const at::Tensor rounded = Made(Spec(kUniform, Dtype::DTYPE_UNSPECIFIED, {2, 3, 5}), Dtype::BF16);
  EXPECT_EQ(rounded.scalar_type(), at::kBFloat16);
  EXPECT_TRUE(at::equal(rounded, floats.to(at::kBFloat16)));
  const at::Tensor wide = Made(Spec(kUniform, Dtype::DTYPE_UNSPECIFIED, {2, 3, 5}), Dtype::FP64);
  EXPECT_TRUE(at::equal(wide, floats.to(at::kDouble)));
}

TEST(MakeInputTest, FirstRowsOfALargeBatchAreASmallBatch) {
  for (const TensorSpec& spec :
       {Spec(kUniform, Dtype::FP32, {2, 129}), Spec(kTokens, Dtype::INT64, {2, 129}),
        Spec(kPrefixMask, Dtype::INT64, {2, 129}), Spec(kSegments, Dtype::INT64, {2, 129}),
        Spec("uniform { low: -1 high: 3 }", Dtype::FP32, {2, 129}),
        Spec("normal {}", Dtype::FP32, {2, 129}),
        Spec("zipf { limit: 1000 exponent: 1.25 }", Dtype::INT64, {2, 129}),
        Spec("bernoulli { p: 0.25 }", Dtype::BOOL, {2, 129}),
        Spec("bag_offsets { bag_size: 8 }", Dtype::INT64, {2}),
        Spec("time_steps { limit: 1000 }", Dtype::INT64, {2}),
        Spec("boxes { limit: 1001 }", Dtype::INT64, {2, 4}),
        Spec("integers { limit: 1000 sorted: true }", Dtype::INT64, {2, 129})}) {
    TensorSpec larger = spec;
    larger.set_shape(0, 64);
    EXPECT_TRUE(at::equal(Made(spec), Made(larger).narrow(0, 0, 2))) << spec.ShortDebugString();
  }
}

TEST(MakeInputTest, TokenIdsAreTheWordsScaledToTheLimit) {
  const at::Tensor tokens = Made(Spec(kTokens, Dtype::INT64, {2, 500}));
  at::Philox4_32 engine(0, Fnv1a64("input:x"));
  for (int64_t element = 0; element < 1000; ++element) {
    const int64_t want = static_cast<int64_t>((uint64_t{engine()} * 30522) >> 32);
    ASSERT_EQ(tokens.const_data_ptr<int64_t>()[element], want) << element;
  }
  const at::Tensor narrow = Made(Spec(kTokens, Dtype::INT32, {2, 500}));
  EXPECT_EQ(narrow.scalar_type(), at::kInt);
  EXPECT_TRUE(at::equal(narrow.to(at::kLong), tokens));
}

TEST(MakeInputTest, PrefixMaskShortensRowsByEighths) {
  const at::Tensor mask = Made(Spec(kPrefixMask, Dtype::INT64, {6, 16}));
  // S - ((r + 1) mod 4) * (S / 8) for S = 16.
  EXPECT_TRUE(at::equal(mask.sum(1), at::tensor({14, 12, 10, 16, 14, 12}, at::kLong)));
  for (int64_t row = 0; row < 6; ++row) {
    const at::Tensor steps = mask[row].slice(0, 1) - mask[row].slice(0, 0, 15);
    EXPECT_LE(steps.max().item<int64_t>(), 0) << "ones come first in row " << row;
  }
  EXPECT_EQ(Made(Spec(kPrefixMask, Dtype::BOOL, {2, 8})).scalar_type(), at::kBool);
  EXPECT_TRUE(
      at::equal(Made(Spec("prefix_mask { at_end: true }", Dtype::INT64, {6, 16})), mask.flip(1)));
}

TEST(MakeInputTest, SegmentIdsSplitEachRowInHalf) {
  const at::Tensor ids = Made(Spec(kSegments, Dtype::INT64, {2, 5}));
  EXPECT_TRUE(at::equal(ids, at::tensor({0, 0, 1, 1, 1, 0, 0, 1, 1, 1}, at::kLong).view({2, 5})));
}

TEST(MakeInputTest, IntegersFromBelowZeroReachBothEnds) {
  const at::Tensor tensor = Made(Spec("integers { low: -3 limit: 4 }", Dtype::INT64, {10000}));
  EXPECT_EQ(tensor.min().item<int64_t>(), -3);
  EXPECT_EQ(tensor.max().item<int64_t>(), 3);
  const at::Tensor wide =
      Made(Spec("integers { low: -2147483648 limit: 2147483648 }", Dtype::INT32, {100000}));
  EXPECT_LT(wide.min().item<int64_t>(), -2147000000);
  EXPECT_GT(wide.max().item<int64_t>(), 2147000000);
}

TEST(MakeInputTest, SortedIntegersAreTheSameOnesSortedInEachRow) {
  const at::Tensor drawn = Made(Spec("integers { low: -3 limit: 97 }", Dtype::INT64, {3, 500}));
  const at::Tensor sorted =
      Made(Spec("integers { low: -3 limit: 97 sorted: true }", Dtype::INT64, {3, 500}));
  EXPECT_TRUE(at::equal(sorted, std::get<0>(drawn.sort(1))));
  EXPECT_EQ(Made(Spec("integers { limit: 9 sorted: true }", Dtype::INT64, {})).dim(), 0);
}

TEST(MakeInputTest, ARunHoldsTheLimitInEachRow) {
  at::Tensor drawn = Made(Spec("integers { low: -3 limit: 97 }", Dtype::INT64, {3, 500}));
  const at::Tensor made =
      Made(Spec("integers { low: -3 limit: 97 run: 40 }", Dtype::INT64, {3, 500}));
  EXPECT_FALSE(at::equal(made, drawn));
  drawn.narrow(1, 1, 40).fill_(97);
  EXPECT_TRUE(at::equal(made, drawn));
}

TEST(MakeInputTest, UniformKeepsWithinItsEnds) {
  const at::Tensor x =
      Made(Spec("uniform { low: 2 high: 6 }", Dtype::FP32, {1 << 20})).to(at::kDouble);
  EXPECT_GE(x.min().item<double>(), 2);
  EXPECT_LT(x.max().item<double>(), 6);
  // Five standard errors of the mean of 2^20 draws.
  EXPECT_NEAR(x.mean().item<double>(), 4, 5 * std::sqrt(16.0 / 12) / 1024);
}

TEST(MakeInputTest, NormalHasTheMomentsOfANormalDistribution) {
  const at::Tensor x =
      Made(Spec("normal { mean: 3 stddev: 2 }", Dtype::FP32, {1 << 20})).to(at::kDouble);
  const at::Tensor z = (x - 3) / 2;
  EXPECT_NEAR(z.mean().item<double>(), 0, 5.0 / 1024);
  EXPECT_NEAR(z.square().mean().item<double>(), 1, 5 * std::sqrt(2.0) / 1024);
  EXPECT_NEAR(z.pow(3).mean().item<double>(), 0, 5 * std::sqrt(15.0) / 1024);
  // Irwin-Hall's fourth moment of twelve uniforms is 3 - 6 / 5 / 12 = 2.9.
  EXPECT_NEAR(z.pow(4).mean().item<double>(), 2.9, 5 * std::sqrt(96.0) / 1024);
  EXPECT_LE(z.abs().max().item<double>(), 6);
  EXPECT_TRUE(at::equal(Made(Spec("normal {}", Dtype::FP32, {64})),
                        Made(Spec("normal { stddev: 1 }", Dtype::FP32, {64}))));
}

TEST(MakeInputTest, ZipfFavoursTheFirstRowsByItsLaw) {
  const int64_t count = 1 << 18;
  const at::Tensor k = Made(Spec("zipf { limit: 100 exponent: 1.25 }", Dtype::INT64, {count}));
  double whole = 0;
  for (int i = 1; i <= 100; ++i) whole += std::pow(i, -1.25);
  for (const int i : {0, 1, 7, 99}) {
    const double p = std::pow(i + 1, -1.25) / whole;
    EXPECT_NEAR((k == i).sum().item<double>() / count, p, 5 * std::sqrt(p / count)) << i;
  }
  EXPECT_GE(k.min().item<int64_t>(), 0);
  EXPECT_LT(k.max().item<int64_t>(), 100);
}

TEST(MakeInputTest, BernoulliOffsetsAndStepsAreWhatTheySay) {
  const at::Tensor ones = Made(Spec("bernoulli { p: 0.25 }", Dtype::BOOL, {1 << 18}));
  EXPECT_EQ(ones.scalar_type(), at::kBool);
  EXPECT_NEAR(ones.to(at::kDouble).mean().item<double>(), 0.25, 5 * std::sqrt(0.1875) / 512);
  EXPECT_EQ(Made(Spec("bernoulli { p: 1 }", Dtype::FP32, {1000})).sum().item<float>(), 1000);
  EXPECT_EQ(Made(Spec("bernoulli {}", Dtype::INT64, {1000})).sum().item<int64_t>(), 0);
  EXPECT_TRUE(at::equal(Made(Spec("bag_offsets { bag_size: 7 }", Dtype::INT32, {4})),
                        at::tensor({0, 7, 14, 21}, at::kInt)));
  const at::Tensor steps = Made(Spec("time_steps { limit: 1000 }", Dtype::INT64, {64}));
  EXPECT_TRUE(at::equal(steps.slice(0, 0, 3), at::tensor({618, 236, 854}, at::kLong)));
  // Sorted, with the ends, no gap between 64 of them is wider than 2.62 / 64 of the range.
  const at::Tensor ends = at::tensor({0, 1000}, at::kLong);
  const at::Tensor sorted = std::get<0>(at::concat({steps, ends}).sort());
  EXPECT_LE((sorted.slice(0, 1) - sorted.slice(0, 0, -1)).max().item<int64_t>(), 41);
}

TEST(MakeInputTest, NoEdgeOfABoxComesBeforeItsOpposite) {
  const at::Tensor boxes = Made(Spec("boxes { limit: 1001 }", Dtype::INT64, {1 << 14, 4}));
  const at::Tensor first = boxes.narrow(1, 0, 2), last = boxes.narrow(1, 2, 2);
  EXPECT_TRUE((first <= last).all().item<bool>());
  EXPECT_EQ(first.min().item<int64_t>(), 0);
  EXPECT_EQ(last.max().item<int64_t>(), 1000);
}

// Written by artifacts/format/seeded_inputs_golden.py, in which nothing is shared with this
// code.
TEST(MakeInputTest, EveryKindGivesTheGoldenValues) {
  std::ifstream file("artifacts/format/testdata/seeded_inputs.json");
  const nlohmann::json golden = nlohmann::json::parse(file);
  std::set<int> kinds;
  for (const nlohmann::json& row : golden) {
    TensorSpec spec;
    ASSERT_TRUE(google::protobuf::util::JsonStringToMessage(row.at("spec").dump(), &spec).ok());
    kinds.insert(spec.distribution().kind_case());
    const at::Tensor tensor = Made(spec, Dtype::FP32, row.at("seed").get<uint64_t>()).flatten();
    const at::Tensor wide = tensor.to(at::kDouble);
    const std::vector<double> want = row.at("first");
    for (std::size_t i = 0; i < want.size(); ++i)
      EXPECT_EQ(wide[static_cast<int64_t>(i)].item<double>(), want[i])
          << i << " of " << spec.ShortDebugString();
    const at::Tensor bytes = tensor.is_floating_point() ? tensor : tensor.to(at::kLong);
    EXPECT_EQ(base::Sha256Hex({static_cast<const char*>(bytes.const_data_ptr()), bytes.nbytes()}),
              row.at("sha256").get<std::string>())
        << spec.ShortDebugString();
  }
  const google::protobuf::OneofDescriptor* kind =
      Distribution::descriptor()->FindOneofByName("kind");
  EXPECT_EQ(static_cast<int>(kinds.size()), kind->field_count()) << "a kind without golden values";
}

TEST(MakeInputTest, RefusesWhatDoesNotFitAndNamesTheInput) {
  const struct {
    TensorSpec spec;
    std::string problem;
  } cases[] = {
      {Spec(kUniform, Dtype::INT64, {4}), "not int64"},
      {Spec("integers { limit: 5 }", Dtype::FP32, {4}), "not fp32"},
      {Spec("integers {}", Dtype::INT64, {4}), "limit 0"},
      {Spec("integers { limit: 4294967297 }", Dtype::INT64, {4}), "1 to 4294967296 of them"},
      {Spec("integers { limit: 4294967296 }", Dtype::INT32, {4}), "to below 2147483648"},
      {Spec("integers { limit: 3 }", Dtype::BOOL, {4}), "bool holds 0 to below 2"},
      {Spec("zipf { limit: 5 exponent: 0.3 }", Dtype::INT64, {4}), "a multiple of 0.25"},
      {Spec("zipf { limit: 100000000 exponent: 1 }", Dtype::INT64, {4}), "at most 16777216"},
      {Spec("bag_offsets { bag_size: 1000000000 }", Dtype::INT32, {4}), "int32 holds"},
      {Spec(kPrefixMask, Dtype::INT64, {}), "at least one dimension"},
      {Spec("", Dtype::FP32, {4}), "no distribution"},
      {Spec(kUniform, Dtype::FP32, {-1}), "shape [-1]"},
      {Spec(kUniform, Dtype::FP32, {int64_t{1} << 40, int64_t{1} << 40}), "too large"},
  };
  for (const auto& row : cases) {
    const absl::Status status = MakeInput(row.spec, Dtype::FP32, 0).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << row.problem;
    EXPECT_NE(status.message().find("input \"x\""), std::string::npos) << status;
    EXPECT_NE(status.message().find(row.problem), std::string::npos) << status;
  }
  EXPECT_FALSE(
      MakeInput(Spec(kUniform, Dtype::DTYPE_UNSPECIFIED, {4}), Dtype::DTYPE_UNSPECIFIED, 0).ok());
}

TEST(MakeInputTest, ShapeThatFitsNoMemoryIsResourceExhausted) {
  const absl::Status status =
      MakeInput(Spec(kUniform, Dtype::FP32, {int64_t{1} << 50}), Dtype::FP32, 0).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted) << status;
}

}  // namespace
}  // namespace assay::numerics
