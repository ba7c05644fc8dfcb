#include "benchmarks/harness/processes/child_process.h"

#include <signal.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/time/clock.h"
#include "gtest/gtest.h"

namespace assay::processes {
namespace {

ChildCommand Shell(const std::string& script) {
  return {.arguments = {"/bin/sh", "-c", script}, .timeout = absl::Seconds(30)};
}

ChildEnd Ended(const ChildCommand& command, const std::atomic<bool>* interrupted = nullptr) {
  const absl::StatusOr<ChildEnd> end = RunChild(command, interrupted);
  EXPECT_TRUE(end.ok()) << end.status();
  return end.value_or(ChildEnd());
}

TEST(ChildProcess, KeepsExitCodeAndBothStreamsApart) {
  const ChildEnd end = Ended(Shell("echo out; echo err >&2; exit 7"));
  EXPECT_TRUE(end.Exited(7));
  EXPECT_EQ(end.output, "out\n");
  EXPECT_EQ(end.errors, "err\n");
  EXPECT_EQ(Describe(end), "exit code 7");
}

TEST(ChildProcess, NamesTheSignalThatKilledIt) {
  const ChildEnd end = Ended(Shell("kill -KILL $$"));
  EXPECT_EQ(end.ending, Ending::kKilled);
  EXPECT_EQ(Describe(end), "signal 9 (Killed): perhaps out of memory");
}

TEST(ChildProcess, HasNoStandardInput) { EXPECT_TRUE(Ended(Shell("! read line")).Exited(0)); }

TEST(ChildProcess, StartsInItsFolderWithItsVariables) {
  ChildCommand command = Shell("pwd; echo $ASSAY_TEST");
  command.folder = "/";
  command.environment = {"ASSAY_TEST=x=y"};
  EXPECT_EQ(Ended(command).output, "/\nx=y\n");
}

// A case's script takes RUNFILES_DIR for its own runfiles.
TEST(ChildProcess, HidesThisProgramsRunfiles) {
  setenv("RUNFILES_DIR", "/mine", 1);
  const std::string output = Ended(Shell("echo \"<$RUNFILES_DIR>\"")).output;
  unsetenv("RUNFILES_DIR");
  EXPECT_EQ(output, "<>\n");
}

TEST(ChildProcess, KillsTheWholeGroupWhenTimeIsUp) {
  ChildCommand command = Shell("sleep 1000 & echo $!; wait");
  command.timeout = absl::Milliseconds(300);
  const ChildEnd end = Ended(command);
  EXPECT_EQ(end.ending, Ending::kTimedOut);
  EXPECT_TRUE(absl::StartsWith(Describe(end), "no end after ")) << Describe(end);
  int grandchild = 0;
  ASSERT_TRUE(absl::SimpleAtoi(end.output, &grandchild)) << end.output;
  for (int i = 0; i < 100 && kill(grandchild, 0) == 0; ++i) absl::SleepFor(absl::Milliseconds(20));
  // Dead, or a zombie that nobody reaps in this container; never asleep.
  EXPECT_NE(Ended(Shell("grep -q 'State:.S' /proc/" + std::to_string(grandchild) + "/status")).code,
            0);
}

TEST(ChildProcess, DoesNotWaitForWhatItLeavesBehind) {
  const ChildEnd end = Ended(Shell("sleep 1000 & exit 0"));
  EXPECT_TRUE(end.Exited(0));
  EXPECT_LT(end.elapsed, absl::Seconds(20));
}

TEST(ChildProcess, KeepsTheLastOfEndlessOutput) {
  ChildCommand command = Shell("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done");
  command.keep_bytes = 1000;
  const ChildEnd end = Ended(command);
  EXPECT_TRUE(absl::EndsWith(end.output, "line 19999\n"));
  EXPECT_LE(end.output.size(), 40000u);
}

TEST(ChildProcess, EndsWhenInterrupted) {
  std::atomic<bool> interrupted{false};
  std::thread later([&] {
    absl::SleepFor(absl::Milliseconds(200));
    interrupted = true;
  });
  // Deaf to SIGINT: it takes the second, harder way.
  const ChildEnd end = Ended(Shell("trap '' INT; sleep 1000; sleep 1000"), &interrupted);
  later.join();
  EXPECT_EQ(end.ending, Ending::kInterrupted);
}

TEST(ChildProcess, SaysWhatCouldNotBeStarted) {
  const absl::StatusOr<ChildEnd> end = RunChild({.arguments = {"/no/such/program"}}, nullptr);
  EXPECT_TRUE(absl::IsNotFound(end.status()));
  EXPECT_TRUE(absl::StrContains(end.status().message(), "/no/such/program"));
}

}  // namespace
}  // namespace assay::processes
