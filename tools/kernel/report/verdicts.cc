#include "tools/kernel/report/verdicts.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/statistics/describe/quantile.h"
#include "tools/compare/decision/campaign.h"
#include "tools/compare/decision/decision.h"

namespace assay::kernel {
namespace {

// One of a size's two kinds of cache, in every process.
struct Series {
  KernelTimes* result = nullptr;
  std::vector<double> log_ratios = {};  // of ATen's time over the candidate's
};

void Enter(const KernelTimes& times, Series& series) {
  series.result->add_candidate_ns(MedianOf(times.candidate_ns()));
  series.result->add_aten_ns(MedianOf(times.aten_ns()));
  series.result->set_samples(series.result->samples() + times.samples());
  series.log_ratios.push_back(std::log(times.speedup()));
}

void SetShares(const KernelPeaks& peaks, KernelSize& size) {
  for (KernelTimes* times : {size.mutable_hot(), size.mutable_cold()}) {
    const double least_ns = LeastNs(size, peaks, /*cold=*/times == &size.cold());
    const double ns = MedianOf(times->candidate_ns());
    if (least_ns > 0 && ns > 0) times->set_peak_share(least_ns / ns);
  }
}

}  // namespace

double MedianOf(const google::protobuf::RepeatedField<double>& values) {
  std::vector<double> sorted(values.begin(), values.end());
  if (sorted.empty()) return 0;
  std::sort(sorted.begin(), sorted.end());
  return statistics::Median(sorted);
}

double LeastNs(const KernelSize& size, const KernelPeaks& peaks, bool cold) {
  double least_s = 0;
  if (peaks.flops_per_s() > 0) least_s = size.flops() / peaks.flops_per_s();
  if (cold && peaks.bytes_per_s() > 0)
    least_s = std::max(least_s, size.bytes() / peaks.bytes_per_s());
  return 1e9 * least_s;
}

void Conclude(const std::vector<KernelCandidate>& timed, KernelCandidate& candidate) {
  std::vector<Series> all;
  for (KernelSize& size : *candidate.mutable_sizes()) {
    all.push_back({.result = size.mutable_hot()});
    all.push_back({.result = size.mutable_cold()});
  }
  for (const KernelCandidate& process : timed) {
    for (int i = 0; i < std::min(process.sizes_size(), candidate.sizes_size()); ++i) {
      const KernelSize& from = process.sizes(i);
      KernelSize& size = *candidate.mutable_sizes(i);
      Enter(from.hot(), all[static_cast<size_t>(2 * i)]);
      Enter(from.cold(), all[static_cast<size_t>(2 * i + 1)]);
      size.set_bytes(from.bytes());
      size.set_flops(from.flops());
      size.set_memory_bytes(from.memory_bytes());
      size.set_aten_memory_bytes(from.aten_memory_bytes());
      size.set_waited(std::max(size.waited(), from.waited()));
      if (!from.flagged().empty()) size.set_flagged(from.flagged());
    }
  }
  for (KernelSize& size : *candidate.mutable_sizes()) SetShares(candidate.peaks(), size);
  // compare's ratios are the candidate's time over the baseline's.
  std::vector<std::vector<double>> ratios;
  for (const Series& series : all) {
    ratios.emplace_back();
    for (const double log_ratio : series.log_ratios) ratios.back().push_back(-log_ratio);
  }
  const compare::DecisionRules rules = {.looks = 1};
  compare::CampaignResult decided;
  for (std::optional<compare::Estimate>& estimate : EstimateAll(ratios, rules))
    decided.series.emplace_back().estimate = std::move(estimate);
  compare::DecideAll(rules, decided);
  double sum = 0;
  int64_t hot = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    const compare::SeriesResult& series = decided.series[i];
    if (!series.estimate) {
      all[i].result->set_conclusion("INCONCLUSIVE");
      continue;
    }
    const compare::Estimate& estimate = *series.estimate;
    all[i].result->set_speedup(std::exp(-estimate.log_ratio));
    all[i].result->set_low(std::exp(-estimate.interval.high));
    all[i].result->set_high(std::exp(-estimate.interval.low));
    all[i].result->set_conclusion(std::string(ConclusionName(series.verdict)));
    const KernelSize& size = candidate.sizes(static_cast<int>(i / 2));
    if (i % 2 == 0 && size.flagged().empty()) sum -= estimate.log_ratio, ++hot;
  }
  if (hot > 0) candidate.set_mean_speedup(std::exp(sum / static_cast<double>(hot)));
}

double FastShare(const KernelCandidate& candidate, double threshold) {
  if (candidate.sizes().empty()) return 0;
  const auto fast = std::count_if(
      candidate.sizes().begin(), candidate.sizes().end(), [&](const KernelSize& size) {
        return candidate.verdict() == "RIGHT" && size.right() && size.flagged().empty() &&
               size.hot().speedup() >= threshold;
      });
  return static_cast<double>(fast) / candidate.sizes_size();
}

int ExitCode(const KernelReport& report, bool gate) {
  int code = base::kRight;
  for (const KernelCandidate& candidate : report.candidates()) {
    if (candidate.verdict() == "WRONG") return base::kProductWrong;
    if (candidate.verdict() != "RIGHT") code = base::kSurroundings;
    if (!gate) continue;
    for (const KernelSize& size : candidate.sizes()) {
      // Such a time says neither that the kernel is slower nor that it is not.
      if (!size.flagged().empty()) code = base::kSurroundings;
      if (size.hot().conclusion() == "SLOWER" || size.cold().conclusion() == "SLOWER")
        return base::kProductWrong;
    }
  }
  return code;
}

}  // namespace assay::kernel
