#include "benchmarks/harness/runner/benchmark_list.h"

#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> Names(const Settings& settings, CaseMode mode) {
  const sampling::CpuDevice cpu;
  std::vector<std::string> names;
  for (const BenchmarkSpec& spec : BenchmarksOf(settings, mode, cpu))
    names.push_back(spec.Name("c"));
  return names;
}

TEST(BenchmarksOf, AreAllStepsOfTheModeByTheDevicesDefaultModes) {
  EXPECT_THAT(Names({}, EVAL), ElementsAre("c/wall", "c/throughput"));
  // Each backward needs a new graph, which calls in a row cannot prepare.
  EXPECT_THAT(Names({}, TRAIN), ElementsAre("c/wall", "c/throughput", "c/wall/backward",
                                            "c/wall/optimizer", "c/throughput/optimizer",
                                            "c/wall/train_step", "c/throughput/train_step"));
}

TEST(BenchmarksOf, AreWhatWasAskedForInItsOrder) {
  Settings settings;
  settings.methods = {sampling::Mode::kCold, sampling::Preset::kDoBench};
  settings.steps = {execution::Step::kBackward, execution::Step::kForward};
  EXPECT_THAT(Names(settings, TRAIN),
              ElementsAre("c/cold/backward", "c/do_bench/backward", "c/cold", "c/do_bench"));
}

TEST(CheckFilter, WantsAtLeastOneBenchmark) {
  const sampling::CpuDevice cpu;
  const std::vector<BenchmarkSpec> benchmarks = BenchmarksOf({}, EVAL, cpu);
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
