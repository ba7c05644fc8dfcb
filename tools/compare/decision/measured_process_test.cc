#include "tools/compare/decision/measured_process.h"

#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/match.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::compare {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

MeasuredProcess Measured(const std::string& behave, std::vector<std::string> more = {},
                         absl::Duration timeout = absl::Seconds(60)) {
  MeasuredCommand command{.command = {"tools/processes/hostile_runner"},
                          .flags = {"--behave=" + behave},
                          .timeout = timeout,
                          .padding_bytes = 100};
  command.flags.insert(command.flags.end(), more.begin(), more.end());
  return RunMeasured(command, nullptr);
}

TEST(MeasuredProcess, GivesOneMedianForEachMode) {
  const MeasuredProcess process = Measured("well", {"--median=2000"});
  EXPECT_TRUE(process.Usable()) << process.message;
  ASSERT_EQ(process.medians.size(), 1u);
  EXPECT_EQ(process.medians[0].mode, "wall");
  EXPECT_NEAR(process.medians[0].median_ns, 2000, 2);
  EXPECT_TRUE(process.medians[0].flags.empty());
}

TEST(MeasuredProcess, WithoutAMedianItIsOfNoUse) {
  for (const auto& [behave, outcome, message] :
       {std::tuple{"nan", CRASH, "nan"}, std::tuple{"negative", CRASH, "-5 ns"},
        std::tuple{"exit0", CRASH, "half of the work"},
        std::tuple{"die_after_record", CRASH, "says PASS"},
        std::tuple{"accuracy", FAIL_ACCURACY, "said so"}}) {
    const MeasuredProcess process = Measured(behave);
    EXPECT_EQ(process.outcome, outcome) << behave;
    EXPECT_FALSE(process.Usable()) << behave;
    EXPECT_TRUE(process.medians.empty()) << behave;
    EXPECT_TRUE(absl::StrContains(process.message, message)) << process.message;
  }
}

TEST(MeasuredProcess, CarriesFlaggedChecks) {
  const MeasuredProcess process = Measured("well", {"--check=steady"});
  ASSERT_EQ(process.medians.size(), 1u);
  EXPECT_EQ(process.medians[0].flags, std::vector<std::string>{"steady: never"});
}

TEST(Traits, DifferInWhatMakesARatioMeaningless) {
  const MeasuredProcess a = Measured("well"), b = Measured("well", {"--dtype=BF16"});
  EXPECT_TRUE(Differences(a.traits, a.traits).empty());
  EXPECT_EQ(Differences(a.traits, b.traits), std::vector<std::string>{"dtype: FP32 against BF16"});
  EXPECT_EQ(Differences(a.traits, Measured("well", {"--machine=other"}).traits).size(), 1u);
}

TEST(Traits, OtherWeightsAreAnotherWorkload) {
  Record seeded, loaded;
  loaded.mutable_weights()->set_name("model.safetensors");
  loaded.mutable_weights()->set_sha256("0123456789abcdef");
  EXPECT_EQ(Differences(TraitsOf(seeded), TraitsOf(loaded)),
            std::vector<std::string>{"weights: seeded against model.safetensors sha256 01234567"});
}

Record UnderLoad() {
  Record record;
  for (const auto& [rate, ns] : {std::pair{5.0, 2e6}, {20.0, 3e6}}) {
    Served& served = *record.add_served();
    served.set_scenario("server");
    served.set_asked_qps(rate);
    for (const double share : {0.5, 0.9, 0.99, 0.999}) {
      LatencyPercentile& percentile = *served.add_percentiles();
      percentile.set_share(share);
      percentile.set_ns(ns * (1 + share));
    }
  }
  return record;
}

