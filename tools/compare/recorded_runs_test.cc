#include "tools/compare/recorded_runs.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/compare/report/report.h"

namespace assay::compare {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Record RunOf(double median_ns, int minute = 0, Dtype dtype = FP32) {
  Record record;
  record.set_schema_version(2);
  record.set_outcome(PASS);
  record.set_started_utc(absl::StrFormat("2026-01-01T00:%02d:00+00:00", minute));
  record.mutable_benchmark_case()->set_label("//a:b");
  record.mutable_benchmark_case()->set_dtype(dtype);
  Measurement& m = *record.add_measurements();
  m.set_mode("wall");
  m.set_step("forward");
  m.set_median_ns(median_ns);
  m.set_ci_low_ns(median_ns * 0.99);
  m.set_ci_high_ns(median_ns * 1.01);
  return record;
}

record::RecordFile Runs(int count, double median_ns, int first_minute = 0) {
  record::RecordFile file;
  for (int i = 0; i < count; ++i) {
    file.records.push_back(RunOf(median_ns * (1 + 0.001 * std::sin(1.7 * i)), first_minute + i));
  }
  return file;
}

RecordedRuns Compared(const record::RecordFile& a, const record::RecordFile& b,
                      CampaignOptions options = {}) {
  const auto runs = CompareRecords(a, b, options, "");
  EXPECT_TRUE(runs.ok()) << runs.status();
  return runs.value_or(RecordedRuns());
}

TEST(RecordedRuns, SeveralProcessesASideGiveAVerdict) {
  EXPECT_EQ(Compared(Runs(10, 1000), Runs(8, 1030)).result.series[0].verdict, Conclusion::kSlower);
  EXPECT_EQ(Compared(Runs(10, 1030), Runs(8, 1000)).result.series[0].verdict, Conclusion::kFaster);
  EXPECT_EQ(Compared(Runs(10, 1000), Runs(8, 1000)).result.series[0].verdict, Conclusion::kSame);
}

TEST(RecordedRuns, OneProcessGivesNoVerdictHoweverFarApart) {
  const RecordedRuns runs = Compared(Runs(1, 1000), Runs(10, 2000));
  const SeriesResult& series = runs.result.series[0];
  EXPECT_EQ(series.verdict, Conclusion::kInconclusive);
  EXPECT_FALSE(series.estimate.has_value());
  EXPECT_TRUE(absl::StrContains(series.reason, "no process-to-process variance")) << series.reason;
  EXPECT_TRUE(absl::StrContains(series.reason, "0.99 .. 1.01 us")) << series.reason;
}

TEST(RecordedRuns, SaysWhatFilesCannotKnow) {
  const std::string apart = absl::StrJoin(Compared(Runs(5, 1000), Runs(5, 1000, 30)).notes, "\n");
  EXPECT_TRUE(absl::StrContains(apart, "one after the other")) << apart;
  EXPECT_TRUE(absl::StrContains(apart, "cannot tell the order")) << apart;
  const std::string mixed = absl::StrJoin(Compared(Runs(5, 1000), Runs(5, 1000, 2)).notes, "\n");
  EXPECT_FALSE(absl::StrContains(mixed, "one after the other")) << mixed;
}

// A whole suite's file against one of a few cases.
TEST(RecordedRuns, SaysOnceWhatIsSoOfManyCases) {
  record::RecordFile suite = Runs(5, 1000), few = Runs(5, 1000, 30);
  for (int i = 0; i < 100; ++i) {
    suite.records.push_back(RunOf(7));
    suite.records.back().mutable_benchmark_case()->set_label(absl::StrCat("//a:case", i));
    suite.records.back().set_started_utc(absl::StrCat("2026-01-01T00:00:00+00:00", i));
  }
  const RecordedRuns added = Compared(few, suite);
  EXPECT_LE(added.notes.size(), 4u) << absl::StrJoin(added.notes, "\n");
  EXPECT_THAT(absl::StrJoin(added.notes, "\n"), HasSubstr("… and 97 more"));
  Report report;
  report.result = Compared(suite, few).result;
  const std::string text = TextReport(report);
  EXPECT_EQ(report.result.cases.size(), 101u);
  EXPECT_THAT(text, HasSubstr("… and 97 more: "));
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 12) << text;
}

