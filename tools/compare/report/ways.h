// -----------------------------------------------------------------------------
// File: ways.h
// -----------------------------------------------------------------------------
//
// Several candidates against one baseline, as TorchDynamo's benchmarks sum up their back ends: for each
// the geometric mean of its speedups, how many cases pass, what it costs to prepare, and memory.
//
// Means are over the cases that every candidate was compared in, so that all are of the same set.
//
//   for (const WaySummary& s : assay::compare::SummariesOf(result)) Print(s.way, s.speedup);

#ifndef ASSAY_TOOLS_COMPARE_REPORT_WAYS_H_
#define ASSAY_TOOLS_COMPARE_REPORT_WAYS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/compare/decision/campaign.h"

namespace assay::compare {

// The series of one mode, by the case's label and the candidate's way.
class WayTable {
 public:
  WayTable(const CampaignResult& result, const std::string& mode);

  const std::vector<std::string>& labels() const { return labels_; }  // in the order of the cases
  const std::vector<std::string>& ways() const { return ways_; }
  // Labels that have an estimate in every way.
  std::vector<std::string> Common() const;
  // nullptr where the way has no such case.
  const CaseResult* Case(const std::string& label, const std::string& way) const;
  // nullptr where there is no estimate.
  const SeriesResult* Estimated(const std::string& label, const std::string& way) const;

 private:
  struct Entry {
    const CaseResult* of_case = nullptr;
    const SeriesResult* series = nullptr;
  };
  const Entry* Find(const std::string& label, const std::string& way) const;

  std::vector<std::string> labels_, ways_;
  std::map<std::pair<std::string, std::string>, Entry> entries_;
};

// Absent where no case tells it.
struct WaySummary {
  std::string way = {};
  std::string mode = {};
  int64_t cases = 0;                        // but those that are missing
  int64_t passed = 0;                       // verified, and never failed while being compared
  int64_t compared = 0;                     // cases that the means below are over
  std::optional<double> speedup = {};       // geometric mean
  std::optional<double> export_s = {};      // mean over the cases whose file was made in this run
  std::optional<double> load_s = {};        // mean, without export_s
  std::optional<double> first_call_s = {};  // mean of the medians
  // Calls after which a case has made up for export, loading and first call: the median over those
  // whose calls are faster, and how many these are.
  std::optional<double> break_even_calls = {};
  int64_t break_even_cases = 0;
  std::optional<double> memory_compression =
      {};  // geometric mean of the peaks of the processes, baseline
           // by candidate: more than 1 is less memory
};

// One for each mode and way, in the order of the series; none if there is one candidate.
std::vector<WaySummary> SummariesOf(const CampaignResult& result);

// The modes of the series, each once.
std::vector<std::string> ModesOf(const CampaignResult& result);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_REPORT_WAYS_H_
