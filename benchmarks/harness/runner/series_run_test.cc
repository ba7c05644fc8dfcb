// Tests a runner's side of --series, with a plugin in place of a GPU. This LibTorch has no CUDA, so
// each case on that device ends in CRASH, as after a kernel's fault.
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/processes/child_process.h"
#include "benchmarks/harness/processes/command_lines.h"
#include "benchmarks/harness/processes/series.h"
#include "benchmarks/harness/record/record_file.h"
#include "benchmarks/harness/tensor_files/test_folder.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using testing::ElementsAre;

struct SeriesRun {
  int code = 0;
  std::vector<int64_t> firsts;      // item that each process began with
  std::vector<Outcome> outcomes;    // of the records, in the order in which they were written
  std::vector<std::string> queues;  // the driver's, as of the records; "-": not set
};

// Runs the small mlp once on each device.
SeriesRun RunOn(const std::vector<std::string>& devices) {
  const std::string folder = tensor_files::TestFolder(), series = folder + "/series",
                    records = folder + "/records.jsonl";
  const std::string plugin = "benchmarks/harness/sampling/cuda/libworking_plugin.so";
  processes::CommandLines lines;
  for (const std::string& device : devices) {
    lines.push_back(
        {"--action=smoke", "--device=" + device, "--cuda-plugin=" + plugin, "--record=" + records});
  }
  std::ofstream(series, std::ios::binary) << processes::CommandLinesText(lines);
  SeriesRun run;
  const absl::StatusOr<int> code = processes::RunSeries(
      series + ".journal",
      [&](int64_t first) {
        run.firsts.push_back(first);
        return processes::ChildCommand{
            .arguments = {"benchmarks/harness/runner/series_run_child", "--series=" + series,
                          absl::StrCat("--series-first=", first)},
            .show_errors = true};
      },
      [](const processes::LostItem& item) { ADD_FAILURE() << item.item << " is lost"; }, nullptr);
  EXPECT_TRUE(code.ok()) << code.status();
  run.code = code.value_or(-1);
  const absl::StatusOr<record::RecordFile> file = record::ReadAll(records);
  EXPECT_TRUE(file.ok()) << file.status();
  if (!file.ok()) return run;
  for (const Record& record : file->records) {
    run.outcomes.push_back(record.outcome());
    const auto found = record.environment().variables().find("CUDA_SCALE_LAUNCH_QUEUES");
    run.queues.push_back(found == record.environment().variables().end() ? "-" : found->second);
  }
  return run;
}

TEST(SeriesRun, OneProcessDoesAllCasesOfACpu) {
  const SeriesRun run = RunOn({"cpu", "cpu"});
  EXPECT_EQ(run.code, 0);
  EXPECT_THAT(run.firsts, ElementsAre(0));
  EXPECT_THAT(run.outcomes, ElementsAre(NOT_VERIFIED, NOT_VERIFIED));
}

TEST(SeriesRun, ARecordOfAGpuSaysHowLongTheDriversQueuesAre) {
  EXPECT_THAT(RunOn({"cpu", "cuda"}).queues, ElementsAre("-", "4x"));
}

TEST(SeriesRun, TheCaseBehindACrashOnAGpuHasAProcessOfItsOwn) {
  const SeriesRun run = RunOn({"cpu", "cuda", "cpu", "cuda"});
  EXPECT_EQ(run.code, 1) << "the codes of processes that left count";
  EXPECT_THAT(run.firsts, ElementsAre(0, 2, 4));
  EXPECT_THAT(run.outcomes, ElementsAre(NOT_VERIFIED, CRASH, NOT_VERIFIED, CRASH));
}

}  // namespace
}  // namespace assay::runner