TEST(RecordedRuns, AFailureSaysNoSecret) {
  record::RecordFile failed = Runs(5, 1000);
  failed.records[2].set_outcome(CRASH);
  failed.records[2].set_error("git clone me:abcdef@host/x; the password is abcdef");
  EXPECT_THAT(Compared(Runs(5, 1000), failed).result.cases[0].failure->message,
              HasSubstr(": git clone me:***@host/x; the password is ***"));
}

TEST(RecordedRuns, RefusesDifferentDtypesUnlessAcross) {
  record::RecordFile other = Runs(5, 1000);
  other.records[3] = RunOf(1000, 3, BF16);
  const RecordedRuns refused = Compared(Runs(5, 1000), other);
  ASSERT_TRUE(refused.result.cases[0].failure.has_value());
  EXPECT_TRUE(absl::StrContains(refused.result.cases[0].failure->message, "FP32 against BF16"));
  EXPECT_FALSE(
      Compared(Runs(5, 1000), other, {.across = true}).result.cases[0].failure.has_value());
}

record::RecordFile WithVariable(record::RecordFile file, const std::string& name,
                                const std::string& value) {
  for (Record& record : file.records) {
    (*record.mutable_environment()->mutable_variables())[name] = value;
  }
  return file;
}

TEST(RecordedRuns, RefusesOtherVariablesThatChangeNumbersUnlessAcross) {
  const record::RecordFile plain = Runs(5, 1000);
  const record::RecordFile queues = WithVariable(plain, "CUDA_SCALE_LAUNCH_QUEUES", "4x");
  const RecordedRuns refused = Compared(plain, queues);
  ASSERT_TRUE(refused.result.cases[0].failure.has_value());
  EXPECT_THAT(refused.result.cases[0].failure->message,
              HasSubstr("CUDA_SCALE_LAUNCH_QUEUES: not set against 4x"));
  EXPECT_FALSE(Compared(plain, queues, {.across = true}).result.cases[0].failure.has_value());
  EXPECT_FALSE(Compared(queues, queues).result.cases[0].failure.has_value());
  const RecordedRuns other =
      Compared(queues, WithVariable(plain, "CUDA_SCALE_LAUNCH_QUEUES", "1x"));
  EXPECT_THAT(other.result.cases[0].failure->message, HasSubstr("4x against 1x"));
}

