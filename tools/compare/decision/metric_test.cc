#include "tools/compare/decision/metric.h"

#include <tuple>

#include "gtest/gtest.h"

namespace assay::compare {
namespace {

TEST(Metric, IsAFigureOfTheMeasurement) {
  Measurement m;
  m.set_median_ns(3);
  m.set_cpu_ns(5);
  m.set_minimum_ns(2);
  EXPECT_EQ(ValueOf(m, Metric::kInstructions), 0);
  m.set_instructions_per_call(7);
  EXPECT_EQ(ValueOf(m, Metric::kInstructions), 7);
  EXPECT_EQ(ValueOf(m, Metric::kWall), 3);
  EXPECT_EQ(ValueOf(m, Metric::kCpu), 5);
  EXPECT_EQ(ValueOf(m, Metric::kMin), 2);
}

TEST(Metric, AValueHasItsUnit) {
  EXPECT_EQ(ValueText(2.5e6, Metric::kWall), "2.5 ms");
  EXPECT_EQ(ValueText(2.5e6, Metric::kInstructions), "2.5 M");
}

TEST(Metric, AFlagOfWhatOtherProgramsTookConcernsWallTimeAlone) {
  for (const auto& [flag, cpu, min] :
       {std::tuple("cpu_contention: threads waited for a CPU 154 % of the time", false, false),
        std::tuple("clock_held", false, false), std::tuple("samples: one sample", false, true),
        std::tuple("steady: +20 %", true, true), std::tuple("one_mode: two", true, true),
        std::tuple("cpu_within_threads: 3 threads", true, true),
        std::tuple("no_leak: grew", true, true), std::tuple("a new one", true, true)}) {
    EXPECT_TRUE(Concerns(flag, Metric::kWall)) << flag;
    EXPECT_EQ(Concerns(flag, Metric::kCpu), cpu) << flag;
    EXPECT_EQ(Concerns(flag, Metric::kInstructions), cpu) << flag;
    EXPECT_EQ(Concerns(flag, Metric::kMin), min) << flag;
  }
}

}  // namespace
}  // namespace assay::compare
