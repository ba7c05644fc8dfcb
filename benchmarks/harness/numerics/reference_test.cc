#include "benchmarks/harness/numerics/reference.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
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
  output.indices = *SampleIndices("logits", 20000);
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
  reference.outputs = {pooled, logits};
  const absl::StatusOr<std::string> bytes = SerializeReference(reference);
  ASSERT_TRUE(bytes.ok()) << bytes.status();
  EXPECT_EQ(base::Sha256Hex(*bytes),
            "de6ab80e209579b12e87d67fd2d8935039f21ee3023adc973662cb690d55c180");
}

TEST(SampleIndicesTest, AreSortedDistinctAndWithin) {
  const std::vector<int64_t> indices = *SampleIndices("logits", 2049);
  ASSERT_EQ(indices.size(), 2048u);
  EXPECT_GE(indices.front(), 0);
  EXPECT_LT(indices.back(), 2049);
  for (size_t i = 1; i < indices.size(); ++i) EXPECT_LT(indices[i - 1], indices[i]);
}

TEST(SampleSizeTest, IsSmallerForTheNumbersOfTrainingSteps) {
  for (const std::string_view name : {"step1.loss", "adam.step3.gradients", "x.step12.y.z"})
    EXPECT_EQ(SampleSize(name), 256) << name;
  for (const std::string_view name :
       {"logits", "step1", "x.step1", "step.y", "steps1.y", "step1a.y"})
    EXPECT_EQ(SampleSize(name), 2048) << name;
}

TEST(SampleIndicesTest, DependOnTheNameAndSpreadOverTheWhole) {
  const int64_t elements = int64_t{1} << 32;
  const std::vector<int64_t> indices = *SampleIndices("logits", elements);
  EXPECT_NE(indices, *SampleIndices("pooled", elements));
  double mean = 0;
  for (const int64_t index : indices) mean += static_cast<double>(index) / 2048;
  // Five standard errors of the mean of 2048 uniform draws.
  EXPECT_NEAR(mean / static_cast<double>(elements), 0.5, 5 * std::sqrt(1.0 / 12 / 2048));
}