// Which of a machine's GPUs it was is no setting, and the allocator is one of the configuration's.
TEST(RecordedRuns, TakesVariablesThatAreToldOtherwise) {
  for (const char* name : {"CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "allocator"}) {
    const RecordedRuns runs =
        Compared(WithVariable(Runs(5, 1000), name, "0"), WithVariable(Runs(5, 1000), name, "1"));
    EXPECT_FALSE(runs.result.cases[0].failure.has_value()) << name;
  }
}

// Files of other suites do not say which variables were set.
TEST(RecordedRuns, AsksNoOtherSuitesRecordForVariables) {
  record::RecordFile imported = Runs(5, 1000);
  for (Record& record : imported.records) record.mutable_imported()->set_format("dynamo_csv");
  const record::RecordFile own = WithVariable(Runs(5, 1000), "OMP_NUM_THREADS", "2");
  EXPECT_FALSE(Compared(imported, own).result.cases[0].failure.has_value());
}

record::RecordFile WithSetting(record::RecordFile file, const std::string& name,
                               const std::string& value) {
  for (Record& record : file.records) {
    Configuration& c = *record.mutable_configuration();
    c.set_digest(value);
    (*c.mutable_settings())["threads"] = "2";
    (*c.mutable_settings())[name] = value;
  }
  return file;
}

TEST(RecordedRuns, ConfigurationsOfOneCaseAreCasesOfTheirOwn) {
  record::RecordFile a = WithSetting(Runs(10, 1000), "optimizer", "sgd");
  for (const Record& record : WithSetting(Runs(10, 2000, 10), "optimizer", "adamw").records) {
    a.records.push_back(record);
  }
  const RecordedRuns runs = Compared(a, a);
  ASSERT_EQ(runs.result.cases.size(), 2u);
  EXPECT_EQ(runs.result.cases[0].name, "//a:b optimizer=adamw");
  EXPECT_EQ(runs.result.cases[1].name, "//a:b optimizer=sgd");
  for (const SeriesResult& series : runs.result.series) {
    EXPECT_EQ(series.verdict, Conclusion::kSame);
  }
  // One of them against another: refused, unless it is asked for.
  const RecordedRuns other = Compared(WithSetting(Runs(10, 1000), "optimizer", "sgd"),
                                      WithSetting(Runs(10, 1000), "optimizer", "adam"));
  EXPECT_THAT(other.result.cases[0].failure->message, HasSubstr("optimizer: sgd against adam"));
}

TEST(RecordedRuns, RefusesOtherThreadsVariablesAndLimits) {
  const auto refused = [](const std::function<void(Record&)>& change, const std::string& says) {
    record::RecordFile other = Runs(5, 1000);
    change(other.records[3]);
    const RecordedRuns runs = Compared(Runs(5, 1000), other);
    ASSERT_TRUE(runs.result.cases[0].failure.has_value()) << says;
    EXPECT_THAT(runs.result.cases[0].failure->message, HasSubstr(says));
    EXPECT_FALSE(
        Compared(Runs(5, 1000), other, {.across = true}).result.cases[0].failure.has_value());
  };
  refused([](Record& r) { r.mutable_environment()->set_threads(1); }, "threads: 0 against 1");
  refused([](Record& r) { (*r.mutable_environment()->mutable_variables())["MKL_X"] = "1"; },
          "MKL_X: not set against 1");
  refused([](Record& r) { r.mutable_benchmark_case()->mutable_verify()->set_atol(1); }, "limits: ");
}

TEST(RecordedRuns, KeepsWhichTimedCallsWereNotVerified) {
  record::RecordFile candidate = Runs(5, 500);
  for (Record& record : candidate.records) {
    Check& check = *record.mutable_measurements(0)->add_checks();
    check.set_name("timed_is_verified");
    check.set_status(CHECK_OK);
  }
  const SeriesResult series = Compared(Runs(5, 1000), candidate).result.series[0];
  EXPECT_EQ(series.verdict, Conclusion::kFaster);
  EXPECT_EQ(series.Unverified(), "baseline in 5 of 5 (there is no check timed_is_verified)");
  EXPECT_EQ(Compared(candidate, candidate).result.series[0].Unverified(), "");
}

TEST(RecordedRuns, RefusesFailedAndFlaggedRuns) {
  record::RecordFile failed = Runs(5, 1000);
  failed.records[2].set_outcome(FAIL_ACCURACY);
  EXPECT_EQ(Compared(Runs(5, 1000), failed).result.cases[0].failure->outcome, FAIL_ACCURACY);
  record::RecordFile flagged = Runs(5, 1000);
  Check& check = *flagged.records[2].mutable_measurements(0)->add_checks();
  check.set_name("steady");
  check.set_status(CHECK_FLAGGED);
  EXPECT_EQ(Compared(Runs(5, 1000), flagged).result.series[0].verdict, Conclusion::kNotCompared);
  EXPECT_EQ(Compared(Runs(5, 1000), flagged, {.keep_flagged = true}).result.series[0].verdict,
            Conclusion::kSame);
}

TEST(RecordedRuns, FilesOfModelsAreCasesOfTheirOwnNames) {
  record::RecordFile files = Runs(6, 1000);
  for (const Record& record : Runs(6, 2000, /*first_minute=*/6).records)
    files.records.push_back(record);
  for (size_t i = 0; i < files.records.size(); ++i) {
    BenchmarkCase& c = *files.records[i].mutable_benchmark_case();
    c.set_label("//tools:run_model");
    c.set_name(i < 6 ? "bag" : "steps");
  }
  std::vector<std::string> names;
  for (const auto& one : Compared(files, files).result.cases) names.push_back(one.name);
  EXPECT_THAT(names, ElementsAre("bag", "steps"));
}

TEST(RecordedRuns, NamesCasesOfOneFileAndTornLines) {
  record::RecordFile more = Runs(5, 1000);
  more.records.push_back(RunOf(7));
  more.records.back().mutable_benchmark_case()->set_label("//a:only");
  more.problems.push_back({record::LineProblem::Kind::kTornLastLine, 7, "torn"});
  const RecordedRuns runs = Compared(Runs(5, 1000), more);
  const std::string notes = absl::StrJoin(runs.notes, "\n");
  EXPECT_TRUE(absl::StrContains(notes, "only in the candidate: //a:only")) << notes;
  EXPECT_THAT(runs.result.lost, ElementsAre(HasSubstr("candidate, line 7 left out: torn")));
  record::RecordFile none;
  EXPECT_FALSE(CompareRecords(none, more, {}, "").ok());
  EXPECT_FALSE(CompareRecords(Runs(5, 1000), more, {}, "nothing").ok());
}

TEST(RecordedRuns, ACaseThatTheCandidateLacksIsLost) {
  record::RecordFile more = Runs(5, 1000);
  more.records.push_back(RunOf(7));
  more.records.back().mutable_benchmark_case()->set_label("//a:only");
  const CampaignResult result = Compared(more, Runs(5, 1000)).result;
  ASSERT_EQ(result.cases.size(), 2u);
  EXPECT_THAT(result.cases[0].lost, IsEmpty());
  EXPECT_EQ(result.cases[1].name, "//a:only");
  EXPECT_THAT(result.cases[1].lost, ElementsAre(HasSubstr("no run of it")));
}

TEST(RecordedRuns, WhatOneRunLostIsLost) {
  const auto lost = [](const std::function<void(Record&)>& change, CampaignOptions options = {}) {
    record::RecordFile changed = Runs(5, 1000);
    change(changed.records[3]);
    return Compared(Runs(5, 1000), changed, options).result.cases[0].lost;
  };
  EXPECT_THAT(lost([](Record&) {}), IsEmpty());
  EXPECT_THAT(lost([](Record& r) { r.set_outcome(NOT_VERIFIED); }),
              ElementsAre(HasSubstr("not verified in 0 of 5 runs of the baseline and 1 of 5")));
  const auto skip = [](Record& r) {
    r.set_outcome(SKIPPED_DECLARED);
    r.clear_measurements();
  };
  EXPECT_THAT(lost(skip), ElementsAre(HasSubstr("skipped in 1 of 5")));
  const auto other_mode = [](Record& r) { r.mutable_measurements(0)->set_mode("cold"); };
  EXPECT_THAT(lost(other_mode, {.across = true}), ElementsAre(HasSubstr("mode wall")));
}

TEST(RecordedRuns, ARunCountsOnceHoweverOftenItsLineWasCopied) {
  record::RecordFile copied;
  copied.records.assign(12, RunOf(500));
  const RecordedRuns runs = Compared(Runs(5, 1000), copied);
  EXPECT_EQ(runs.result.series[0].verdict, Conclusion::kInconclusive);
  EXPECT_FALSE(runs.result.series[0].estimate.has_value());
  EXPECT_THAT(runs.notes, Contains(HasSubstr("candidate: 11 lines repeat a run")));
}

TEST(RecordedRuns, RunsUnderLoadAreComparedByTheirLatencies) {
  const auto serve = [](record::RecordFile file, double factor) {
    for (Record& record : file.records) {
      const double ns = factor * record.measurements(0).median_ns();
      record.clear_measurements();
      Served& served = *record.add_served();
      served.set_scenario("server");
      served.set_asked_qps(20);
      LatencyPercentile& median = *served.add_percentiles();
      median.set_share(0.5);
      median.set_ns(ns);
    }
    return file;
  };
  const RecordedRuns runs = Compared(serve(Runs(8, 1000), 1), serve(Runs(8, 1000), 2));
  ASSERT_EQ(runs.result.series.size(), 1u);
  EXPECT_EQ(runs.result.series[0].mode, "server at 20/s p50");
  EXPECT_EQ(runs.result.series[0].verdict, Conclusion::kSlower);
}

// Ten runs of mlp_fp32_b64 on a simulated card, or on the CPU beside it.
record::RecordFile GpuRuns(const std::string& card, double factor = 1, bool on_cpu = false) {
  const auto all = record::ReadAll("benchmarks/harness/record/testdata/simulated_gpu.jsonl");
  EXPECT_TRUE(all.ok()) << all.status();
  record::RecordFile runs;
  for (const Record& record : all.ok() ? all->records : std::vector<Record>()) {
    if (record.benchmark_case().name() != "mlp_fp32_b64") continue;
    if (!absl::StrContains(record.environment().gpu_name(), card)) continue;
    for (int i = 0; i < 10; ++i) {
      Record run = record;
      run.set_started_utc(absl::StrFormat("2026-01-01T00:%02d:00+00:00", i));
      if (on_cpu) {
        run.set_device(CPU);
        run.mutable_environment()->clear_gpu_name();
        run.mutable_environment()->clear_noise();
        (*run.mutable_configuration()->mutable_settings())["device"] = "cpu";
        run.mutable_configuration()->set_digest("of the CPU");
      }
      run.clear_measurements();
      for (Measurement m : record.measurements()) {
        if (m.mode() != "wall" && m.mode() != "cold") continue;
        if (on_cpu && m.mode() == "cold") continue;
        m.set_median_ns(m.median_ns() * factor * (1 + 0.001 * std::sin(1.7 * i)));
        *run.add_measurements() = m;
      }
      runs.records.push_back(run);
    }
  }
  return runs;
}

record::RecordFile Both(record::RecordFile a, const record::RecordFile& b) {
  a.records.insert(a.records.end(), b.records.begin(), b.records.end());
  return a;
}

TEST(RecordedRuns, RefusesTwoCardsUnlessAcross) {
  const auto refused = Compared(GpuRuns("H100"), GpuRuns("H200"));
  EXPECT_THAT(refused.result.series, IsEmpty());
  EXPECT_THAT(refused.result.cases[0].failure->message,
              HasSubstr("machine: Simulated Host, 16 CPUs, Simulated H100 80GB HBM3 against "
                        "Simulated Host, 16 CPUs, Simulated H200"));
  // Nor may one side have runs of both.
  const auto mixed = Compared(Both(GpuRuns("H100"), GpuRuns("H200")), GpuRuns("H100"));
  EXPECT_THAT(mixed.result.series, IsEmpty());
  const auto across = Compared(GpuRuns("H100"), GpuRuns("H200"), {.across = true});
  EXPECT_EQ(across.result.series.size(), 2u);
}

TEST(RecordedRuns, AGpuIsNotComparedWithTheCpuBesideIt) {
  const auto refused = Compared(GpuRuns("H100"), GpuRuns("H100", 1, /*on_cpu=*/true));
  EXPECT_THAT(refused.result.cases[0].failure->message, HasSubstr("device: CUDA against CPU"));
}

TEST(RecordedRuns, ACaseOnGpuAndCpuIsTwoCasesAndTheTextNamesBothMachines) {
  const RecordedRuns runs = Compared(Both(GpuRuns("H100", 1, true), GpuRuns("H100")),
                                     Both(GpuRuns("H100", 1, true), GpuRuns("H100", 1.1)));
  std::vector<std::string> verdicts;
  for (const SeriesResult& series : runs.result.series) {
    verdicts.push_back(absl::StrCat(runs.result.cases[series.case_index].name, " ", series.mode,
                                    " ", ConclusionName(series.verdict)));
  }
  const std::string name = "//benchmarks/mlp:mlp_fp32_b64 device=";
  EXPECT_THAT(verdicts, ElementsAre(name + "cpu wall SAME", name + "cuda wall SLOWER",
                                    name + "cuda cold SLOWER"));
  Report report;
  report.result = runs.result;
  report.recorded_runs = true;
  const std::string text = TextReport(report);
  EXPECT_THAT(text, HasSubstr("machine    Simulated Host, 16 CPUs\n"));
  EXPECT_THAT(text, HasSubstr("machine    Simulated Host, 16 CPUs, Simulated H100 80GB HBM3"));
}

}  // namespace
}  // namespace assay::compare
