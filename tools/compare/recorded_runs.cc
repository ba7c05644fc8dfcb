#include "tools/compare/recorded_runs.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/configuration/case_configuration.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/record/strict_json.h"
#include "benchmarks/harness/text/few_names.h"
#include "tools/compare/side.h"
#include "tools/suite/secrets/secret_texts.h"

namespace assay::compare {
namespace {

using Runs = std::vector<const Record*>;

// A model that is a file has the label of the program that ran it, and a name of its own.
std::string CaseName(const Record& record) {
  const BenchmarkCase& c = record.benchmark_case();
  const bool labels_case = c.name().empty() || absl::EndsWith(c.label(), ":" + c.name());
  return c.label().empty() || !labels_case ? c.name() : c.label();
}

using Cases = std::map<std::string, Runs>;

// A run counts once, even if its line was copied: two runs never have the same times.
Cases ByCase(const record::RecordFile& file, std::string_view side, const std::string& regex,
             std::vector<std::string>& notes) {
  const std::regex pattern(regex);
  Cases runs;
  std::set<std::string> seen;
  int repeated = 0;
  for (const Record& record : file.records) {
    const std::string name = CaseName(record);
    if (!MatchesCase(name, pattern)) continue;
    const absl::StatusOr<std::string> content = record::ToJsonLine(record);
    if (content.ok() && !seen.insert(*content).second) {
      ++repeated;
    } else {
      runs[name].push_back(&record);
    }
  }
  if (repeated > 0) {
    notes.push_back(absl::StrCat(side, ": ", repeated,
                                 " lines repeat a run that is in the file already; each run counts "
                                 "once"));
  }
  return runs;
}

std::set<std::string> DigestsOf(const Runs& runs) {
  std::set<std::string> digests;
  for (const Record* record : runs) digests.insert(record->configuration().digest());
  return digests;
}

// The settings that differ between configurations of one case, as words for its name.
std::string NameWithSettings(const std::string& name, const Configuration& c, const Runs& all) {
  std::set<std::string> differing;
  for (const Record* record : all) {
    for (const std::string& text :
         configuration::ConfigurationDifferences(c, record->configuration())) {
      differing.insert(text.substr(0, text.find(':')));
    }
  }
  std::string words = name;
  for (const std::string& setting : differing) {
    const auto found = c.settings().find(setting);
    if (found != c.settings().end()) absl::StrAppend(&words, " ", setting, "=", found->second);
  }
  return words;
}

// If a side has several configurations of a case, each is a case of its own: a ratio of an sgd
// step and an adamw step would say nothing. If both sides have one, they are compared, and what
// differs is said.
void Separate(Cases& baseline, Cases& candidate) {
  for (const auto& [name, runs] : Cases(baseline)) {
    Runs all = runs;
    const auto other = candidate.find(name);
    if (other != candidate.end()) all.insert(all.end(), other->second.begin(), other->second.end());
    if (DigestsOf(baseline[name]).size() < 2 &&
        (other == candidate.end() || DigestsOf(other->second).size() < 2)) {
      continue;
    }
    for (Cases* side : {&baseline, &candidate}) {
      const Runs together = (*side)[name];
      side->erase(name);
      for (const Record* record : together) {
        (*side)[NameWithSettings(name, record->configuration(), all)].push_back(record);
      }
    }
  }
}

// Variables that are compared as something else: the GPU by its name, the allocator as a setting.
constexpr std::string_view kToldOtherwise[] = {"CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES",
                                               "allocator"};

// "OMP_NUM_THREADS: not set against 2", one text for each variable of the environment that differs.
// A record that was imported does not say which were set.
std::vector<std::string> VariableDifferences(const Record& a, const Record& b) {
  if (a.has_imported() || b.has_imported()) return {};
  const auto value = [](const Record& record, const std::string& name) -> std::string {
    const auto found = record.environment().variables().find(name);
    return found == record.environment().variables().end() ? "not set" : found->second;
  };
  std::set<std::string> names;
  for (const Record* record : {&a, &b}) {
    for (const auto& [name, text] : record->environment().variables()) names.insert(name);
  }
  for (const std::string_view name : kToldOtherwise) names.erase(std::string(name));
  std::vector<std::string> differences;
  for (const std::string& name : names) {
    if (value(a, name) == value(b, name)) continue;
    differences.push_back(absl::StrCat(name, ": ", value(a, name), " against ", value(b, name)));
  }
  return differences;
}

// An unreadable line may have been the only run of any case.
void KeepProblems(const record::RecordFile& file, std::string_view side,
                  std::vector<std::string>& lost) {
  for (const record::LineProblem& problem : file.problems) {
    lost.push_back(absl::StrCat(side, ", line ", problem.line, " left out: ", problem.message));
  }
}

// When the runs of a side began: the first and the last.
using Span = std::pair<std::string, std::string>;

// The sentence that a reader needs about the order of the runs, for all cases together.
class RunOrder {
 public:
  void Add(const Runs& baseline, const Runs& candidate) {
    const Span a = SpanOf(baseline), b = SpanOf(candidate);
    Widen(a, baseline_);
    Widen(b, candidate_);
    ++cases_;
    if (a.second < b.first || b.second < a.first) ++apart_;
  }
  void Note(std::vector<std::string>& notes) const {
    if (cases_ == 0) return;
    notes.push_back(absl::StrCat("baseline ran ", baseline_.first, " to ", baseline_.second,
                                 ", candidate ", candidate_.first, " to ", candidate_.second));
    if (apart_ == 0) return;
    absl::StrAppend(&notes.back(), ": ",
                    apart_ == cases_ ? "" : absl::StrCat(apart_, " of ", cases_, " cases "),
                    "one after the other, so a machine that drifted in between looks like a "
                    "difference");
  }

