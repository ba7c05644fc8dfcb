#include "tools/compare/report/ways.h"

#include <cmath>
#include <utility>

#include "absl/algorithm/container.h"
#include "benchmarks/harness/statistics/describe/quantile.h"

namespace assay::compare {
namespace {

void AddNew(std::vector<std::string>& all, const std::string& one) {
  if (!absl::c_linear_search(all, one)) all.push_back(one);
}

// Values that are more than 0; absent without any.
class Mean {
 public:
  void Add(double value) {
    if (!(value > 0)) return;
    sum_ += value;
    log_sum_ += std::log(value);
    ++count_;
  }
  std::optional<double> Arithmetic() const {
    return count_ == 0 ? std::nullopt : std::optional(sum_ / count_);
  }
  std::optional<double> Geometric() const {
    return count_ == 0 ? std::nullopt : std::optional(std::exp(log_sum_ / count_));
  }

 private:
  double sum_ = 0, log_sum_ = 0;
  int count_ = 0;
};

bool Passed(const CaseResult& c) {
  if (c.candidate_record.outcome() != PASS) return false;
  return !c.failure.has_value() || c.failure->side == SideName::kBaseline ||
         c.failure->outcome == OUTCOME_UNSPECIFIED;
}

double Compression(const CaseResult& c) {
  const auto baseline = static_cast<double>(c.baseline_record.memory().peak_host_bytes());
  const auto candidate = static_cast<double>(c.candidate_record.memory().peak_host_bytes());
  return candidate > 0 ? baseline / candidate : 0;
}

}  // namespace

WayTable::WayTable(const CampaignResult& result, const std::string& mode) {
  for (const CaseResult& c : result.cases) {
    if (c.way.empty()) continue;
    AddNew(labels_, c.label);
    AddNew(ways_, c.way);
    entries_[{c.label, c.way}].of_case = &c;
  }
  for (const SeriesResult& series : result.series) {
    const CaseResult& c = result.cases[series.case_index];
    if (series.mode == mode && !c.way.empty()) entries_[{c.label, c.way}].series = &series;
  }
}

const WayTable::Entry* WayTable::Find(const std::string& label, const std::string& way) const {
  const auto found = entries_.find({label, way});
  return found == entries_.end() ? nullptr : &found->second;
}

const CaseResult* WayTable::Case(const std::string& label, const std::string& way) const {
  const Entry* const entry = Find(label, way);
  return entry == nullptr ? nullptr : entry->of_case;
}

const SeriesResult* WayTable::Estimated(const std::string& label, const std::string& way) const {
  const Entry* const entry = Find(label, way);
  if (entry == nullptr || entry->series == nullptr || entry->of_case->failure.has_value())
    return nullptr;
  return entry->series->estimate.has_value() ? entry->series : nullptr;
}

std::vector<std::string> WayTable::Common() const {
  std::vector<std::string> common;
  for (const std::string& label : labels_) {
    if (absl::c_all_of(ways_, [&](const std::string& way) { return Estimated(label, way); }))
      common.push_back(label);
  }
  return common;
}

std::vector<std::string> ModesOf(const CampaignResult& result) {
  std::vector<std::string> modes;
  for (const SeriesResult& series : result.series) AddNew(modes, series.mode);
  return modes;
}

std::vector<WaySummary> SummariesOf(const CampaignResult& result) {
  std::vector<WaySummary> summaries;
  for (const std::string& mode : ModesOf(result)) {
    const WayTable table(result, mode);
    const std::vector<std::string> common = table.Common();
    for (const std::string& way : table.ways()) {
      WaySummary summary = {.way = way, .mode = mode};
      for (const std::string& label : table.labels()) {
        const CaseResult* const c = table.Case(label, way);
        if (c == nullptr || !c->missing.empty()) continue;
        ++summary.cases;
        summary.passed += Passed(*c) ? 1 : 0;
      }
      Mean speedups, exports, loads, first_calls, compressions;
      std::vector<double> break_evens;
      for (const std::string& label : common) {
        const CaseResult& c = *table.Case(label, way);
        const SeriesResult& series = *table.Estimated(label, way);
        speedups.Add(std::exp(-series.estimate->log_ratio));
        exports.Add(c.candidate_record.export_s());
        loads.Add(c.candidate_record.load_s());
        first_calls.Add(1e-9 * series.CandidateFirstCall());
        compressions.Add(Compression(c));
        const std::optional<int64_t> calls = c.BreakEvenCalls(series);
        if (calls && series.verdict == Conclusion::kFaster)
          break_evens.push_back(static_cast<double>(*calls));
      }
      summary.compared = static_cast<int64_t>(common.size());
      summary.speedup = speedups.Geometric();
      summary.export_s = exports.Arithmetic();
      summary.load_s = loads.Arithmetic();
      summary.first_call_s = first_calls.Arithmetic();
      summary.memory_compression = compressions.Geometric();
      summary.break_even_cases = static_cast<int64_t>(break_evens.size());
      if (!break_evens.empty())
        summary.break_even_calls = statistics::MedianOf(std::move(break_evens));
      summaries.push_back(std::move(summary));
    }
  }
  return summaries;
}

}  // namespace assay::compare
