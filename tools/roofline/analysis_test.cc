#include "tools/roofline/analysis.h"

#include <cmath>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::roofline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kCompute = 100e9, kStream = 10e9;  // the ridge is at 10 operations a byte

Record RecordOf(const std::string& name, Dtype dtype = FP32) {
  Record record;
  record.mutable_benchmark_case()->set_name(name);
  record.mutable_benchmark_case()->set_dtype(dtype);
  record.set_device(CPU);
  record.set_outcome(PASS);
  record.mutable_environment()->set_cpu_model("Model T");
  record.mutable_environment()->set_threads(2);
  record.set_started_utc("2026-01-01T00:00:00Z");
  return record;
}

Measurement& Measure(Record& record, double ms, double flops, double bytes,
                     const std::string& mode = "wall", const std::string& step = "forward") {
  Measurement& m = *record.add_measurements();
  m.set_mode(mode);
  m.set_step(step);
  m.set_median_ns(1e6 * ms);
  m.set_flops_per_call(flops);
  m.set_bytes_per_call(bytes);
  return m;
}

void AddPeaks(Record& record, double compute = kCompute, double stream = kStream) {
  for (const auto& [name, per_s] : {std::pair("compute", compute), std::pair("stream", stream)}) {
    Peak& peak = *record.add_peaks();
    peak.set_name(name);
    peak.set_dtype(record.benchmark_case().dtype());
    peak.set_per_s(per_s);
  }
}

Record WithPeaks(const std::string& name, double ms, double flops, double bytes) {
  Record record = RecordOf(name);
  Measure(record, ms, flops, bytes);
  AddPeaks(record);
  return record;
}

Analysis Of(std::vector<Record> records, const Selection& selection = {}) {
  return Analyse({{"runs.jsonl", {.records = std::move(records), .problems = {}}}}, {}, selection);
}

Row OnlyRow(const Record& record) {
  const Analysis analysis = Of({record});
  EXPECT_EQ(analysis.rows.size(), 1u);
  return analysis.rows.at(0);
}

TEST(Analyse, HoldsWorkOfHighIntensityAgainstTheProduct) {
  const Row row = OnlyRow(WithPeaks("mm", /*ms=*/2, /*flops=*/1e8, /*bytes=*/1e6));
  EXPECT_EQ(row.bound, Bound::kCompute);
  EXPECT_DOUBLE_EQ(row.Intensity(), 100);
  EXPECT_DOUBLE_EQ(row.FlopsPerSecond(), 50e9);
  EXPECT_DOUBLE_EQ(row.BytesPerSecond(), 0.5e9);
  EXPECT_DOUBLE_EQ(row.share->value, 0.5);
  EXPECT_FALSE(row.share->has_interval());
  EXPECT_EQ(row.machine, "cpu Model T, 2 threads");
  EXPECT_THAT(row.marks, IsEmpty());
}

TEST(Analyse, HoldsWorkOfLowIntensityAgainstTheCopy) {
  const Row row = OnlyRow(WithPeaks("mv", /*ms=*/0.4, /*flops=*/2e6, /*bytes=*/1e6));
  EXPECT_EQ(row.bound, Bound::kMemory);
  EXPECT_DOUBLE_EQ(row.share->value, 0.25);  // 2.5 of 10 GB/s
  const Row add = OnlyRow(WithPeaks("add", /*ms=*/0.6, /*flops=*/0, /*bytes=*/3e6));
  EXPECT_EQ(add.bound, Bound::kMemory);
  EXPECT_DOUBLE_EQ(add.share->value, 0.5);
  EXPECT_EQ(add.Intensity(), 0);
}

TEST(Analyse, AddsTheDistancesOfLimitsAsSquares) {
  Record record = WithPeaks("mm", 2, 1e8, 1e6);
  Measurement& m = *record.mutable_measurements(0);
  m.set_ci_low_ns(2e6 * std::exp(-0.03));
  m.set_ci_high_ns(2e6 * std::exp(0.04));
  Peak& compute = *record.mutable_peaks(0);
  compute.set_ci_low_per_s(kCompute * std::exp(-0.04));
  compute.set_ci_high_per_s(kCompute * std::exp(0.03));
  const Row row = OnlyRow(record);
  ASSERT_TRUE(row.share->has_interval());
  EXPECT_NEAR(row.share->low, 0.5 * std::exp(-0.05), 1e-12);  // 3, 4, 5
  EXPECT_NEAR(row.share->high, 0.5 * std::exp(0.05), 1e-12);
}

