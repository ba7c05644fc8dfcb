#include "tools/suite/launch/processes/merged_record.h"

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace assay::suite {
namespace {

Record Process(double median_ns, Outcome outcome = PASS) {
  Record record;
  record.set_outcome(outcome);
  record.set_duration_s(1);
  record.mutable_launch()->set_peak_bytes(static_cast<int64_t>(median_ns));
  for (const char* step : {"forward", "backward"}) {
    Measurement& m = *record.add_measurements();
    m.set_mode("wall");
    m.set_step(step);
    m.set_median_ns(median_ns);
    m.set_ci_low_ns(median_ns - 1);
    m.set_ci_high_ns(median_ns + 1);
    for (const double offset : {-1, 0, 1}) m.add_samples_ns(median_ns + offset);
    m.set_steady(true);
  }
  return record;
}

TEST(MergedRecord, TheMedianIsThatOfTheProcessesMedians) {
  const Record merged = MergedRecord(
      {Process(10), Process(30), Process(20), Process(60), Process(50), Process(40)}, 6);
  EXPECT_EQ(merged.outcome(), PASS);
  EXPECT_EQ(merged.duration_s(), 6);
  EXPECT_EQ(merged.launch().peak_bytes(), 60);
  ASSERT_EQ(merged.measurements_size(), 2);
  const Measurement& m = merged.measurements(0);
  EXPECT_EQ(m.median_ns(), 35);
  // With fewer than six values there is no interval; with six it is the whole range (Conover, order
  // statistics at 1/2).
  EXPECT_EQ(m.ci_low_ns(), 10);
  EXPECT_EQ(m.ci_high_ns(), 60);
  EXPECT_EQ(m.process_medians_ns_size(), 6);
  EXPECT_EQ(m.process_medians_ns(1), 30);  // in their order
  EXPECT_EQ(m.samples_ns_size(), 18);
  EXPECT_EQ(m.minimum_ns(), 9);
  EXPECT_EQ(merged.measurements(1).step(), "backward");
}

TEST(MergedRecord, InstructionsAreTheMeanOfAllProcessesOrAbsent) {
  std::vector<Record> processes = {Process(10), Process(20)};
  processes[0].mutable_measurements(0)->set_instructions_per_call(100);
  processes[1].mutable_measurements(0)->set_instructions_per_call(102);
  EXPECT_EQ(MergedRecord(processes, 2).measurements(0).instructions_per_call(), 101);
  processes[1].mutable_measurements(0)->clear_instructions_per_call();
  processes[1].mutable_measurements(0)->set_instructions_missing("other counters");
  const Record merged = MergedRecord(processes, 2);
  EXPECT_FALSE(merged.measurements(0).has_instructions_per_call());
  EXPECT_EQ(merged.measurements(0).instructions_missing(), "other counters");
}

TEST(MergedRecord, EnergyIsThatOfAllWindowsOrAbsent) {
  std::vector<Record> processes = {Process(10), Process(20)};
  for (const auto& [i, calls, seconds, watts] :
       {std::tuple{0, 100, 5.0, 20.0}, std::tuple{1, 300, 15.0, 40.0}}) {
    Energy& energy = *processes[i].mutable_measurements(0)->mutable_energy();
    energy.set_calls(calls);
    energy.set_window_s(seconds);
    energy.set_watts(watts);
    energy.set_joules_per_call(watts * seconds / calls);
    EnergyDomain& domain = *energy.add_domains();
    domain.set_name("package-0");
    domain.set_watts(watts);
    domain.set_idle_watts(watts / 2);
  }
  const Energy energy = MergedRecord(processes, 2).measurements(0).energy();
  EXPECT_EQ(energy.calls(), 400);
  EXPECT_DOUBLE_EQ(energy.window_s(), 20);
  EXPECT_DOUBLE_EQ(energy.watts(), 35);
  EXPECT_DOUBLE_EQ(energy.joules_per_call(), 700.0 / 400);
  ASSERT_EQ(energy.domains_size(), 1);
  EXPECT_DOUBLE_EQ(energy.domains(0).idle_watts(), 17.5);
  processes[1].mutable_measurements(0)->clear_energy();
  EXPECT_FALSE(MergedRecord(processes, 2).measurements(0).has_energy());
}

TEST(MergedRecord, TheRatioOfSizesIsTheMedianOfProcesses) {
  std::vector<Record> processes;
  for (const double ratio : {1.5, 1.0, 1.1, 1.3, 1.2, 1.4}) {
    Varied& varied = *processes.emplace_back(Process(10)).mutable_measurements(0)->mutable_varied();
    varied.set_ratio(ratio);
    varied.set_ratio_low(0.5);
    varied.set_ratio_high(2);
    varied.set_alone_ns(10 * ratio);
    varied.set_decks(7);
  }
  const Varied varied = MergedRecord(processes, 6).measurements(0).varied();
  EXPECT_DOUBLE_EQ(varied.ratio(), 1.25);
  EXPECT_DOUBLE_EQ(varied.ratio_low(), 1.0);
  EXPECT_DOUBLE_EQ(varied.ratio_high(), 1.5);
  EXPECT_DOUBLE_EQ(varied.alone_ns(), 12.5);
  EXPECT_EQ(varied.decks(), 42);
  processes.pop_back();  // five have no interval
  EXPECT_EQ(MergedRecord(processes, 5).measurements(0).varied().ratio_high(), 0);
  EXPECT_FALSE(MergedRecord({Process(10)}, 1).measurements(0).has_varied());
}

TEST(MergedRecord, KeepsEachStartInItsOrder) {
  Record first = Process(10), second = Process(20);
  first.add_starts_s(0.9);
  second.add_starts_s(0.3);
  const Record merged = MergedRecord({first, second}, 2);
  ASSERT_EQ(merged.starts_s_size(), 2);
  EXPECT_EQ(merged.starts_s(0), 0.9);
  EXPECT_EQ(merged.starts_s(1), 0.3);
}

TEST(MergedRecord, AnIntervalTakesSixProcesses) {
  const Record merged = MergedRecord({Process(10), Process(20)}, 2);
  const Measurement& m = merged.measurements(0);
  EXPECT_EQ(m.median_ns(), 15);
  EXPECT_EQ(m.ci_low_ns(), 0);
  ASSERT_EQ(m.checks_size(), 1);
  EXPECT_EQ(m.checks(0).status(), CHECK_NOTED);
  EXPECT_EQ(m.checks(0).detail(), "2 processes; an interval of their median takes 6");
}

TEST(MergedRecord, TheWorstOutcomeWins) {
  Record crash = Process(0, CRASH);
  crash.clear_measurements();
  crash.set_error("it fell");
  const Record merged = MergedRecord({Process(10), Process(20, NO_DEVICE), crash}, 5);
  EXPECT_EQ(merged.outcome(), CRASH);
  EXPECT_EQ(merged.error(), "process 3 of 5: it fell");
  EXPECT_EQ(merged.measurements(0).process_medians_ns_size(), 2);
  EXPECT_TRUE(IsWorse(FAIL_ACCURACY, TIMEOUT));
  EXPECT_TRUE(IsWorse(TIMEOUT, NOT_VERIFIED));
  EXPECT_FALSE(IsWorse(PASS, SKIPPED_DECLARED));
}

TEST(MergedRecord, AFlagOfOneProcessIsAFlag) {
  Record flagged = Process(10);
  Check& check = *flagged.mutable_measurements(0)->add_checks();
  check.set_name("steady");
  check.set_status(CHECK_FLAGGED);
  check.set_detail("it drifts");
  Record fine = Process(10);
  Check& good = *fine.mutable_measurements(0)->add_checks();
  good.set_name("steady");
  good.set_status(CHECK_OK);
  fine.mutable_measurements(0)->set_steady(false);
  const Record merged = MergedRecord({fine, flagged, fine}, 3);
  EXPECT_EQ(merged.measurements(0).checks(0).status(), CHECK_FLAGGED);
  EXPECT_EQ(merged.measurements(0).checks(0).detail(), "process 2: it drifts");
  EXPECT_FALSE(merged.measurements(0).steady());
}

}  // namespace
}  // namespace assay::suite
