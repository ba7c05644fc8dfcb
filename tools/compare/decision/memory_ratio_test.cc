#include "tools/compare/decision/memory_ratio.h"

#include <cstdint>
#include <initializer_list>
#include <utility>

#include "gtest/gtest.h"

namespace assay::compare {
namespace {

Record With(std::initializer_list<std::pair<const char*, int64_t>> peaks) {
  Record record;
  for (const auto& [step, bytes] : peaks) {
    StepMemory& memory = *record.mutable_memory()->add_steps();
    memory.set_step(step);
    memory.set_peak_bytes(bytes);
  }
  return record;
}

TEST(CompressionRatio, IsBaselineByCandidate) {
  const auto peaks = PeaksOf(With({{"forward", 3000}}), With({{"forward", 1500}}));
  ASSERT_EQ(peaks.size(), 1u);
  EXPECT_EQ(peaks[0].step, "forward");
  EXPECT_EQ(peaks[0].CompressionRatio(), 2.0);
}

TEST(CompressionRatio, NeedsBothSidesAndBytes) {
  const auto peaks = PeaksOf(With({{"forward", 10}, {"backward", 0}, {"optimizer", 8}}),
                             With({{"train_step", 10}, {"backward", 5}, {"optimizer", 0}}));
  ASSERT_EQ(peaks.size(), 4u);
  for (const StepPeaks& step : peaks) EXPECT_FALSE(step.CompressionRatio()) << step.step;
  EXPECT_EQ(peaks[1].step, "backward");
  EXPECT_EQ(peaks[1].candidate, 5);
  EXPECT_EQ(peaks[3].step, "train_step");
  EXPECT_FALSE(peaks[3].baseline.has_value());
  EXPECT_TRUE(PeaksOf({}, {}).empty());
}

TEST(PeaksOfMode, AreThoseOfTheStepThatTheModeEndsWith) {
  const Record baseline = With({{"forward", 1}, {"backward", 2}});
  EXPECT_EQ(PeaksOfMode(baseline, {}, "wall").baseline, 1);
  EXPECT_EQ(PeaksOfMode(baseline, {}, "throughput/backward").baseline, 2);
  const StepPeaks none = PeaksOfMode(baseline, {}, "wall/optimizer");
  EXPECT_FALSE(none.baseline.has_value() || none.candidate.has_value());
}

}  // namespace
}  // namespace assay::compare
