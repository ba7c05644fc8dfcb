#include "tools/compare/decision/memory_ratio.h"

#include <algorithm>

namespace assay::compare {
namespace {

StepPeaks& Entry(std::vector<StepPeaks>& all, const std::string& step) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const StepPeaks& peaks) { return peaks.step == step; });
  if (found != all.end()) return *found;
  return all.emplace_back(StepPeaks{.step = step});
}

}  // namespace

std::optional<double> StepPeaks::CompressionRatio() const {
  if (baseline.value_or(0) <= 0 || candidate.value_or(0) <= 0) return std::nullopt;
  return static_cast<double>(*baseline) / static_cast<double>(*candidate);
}

std::vector<StepPeaks> PeaksOf(const Record& baseline, const Record& candidate) {
  std::vector<StepPeaks> all;
  for (const StepMemory& memory : baseline.memory().steps())
    Entry(all, memory.step()).baseline = memory.peak_bytes();
  for (const StepMemory& memory : candidate.memory().steps())
    Entry(all, memory.step()).candidate = memory.peak_bytes();
  return all;
}

StepPeaks PeaksOfMode(const Record& baseline, const Record& candidate, std::string_view mode) {
  const size_t slash = mode.find('/');
  const std::string step(slash == std::string_view::npos ? "forward" : mode.substr(slash + 1));
  std::vector<StepPeaks> all = PeaksOf(baseline, candidate);
  return Entry(all, step);
}

}  // namespace assay::compare