 private:
  static Span SpanOf(const Runs& runs) {
    const auto earlier = [](const Record* a, const Record* b) {
      return a->started_utc() < b->started_utc();
    };
    const auto [first, last] = std::minmax_element(runs.begin(), runs.end(), earlier);
    return {(*first)->started_utc(), (*last)->started_utc()};
  }
  static void Widen(const Span& by, Span& span) {
    if (span.first.empty() || by.first < span.first) span.first = by.first;
    span.second = std::max(span.second, by.second);
  }

  Span baseline_, candidate_;
  int cases_ = 0, apart_ = 0;
};

// The series of one case, or the reason why it has none.
class CaseComparison {
 public:
  CaseComparison(size_t index, const CampaignOptions& options, CampaignResult& result)
      : index_(index), options_(options), result_(result) {}

  void Compare(const Runs& baseline, const Runs& candidate) {
    CaseResult& c = result_.cases[index_];
    c.baseline_record = *baseline[0];
    if (!candidate.empty()) c.candidate_record = *candidate[0];
    CompareMedians(baseline, candidate);
    KeepLosses(CoverageOf(baseline), CoverageOf(candidate), c);
  }

 private:
  static Coverage CoverageOf(const Runs& runs) {
    Coverage coverage;
    for (const Record* record : runs) {
      coverage.Add(record->outcome(), MediansOf(*record).value_or(std::vector<ModeMedian>()));
    }
    return coverage;
  }

  void CompareMedians(const Runs& baseline, const Runs& candidate) {
    if (candidate.empty()) return;
    if (!Usable(baseline, SideName::kBaseline) || !Usable(candidate, SideName::kCandidate)) return;
    if (!Alike(baseline, candidate)) return;
    Add(baseline, SideName::kBaseline);
    Add(candidate, SideName::kCandidate);
    for (const std::string& mode : modes_) AddSeries(mode);
  }

  bool Fail(SideName side, Outcome outcome, std::string message) {
    result_.cases[index_].failure = {side, outcome, suite::CleanText(message)};
    return false;
  }

  bool Usable(const Runs& runs, SideName side) {
    for (const Record* record : runs) {
      if (record->outcome() == PASS || record->outcome() == NOT_VERIFIED) continue;
      return Fail(side, record->outcome(),
                  absl::StrCat("the run of ", record->started_utc(), ": ",
                               record->verdict().message(), record->error()));
    }
    return true;
  }

  bool Alike(const Runs& baseline, const Runs& candidate) {
    const std::vector<Trait> traits = TraitsOf(*baseline[0]);
    std::set<std::string> differences;
    for (const Runs* runs : {&baseline, &candidate}) {
      for (const Record* record : *runs) {
        for (std::string& text : Differences(traits, TraitsOf(*record))) {
          differences.insert(std::move(text));
        }
        for (std::string& text : VariableDifferences(*baseline[0], *record)) {
          differences.insert(std::move(text));
        }
        if (!record->has_configuration() || !baseline[0]->has_configuration()) continue;
        for (std::string& text : configuration::ConfigurationDifferences(
                 baseline[0]->configuration(), record->configuration())) {
          differences.insert(std::move(text));
        }
      }
    }
    if (!differences.empty() && !options_.across) {
      return Fail(
          SideName::kCandidate, OUTCOME_UNSPECIFIED,
          absl::StrCat(absl::StrJoin(differences, "; "), " (--across compares all the same)"));
    }
    result_.cases[index_].differences.assign(differences.begin(), differences.end());
    return true;
  }

  void Add(const Runs& runs, SideName side) {
    for (const Record* record : runs) {
      const absl::StatusOr<std::vector<ModeMedian>> medians = MediansOf(*record, options_.metric);
      if (!medians.ok()) {
        Fail(side, OutcomeOf(medians.status()), std::string(medians.status().message()));
        return;
      }
      for (const ModeMedian& median : *medians) {
        if (std::find(modes_.begin(), modes_.end(), median.mode) == modes_.end()) {
          modes_.push_back(median.mode);
        }
        by_mode_[static_cast<int>(side)][median.mode].push_back(median);
      }
    }
  }