TEST(Analyse, CallsWhatTakesLittleMoreThanNothingLaunchBound) {
  Record record = WithPeaks("tiny", /*ms=*/0.002, /*flops=*/1e3, /*bytes=*/1e3);
  record.mutable_measurements(0)->set_null_ns(2000 / kLaunchFactor + 1);
  EXPECT_EQ(OnlyRow(record).bound, Bound::kLaunch);
  EXPECT_DOUBLE_EQ(OnlyRow(record).share->value, 0.05) << "the share is said even so";
  record.mutable_measurements(0)->set_null_ns(2000 / kLaunchFactor - 1);
  EXPECT_EQ(OnlyRow(record).bound, Bound::kMemory);
}

TEST(Analyse, TakesTheChecksWordForItOnAGpu) {
  Record record = WithPeaks("tiny", 0.002, 1e3, 1e3);
  record.set_device(CUDA);
  record.mutable_measurements(0)->set_null_ns(1e9);
  Check& check = *record.mutable_measurements(0)->add_checks();
  check.set_name("launch_bound");
  check.set_status(CHECK_OK);
  EXPECT_EQ(OnlyRow(record).bound, Bound::kMemory);
  for (const CheckStatus status : {CHECK_NOTED, CHECK_FLAGGED}) {
    record.mutable_measurements(0)->mutable_checks(0)->set_status(status);
    EXPECT_EQ(OnlyRow(record).bound, Bound::kLaunch);
  }
}

TEST(Analyse, ShowsWhatCannotBeTrustedWithItsReason) {
  Record failed = WithPeaks("failed", 2, 1e8, 1e6);
  failed.set_outcome(FAIL_ACCURACY);
  Record flagged = WithPeaks("flagged", 2, 1e8, 1e6);
  for (const char* name : {"steady", "one_mode"}) {
    Check& check = *flagged.mutable_measurements(0)->add_checks();
    check.set_name(name);
    check.set_status(CHECK_FLAGGED);
  }
  Record injected = WithPeaks("injected", 2, 1e8, 1e6);
  injected.mutable_measurements(0)->set_injected_share(0.03);
  Record lost = RecordOf("lost");
  lost.set_outcome(NO_DEVICE);
  const Analysis analysis = Of({failed, flagged, injected, lost});
  ASSERT_EQ(analysis.rows.size(), 4u);
  EXPECT_THAT(analysis.rows[0].marks, ElementsAre("FAIL_ACCURACY"));
  EXPECT_THAT(analysis.rows[1].marks, ElementsAre("FLAGGED steady one_mode"));
  EXPECT_THAT(analysis.rows[2].marks, ElementsAre("injected 3 %"));
  EXPECT_THAT(analysis.rows[3].marks, ElementsAre("NO_DEVICE"));
  EXPECT_EQ(analysis.rows[3].time_ns.value, 0);
  EXPECT_FALSE(analysis.rows[3].share.has_value());
}

TEST(Analyse, HoldsBytesAgainstTheFasterOfCopyingAndReading) {
  Record record = WithPeaks("sum", /*ms=*/0.4, /*flops=*/0, /*bytes=*/2e6);  // 5 GB/s
  Peak& read = *record.add_peaks();
  read.set_name("read");
  read.set_per_s(2 * kStream);
  EXPECT_DOUBLE_EQ(OnlyRow(record).share->value, 0.25);
  read.set_per_s(kStream / 2);
  EXPECT_DOUBLE_EQ(OnlyRow(record).share->value, 0.5);
}

TEST(Analyse, TakesTheProductOfOlderRecords) {
  Record record = WithPeaks("mm", 2, 1e8, 1e6);
  record.mutable_peaks(0)->set_name("gemm");
  EXPECT_DOUBLE_EQ(OnlyRow(record).share->value, 0.5);
}

constexpr char kNoReason[] = "above the roof, no reason found";

TEST(Analyse, FindsWhatIsAboveTheRoofWithoutAReason) {
  const Analysis analysis = Of({WithPeaks("mm", /*ms=*/0.8, /*flops=*/1e8, /*bytes=*/1e6),
                                WithPeaks("copy", /*ms=*/0.1, /*flops=*/0, /*bytes=*/3e6)});
  EXPECT_DOUBLE_EQ(analysis.rows[0].share->value, 1.25);
  EXPECT_DOUBLE_EQ(analysis.rows[1].share->value, 3);
  for (const Row& row : analysis.rows) EXPECT_THAT(row.marks, ElementsAre(kNoReason)) << row.name;
  EXPECT_THAT(analysis.notes, ElementsAre(HasSubstr("2 rows are above the roof, and no figure")));
}