TEST(MediansOf, ARunUnderLoadHasLatenciesForEachRate) {
  Record record = UnderLoad();
  Check& late = *record.mutable_served(1)->add_checks();
  late.set_name("generator_late");
  late.set_status(CHECK_FLAGGED);
  late.set_detail("no core is left");
  const std::vector<ModeMedian> medians = *MediansOf(record);
  ASSERT_EQ(medians.size(), 6u) << "p99.9 needs too many queries";
  EXPECT_EQ(medians[0].mode, "server at 5/s p50");
  EXPECT_DOUBLE_EQ(medians[0].median_ns, 3e6);
  EXPECT_EQ(medians[2].mode, "server at 5/s p99");
  EXPECT_EQ(medians[5].mode, "server at 20/s p99");
  EXPECT_TRUE(IsTail(medians[5].mode));
  EXPECT_FALSE(IsTail(medians[3].mode)) << medians[3].mode;
  EXPECT_THAT(medians[2].flags, IsEmpty());
  EXPECT_THAT(medians[5].flags, ElementsAre("generator_late: no core is left"));
  EXPECT_EQ(medians[5].unverified, "") << "its replies are verified";
  EXPECT_THAT(std::string(MediansOf(record, Metric::kCpu).status().message()),
              HasSubstr("--metric=wall"));
  EXPECT_EQ(Differences(TraitsOf(record), TraitsOf(UnderLoad())).size(), 0u);
  record.mutable_served(0)->set_seed(1);
  EXPECT_THAT(Differences(TraitsOf(record), TraitsOf(UnderLoad())),
              ElementsAre(HasSubstr("server at 5/s seed 1")));
}

TEST(MediansOf, OfASearchForThePeakOnlyThePeakCounts) {
  Record record = UnderLoad();
  record.mutable_served(1)->set_peak(true);
  const std::vector<ModeMedian> medians = *MediansOf(record);
  ASSERT_EQ(medians.size(), 1u);
  Record other = record;
  other.mutable_served(0)->set_asked_qps(6);
  other.mutable_served(1)->set_asked_qps(19);
  EXPECT_THAT(Differences(TraitsOf(record), TraitsOf(other)), IsEmpty());
  EXPECT_EQ(medians[0].mode, "1 / peak rate");
  EXPECT_DOUBLE_EQ(medians[0].median_ns, 5e7);
}

TEST(MediansOf, OfflineHasTheTimeOfARequest) {
  Record record;
  Served& served = *record.add_served();
  served.set_scenario("offline");
  served.set_requests_per_s(80);
  ASSERT_EQ(MediansOf(record)->size(), 1u);
  EXPECT_DOUBLE_EQ((*MediansOf(record))[0].median_ns, 1.25e7);
  served.set_requests_per_s(0);
  EXPECT_FALSE(MediansOf(record).ok());
}

// A verified run of one output.
Record Verified() {
  Record record;
  record.set_outcome(PASS);
  VerifyParameters& verify = *record.mutable_benchmark_case()->mutable_verify();
  verify.set_rule(RELATIVE_TO_STD);
  verify.set_rms_limit(1e-5);
  verify.set_max_limit(1e-4);
  verify.set_provenance("a table");
  record.mutable_verdict()->set_outcome(PASS);
  record.mutable_verdict()->mutable_reference()->set_sha256("0123456789abcdef");
  OutputVerdict& output = *record.mutable_verdict()->add_outputs();
  output.set_name("logits");
  output.set_outcome(PASS);
  output.set_rms_limit(1e-5);
  output.set_max_limit(1e-4);
  output.set_elements_compared(32);
  record.mutable_environment()->set_threads(2);
  record.mutable_configuration()->set_digest("one");
  Measurement& m = *record.add_measurements();
  m.set_mode("wall");
  m.set_step("forward");
  m.set_median_ns(1000);
  Check& check = *m.add_checks();
  check.set_name("timed_is_verified");
  check.set_status(CHECK_OK);
  return record;
}

std::vector<std::string> DifferencesOf(const Record& a, const Record& b) {
  return Differences(TraitsOf(a), TraitsOf(b));
}

void SetSetting(const std::string& name, const std::string& value, Record& record) {
  (*record.mutable_configuration()->mutable_settings())[name] = value;
  record.mutable_configuration()->set_digest(name + value);
}

TEST(Traits, ThreadsAreATrait) {
  const Record a = Verified();
  Record b = a;
  b.mutable_environment()->set_threads(1);
  EXPECT_THAT(DifferencesOf(a, b), ElementsAre("threads: 2 against 1"));
}

TEST(Traits, ThreadsThatASideAskedForAreNoDifference) {
  Record a = Verified(), b = a;
  SetSetting("threads", "0", a);
  SetSetting("threads", "1", b);
  b.mutable_environment()->set_threads(1);
  EXPECT_THAT(DifferencesOf(a, b), IsEmpty());
}

