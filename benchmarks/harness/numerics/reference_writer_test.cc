#include "benchmarks/harness/numerics/reference_writer.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

#include "ATen/TensorOperators.h"
#include "ATen/core/Tensor.h"
#include "ATen/ops/arange.h"
#include "ATen/ops/empty.h"
#include "ATen/ops/equal.h"
#include "ATen/ops/full.h"
#include "ATen/ops/ones.h"
#include "ATen/ops/sin.h"
#include "ATen/ops/tensor.h"
#include "ATen/ops/zeros.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

namespace assay::numerics {
namespace {

std::string Path() {
  return absl::StrCat(testing::TempDir(), "/",
                      testing::UnitTest::GetInstance()->current_test_info()->name());
}

TEST(ReferenceWriterTest, SmallOutputsAreWholeLargeOnesSampled) {
  const at::Tensor small = at::arange(512, at::kDouble).view({32, 16}) / 7;
  const at::Tensor large = at::sin(at::arange(513, at::kDouble));
  const auto sha256 =
      WriteReference(Path(), {{"small", small}, {"large", large}}, {{"provenance", "p"}});
  ASSERT_TRUE(sha256.ok()) << sha256.status();
  const auto reference = ReadReference(Path(), *sha256);
  ASSERT_TRUE(reference.ok()) << reference.status();
  const ReferenceOutput& whole = *reference->Find("small");
  EXPECT_FALSE(whole.sampled);
  EXPECT_EQ(whole.shape, (std::vector<int64_t>{32, 16}));
  EXPECT_TRUE(at::equal(at::tensor(whole.values, at::kDouble), small.flatten()));
  const ReferenceOutput& sample = *reference->Find("large");
  EXPECT_TRUE(sample.sampled);
  EXPECT_EQ(sample.indices, *SampleIndices("large", {513}));
  for (size_t i = 0; i < sample.indices.size(); ++i) {
    ASSERT_EQ(sample.values[i], large[sample.indices[i]].item<double>());
  }
}

TEST(ReferenceWriterTest, StatisticsAgreeWithTorchs) {
  const at::Tensor large = 5 + at::sin(at::arange(100000, at::kDouble));
  const auto made = MakeReferenceOutput({"y", large});
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_NEAR(made->stats.mean, large.mean().item<double>(), 1e-12);
  EXPECT_NEAR(made->stats.std, large.std(/*unbiased=*/false).item<double>(), 1e-12);
  EXPECT_NEAR(made->stats.l2_norm, large.norm().item<double>(), 1e-9);
  EXPECT_EQ(made->stats.max_abs, large.abs().max().item<double>());
}

TEST(ReferenceWriterTest, ViewsAndOtherDtypesKeepTheirValues) {
  const at::Tensor view = at::arange(6, at::kFloat).view({2, 3}).t();
  const auto made = MakeReferenceOutput({"y", view});
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->shape, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(made->values, (std::vector<double>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(MakeReferenceOutput({"ids", at::arange(2)})->values, (std::vector<double>{0, 1}));
  EXPECT_EQ(MakeReferenceOutput({"mask", at::ones({1}, at::kBool)})->values,
            (std::vector<double>{1}));
}

TEST(ReferenceWriterTest, SameOutputsSameBytes) {
  const at::Tensor y = at::ones({3}, at::kDouble), z = at::zeros({2}, at::kDouble);
  EXPECT_EQ(*WriteReference(Path(), {{"y", y}, {"z", z}}, {}),
            *WriteReference(Path(), {{"z", z}, {"y", y}}, {}));
}

TEST(ReferenceWriterTest, RefusesWhatIsNoReferenceAndWritesNothing) {
  const double inf = std::numeric_limits<double>::infinity();
  const std::pair<std::string, at::Tensor> cases[] = {
      {"NaN", at::tensor({1.0, NAN}, at::kDouble)},
      {"infinite", at::tensor({1.0, -inf}, at::kDouble)},
      {"empty", at::empty({0, 3}, at::kDouble)},
      {"undefined", at::Tensor()},
      {"2^53", at::tensor({(int64_t{1} << 53) + 2}, at::kLong)},
      {"dense real", at::ones({2}, at::kComplexDouble)},
      {"dense real", at::ones({2, 2}).to_sparse()},
  };
  for (const auto& [problem, tensor] : cases) {
    const absl::Status status = WriteReference(Path(), {{"y", tensor}}, {}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << problem << status;
    EXPECT_NE(status.message().find(problem), std::string::npos) << status;
    EXPECT_FALSE(std::filesystem::exists(Path()));
  }
}

TEST(ReferenceWriterTest, AnOutputIsKeptWholeUpToTheSizeOfASample) {
  EXPECT_FALSE(MakeReferenceOutput({"y", at::ones({512})})->sampled);
  EXPECT_TRUE(MakeReferenceOutput({"y", at::ones({513})})->sampled);
}

// For a comparison in this process; no blob is made of it.
TEST(ReferenceWriterTest, InfinityAndNanStandApart) {
  const double inf = std::numeric_limits<double>::infinity();
  const at::Tensor y = at::tensor({1.0, -inf, 3.0, NAN}, at::kDouble);
  const auto made = MakeReferenceOutput({"y", y}, /*whole_limit=*/2);
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_FALSE(made->sampled) << "the places that are not sampled would not be compared";
  EXPECT_EQ(made->values, (std::vector<double>{1, 3}));
  EXPECT_EQ(made->indices, (std::vector<int64_t>{0, 2}));
  ASSERT_EQ(made->nonfinite.size(), 2u);
  EXPECT_EQ(made->nonfinite[0].index, 1);
  EXPECT_EQ(made->nonfinite[0].value, -inf);
  EXPECT_EQ(made->stats.mean, 2);
  EXPECT_EQ(made->stats.max_abs, 3);
  ReferenceOutputs reference;
  reference.outputs.push_back(*made);
  EXPECT_EQ(SerializeReference(reference).status().code(), absl::StatusCode::kInvalidArgument);
  const auto nothing = MakeReferenceOutput({"y", at::full({2}, NAN)}, /*whole_limit=*/2);
  EXPECT_NE(nothing.status().message().find("all of its elements are NaN"), std::string::npos)
      << nothing.status();
}

}  // namespace
}  // namespace assay::numerics