  void AddSeries(const std::string& mode) {
    const std::vector<ModeMedian>& a = by_mode_[0][mode];
    const std::vector<ModeMedian>& b = by_mode_[1][mode];
    if (a.empty() || b.empty()) return;
    SeriesResult series{.case_index = index_, .mode = mode};
    std::vector<double> logs[2];
    for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
      PairMedians row;
      if (i < a.size()) {
        row.baseline = a[i];
        logs[0].push_back(std::log(a[i].median_ns));
      }
      if (i < b.size()) {
        row.candidate = b[i];
        logs[1].push_back(std::log(b[i].median_ns));
      }
      series.pairs.push_back(std::move(row));
    }
    const bool flagged = std::any_of(series.pairs.begin(), series.pairs.end(),
                                     [](const PairMedians& row) { return row.Flagged(); });
    if (flagged && !options_.keep_flagged) {
      series.verdict = Conclusion::kNotCompared;
      series.reason = series.FlagSummary(options_.metric);
    } else {
      Estimate(logs, series);
    }
    result_.series.push_back(std::move(series));
  }

  void Estimate(const std::vector<double> (&logs)[2], SeriesResult& series) {
    absl::StatusOr<compare::Estimate> estimate = EstimateUnpaired(logs[0], logs[1], options_.rules);
    if (estimate.ok()) {
      series.estimate = *std::move(estimate);
      return;
    }
    const auto sample_interval = [&](const Record& record) {
      for (const Measurement& m : record.measurements()) {
        if (m.mode() == series.mode && m.ci_high_ns() > 0) {
          return absl::StrFormat("%.6g .. %.6g us", m.ci_low_ns() / 1e3, m.ci_high_ns() / 1e3);
        }
      }
      return std::string("none");
    };
    const CaseResult& c = result_.cases[index_];
    series.reason = absl::StrCat(
        "one process on a side has no process-to-process variance, so there is no verdict (record "
        "several, e.g. 10 runs into one file); intervals of the samples: baseline ",
        sample_interval(c.baseline_record), ", candidate ", sample_interval(c.candidate_record));
  }

  const size_t index_;
  const CampaignOptions& options_;
  CampaignResult& result_;
  std::vector<std::string> modes_;
  std::map<std::string, std::vector<ModeMedian>> by_mode_[2];
};

}  // namespace

absl::StatusOr<RecordedRuns> CompareRecords(const record::RecordFile& baseline,
                                            const record::RecordFile& candidate,
                                            const CampaignOptions& options,
                                            const std::string& regex) {
  CampaignOptions one_look = options;
  one_look.rules.looks = 1;
  RecordedRuns runs;
  KeepProblems(baseline, "baseline", runs.result.lost);
  KeepProblems(candidate, "candidate", runs.result.lost);
  Cases a = ByCase(baseline, "baseline", regex, runs.notes);
  Cases b = ByCase(candidate, "candidate", regex, runs.notes);
  Separate(a, b);
  RunOrder order;
  for (const auto& [name, records] : a) {
    const auto found = b.find(name);
    const Runs& of_candidate = found == b.end() ? Runs() : found->second;
    runs.result.cases.push_back({.name = name});
    CaseComparison(runs.result.cases.size() - 1, one_look, runs.result)
        .Compare(records, of_candidate);
    if (found != b.end()) order.Add(records, of_candidate);
  }
  order.Note(runs.notes);
  std::vector<std::string> new_ones;
  for (const auto& [name, records] : b) {
    if (a.count(name) == 0) new_ones.push_back(name);
  }
  if (!new_ones.empty()) runs.notes.push_back("only in the candidate: " + base::FewNames(new_ones));
  if (runs.result.cases.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "no case of the baseline's file to compare (", baseline.records.size(), " records, ",
        baseline.problems.size(), " lines that are none", regex.empty() ? "" : ", --cases=" + regex,
        ")", runs.notes.empty() ? "" : "\n  " + absl::StrJoin(runs.notes, "\n  ")));
  }
  DecideAll(one_look.rules, runs.result);
  runs.result.looks_made = 1;
  runs.notes.push_back(
      "files cannot tell the order of the runs, nor that nothing else changed between them (clock, "
      "temperature, neighbours); where both sides can still be run, compare them live");
  return runs;
}

absl::StatusOr<RecordedRuns> CompareRecords(const std::string& baseline_path,
                                            const std::string& candidate_path,
                                            const CampaignOptions& options,
                                            const std::string& regex) {
  const absl::StatusOr<record::RecordFile> baseline = record::ReadAll(baseline_path);
  if (!baseline.ok()) return baseline.status();
  const absl::StatusOr<record::RecordFile> candidate = record::ReadAll(candidate_path);
  if (!candidate.ok()) return candidate.status();
  return CompareRecords(*baseline, *candidate, options, regex);
}

}  // namespace assay::compare