TEST(Traits, RuleLimitsAndReferenceAreTraits) {
  const Record a = Verified();
  Record b = a;
  b.mutable_verdict()->mutable_reference()->set_sha256("fedcba9876543210");
  EXPECT_THAT(DifferencesOf(a, b),
              ElementsAre("reference: sha256 01234567 against sha256 fedcba98"));
  b = a;
  b.mutable_benchmark_case()->mutable_verify()->set_rms_limit(1e9);
  EXPECT_THAT(DifferencesOf(a, b),
              ElementsAre(AllOf(HasSubstr("limits: "), HasSubstr("rms_limit: 1e-05 "),
                                HasSubstr(" against "), HasSubstr("rms_limit: 1000000000 "))));
  b = a;
  b.mutable_benchmark_case()->mutable_verify()->set_rule(COSINE);
  EXPECT_THAT(DifferencesOf(a, b), ElementsAre(HasSubstr("rule: COSINE")));
  b = a;
  b.mutable_benchmark_case()->mutable_verify()->set_provenance("another table");
  b.mutable_benchmark_case()->mutable_verify()->set_batch(1);
  EXPECT_THAT(DifferencesOf(a, b), IsEmpty()) << "texts about the same limits";
}

TEST(Traits, AnotherDtypeExplainsOtherLimitsAndAnotherReference) {
  const Record a = Verified();
  Record b = a;
  b.mutable_benchmark_case()->set_dtype(BF16);
  b.mutable_benchmark_case()->mutable_verify()->set_rms_limit(0.05);
  b.mutable_verdict()->mutable_reference()->set_sha256("fedcba9876543210");
  EXPECT_THAT(DifferencesOf(a, b), ElementsAre(HasSubstr("dtype: ")));
}

TEST(Traits, WhatIsComparedOfEachOutputIsATrait) {
  const Record a = Verified();
  for (const auto& change : std::vector<std::function<void(OutputVerdict&)>>{
           [](OutputVerdict& o) { o.set_rms_limit(2e-5); },
           [](OutputVerdict& o) { o.set_max_limit(2e-4); },
           [](OutputVerdict& o) { o.set_elements_compared(31); },
           [](OutputVerdict& o) { o.set_name("other"); }}) {
    Record b = a;
    change(*b.mutable_verdict()->mutable_outputs(0));
    EXPECT_THAT(DifferencesOf(a, b), ElementsAre(HasSubstr("outputs compared: ")));
    // Another optimizer has other outputs, and the comparison of configurations says so.
    SetSetting("optimizer", "adamw", b);
    EXPECT_THAT(DifferencesOf(a, b), IsEmpty());
  }
}

TEST(Traits, AnExecutionHasLimitsOfItsOwnUnlessAFlagGivesThem) {
  const Record a = Verified();
  for (const char* setting : {"autocast", "lowering"}) {
    Record b = a;
    SetSetting(setting, "other", b);
    b.mutable_benchmark_case()->mutable_verify()->set_rms_limit(0.05);
    EXPECT_THAT(DifferencesOf(a, b), IsEmpty()) << setting;
    b.mutable_benchmark_case()->mutable_verify()->set_provenance("flag --rule=cosine:0.01");
    EXPECT_THAT(DifferencesOf(a, b),
                ElementsAre("rule given: none against flag --rule=cosine:0.01"))
        << setting;
  }
  Record b = a;
  SetSetting("backend", "aoti", b);
  b.mutable_benchmark_case()->mutable_verify()->set_rms_limit(0.05);
  EXPECT_THAT(DifferencesOf(a, b), ElementsAre(HasSubstr("limits: ")));
}

// A side that was not verified has lost that, as coverage.h says.
TEST(Traits, ASideThatWasNotVerifiedHasNoReference) {
  const Record a = Verified();
  Record b = a;
  b.set_outcome(NOT_VERIFIED);
  b.clear_verdict();
  EXPECT_THAT(DifferencesOf(a, b), IsEmpty());
}

std::string UnverifiedOf(const Record& record) {
  const auto medians = MediansOf(record);
  return medians.ok() ? medians->at(0).unverified : std::string(medians.status().message());
}

