// How long does a sort take? Assay's engine and statistics in a program with a main() of its own, without LibTorch.
#include "assay/sampling/measure.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "assay/sampling/device/cpu_device.h"
#include "assay/statistics/intervals/summary.h"

int main() {
  std::vector<int> sorted(10'000);
  std::iota(sorted.begin(), sorted.end(), 0);
  assay::sampling::CpuDevice device;
  assay::sampling::SamplingOptions options;
  options.precision.budget = absl::Milliseconds(200);
  const auto set = assay::sampling::Measure(
      device, assay::sampling::Mode::kWall,
      [&] {
        std::vector<int> numbers(sorted.rbegin(), sorted.rend());
        std::sort(numbers.begin(), numbers.end());
      },
      options);
  if (!set.ok()) {
    std::fprintf(stderr, "measure: %s\n", set.status().ToString().c_str());
    return 2;
  }
  const auto summary = assay::statistics::Summarize(set->samples_ns);
  if (!summary.ok()) return 2;
  std::printf("sort       median %.0f ns of %lld samples\n", summary->median,
              static_cast<long long>(summary->count));
  if (summary->median_interval) {
    std::printf("           95 %% interval %.0f .. %.0f ns\n", summary->median_interval->low,
                summary->median_interval->high);
  }
  for (const assay::sampling::Check& check : set->checks) {
    if (check.status == assay::sampling::CheckStatus::kFlagged)
      std::printf("FLAGGED    %s: %s\n", std::string(check.name).c_str(), check.detail.c_str());
  }
  return 0;
}
