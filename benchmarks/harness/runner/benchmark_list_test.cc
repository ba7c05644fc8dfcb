#include "benchmarks/harness/runner/benchmark_list.h"

#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "defs/case/case_steps.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ResolvedCase CaseOf(CaseMode mode) {
  ResolvedCase c;
  c.mutable_benchmark_case()->set_mode(mode);
  SetSteps(c);
  return c;
}

std::vector<std::string> Names(const Settings& settings, const ResolvedCase& c) {
  const sampling::CpuDevice cpu;
  std::vector<std::string> names;
  for (const BenchmarkSpec& spec : BenchmarksOf(settings, c, cpu)) names.push_back(spec.Name("c"));
  return names;
}

TEST(BenchmarksOf, AreTheDefaultStepsByTheDevicesDefaultModes) {
  EXPECT_THAT(Names({}, CaseOf(EVAL)), ElementsAre("c/wall", "c/throughput"));
  // Each backward needs a new graph, which calls in a row cannot prepare.
  EXPECT_THAT(
      Names({}, CaseOf(TRAIN)),
      ElementsAre("c/wall", "c/throughput", "c/wall/backward", "c/wall/optimizer",
                  "c/throughput/optimizer", "c/wall/train_step", "c/throughput/train_step"));
}

TEST(BenchmarksOf, OfAnOperatorsBackwardAreBackwardAlone) {
  ResolvedCase c;
  c.mutable_benchmark_case()->mutable_operator_call()->set_backward(true);
  SetSteps(c);
  EXPECT_THAT(Names({}, c), ElementsAre("c/wall/backward"));
}

TEST(BenchmarksOf, AreWhatWasAskedForInItsOrder) {
  Settings settings;
  settings.methods = {sampling::Mode::kCold, sampling::Preset::kDoBench};
  settings.steps = {"backward", "forward"};
  EXPECT_THAT(Names(settings, CaseOf(TRAIN)),
              ElementsAre("c/cold/backward", "c/do_bench/backward", "c/cold", "c/do_bench"));
}

TEST(CheckFilter, WantsAtLeastOneBenchmark) {
  const sampling::CpuDevice cpu;
  const std::vector<BenchmarkSpec> benchmarks = BenchmarksOf({}, CaseOf(EVAL), cpu);
  for (const char* filter : {"", "all", "wall", "c/.*put$", "-wall"}) {
    EXPECT_TRUE(CheckFilter(filter, benchmarks, "c").ok()) << filter;
  }
  for (const char* filter : {"nothing", "wall/backward", "-c/"}) {
    EXPECT_THAT(CheckFilter(filter, benchmarks, "c").message(),
                HasSubstr("matches no benchmark of this case: c/wall, c/throughput"));
  }
  EXPECT_THAT(CheckFilter("(", benchmarks, "c").message(), HasSubstr("no regular expression"));
}

}  // namespace
}  // namespace assay::runner