TEST(Analyse, IsNotAboveTheRoofWhereTheIntervalReachesIt) {
  Record record = WithPeaks("mm", 0.98, 1e8, 1e6);
  record.mutable_peaks(0)->set_ci_low_per_s(0.99 * kCompute);
  record.mutable_peaks(0)->set_ci_high_per_s(1.01 * kCompute);
  record.mutable_measurements(0)->set_ci_low_ns(0.95e6);
  record.mutable_measurements(0)->set_ci_high_ns(1.01e6);
  EXPECT_THAT(OnlyRow(record).marks, IsEmpty());
  record.mutable_measurements(0)->set_ci_high_ns(0.981e6);
  EXPECT_THAT(OnlyRow(record).marks, ElementsAre(kNoReason));
}

TEST(Analyse, ExplainsByPaddingWhatIsNotAboveTheRoofWithoutIt) {
  Record record = WithPeaks("conv", /*ms=*/0.8, /*flops=*/1e8, /*bytes=*/1e6);  // 125 %
  record.mutable_measurements(0)->set_padding_flops_per_call(0.21e8);
  const Analysis analysis = Of({record});
  EXPECT_THAT(analysis.rows[0].marks,
              ElementsAre("above the roof, padding: 21 % of the FLOPs multiply zeros"));
  EXPECT_THAT(analysis.notes, IsEmpty());
  record.mutable_measurements(0)->set_padding_flops_per_call(0.19e8);
  EXPECT_THAT(OnlyRow(record).marks, ElementsAre(kNoReason));
}

TEST(Analyse, ExplainsByTheLastCacheWhatItCanHold) {
  Record record = WithPeaks("copy", /*ms=*/0.3, /*flops=*/0, /*bytes=*/4 << 20);  // 140 %
  const auto marks = [&](int64_t cache) {
    record.mutable_environment()->set_cpu_cache_bytes(cache);
    return OnlyRow(record).marks;
  };
  EXPECT_THAT(marks(32 << 20),
              ElementsAre("above the roof, fits the last cache (4.00 MiB of 32.0 MiB)"));
  EXPECT_THAT(marks(2 << 20),
              ElementsAre("above the roof, the last cache can hold 2.00 MiB of 4.00 MiB"));
  EXPECT_THAT(marks(1 << 20), ElementsAre(kNoReason)) << "105 % without it";
  for (const char* mode : {"cold", "do_bench"}) {
    record.mutable_measurements(0)->set_mode(mode);
    EXPECT_THAT(marks(32 << 20), ElementsAre(kNoReason)) << mode << " empties it";
  }
  record.mutable_measurements(0)->set_mode("hot");
  record.set_device(CUDA);
  EXPECT_THAT(marks(32 << 20), ElementsAre(kNoReason)) << "the GPU has its own";
  record.mutable_environment()->set_gpu_l2_bytes(50 << 20);
  EXPECT_THAT(marks(0), ElementsAre("above the roof, fits the last cache (4.00 MiB of 50.0 MiB)"));
}

TEST(Analyse, ExplainsByAPeakThatABusyMachineReached) {
  Record record = WithPeaks("mm", /*ms=*/0.8, /*flops=*/1e8, /*bytes=*/1e6);
  record.mutable_peaks(0)->set_probe("mm 64 x 64 x 64, FLAGGED cpu_contention");
  EXPECT_THAT(OnlyRow(record).marks, ElementsAre("above the roof, its peak was FLAGGED"));
}

TEST(Analyse, BorrowsPeaksOfTheSameMachineOnly) {
  Record without = RecordOf("mm");
  Measure(without, 2, 1e8, 1e6);
  Record busy = RecordOf("busy"), lender = RecordOf("lender");
  AddPeaks(busy, kCompute / 4);
  AddPeaks(lender);
  busy.set_started_utc("2026-01-02T00:00:00Z");
  Analysis analysis = Of({lender, busy, without}, {.filter = "mm"});
  EXPECT_DOUBLE_EQ(analysis.rows.at(0).share->value, 0.5) << "the highest";
  EXPECT_THAT(analysis.notes, ElementsAre(HasSubstr("1 row is held against peaks of another")));

  for (auto* change : {+[](Record& r) { r.mutable_environment()->set_threads(1); },
                       +[](Record& r) { r.mutable_environment()->set_cpu_model("Model A"); },
                       +[](Record& r) { r.mutable_benchmark_case()->set_dtype(BF16); },
                       +[](Record& r) { r.set_device(CUDA); }}) {
    Record other = lender;
    change(other);
    analysis = Of({other, without}, {.filter = "mm"});
    EXPECT_FALSE(analysis.rows.at(0).share.has_value());
    EXPECT_EQ(analysis.rows.at(0).bound, Bound::kUnknown);
    EXPECT_THAT(analysis.notes, ElementsAre(HasSubstr("--peaks --record=peaks.jsonl")));
  }
  const Analysis given = Analyse({{"a", {.records = {without}, .problems = {}}}},
                                 {{"b", {.records = {lender}, .problems = {}}}}, {});
  EXPECT_EQ(given.rows.size(), 1u) << "files of --peaks make no rows";
  EXPECT_DOUBLE_EQ(given.rows[0].share->value, 0.5);
}

