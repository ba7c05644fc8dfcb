// From the first sample to the last no memory is allocated: not by the engine, whose allocations
// would disturb the caches and the allocator of the measured function, and not by the stop rule.

#include <cstdint>
#include <cstdlib>
#include <new>
#include <optional>

#include "absl/time/time.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "benchmarks/harness/sampling/measure.h"
#include "benchmarks/harness/sampling/sample_log.h"
#include "benchmarks/harness/sampling/stop_rule.h"
#include "gtest/gtest.h"

namespace {
int64_t allocations = 0;
}  // namespace

void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace assay::sampling {
namespace {

// Computes the interval as often as PrecisionRule does, and stops by count alone.
class LookingRule : public StopRule {
 public:
  explicit LookingRule(int64_t samples) : samples_(samples) {}
  int64_t at_first = 0, at_last = 0;
  void Start(int64_t max_samples) override { inner_.Start(max_samples); }
  std::optional<StopReason> Check(const SampleLog& log, int64_t elapsed_ns) override {
    if (log.size() == 1) at_first = allocations;
    inner_.Check(log, elapsed_ns);
    at_last = allocations;
    return log.size() >= samples_ ? std::optional(StopReason::kSampleCount) : std::nullopt;
  }

 private:
  PrecisionRule inner_{{.relative_half_width = 0, .budget = absl::InfiniteDuration()}};
  int64_t samples_;
};

TEST(Measure, AllocatesNothingBetweenSamples) {
  for (Mode mode : {Mode::kWall, Mode::kThroughput}) {
    CpuDevice device;
    LookingRule rule(5'000);
    const auto call = [] {};
    const auto set = Measure(
        device, mode, call,
        {.rule = &rule, .chunk = {.min_duration = absl::Microseconds(1)}, .warmup = std::nullopt});
    ASSERT_TRUE(set.ok()) << set.status();
    EXPECT_EQ(set->samples_ns.size(), 5'000);
    EXPECT_EQ(rule.at_last - rule.at_first, 0) << ModeName(mode);
  }
}

TEST(SampleLog, AllocatesOnlyWhenMade) {
  SampleLog log(1'000);
  const int64_t before = allocations;
  while (!log.full()) log.Append({.duration_ns = log.size()});
  EXPECT_EQ(allocations - before, 0);
  EXPECT_EQ(log.samples()[999].duration_ns, 999);
  EXPECT_EQ(log.size(), log.capacity());
}

}  // namespace
}  // namespace assay::sampling
