#include "tools/suite/launch/processes/run_options.h"

#include <sched.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "gtest/gtest.h"

namespace assay::suite {
namespace {

absl::StatusOr<RunOptions> Read(const std::vector<std::string>& words) {
  RunOptions options;
  base::FlagTable table;
  AddRunFlags(options, table);
  base::GivenFlags given;
  absl::Status status = base::ParseFlags(
      table, words, "", [&](const std::string& name, absl::Span<const std::string> typed) {
        base::NoteGiven(name, typed, given);
      });
  if (status.ok()) status = base::CheckFlagRules(RunRules(), given);
  if (status.ok()) status = CheckRunOptions(options);
  if (!status.ok()) return status;
  return options;
}

TEST(RunOptions, AreReadFromFlags) {
  const auto options =
      Read({"--out=x", "--timeout=90", "--memory-limit=1.5GiB", "--processes=3", "--env=A=old",
            "--env=A=b=c", "--env=B=", "--retry-failed", "--no-lease"});
  ASSERT_TRUE(options.ok()) << options.status();
  EXPECT_EQ(options->out, "x");
  EXPECT_EQ(options->timeout, absl::Seconds(90));
  EXPECT_EQ(options->memory_limit_bytes, 3 * (int64_t{1} << 29));
  EXPECT_EQ(options->processes, 3);
  EXPECT_EQ(options->variables, (std::vector<std::string>{"A=b=c", "B="}));
  EXPECT_TRUE(options->retry_failed && options->no_lease && !options->no_resume);
  EXPECT_TRUE(Read({"--no-resume"})->no_resume);
}

TEST(RunOptions, RefuseWhatMeansNothing) {
  for (const std::string flag :
       {"--timeout=0", "--timeout=never", "--memory-limit=2GB", "--memory-limit=0",
        "--pin=", "--pin=a", "--pin=3-1", "--pin=-1", "--pin=99999", "--processes=0", "--env=A",
        "--env==b", "--out=", "--numa=-2"}) {
    const auto options = Read({flag});
    ASSERT_TRUE(absl::IsInvalidArgument(options.status())) << flag;
    EXPECT_TRUE(absl::StrContains(options.status().message(), flag.substr(0, flag.find('='))))
        << options.status();
  }
}

TEST(RunOptions, RefuseWhatDoesNotGoTogether) {
  for (const auto& [words, problem] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--retry-failed", "--no-resume"}, "--retry-failed: not with --no-resume"},
           {{"--no-resume", "--retry-flagged"}, "--retry-flagged: not with --no-resume"},
           {{"--numa=0", "--pin=0"}, "--numa: not with --pin: both choose CPUs"},
           {{"--in-process", "--processes=2"}, "--in-process: not with --processes"},
           {{"--in-process", "--launcher=slurm"}, "--in-process: not with --launcher=slurm"},
           {{"--slurm=-x"}, "--slurm: only with --launcher=slurm"},
           {{"--launcher=kubernetes", "--kubernetes-claim=c"}, "needs --kubernetes-image=IMAGE"},
           {{"--launcher=kubernetes", "--kubernetes-image=i"}, "needs --kubernetes-claim=NAME"}}) {
    EXPECT_TRUE(absl::StrContains(Read(words).status().message(), problem)) << Read(words).status();
  }
  EXPECT_TRUE(Read({"--in-process", "--processes=1"}).ok());
  EXPECT_TRUE(Read({"--retry-failed", "--nono-resume"}).ok());
}

TEST(RunOptions, RefuseACpuThatIsNotOurs) {
  cpu_set_t usable;
  ASSERT_EQ(sched_getaffinity(0, sizeof usable, &usable), 0);
  int other = 0;
  while (other < CPU_SETSIZE - 1 && CPU_ISSET(other, &usable)) ++other;
  const auto options = Read({"--pin=" + std::to_string(other)});
  EXPECT_TRUE(absl::StrContains(options.status().message(), "may not use CPU")) << options.status();
}

TEST(RunOptions, SayWhyANodeCannotBeChosen) {
  setenv("PATH", "/no/such/folder", 1);
  EXPECT_TRUE(absl::StrContains(Read({"--numa=0"}).status().message(), "numactl"));
}

TEST(ParseCpus, TakesNumbersAndRanges) {
  EXPECT_EQ(*ParseCpus("4,0-2,1"), (std::vector<int>{0, 1, 2, 4}));
}

}  // namespace
}  // namespace assay::suite