TEST(Analyse, ACopysPeakHasNoDtype) {
  Record bytes_only = RecordOf("copy", BF16);
  Measure(bytes_only, 0.6, 0, 3e6);
  const Analysis analysis = Of({WithPeaks("mm", 2, 1e8, 1e6), bytes_only});
  EXPECT_DOUBLE_EQ(analysis.rows.at(1).share->value, 0.5);
}

TEST(Analyse, TakesTheDtypeOfAutocast) {
  Record record = WithPeaks("mm", 2, 1e8, 1e6);
  record.mutable_benchmark_case()->mutable_execution()->set_autocast(BF16);
  EXPECT_EQ(OnlyRow(record).dtype, BF16);
  EXPECT_EQ(Of({record}, {.dtype = "fp32"}).rows.size(), 0u);
  EXPECT_EQ(Of({record}, {.dtype = "bf16"}).rows.size(), 1u);
}

TEST(Analyse, ShowsOneModeOfEachStep) {
  Record record = RecordOf("mm");
  Measure(record, 3, 1e8, 1e6, "throughput");
  Measure(record, 2, 1e8, 1e6, "wall");
  Measure(record, 4, 1e8, 1e6, "throughput", "backward");
  const Analysis analysis = Of({record});
  ASSERT_EQ(analysis.rows.size(), 2u);
  EXPECT_EQ(analysis.rows[0].mode, "wall");
  EXPECT_EQ(analysis.rows[1].name, "mm/backward");
  EXPECT_EQ(analysis.rows[1].mode, "throughput") << "it has no other";
  const Analysis walls = Of({record}, {.mode = "wall"});
  EXPECT_EQ(walls.rows.size(), 1u);
  EXPECT_THAT(walls.notes, testing::Contains(HasSubstr("left out: 1 step")));
  record.mutable_measurements(0)->set_preset("discrete");
  EXPECT_EQ(Of({record}, {.mode = "discrete"}).rows.at(0).time_ns.value, 3e6);
}

TEST(Analyse, SaysWhichLinesItCouldNotRead) {
  const Analysis analysis =
      Analyse({{"a",
                {.records = {WithPeaks("mm", 2, 1e8, 1e6)},
                 .problems = {{record::LineProblem::Kind::kMalformed, 7, "a:7: not a record"}}}}},
              {}, {});
  EXPECT_THAT(analysis.notes, ElementsAre("left out: a:7: not a record"));
}

TEST(Analyse, TellsSeveralMachinesApart) {
  Record other = WithPeaks("mm", 2, 1e8, 1e6);
  other.mutable_environment()->set_cpu_model("Model A");
  const Analysis analysis = Of({WithPeaks("mm", 2, 1e8, 1e6), other});
  EXPECT_THAT(analysis.machines, ElementsAre("cpu Model T, 2 threads", "cpu Model A, 2 threads"));
  EXPECT_EQ(analysis.roofs.size(), 2u);
  EXPECT_THAT(analysis.notes, ElementsAre(HasSubstr("several machines")));
}

std::vector<std::string> Sorted(const Order& order) {
  Analysis analysis =
      Of({WithPeaks("b", 2, 1e8, 1e6), WithPeaks("c", 1, 0, 3e6), WithPeaks("a", 3, 9e8, 1e6)});
  Sort(analysis.rows, order);
  std::vector<std::string> names;
  for (const Row& row : analysis.rows) names.push_back(row.name);
  return names;
}

TEST(Sort, PutsTheLargestFirstAndTheUnknownLast) {
  EXPECT_THAT(Sorted({}), ElementsAre("b", "c", "a"));
  EXPECT_THAT(Sorted({.key = "name"}), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Sorted({.key = "time"}), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Sorted({.key = "share"}), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Sorted({.key = "bytes"}), ElementsAre("c", "b", "a"));
  EXPECT_THAT(Sorted({.key = "flops"}), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Sorted({.key = "intensity", .reversed = true}), ElementsAre("b", "a", "c"));
}

}  // namespace
}  // namespace assay::roofline
