#include "tools/processes/case_process.h"

#include <signal.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/record/outcome.h"
#include "gtest/gtest.h"

namespace assay::processes {
namespace {

CaseProcess Started(ChildCommand command) {
  const std::string path = testing::TempDir() + "/record.jsonl";
  std::filesystem::remove(path);
  return RunCase(std::move(command), path, nullptr);
}

CaseProcess Behaving(const std::string& behave, std::vector<std::string> more = {},
                     absl::Duration timeout = absl::Seconds(60)) {
  ChildCommand command{.arguments = {"tools/processes/hostile_runner", "--behave=" + behave},
                       .timeout = timeout};
  command.arguments.insert(command.arguments.end(), more.begin(), more.end());
  return Started(std::move(command));
}

TEST(CaseProcess, GivesItsRecord) {
  const CaseProcess process = Behaving("well", {"--median=2000"});
  EXPECT_EQ(process.outcome, PASS) << process.message;
  EXPECT_TRUE(process.message.empty()) << process.message;
  ASSERT_EQ(process.record.measurements_size(), 1);
  EXPECT_NEAR(process.record.measurements(0).median_ns(), 2000, 2);
}

struct Failure {
  std::string behave;
  Outcome outcome;
  std::string message;  // part of it
};

class Hostile : public testing::TestWithParam<Failure> {};

TEST_P(Hostile, IsNamedForWhatItIs) {
  const CaseProcess process = Behaving(GetParam().behave);
  EXPECT_EQ(process.outcome, GetParam().outcome) << record::OutcomeName(process.outcome);
  EXPECT_TRUE(absl::StrContains(process.message, GetParam().message)) << process.message;
}

INSTANTIATE_TEST_SUITE_P(
    Programs, Hostile,
    testing::Values(
        Failure{"throw", CRASH, "runtime_error"}, Failure{"allocate", OUT_OF_MEMORY, "bad_alloc"},
        Failure{"abort", CRASH, "Aborted"}, Failure{"killed", CRASH, "perhaps out of memory"},
        Failure{"segv", CRASH, "Segmentation fault"}, Failure{"exit0", CRASH, "half of the work"},
        Failure{"exit0", CRASH, "without a complete record (exit code 0)"},
        Failure{"torn", CRASH, "line 1"}, Failure{"newer", CRASH, "another version"},
        Failure{"twice", CRASH, "several records"},
        Failure{"die_after_record", CRASH, "its record says PASS"},
        Failure{"full_disk", RECORD_FAILED, "No space left on device"},
        Failure{"usage", OUTCOME_UNSPECIFIED, "command line"},
        Failure{"accuracy", FAIL_ACCURACY, "said so"}, Failure{"no_device", NO_DEVICE, "said so"}),
    [](const auto& info) { return info.param.behave + std::to_string(info.index); });

TEST(CaseProcess, HangingIsATimeoutAndItsChildDiesToo) {
  const std::string pid_file = testing::TempDir() + "/pid";
  std::filesystem::remove(pid_file);
  CaseProcess process;
  // A busy machine may take longer to start it, and so gets more time until it has.
  for (absl::Duration timeout = absl::Milliseconds(500);
       timeout < absl::Minutes(2) && !std::filesystem::exists(pid_file); timeout *= 2) {
    process = Behaving("hang", {"--pid-file=" + pid_file}, timeout);
  }
  EXPECT_EQ(process.outcome, TIMEOUT);
  EXPECT_TRUE(absl::StrContains(process.message, "killed with all it started")) << process.message;
  int pid = 0;
  std::ifstream(pid_file) >> pid;
  ASSERT_GT(pid, 0);
  const auto sleeps = [&] {
    std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
    std::string number, name, state;
    return static_cast<bool>(status >> number >> name >> state) && state == "S";
  };
  for (int i = 0; i < 3000 && sleeps(); ++i) absl::SleepFor(absl::Milliseconds(20));
  EXPECT_FALSE(sleeps());
}

TEST(CaseProcess, ATimeoutKeepsWhatWasMeasured) {
  record::RecordFile file;
  file.records.emplace_back().set_outcome(PASS);
  file.records[0].add_measurements()->set_median_ns(7);
  for (const auto& [ending, outcome] :
       {std::pair{Ending::kTimedOut, TIMEOUT}, std::pair{Ending::kInterrupted, INTERRUPTED}}) {
    const CaseProcess process = Judge({.ending = ending}, file);
    EXPECT_EQ(process.outcome, outcome);
    EXPECT_TRUE(process.HasRecord());
    EXPECT_EQ(process.record.measurements_size(), 1);
  }
}

TEST(CaseProcess, ItsLastLinesHaveNoSecretWhoseBeginningIsNotAmongThem) {
  std::string key = "-----BEGIN RSA PRIVATE KEY-----\n";
  for (int i = 0; i < 30; ++i) key += "SeCrEt0\n";
  const std::string said =
      WithOutput("it ended", {.errors = key + "-----END RSA PRIVATE KEY-----\nthe end"});
  EXPECT_FALSE(absl::StrContains(said, "SeCrEt0")) << said;
  EXPECT_TRUE(absl::EndsWith(said, "the end")) << said;
  EXPECT_TRUE(absl::EndsWith(WithOutput("x", {.output = "at me:SeCrEt0@host/x"}), "me:***@host/x"));
}

TEST(CaseProcess, OutputThatNobodyReadsDoesNotBlockIt) {
  EXPECT_EQ(Behaving("chatty").outcome, PASS);
}

TEST(CaseProcess, AllocatingBeyondItsLimitIsOutOfMemory) {
  ChildCommand command{.arguments = {"tools/processes/hostile_runner", "--behave=greedy"},
                       .timeout = absl::Seconds(60)};
  command.limits.data_bytes = int64_t{256} << 20;
  const CaseProcess process = Started(command);
  EXPECT_EQ(process.outcome, OUT_OF_MEMORY) << process.message;
  EXPECT_LT(process.end.peak_bytes, int64_t{400} << 20);
}

TEST(CaseProcess, SaysThatAProgramIsMissing) {
  const CaseProcess process = Started({.arguments = {"/no/such/program"}});
  EXPECT_EQ(process.outcome, CRASH);
  EXPECT_TRUE(absl::StrContains(process.message, "/no/such/program")) << process.message;
}

}  // namespace
}  // namespace assay::processes
