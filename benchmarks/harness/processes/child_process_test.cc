#include "benchmarks/harness/processes/child_process.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
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

// Whether the process sleeps or runs: not one that is dead, or a zombie that nothing reaps here.
bool Lives(int process) {
  return Ended(Shell(absl::StrCat("grep -q 'State:.[SRD]' /proc/", process, "/status"))).Exited(0);
}

// Waits a minute at most: a busy machine takes its time.
bool Ends(int process) {
  for (int i = 0; i < 3000 && Lives(process); ++i) absl::SleepFor(absl::Milliseconds(20));
  return !Lives(process);
}

// The end of a command that its timeout ended after it had printed something: a busy machine may take
// longer to start it, and so gets more time until it has.
ChildEnd TimedOut(ChildCommand command) {
  ChildEnd end;
  for (command.timeout = absl::Milliseconds(300); command.timeout < absl::Minutes(2);
       command.timeout *= 2) {
    end = Ended(command);
    if (!end.output.empty()) break;
  }
  EXPECT_EQ(end.ending, Ending::kTimedOut);
  return end;
}

// A child that runs code of unknown origin prints what that code prints.
TEST(ChildProcess, AnswersApartFromWhatItPrints) {
  ChildCommand command = Shell("echo printed; echo answer >&3; echo more; echo wrong >&2");
  command.answers = true;
  const ChildEnd end = Ended(command);
  EXPECT_TRUE(end.Exited(0));
  EXPECT_EQ(end.answer, "answer\n");
  EXPECT_EQ(end.output, "printed\nmore\n");
  EXPECT_EQ(end.errors, "wrong\n");
  command.answers = false;
  EXPECT_EQ(Ended(command).answer, "") << "it has no such descriptor";
}