TEST(TimedCall, IsVerifiedByItsCheckAlone) {
  Record record = Verified();
  EXPECT_EQ(UnverifiedOf(record), "");
  Check& check = *record.mutable_measurements(0)->mutable_checks(0);
  check.set_status(CHECK_NOT_RUN);
  check.set_detail("rule DYNAMO_SAME");
  EXPECT_EQ(UnverifiedOf(record), "timed_is_verified NOT_RUN: rule DYNAMO_SAME");
  check.set_name("steady");
  check.set_status(CHECK_OK);
  EXPECT_EQ(UnverifiedOf(record), "there is no check timed_is_verified");
  record.mutable_measurements(0)->clear_checks();
  EXPECT_EQ(UnverifiedOf(record), "there is no check timed_is_verified");
}

TEST(TimedCall, AMajorityIsNotVerified) {
  Record record = Verified();
  record.mutable_verdict()->set_runs(3);
  record.mutable_verdict()->set_passed_runs(3);
  EXPECT_EQ(UnverifiedOf(record), "");
  record.mutable_verdict()->set_passed_runs(2);
  EXPECT_EQ(UnverifiedOf(record), "passed in 2 of 3 accuracy runs");
}

TEST(Medians, AreOfTheMetricAndOfFlagsThatConcernIt) {
  Record record;
  record.set_device(CPU);
  Measurement& m = *record.add_measurements();
  m.set_mode("wall");
  m.set_median_ns(300);
  m.set_cpu_ns(200);
  m.set_minimum_ns(100);
  m.set_first_call_ns(900);
  Check& check = *m.add_checks();
  check.set_name("cpu_contention");
  check.set_status(CHECK_FLAGGED);
  for (const auto& [metric, ns, flags] :
       {std::tuple(Metric::kWall, 300, 1u), std::tuple(Metric::kCpu, 200, 0u),
        std::tuple(Metric::kMin, 100, 0u)}) {
    const auto medians = MediansOf(record, metric);
    ASSERT_TRUE(medians.ok()) << medians.status();
    EXPECT_EQ((*medians)[0].median_ns, ns);
    EXPECT_EQ((*medians)[0].flags.size(), flags);
    EXPECT_EQ((*medians)[0].notes.size(), 1 - flags);
    EXPECT_EQ((*medians)[0].first_call_ns, metric == Metric::kWall ? 900 : 0);
  }
  m.clear_cpu_ns();
  EXPECT_THAT(MediansOf(record, Metric::kCpu).status().message(),
              HasSubstr("its cpu of mode wall is 0 ns"));
}

TEST(Medians, InstructionsThatAMachineDoesNotCountAreOfTheSurroundings) {
  processes::CaseProcess process;
  process.outcome = PASS;
  process.record.set_outcome(PASS);
  process.record.set_device(CPU);
  Measurement& m = *process.record.add_measurements();
  m.set_mode("wall");
  m.set_median_ns(300);
  m.set_instructions_missing("perf_event_paranoid is 3");
  const MeasuredProcess refused = Interpret(process, Metric::kInstructions);
  EXPECT_EQ(refused.outcome, NO_DEVICE);
  EXPECT_THAT(refused.message,
              HasSubstr("instructions were not counted: perf_event_paranoid is 3; --metric=cpu"));
  m.set_instructions_per_call(4e6);
  EXPECT_EQ(Interpret(process, Metric::kInstructions).medians[0].median_ns, 4e6);
  process.record.set_device(CUDA);
  EXPECT_THAT(Interpret(process, Metric::kInstructions).message, HasSubstr("this ran on a GPU"));
}

TEST(Medians, CpuTimeIsRefusedWhereTheCpuOnlyWaits) {
  processes::CaseProcess process;
  process.outcome = PASS;
  process.record.set_outcome(PASS);
  process.record.set_device(CUDA);
  Measurement& m = *process.record.add_measurements();
  m.set_mode("cold");
  m.set_median_ns(300);
  m.set_cpu_ns(200);
  const MeasuredProcess refused = Interpret(process, Metric::kCpu);
  EXPECT_EQ(refused.outcome, OUTCOME_UNSPECIFIED);
  EXPECT_THAT(refused.message, HasSubstr("this ran on a GPU"));
  EXPECT_EQ(Interpret(process, Metric::kWall).outcome, PASS);
}

}  // namespace
}  // namespace assay::compare
