#include "benchmarks/harness/numerics/reference.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/safetensors.h"
#include "gtest/gtest.h"

namespace assay::numerics {
namespace {

ReferenceOutput Whole() {
  ReferenceOutput output;
  output.name = "pooled";
  output.shape = {2, 2};
  output.values = {3, -4, 1, 2};
  output.stats = StatsOf(output.values);
  return output;
}

// 20000 elements x = sin(i), of which the prescribed sample is kept.
ReferenceOutput Sample() {
  std::vector<double> all;
  all.reserve(20000);
  for (int i = 0; i < 20000; ++i) all.push_back(std::sin(i));
  ReferenceOutput output;
  output.name = "logits";
  output.shape = {20, 1000};
  output.sampled = true;
  output.indices = *SampleIndices("logits", {20, 1000});
  output.values.reserve(output.indices.size());
  for (const int64_t index : output.indices)
    output.values.push_back(all[static_cast<size_t>(index)]);
  output.stats = StatsOf(all);
  return output;
}

ReferenceOutputs Both() {
  ReferenceOutputs reference;
  reference.outputs = {Whole(), Sample()};
  reference.metadata = {{"provenance", "sine, float64"}};
  return reference;
}

std::string Path() {
  return absl::StrCat(testing::TempDir(), "/",
                      testing::UnitTest::GetInstance()->current_test_info()->name());
}

void ExpectSame(const ReferenceOutput& got, const ReferenceOutput& want) {
  EXPECT_EQ(got.name, want.name);
  EXPECT_EQ(got.shape, want.shape);
  EXPECT_EQ(got.sampled, want.sampled);
  EXPECT_EQ(got.indices, want.indices);
  EXPECT_EQ(got.values, want.values);
  EXPECT_EQ(got.stats.mean, want.stats.mean);
  EXPECT_EQ(got.stats.std, want.stats.std);
  EXPECT_EQ(got.stats.l2_norm, want.stats.l2_norm);
  EXPECT_EQ(got.stats.max_abs, want.stats.max_abs);
}

TEST(ReferenceTest, SurvivesTheRoundTrip) {
  const absl::StatusOr<std::string> bytes = SerializeReference(Both());
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  const absl::StatusOr<ReferenceOutputs> read = ParseReference(*bytes);
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->outputs.size(), 2u);
  ExpectSame(*read->Find("pooled"), Whole());
  ExpectSame(*read->Find("logits"), Sample());
  EXPECT_EQ(read->Find("loss"), nullptr);
  EXPECT_EQ(read->metadata.at("provenance"), "sine, float64");
  EXPECT_EQ(read->sha256, base::Sha256Hex(*bytes));
}

TEST(ReferenceTest, Float32TakesHalfTheBytesAndSurvives) {
  ReferenceOutputs narrow = Both();
  for (ReferenceOutput& output : narrow.outputs) {
    for (double& value : output.values) value = static_cast<float>(value);
    output.float32 = true;
  }
  const std::string bytes = *SerializeReference(narrow);
  EXPECT_LT(bytes.size(), SerializeReference(Both())->size() - 4 * 512);
  const absl::StatusOr<ReferenceOutputs> read = ParseReference(bytes);
  ASSERT_TRUE(read.ok()) << read.status();
  for (const ReferenceOutput& output : narrow.outputs) {
    ExpectSame(*read->Find(output.name), output);
    EXPECT_TRUE(read->Find(output.name)->float32);
  }
  EXPECT_EQ(*SerializeReference(*read), bytes);
}

TEST(ReferenceTest, SameOutputsGiveSameBytesWhateverTheirOrder) {
  ReferenceOutputs turned = Both();
  std::swap(turned.outputs[0], turned.outputs[1]);
  EXPECT_EQ(*SerializeReference(turned), *SerializeReference(Both()));
}

// artifacts/format/reference_blob.py, which shares no code with this package, encoded the
// same two outputs: +1 and -1 in turn, so that no sum is rounded.
TEST(ReferenceTest, GivesTheBytesOfThePythonWriter) {
  ReferenceOutputs reference;
  reference.metadata = {{"provenance", "Python \"quoted\" é"}, {"batch", "20"}};
  ReferenceOutput logits = Sample();
  for (size_t i = 0; i < logits.values.size(); ++i) {
    logits.values[i] = logits.indices[i] % 2 == 0 ? 1 : -1;
  }
  logits.stats = {.mean = 0, .std = 1, .l2_norm = std::sqrt(20000.0), .max_abs = 1};
  ReferenceOutput pooled = Whole();
  pooled.values = {1, -1, 1, -1};
  pooled.stats = {.mean = 0, .std = 1, .l2_norm = 2, .max_abs = 1};
  pooled.float32 = true;
  reference.outputs = {pooled, logits};
  const absl::StatusOr<std::string> bytes = SerializeReference(reference);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_EQ(base::Sha256Hex(*bytes),
            "2b6ad88f1d054db59f9d8ad5dc383464aad00740cd13a13bd5f14ced3efbd027");
}

TEST(SampleIndicesTest, AreSortedDistinctAndWithin) {
  const std::vector<int64_t> indices = *SampleIndices("logits", {513});
  ASSERT_EQ(indices.size(), 512u);
  EXPECT_GE(indices.front(), 0);
  EXPECT_LT(indices.back(), 513);
  for (size_t i = 1; i < indices.size(); ++i) EXPECT_LT(indices[i - 1], indices[i]);
}

TEST(SampleSizeTest, IsSmallerForTheNumbersOfTrainingSteps) {
  for (const std::string_view name : {"step1.loss", "adam.step3.gradients", "x.step12.y.z"})
    EXPECT_EQ(SampleSize(name, {8, 1000}), 64) << name;
  for (const std::string_view name : {"step1.gradient_norms", "sgd.step3.update_norms"})
    EXPECT_EQ(SampleSize(name, {1000}), 256) << name << ": one for each tensor of the model";
  for (const std::string_view name :
       {"logits", "step1", "x.step1", "step.y", "steps1.y", "step1a.y", "x_norms"})
    EXPECT_EQ(SampleSize(name, {1000}), 512) << name;
}

TEST(SampleSizeTest, BoxesAreASetAndKeptWhole) {
  EXPECT_EQ(SampleSize("detections", {2, 300, 6}), 3600);
}

TEST(SampleSizeTest, EachOfFewRowsHasEnoughToBeComparedAlone) {
  for (const auto& [rows, size] : std::vector<std::pair<int64_t, int64_t>>{
           {1, 512}, {2, 512}, {3, 768}, {8, 2048}, {9, 512}}) {
    EXPECT_EQ(SampleSize("logits", {rows, 1000}), size);
    std::map<int64_t, int64_t> of_row;
    const std::vector<int64_t> indices = *SampleIndices("logits", {rows, 1000});
    for (const int64_t index : indices) ++of_row[index / 1000];
    for (int64_t row = 0; row < rows && rows <= 8; ++row)
      EXPECT_EQ(of_row[row], size / rows) << rows << " rows";
  }
  EXPECT_EQ(SampleIndices("logits", {8, 257})->size(), 2048u) << "nearly all of each row";
}

TEST(SampleIndicesTest, DependOnTheNameAndSpreadOverTheWhole) {
  const int64_t elements = int64_t{1} << 32;
  const std::vector<int64_t> indices = *SampleIndices("logits", {elements});
  EXPECT_NE(indices, *SampleIndices("pooled", {elements}));
  double mean = 0;
  for (const int64_t index : indices) mean += static_cast<double>(index) / 512;
  // Five standard errors of the mean of 512 uniform draws.
  EXPECT_NEAR(mean / static_cast<double>(elements), 0.5, 5 * std::sqrt(1.0 / 12 / 512));
}

TEST(SampleIndicesTest, SmallAndHugeOutputsAreRefused) {
  EXPECT_FALSE(SampleIndices("y", {512}).ok());
  EXPECT_FALSE(SampleIndices("y", {(int64_t{1} << 32) + 1}).ok());
  EXPECT_FALSE(SampleIndices("y", {-1, -1000}).ok());
}

TEST(ValidateTest, StatisticsMayDifferByTheirRounding) {
  for (const auto& [share, valid] :
       {std::pair{0.95, true}, {1.05, false}, {-0.95, true}, {-1.05, false}}) {
    ReferenceOutput norm = Sample(), mean = Whole(), std = Whole(), max = Whole();
    norm.stats.l2_norm *= 1 + share * 1e-6;
    mean.stats.mean += share * 1e-9 * mean.stats.max_abs;
    std.stats.std += share * 1e-9 * std.stats.max_abs;
    max.stats.max_abs *= 1 + share * 1e-9;
    EXPECT_EQ(Validate(norm).ok(), valid) << share;
    EXPECT_EQ(Validate(mean).ok(), valid) << share;
    EXPECT_EQ(Validate(std).ok(), valid) << share;
    EXPECT_EQ(Validate(max).ok(), valid) << share;
  }
}

TEST(ValidateTest, EveryInconsistencyIsDamage) {
  const struct {
    std::string_view what;
    ReferenceOutput (*base)();
    void (*break_it)(ReferenceOutput&);
  } cases[] = {
      {"NaN", Whole, [](ReferenceOutput& o) { o.values[1] = NAN; }},
      {"infinity", Sample, [](ReferenceOutput& o) { o.values[7] = INFINITY; }},
      {"NaN mean", Sample, [](ReferenceOutput& o) { o.stats.mean = NAN; }},
      {"infinite norm", Whole, [](ReferenceOutput& o) { o.stats.l2_norm = INFINITY; }},
      {"NaN std", Whole, [](ReferenceOutput& o) { o.stats.std = NAN; }},
      {"NaN max", Sample, [](ReferenceOutput& o) { o.stats.max_abs = NAN; }},
      {"negative std", Whole, [](ReferenceOutput& o) { o.stats.std *= -1; }},
      {"negative std of a sample", Sample, [](ReferenceOutput& o) { o.stats.std *= -1; }},
      {"negative norm", Sample, [](ReferenceOutput& o) { o.stats.l2_norm *= -1; }},
      {"negative max", Sample, [](ReferenceOutput& o) { o.stats.max_abs *= -1; }},
      {"wrong mean", Whole, [](ReferenceOutput& o) { o.stats.mean *= -1; }},
      {"wrong std", Whole, [](ReferenceOutput& o) { o.stats.std *= 1.001; }},
      {"wrong std of a sample", Sample, [](ReferenceOutput& o) { o.stats.std *= 1.001; }},
      {"wrong norm", Sample, [](ReferenceOutput& o) { o.stats.l2_norm *= 1.001; }},
      {"norm zero", Sample, [](ReferenceOutput& o) { o.stats.l2_norm = 0; }},
      {"max too small", Sample, [](ReferenceOutput& o) { o.stats.max_abs *= 0.9; }},
      {"max too large", Whole, [](ReferenceOutput& o) { o.stats.max_abs *= 1.1; }},
      {"all stats zero", Whole, [](ReferenceOutput& o) { o.stats = {}; }},
      {"value missing", Whole, [](ReferenceOutput& o) { o.values.pop_back(); }},
      {"shape of other size", Whole,
       [](ReferenceOutput& o) {
         o.shape = {2, 3};
       }},
      {"empty", Whole,
       [](ReferenceOutput& o) {
         o.shape = {0};
         o.values = {};
         o.stats = {};
       }},
      {"negative size", Whole,
       [](ReferenceOutput& o) {
         o.shape = {-2, -2};
       }},
      {"overflowing shape", Sample,
       [](ReferenceOutput& o) {
         o.shape = {INT64_MAX, INT64_MAX};
       }},
      {"indices of a whole", Whole,
       [](ReferenceOutput& o) {
         o.indices = {0, 1, 2, 3};
       }},
      {"index twice", Sample, [](ReferenceOutput& o) { o.indices[1] = o.indices[0]; }},
      {"unsorted", Sample, [](ReferenceOutput& o) { std::swap(o.indices[0], o.indices[1]); }},
      {"negative index", Sample, [](ReferenceOutput& o) { o.indices[0] = -1; }},
      {"index beyond", Sample, [](ReferenceOutput& o) { o.indices.back() = 20000; }},
      {"index missing", Sample, [](ReferenceOutput& o) { o.indices.pop_back(); }},
      {"small sample", Sample,
       [](ReferenceOutput& o) {
         o.indices.pop_back();
         o.values.pop_back();
       }},
      {"sample of a small output", Sample, [](ReferenceOutput& o) { o.shape = {512}; }},
  };
  ASSERT_TRUE(Validate(Whole()).ok()) << Validate(Whole());
  ASSERT_TRUE(Validate(Sample()).ok()) << Validate(Sample());
  for (const auto& row : cases) {
    ReferenceOutput output = row.base();
    row.break_it(output);
    const absl::Status status = Validate(output);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << row.what;
    EXPECT_NE(status.message().find(output.name), std::string::npos) << status;
    ReferenceOutputs reference;
    reference.outputs = {output};
    EXPECT_EQ(SerializeReference(reference).status().code(), absl::StatusCode::kInvalidArgument)
        << "the writer refuses it too: " << row.what;
  }
}

TEST(ValidateTest, SamplesAreForLargeOutputsOnly) {
  ReferenceOutput output;
  output.name = "y";
  output.sampled = true;
  output.stats = {.mean = 0, .std = 1, .l2_norm = std::sqrt(512.0), .max_abs = 1};
  for (int64_t i = 0; i < 512; ++i) {
    output.indices.push_back(i);
    output.values.push_back(i % 2 == 0 ? 1 : -1);
  }
  output.shape = {512};
  EXPECT_FALSE(Validate(output).ok());
  output.shape = {514};
  output.stats.l2_norm = std::sqrt(514.0);
  EXPECT_TRUE(Validate(output).ok()) << Validate(output);
}

TEST(ValidateTest, ScalarsAndConstantsAreFine) {
  ReferenceOutput scalar;
  scalar.name = "loss";
  scalar.values = {2.5};
  scalar.stats = StatsOf(scalar.values);
  EXPECT_TRUE(Validate(scalar).ok()) << Validate(scalar);
  ReferenceOutput zeros;
  zeros.name = "zeros";
  zeros.shape = {3};
  zeros.values = {0, 0, 0};
  EXPECT_TRUE(Validate(zeros).ok()) << Validate(zeros);
}

TEST(ValidateTest, Float32MovesWholeValuesAgainstTheirStatisticsByItsRoundingAlone) {
  ReferenceOutput output = Whole();
  output.values = {1.0 / 3, -2.0 / 7, 0.1, 0.7};
  output.stats = StatsOf(output.values);
  for (double& value : output.values) value = static_cast<float>(value);
  EXPECT_FALSE(Validate(output).ok()) << "as float64 they are other values";
  output.float32 = true;
  EXPECT_TRUE(Validate(output).ok()) << Validate(output);
  output.values[3] *= 1 + 1e-6;
  EXPECT_FALSE(Validate(output).ok()) << "more than rounding";
}

// What MakeReferenceOutput would keep of sin(i), i < rows * 1000, or all of it.
ReferenceOutput Logits(int64_t rows, bool sampled = true) {
  std::vector<double> all;
  for (int64_t i = 0; i < rows * 1000; ++i) all.push_back(std::sin(i));
  ReferenceOutput output;
  output.name = "logits";
  output.shape = {rows, 1000};
  output.sampled = sampled;
  output.stats = StatsOf(all);
  if (!output.sampled) {
    output.values = std::move(all);
    return output;
  }
  output.indices = *SampleIndices("logits", output.shape);
  for (const int64_t index : output.indices) {
    output.values.push_back(all[static_cast<size_t>(index)]);
  }
  return output;
}

ReferenceOutputs Only(ReferenceOutput output) {
  ReferenceOutputs reference;
  reference.outputs = {std::move(output)};
  reference.sha256 = std::string(64, 'a');
  return reference;
}

absl::StatusOr<ReferenceOutputs> FirstRows(const ReferenceOutputs& reference, int64_t rows,
                                           const std::vector<std::string>& batched) {
  std::vector<int64_t> first(static_cast<size_t>(rows));
  std::iota(first.begin(), first.end(), 0);
  return Rows(reference, first, batched);
}

TEST(FirstRowsTest, AWholeOutputIsThatOfTheSmallerBatch) {
  const auto one = FirstRows(Only(Logits(2, /*sampled=*/false)), 1, {"logits"});
  ASSERT_TRUE(one.ok()) << one.status();
  ExpectSame(one->outputs[0], Logits(1, /*sampled=*/false));
  EXPECT_FALSE(one->outputs[0].stats_of_sample);
  EXPECT_EQ(one->sha256, std::string(64, 'a')) << "still the blob that it came from";
}

TEST(RowsTest, InfinityGoesWithItsRow) {
  ReferenceOutput logits = Whole();  // 3, -4; 1, 2
  logits.name = "logits";
  logits.shape = {3, 2};
  logits.indices = {0, 1, 2, 5};
  logits.nonfinite = {{3, -INFINITY}, {4, NAN}};
  ASSERT_TRUE(Validate(logits).ok()) << Validate(logits);
  const auto turned = Rows(Only(logits), {1, 0}, {"logits"});
  ASSERT_TRUE(turned.ok()) << turned.status();
  const ReferenceOutput& two = turned->outputs[0];
  EXPECT_TRUE(Validate(two).ok()) << Validate(two);
  EXPECT_EQ(two.values, (std::vector<double>{1, 3, -4}));
  EXPECT_EQ(two.indices, (std::vector<int64_t>{0, 2, 3}));
  ASSERT_EQ(two.nonfinite.size(), 1u);
  EXPECT_EQ(two.nonfinite[0].index, 1);
  const auto first = Rows(Only(logits), {0}, {"logits"});
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_TRUE(Validate(first->outputs[0]).ok()) << "all of its elements are finite";
  EXPECT_FALSE(first->outputs[0].HasIndices());
  logits.nonfinite[0].index = 2;
  EXPECT_FALSE(Validate(logits).ok()) << "one element twice, another one missing";
}

TEST(ValidateTest, NanBesideNumbersAndInfinitiesAloneCanBeComparedAndNanAloneCannot) {
  ReferenceOutput output = Whole();
  output.values = {3, 1, 2};
  output.stats = StatsOf(output.values);
  output.indices = {0, 2, 3};
  output.nonfinite = {{1, NAN}};
  EXPECT_TRUE(Validate(output).ok()) << Validate(output);
  output.values = {};
  output.stats = {};
  output.indices = {};
  output.nonfinite = {{0, INFINITY}, {1, -INFINITY}, {2, NAN}, {3, INFINITY}};
  EXPECT_TRUE(Validate(output).ok()) << Validate(output);
  for (NonfiniteElement& element : output.nonfinite) element.value = NAN;
  EXPECT_FALSE(Validate(output).ok());
}

TEST(FirstRowsTest, OfASampleThePositionsInTheseRowsRemain) {
  const ReferenceOutput all = Logits(8);
  const auto five = FirstRows(Only(all), 5, {"logits"});
  ASSERT_TRUE(five.ok()) << five.status();
  const ReferenceOutput& output = five->outputs[0];
  EXPECT_EQ(output.shape, (std::vector<int64_t>{5, 1000}));
  EXPECT_TRUE(output.sampled);
  ASSERT_EQ(output.indices.size(), output.values.size());
  ASSERT_LT(output.indices.size(), all.indices.size());
  for (size_t i = 0; i < output.indices.size(); ++i) {
    EXPECT_EQ(output.indices[i], all.indices[i]);
    EXPECT_EQ(output.values[i], all.values[i]);
  }
  EXPECT_LT(output.indices.back(), 5000);
  EXPECT_GE(all.indices[output.indices.size()], 5000) << "no more than need be is left out";
  EXPECT_TRUE(Validate(output).ok()) << Validate(output);
}

TEST(FirstRowsTest, StatisticsAreThoseOfTheKeptElementsAndSaySo) {
  const ReferenceOutput all = Logits(8);
  const auto five = FirstRows(Only(all), 5, {"logits"});
  ASSERT_TRUE(five.ok()) << five.status();
  ReferenceOutput output = five->outputs[0];
  const OutputStats own = StatsOf(output.values);
  EXPECT_TRUE(output.stats_of_sample);
  EXPECT_EQ(output.stats.mean, own.mean);
  EXPECT_EQ(output.stats.l2_norm, own.l2_norm);
  output.stats = all.stats;
  EXPECT_FALSE(Validate(output).ok()) << "the whole's statistics are not these";
  output = five->outputs[0];
  output.stats_of_sample = false;
  EXPECT_FALSE(Validate(output).ok()) << "nor are these the whole's";
  EXPECT_EQ(SerializeReference(*five).status().code(), absl::StatusCode::kInvalidArgument)
      << "a part is never written as if it were the reference of a smaller batch";
}

TEST(FirstRowsTest, TheSampleOfAPartIsStillASample) {
  for (const int64_t rows : {2, 3, 8}) {
    const auto one = FirstRows(Only(Logits(rows)), 1, {"logits"});
    ASSERT_TRUE(one.ok()) << one.status();
    EXPECT_EQ(one->outputs[0].values.size(), 256u);
    EXPECT_TRUE(Validate(one->outputs[0]).ok()) << Validate(one->outputs[0]);
  }
  // 256 of 512 elements would be the first 10 rows of 20; 13 rows have about 333.
  EXPECT_TRUE(FirstRows(Only(Logits(20)), 13, {"logits"}).ok());
  const absl::Status status = FirstRows(Only(Logits(20)), 5, {"logits"}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  for (const char* part :
       {"\"logits\"", "5 of 20 rows", "at least 256", "verify.batch", "of 2 to 8 rows 256"}) {
    EXPECT_NE(status.message().find(part), std::string::npos) << status;
  }
}

TEST(FirstRowsTest, OutputsThatAreNotBatchedAndAllRowsStayAsTheyAre) {
  const ReferenceOutputs both = Both();
  for (const auto& [rows, batched] : std::vector<std::pair<int64_t, std::vector<std::string>>>{
           {1, {}}, {20, {"logits"}}, {2, {"pooled"}}, {1, {"absent"}}}) {
    const auto same = FirstRows(both, rows, batched);
    ASSERT_TRUE(same.ok()) << same.status();
    ASSERT_EQ(same->outputs.size(), 2u);
    ExpectSame(*same->Find("pooled"), Whole());
    ExpectSame(*same->Find("logits"), Sample());
    EXPECT_FALSE(same->Find("logits")->stats_of_sample);
  }
}

TEST(RowsTest, EachRowIsThatOfTheReferenceItNames) {
  const ReferenceOutput all = Logits(2, /*sampled=*/false);
  const auto three = Rows(Only(all), {1, 0, 1}, {"logits"});
  ASSERT_TRUE(three.ok()) << three.status();
  const ReferenceOutput& output = three->outputs[0];
  EXPECT_EQ(output.shape, (std::vector<int64_t>{3, 1000}));
  ASSERT_EQ(output.values.size(), 3000u);
  for (size_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(output.values[i], all.values[1000 + i]);
    EXPECT_EQ(output.values[1000 + i], all.values[i]);
    EXPECT_EQ(output.values[2000 + i], all.values[1000 + i]);
  }
  EXPECT_TRUE(Validate(output).ok()) << Validate(output);
}

TEST(RowsTest, TheKeptElementsOfASampleGoWithTheirRow) {
  const ReferenceOutput all = Logits(8);
  const auto three = Rows(Only(all), {7, 0, 7}, {"logits"});
  ASSERT_TRUE(three.ok()) << three.status();
  const ReferenceOutput& output = three->outputs[0];
  EXPECT_TRUE(Validate(output).ok()) << Validate(output);
  EXPECT_TRUE(output.stats_of_sample);
  std::map<int64_t, double> kept;
  for (size_t i = 0; i < all.indices.size(); ++i) kept[all.indices[i]] = all.values[i];
  for (size_t i = 0; i < output.indices.size(); ++i) {
    const int64_t row = output.indices[i] / 1000, column = output.indices[i] % 1000;
    EXPECT_EQ(output.values[i], kept.at((row == 1 ? 0 : 7'000) + column));
  }
  EXPECT_GE(output.indices.back(), 2000) << "the last row has its own";
}

TEST(RowsTest, ARowThatTheReferenceLacksIsAnError) {
  const absl::Status status = Rows(Only(Logits(2)), {0, 2}, {"logits"}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("it has 2 rows, not 3"), std::string::npos) << status;
}

TEST(FirstRowsTest, MoreRowsThanTheReferenceHasOrNoneAreErrors) {
  ReferenceOutput loss;
  loss.name = "loss";
  loss.values = {2.5};
  loss.stats = StatsOf(loss.values);
  const std::pair<absl::Status, std::string_view> cases[] = {
      {FirstRows(Both(), 3, {"pooled"}).status(), "\"pooled\": it has 2 rows, not 3"},
      {FirstRows(Both(), 0, {"logits"}).status(), "\"logits\": it has 20 rows, not 0"},
      {FirstRows(Only(loss), 1, {"loss"}).status(), "\"loss\": it is a scalar"}};
  for (const auto& [status, part] : cases) {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(status.message().find(part), std::string::npos) << status;
    EXPECT_EQ(ReferenceOutcome(status), FAIL_ARTIFACT);
  }
}

TEST(FirstRowsTest, ADamagedReferenceIsDamageBeforeItIsCut) {
  ReferenceOutput output = Logits(20);
  output.values.resize(3);
  EXPECT_EQ(FirstRows(Only(output), 5, {"logits"}).status().code(), absl::StatusCode::kDataLoss);
}

TEST(SerializeReferenceTest, RefusesAnotherSampleThanThePrescribedOne) {
  ReferenceOutput output = Sample();
  int64_t other = 0;
  while (output.indices[static_cast<size_t>(other)] == other) ++other;
  output.indices[static_cast<size_t>(other)] = other;
  ASSERT_TRUE(Validate(output).ok()) << Validate(output);
  const absl::Status status = SerializeReference(Only(output)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("other positions"), std::string::npos) << status;
}

TEST(SerializeReferenceTest, RefusesNothingAndBadNames) {
  EXPECT_EQ(SerializeReference({}).status().code(), absl::StatusCode::kInvalidArgument);
  for (const char* name : {"", "a#stats", "__metadata__#"}) {
    ReferenceOutputs reference;
    reference.outputs = {Whole()};
    reference.outputs[0].name = name;
    EXPECT_EQ(SerializeReference(reference).status().code(), absl::StatusCode::kInvalidArgument);
  }
  ReferenceOutputs twice;
  twice.outputs = {Whole(), Whole()};
  EXPECT_EQ(SerializeReference(twice).status().code(), absl::StatusCode::kInvalidArgument);
}

// A blob as the tensors that a faulty producer might write.
class BlobParts {
 public:
  BlobParts() {
    const OutputStats sample = Sample().stats, whole = Whole().stats;
    Put("pooled", {2, 2}, Whole().values);
    Put(kSampleName, {512}, Sample().values);
    Put("#stats", {2, 4},
        {sample.mean, sample.std, sample.l2_norm, sample.max_abs, whole.mean, whole.std,
         whole.l2_norm, whole.max_abs});
  }

  void Put(const std::string& name, std::vector<int64_t> shape, std::vector<double> values) {
    parts_[name] = {std::move(shape), std::move(values)};
  }

  // The sample under another shape of its whole.
  void Rename(const std::string& name) {
    parts_[name] = parts_.at(kSampleName);
    parts_.erase(kSampleName);
  }

  std::string Bytes() const {
    std::vector<tensor_files::SafetensorsTensor> tensors;
    for (const auto& [name, part] : parts_) {
      tensors.push_back(
          {name,
           integers_ == name ? tensor_files::SafetensorsDtype::kI64
                             : tensor_files::SafetensorsDtype::kF64,
           part.first,
           {reinterpret_cast<const char*>(part.second.data()), part.second.size() * 8}});
    }
    return *tensor_files::SerializeSafetensors(tensors, metadata_);
  }

  static constexpr char kSampleName[] = "logits#20x1000";
  std::map<std::string, std::pair<std::vector<int64_t>, std::vector<double>>> parts_;
  std::string integers_;  // the part whose dtype is I64
  std::map<std::string, std::string> metadata_ = {{"format", "assay-reference-3"}};
};

TEST(ParseReferenceTest, EveryDefectOfTheLayoutIsDamage) {
  ASSERT_TRUE(ParseReference(BlobParts().Bytes()).ok())
      << ParseReference(BlobParts().Bytes()).status();
  const std::pair<std::string_view, std::function<void(BlobParts&)>> cases[] = {
      {"no format", [](BlobParts& b) { b.metadata_.clear(); }},
      {"other format", [](BlobParts& b) { b.metadata_["format"] = "assay-reference-4"; }},
      {"format 2", [](BlobParts& b) { b.metadata_["format"] = "assay-reference-2"; }},
      {"nothing", [](BlobParts& b) { b.parts_.clear(); }},
      {"no outputs",
       [](BlobParts& b) {
         b.parts_.clear();
         b.Put("#stats", {0, 4}, {});
       }},
      {"no stats", [](BlobParts& b) { b.parts_.erase("#stats"); }},
      {"stats of another output", [](BlobParts& b) { b.parts_.erase("pooled"); }},
      {"stats in one dimension", [](BlobParts& b) { b.parts_["#stats"].first = {8}; }},
      {"integers for stats", [](BlobParts& b) { b.integers_ = "#stats"; }},
      {"stats in another order",
       [](BlobParts& b) {
         std::vector<double>& all = b.parts_["#stats"].second;
         std::rotate(all.begin(), all.begin() + 4, all.end());
       }},
      {"value missing",
       [](BlobParts& b) { b.Put(b.kSampleName, {511}, std::vector<double>(511)); }},
      {"value too many",
       [](BlobParts& b) { b.Put(b.kSampleName, {513}, std::vector<double>(513)); }},
      {"sample in two dimensions",
       [](BlobParts& b) {
         b.parts_[b.kSampleName].first = {2, 256};
       }},
      {"both whole and sample",
       [](BlobParts& b) {
         b.Put("logits", {2, 2}, Whole().values);
         std::vector<double>& all = b.parts_["#stats"].second;
         all.insert(all.begin(), all.begin() + 4, all.end());
         b.parts_["#stats"] = {{3, 4}, std::vector<double>(all.begin(), all.begin() + 12)};
       }},
      {"stray tensor", [](BlobParts& b) { b.Put("extra", {1}, {1}); }},
      {"format 2's parts", [](BlobParts& b) { b.Put("pooled#shape", {1}, {1}); }},
      {"integers", [](BlobParts& b) { b.integers_ = "pooled"; }},
      {"NaN value", [](BlobParts& b) { b.parts_["pooled"].second[0] = NAN; }},
      {"NaN in a sample", [](BlobParts& b) { b.parts_[b.kSampleName].second[0] = NAN; }},
      {"changed value", [](BlobParts& b) { b.parts_["pooled"].second[0] = 3.001; }},
      {"changed shape", [](BlobParts& b) { b.Rename("logits#10x1000"); }},
      {"no shape", [](BlobParts& b) { b.Rename("logits#"); }},
      {"no name", [](BlobParts& b) { b.Rename("#20x1000"); }},
      {"shape with a sign", [](BlobParts& b) { b.Rename("logits#+20x1000"); }},
      {"negative shape", [](BlobParts& b) { b.Rename("logits#-20x-1000"); }},
      {"shape with a nought before it", [](BlobParts& b) { b.Rename("logits#020x1000"); }},
      {"shape with a space", [](BlobParts& b) { b.Rename("logits#20x1000 "); }},
      {"shape of 100 digits", [](BlobParts& b) { b.Rename("logits#" + std::string(100, '9')); }},
      {"sample of a small output", [](BlobParts& b) { b.Rename("logits#512"); }},
      {"sample of too many", [](BlobParts& b) { b.Rename("logits#4294967297"); }},
      {"overflowing shape",
       [](BlobParts& b) { b.Rename("logits#4611686018427387904x4611686018427387904"); }},
  };
  for (const auto& [what, break_it] : cases) {
    BlobParts blob;
    break_it(blob);
    const absl::Status status = ParseReference(blob.Bytes()).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << what << ": " << status;
    EXPECT_EQ(ReferenceOutcome(status), FAIL_ARTIFACT);
  }
}

TEST(ParseReferenceTest, TheOldFormatIsNamedWithItsMend) {
  BlobParts blob;
  blob.metadata_["format"] = "assay-reference-2";
  const absl::Status status = ParseReference(blob.Bytes()).status();
  for (const char* part :
       {"assay-reference-2", "assay-reference-3", "//tools:generate_artifacts"}) {
    EXPECT_NE(status.message().find(part), std::string::npos) << status;
  }
}

TEST(ReadReferenceTest, ReadsWhatTheLockNames) {
  const std::string bytes = *SerializeReference(Both());
  ASSERT_TRUE(tensor_files::WriteFileAtomically(Path(), bytes).ok());
  const absl::StatusOr<ReferenceOutputs> read = ReadReference(Path(), base::Sha256Hex(bytes));
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->outputs.size(), 2u);
  EXPECT_EQ(ReferenceOutcome(read.status()), PASS);
}

TEST(ReadReferenceTest, AnotherDigestIsRefusedBeforeAnythingIsParsed) {
  std::string bytes = *SerializeReference(Both());
  const std::string digest = base::Sha256Hex(bytes);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  ASSERT_TRUE(tensor_files::WriteFileAtomically(Path(), bytes).ok());
  const absl::Status status = ReadReference(Path(), digest).status();
  EXPECT_EQ(ReferenceOutcome(status), FAIL_ARTIFACT);
  for (const std::string& part :
       {digest, base::Sha256Hex(bytes), Path(), std::string("lock.bzl")}) {
    EXPECT_NE(status.message().find(part), std::string::npos) << status;
  }
}

TEST(ReadReferenceTest, LikelyMistakesAreNamed) {
  const std::string digest(64, '0');
  const std::pair<std::string, std::string> cases[] = {
      {"<!DOCTYPE html>", "web page"},
      {"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"},
      {"", "empty"}};
  for (const auto& [content, hint] : cases) {
    ASSERT_TRUE(tensor_files::WriteFileAtomically(Path(), content).ok());
    const absl::Status status = ReadReference(Path(), digest).status();
    EXPECT_EQ(ReferenceOutcome(status), FAIL_ARTIFACT);
    EXPECT_NE(status.message().find(hint), std::string::npos) << status;
  }
}

TEST(ReadReferenceTest, ARightDigestOfAWrongFileIsDamageAsWell) {
  ASSERT_TRUE(tensor_files::WriteFileAtomically(Path(), "{}").ok());
  const absl::Status status = ReadReference(Path(), base::Sha256Hex("{}")).status();
  EXPECT_EQ(ReferenceOutcome(status), FAIL_ARTIFACT);
  EXPECT_NE(status.message().find(Path()), std::string::npos) << status;
}

TEST(ReadReferenceTest, WhatIsNotThereIsUnavailableNotWrong) {
  const std::string digest(64, '0');
  EXPECT_EQ(ReferenceOutcome(ReadReference(absl::StrCat(Path(), ".none"), digest).status()),
            ARTIFACT_UNAVAILABLE);
  EXPECT_EQ(ReferenceOutcome(ReadReference(testing::TempDir(), digest).status()),
            ARTIFACT_UNAVAILABLE);
  ASSERT_TRUE(tensor_files::WriteFileAtomically(Path(), *SerializeReference(Both())).ok());
  EXPECT_EQ(ReferenceOutcome(ReadReference(Path(), "").status()), ARTIFACT_UNAVAILABLE);
}

TEST(ReadReferenceTest, AMalformedDigestOfTheLockIsSaid) {
  ASSERT_TRUE(tensor_files::WriteFileAtomically(Path(), "x").ok());
  const absl::Status status = ReadReference(Path(), "abc").status();
  EXPECT_EQ(ReferenceOutcome(status), FAIL_ARTIFACT);
  EXPECT_NE(status.message().find("64 hex digits"), std::string::npos) << status;
}

}  // namespace
}  // namespace assay::numerics