TEST(SampleIndicesTest, SmallAndHugeOutputsAreRefused) {
  EXPECT_FALSE(SampleIndices("y", 2048).ok());
  EXPECT_FALSE(SampleIndices("y", (int64_t{1} << 32) + 1).ok());
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
      {"sample of a small output", Sample, [](ReferenceOutput& o) { o.shape = {2048}; }},
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
  output.stats = {.mean = 0, .std = 1, .l2_norm = std::sqrt(2048.0), .max_abs = 1};
  for (int64_t i = 0; i < 2048; ++i) {
    output.indices.push_back(i);
    output.values.push_back(i % 2 == 0 ? 1 : -1);
  }
  output.shape = {2048};
  EXPECT_FALSE(Validate(output).ok());
  output.shape = {2050};
  output.stats.l2_norm = std::sqrt(2050.0);
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

// What MakeReferenceOutput would keep of sin(i), i < rows * 1000.
ReferenceOutput Logits(int64_t rows) {
  std::vector<double> all;
  for (int64_t i = 0; i < rows * 1000; ++i) all.push_back(std::sin(i));
  ReferenceOutput output;
  output.name = "logits";
  output.shape = {rows, 1000};
  output.sampled = rows > 2;
  output.stats = StatsOf(all);
  if (!output.sampled) {
    output.values = std::move(all);
    return output;
  }
  output.indices = *SampleIndices("logits", rows * 1000);
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

TEST(FirstRowsTest, AWholeOutputIsThatOfTheSmallerBatch) {
  const auto one = FirstRows(Only(Logits(2)), 1, {"logits"});
  ASSERT_TRUE(one.ok()) << one.status();
  ExpectSame(one->outputs[0], Logits(1));
  EXPECT_FALSE(one->outputs[0].stats_of_sample);
  EXPECT_EQ(one->sha256, std::string(64, 'a')) << "still the blob that it came from";
}

TEST(FirstRowsTest, OfASampleThePositionsInTheseRowsRemain) {
  const ReferenceOutput all = Logits(20);
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
  const ReferenceOutput all = Logits(20);
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
  // 256 of 2048 elements would be the first 2.5 rows of 20; three rows have about 307.
  EXPECT_TRUE(FirstRows(Only(Logits(20)), 3, {"logits"}).ok());
  const absl::Status status = FirstRows(Only(Logits(20)), 2, {"logits"}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  for (const char* part : {"\"logits\"", "2 of 20 rows", "at least 256", "verify.batch"}) {
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
  const ReferenceOutput all = Logits(2);
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
  const ReferenceOutput all = Logits(20);
  const auto three = Rows(Only(all), {19, 0, 19}, {"logits"});
  ASSERT_TRUE(three.ok()) << three.status();
  const ReferenceOutput& output = three->outputs[0];
  EXPECT_TRUE(Validate(output).ok()) << Validate(output);
  EXPECT_TRUE(output.stats_of_sample);
  std::map<int64_t, double> kept;
  for (size_t i = 0; i < all.indices.size(); ++i) kept[all.indices[i]] = all.values[i];
  for (size_t i = 0; i < output.indices.size(); ++i) {
    const int64_t row = output.indices[i] / 1000, column = output.indices[i] % 1000;
    EXPECT_EQ(output.values[i], kept.at((row == 1 ? 0 : 19'000) + column));
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
      {FirstRows(Both(), -1, {"logits"}).status(), "not 0"},
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
    doubles_["pooled"] = Whole().values;
    const OutputStats stats = Whole().stats;
    doubles_["pooled#stats"] = {stats.mean, stats.std, stats.l2_norm, stats.max_abs};
    const ReferenceOutput sample = Sample();
    doubles_["logits#values"] = sample.values;
    integers_["logits#shape"] = sample.shape;
    doubles_["logits#stats"] = {sample.stats.mean, sample.stats.std, sample.stats.l2_norm,
                                sample.stats.max_abs};
  }

  std::string Bytes() const {
    std::vector<tensor_files::SafetensorsTensor> tensors;
    for (const auto& [name, values] : doubles_) {
      const int64_t count = static_cast<int64_t>(values.size());
      const bool square = name == "pooled" && count == 4;
      tensors.push_back({name,
                         tensor_files::SafetensorsDtype::kF64,
                         square ? std::vector<int64_t>{2, 2} : std::vector<int64_t>{count},
                         {reinterpret_cast<const char*>(values.data()), values.size() * 8}});
    }
    for (const auto& [name, values] : integers_) {
      tensors.push_back({name,
                         tensor_files::SafetensorsDtype::kI64,
                         {static_cast<int64_t>(values.size())},
                         {reinterpret_cast<const char*>(values.data()), values.size() * 8}});
    }
    return *tensor_files::SerializeSafetensors(tensors, metadata_);
  }

  std::map<std::string, std::vector<double>> doubles_;
  std::map<std::string, std::vector<int64_t>> integers_;
  std::map<std::string, std::string> metadata_ = {{"format", "assay-reference-2"}};
};

TEST(ParseReferenceTest, EveryDefectOfTheLayoutIsDamage) {
  ASSERT_TRUE(ParseReference(BlobParts().Bytes()).ok())
      << ParseReference(BlobParts().Bytes()).status();
  const std::pair<std::string_view, std::function<void(BlobParts&)>> cases[] = {
      {"no format", [](BlobParts& b) { b.metadata_.clear(); }},
      {"other format", [](BlobParts& b) { b.metadata_["format"] = "assay-reference-3"; }},
      {"format 1", [](BlobParts& b) { b.metadata_["format"] = "assay-reference-1"; }},
      {"no outputs",
       [](BlobParts& b) {
         b.doubles_.clear();
         b.integers_.clear();
       }},
      {"no stats", [](BlobParts& b) { b.doubles_.erase("pooled#stats"); }},
      {"five stats", [](BlobParts& b) { b.doubles_["pooled#stats"].push_back(0); }},
      {"stats only", [](BlobParts& b) { b.doubles_.erase("pooled"); }},
      {"no values", [](BlobParts& b) { b.doubles_.erase("logits#values"); }},
      {"value missing", [](BlobParts& b) { b.doubles_["logits#values"].pop_back(); }},
      {"value too many", [](BlobParts& b) { b.doubles_["logits#values"].push_back(0); }},
      {"positions", [](BlobParts& b) { b.integers_["logits#indices"] = Sample().indices; }},
      {"no shape", [](BlobParts& b) { b.integers_.erase("logits#shape"); }},
      {"both whole and sample",
       [](BlobParts& b) {
         b.doubles_["logits"] = {1, 2, 3, 4};
       }},
      {"stray tensor", [](BlobParts& b) { b.doubles_["extra"] = {1}; }},
      {"stray part", [](BlobParts& b) { b.integers_["pooled#indices"] = {1}; }},
      {"unknown part", [](BlobParts& b) { b.doubles_["pooled#median"] = {1}; }},
      {"integers for doubles",
       [](BlobParts& b) {
         b.doubles_.erase("pooled");
         b.integers_["pooled"] = {3, -4, 1, 2};
       }},
      {"doubles for a shape",
       [](BlobParts& b) {
         b.integers_.erase("logits#shape");
         b.doubles_["logits#shape"] = {20000};
       }},
      {"integers whose bits are doubles",
       [](BlobParts& b) {
         b.doubles_.erase("pooled");
         b.integers_["pooled"] = {0, 0, 0, 0};
         b.doubles_["pooled#stats"] = {0, 0, 0, 0};
       }},
      {"NaN value", [](BlobParts& b) { b.doubles_["pooled"][0] = NAN; }},
      {"NaN in a sample", [](BlobParts& b) { b.doubles_["logits#values"][0] = NAN; }},
      {"changed value", [](BlobParts& b) { b.doubles_["pooled"][0] = 3.001; }},
      {"changed shape",
       [](BlobParts& b) {
         b.integers_["logits#shape"] = {10, 1000};
       }},
      {"sample of a small output", [](BlobParts& b) { b.integers_["logits#shape"] = {2048}; }},
      {"sample of too many",
       [](BlobParts& b) { b.integers_["logits#shape"] = {(int64_t{1} << 32) + 1}; }},
      {"overflowing shape",
       [](BlobParts& b) {
         b.integers_["logits#shape"] = {INT64_MAX, INT64_MAX};
       }},
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
  blob.metadata_["format"] = "assay-reference-1";
  const absl::Status status = ParseReference(blob.Bytes()).status();
  for (const char* part :
       {"assay-reference-1", "assay-reference-2", "//tools:generate_artifacts"}) {
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