TEST(ChildProcess, ShowsWhatIsAskedFor) {
  ChildCommand command = Shell("echo out; echo err >&2");
  command.show_output = command.show_errors = true;
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const ChildEnd end = Ended(command);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "out\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "err\n");
  EXPECT_EQ(end.output + end.errors, "");
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

// One that needs Bazel is told the workspace, and none takes itself for started by `bazel run`.
TEST(ChildProcess, PassesTheWorkspaceOnUnderAnotherName) {
  const ChildCommand command = Shell("echo \"<$BUILD_WORKSPACE_DIRECTORY> <$ASSAY_WORKSPACE>\"");
  setenv("BUILD_WORKSPACE_DIRECTORY", "/tree", 1);
  const std::string output = Ended(command).output;
  unsetenv("BUILD_WORKSPACE_DIRECTORY");
  EXPECT_EQ(output, "<> </tree>\n");
  setenv("ASSAY_WORKSPACE", "/tree", 1);
  const std::string of_grandchild = Ended(command).output;
  unsetenv("ASSAY_WORKSPACE");
  EXPECT_EQ(of_grandchild, "<> </tree>\n");
  EXPECT_EQ(Ended(command).output, "<> <>\n");
}

TEST(ChildProcess, KillsTheWholeGroupWhenTimeIsUp) {
  const ChildEnd end = TimedOut(Shell("sleep 1000 & echo $!; wait"));
  EXPECT_TRUE(absl::StartsWith(Describe(end), "no end after ")) << Describe(end);
  int grandchild = 0;
  ASSERT_TRUE(absl::SimpleAtoi(end.output, &grandchild)) << end.output;
  EXPECT_TRUE(Ends(grandchild));
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
  // Ignores SIGINT, so it is ended by SIGKILL.
  const ChildEnd end = Ended(Shell("trap '' INT; sleep 1000; sleep 1000"), &interrupted);
  later.join();
  EXPECT_EQ(end.ending, Ending::kInterrupted);
}

TEST(ChildProcess, AsksForItsEndBeforeItKills) {
  ChildCommand command =
      Shell("trap 'echo kept; exit 0' TERM; echo up; while :; do sleep 0.05; done");
  command.grace = absl::Minutes(1);
  EXPECT_EQ(TimedOut(command).output, "up\nkept\n");
}

TEST(ChildProcess, ADeafOneIsKilledAfterItsGrace) {
  ChildCommand command = Shell("trap '' TERM; while :; do sleep 0.05; done");
  command.timeout = absl::Milliseconds(200);
  command.grace = absl::Milliseconds(200);
  EXPECT_EQ(Ended(command).ending, Ending::kTimedOut);
}

TEST(ChildProcess, KeepsBothStreamsInItsLogInOrder) {
  ChildCommand command = Shell("echo one; echo two >&2; echo three");
  command.log = testing::TempDir() + "/in_order.log";
  std::ofstream(command.log) << "head\n";
  const ChildEnd end = Ended(command);
  EXPECT_EQ(end.output, "one\ntwo\nthree\n");
  std::ostringstream kept;
  kept << std::ifstream(command.log).rdbuf();
  EXPECT_EQ(kept.str(), "head\none\ntwo\nthree\n");
}

TEST(ChildProcess, EndlessOutputDoesNotFillTheDisk) {
  ChildCommand command = Shell("i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done");
  command.log = testing::TempDir() + "/endless.log";
  command.log_bytes = 1000;
  std::ofstream(command.log) << "";
  EXPECT_TRUE(absl::EndsWith(Ended(command).output, "line 19999\n"));
  std::ostringstream kept;
  kept << std::ifstream(command.log).rdbuf();
  EXPECT_TRUE(absl::StartsWith(kept.str(), "line 0\nline 1\n"));
  EXPECT_TRUE(absl::EndsWith(kept.str(), "the rest was not kept\n"));
  EXPECT_LT(kept.str().size(), 1100u);
}

TEST(ChildProcess, SaysWhereItsLogCannotBe) {
  ChildCommand command = Shell("exit 0");
  command.log = "/no/such/folder/log";
  const absl::StatusOr<ChildEnd> end = RunChild(command, nullptr);
  ASSERT_FALSE(end.ok());
  EXPECT_TRUE(absl::StrContains(end.status().message(), command.log)) << end.status();
}

TEST(ChildProcess, IsHeldToItsLimits) {
  cpu_set_t mine;
  ASSERT_EQ(sched_getaffinity(0, sizeof mine, &mine), 0);
  int cpu = 0;
  while (!CPU_ISSET(cpu, &mine)) ++cpu;
  ChildCommand command = Shell("ulimit -d; sed -n 's/Cpus_allowed_list:.//p' /proc/self/status");
  command.limits = {.cpus = {cpu}, .data_bytes = int64_t{1} << 30};
  EXPECT_EQ(Ended(command).output, absl::StrCat(1 << 20, "\n", cpu, "\n"));
  cpu_set_t after;
  ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
  EXPECT_TRUE(CPU_EQUAL(&mine, &after));  // of this process nothing has changed
}

TEST(ChildProcess, RefusesACpuThatIsNotThere) {
  ChildCommand command = Shell("exit 0");
  for (const int cpu : {-1, CPU_SETSIZE - 1, CPU_SETSIZE}) {
    command.limits.cpus = {cpu};
    const absl::StatusOr<ChildEnd> end = RunChild(command, nullptr);
    EXPECT_TRUE(absl::IsInvalidArgument(end.status())) << end.status();
    EXPECT_TRUE(absl::StrContains(end.status().message(), std::to_string(cpu))) << end.status();
  }
}

TEST(ChildProcess, IsPutIntoItsControlGroup) {
  ChildCommand command = Shell("exit 0");
  command.limits.control_group = testing::TempDir();
  EXPECT_TRUE(Ended(command).Exited(0));
  int member = 0;
  std::ifstream(testing::TempDir() + "/cgroup.procs") >> member;
  EXPECT_GT(member, 1);
  command.limits.control_group = "/no/such/group";
  const absl::Status refused = RunChild(command, nullptr).status();
  EXPECT_TRUE(absl::IsInvalidArgument(refused)) << refused;
  EXPECT_TRUE(absl::StrContains(refused.message(), "/no/such/group")) << refused;
}

TEST(ChildProcess, ALimitHoldsFromTheFirstInstructionOn) {
  ChildCommand command = {.arguments = {"/bin/true"}, .timeout = absl::Seconds(30)};
  EXPECT_TRUE(Ended(command).Exited(0));
  command.limits.data_bytes = 1 << 10;
  EXPECT_FALSE(Ended(command).Exited(0));
}

TEST(ChildProcess, TellsAKillForWantOfMemoryByTheKernelsCount) {
  ChildCommand command = Shell("echo oom_kill 1 >$0/memory.events; kill -KILL $$");
  command.arguments.push_back(testing::TempDir());
  command.limits.control_group = testing::TempDir();
  std::ofstream(testing::TempDir() + "/memory.events") << "low 3\noom_kill 0\n";
  const ChildEnd end = Ended(command);
  EXPECT_TRUE(end.out_of_memory);
  EXPECT_EQ(Describe(end), "signal 9 (Killed): the kernel killed it, out of memory");
  EXPECT_FALSE(Ended(command).out_of_memory);  // the count stayed
}

TEST(ChildProcess, EndsWithTheProcessThatStartedIt) {
  const std::string path = testing::TempDir() + "/pid";
  const pid_t parent = fork();
  if (parent == 0) {
    ChildCommand command =
        Shell("trap '' TERM INT HUP; echo $$ >$0.new; mv $0.new $0; exec sleep 1000");
    command.arguments.push_back(path);
    (void)RunChild(command, nullptr);
    _exit(0);
  }
  int child = 0;
  while (!(std::ifstream(path) >> child)) absl::SleepFor(absl::Milliseconds(10));
  EXPECT_TRUE(Lives(child));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(Ends(child));
}

TEST(ChildProcess, CountsItsMemory) { EXPECT_GT(Ended(Shell("exit 0")).peak_bytes, 100 << 10); }

TEST(ChildProcess, SaysWhichFolderIsNotThere) {
  ChildCommand command = Shell("exit 0");
  command.folder = "/no/such/folder";
  const absl::Status refused = RunChild(command, nullptr).status();
  EXPECT_TRUE(absl::StrContains(refused.message(), "/no/such/folder")) << refused;
}

TEST(ChildProcess, SaysWhatCouldNotBeStarted) {
  const absl::StatusOr<ChildEnd> end = RunChild({.arguments = {"/no/such/program"}}, nullptr);
  EXPECT_TRUE(absl::IsNotFound(end.status()));
  EXPECT_TRUE(absl::StrContains(end.status().message(), "/no/such/program"));
}

}  // namespace
}  // namespace assay::processes
