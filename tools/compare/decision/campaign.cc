#include "tools/compare/decision/campaign.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/statistics/intervals/multiplicity.h"

namespace assay::compare {
namespace {

class Campaign {
 public:
  Campaign(const std::vector<std::string>& names, const CampaignOptions& options, RunProcess run,
           ProgressSink progress, const std::atomic<bool>* interrupted)
      : options_(options),
        order_(options.seed),
        run_(run),
        progress_(progress),
        interrupted_(interrupted),
        coverage_(names.size()),
        pairs_run_(names.size(), 0),
        pairs_took_(names.size()),
        pair_time_(names.size()) {
    for (const std::string& name : names) result_.cases.push_back({.name = name});
  }

  CampaignResult Run() {
    // Each case is tried, then measured. With --within the plan grows by the cases that have time.
    const int tried = options_.within < absl::InfiniteDuration() ? 0 : options_.pairs;
    plan_.planned = static_cast<int>(result_.cases.size()) * 2 * (1 + tried);
    for (size_t i = 0; i < result_.cases.size(); ++i)
      RehearseInTime(options_.trial_order.empty() ? i : options_.trial_order[i]);
    std::stable_sort(result_.series.begin(), result_.series.end(),
                     [](const auto& a, const auto& b) { return a.case_index < b.case_index; });
    for (int look = 1; look <= options_.rules.looks && !Interrupted(); ++look) {
      if (OpenCases().empty() || (look > 1 && TimeOfPairs(OpenCases()) > TimeLeft())) break;
      RunPairsUntil(look * options_.pairs, look);
      if (!Interrupted()) Look(look);
    }
    result_.interrupted = Interrupted();
    if (result_.interrupted) Conclude();
    for (size_t i = 0; i < coverage_.size() && !result_.interrupted; ++i) {
      if (result_.cases[i].missing.empty())
        KeepLosses(coverage_[i][0], coverage_[i][1], result_.cases[i]);
    }
    return std::move(result_);
  }

 private:
  bool Interrupted() const { return interrupted_ != nullptr && *interrupted_; }

  std::optional<MeasuredProcess> RunSide(size_t case_index, SideName side, int64_t padding,
                                         absl::Duration at_most = absl::InfiniteDuration()) {
    MeasuredProcess process = run_({case_index, side, padding, at_most});
    result_.measuring += process.elapsed;
    ++result_.processes;
    plan_.done = result_.processes;
    progress_(plan_);
    if (process.outcome == INTERRUPTED || Interrupted()) {
      if (pairs_run_[case_index] == 0)
        result_.cases[case_index].missing = "interrupted while it was tried";
      return std::nullopt;
    }
    if (process.outcome == TIMEOUT && process.elapsed >= at_most) {
      result_.cases[case_index].missing = LimitText() + "time was up while it was tried";
      return std::nullopt;
    }
    coverage_[case_index][static_cast<int>(side)].Add(process.outcome, process.medians);
    if (process.Usable()) return process;
    Fail(case_index, side, process.outcome, process.message);
    return std::nullopt;
  }

  void Fail(size_t case_index, SideName side, Outcome outcome, std::string message) {
    result_.cases[case_index].failure = {side, outcome, std::move(message)};
    for (SeriesResult& series : result_.series) {
      if (series.case_index != case_index) continue;
      series.verdict = Conclusion::kNotCompared;
      series.reason =
          outcome == OUTCOME_UNSPECIFIED ? "refused" : std::string(record::OutcomeName(outcome));
    }
  }

  absl::Duration TimeLeft() const { return options_.within - result_.measuring; }
  absl::Duration TimeOfPairs(const std::vector<size_t>& cases) const {
    absl::Duration time;
    for (const size_t i : cases) time += options_.pairs * pair_time_[i];
    return time;
  }

  std::string LimitText() const {
    return absl::StrFormat("--within=%g: ", absl::ToDoubleSeconds(options_.within));
  }

  // Leaves out the case where time is too short, or is up.
  void RehearseInTime(size_t case_index) {
    const size_t series = result_.series.size();
    const absl::Duration others = TimeOfPairs(OpenCases());
    std::string& missing = result_.cases[case_index].missing;
    if (Interrupted()) {
      missing = "interrupted before its turn";
    } else if (others >= TimeLeft()) {
      missing = LimitText() + "the cases before it take that long";
    } else {
      if (options_.within < absl::InfiniteDuration()) {  // what is planned grows by each case
        plan_.planned =
            result_.processes + 2 + 2 * options_.pairs * static_cast<int>(OpenCases().size());
      }
      Rehearse(case_index, others);
      if (result_.series.size() == series) return;
      const absl::Duration own = TimeOfPairs({case_index});
      if (others + own <= TimeLeft()) return;
      result_.series.resize(series);
      missing = absl::StrFormat(
          "%sits %d pairs would take %.0f s, and %.0f s are left; "
          "give a larger --within, or fewer --pairs",
          LimitText(), options_.pairs, absl::ToDoubleSeconds(own),
          std::max(absl::ToDoubleSeconds(TimeLeft() - others), 0.0));
    }
  }

  // `reserved`: of the time, for pairs of other cases.
  void Rehearse(size_t case_index, absl::Duration reserved) {
    CaseResult& c = result_.cases[case_index];
    plan_.doing = c.name + ", trying both sides";
    const auto baseline = RunSide(case_index, SideName::kBaseline, 0, TimeLeft() - reserved);
    if (!baseline.has_value()) return;
    const auto candidate = RunSide(case_index, SideName::kCandidate, 0,
                                   std::max(TimeLeft() - reserved, absl::Seconds(1)));
    if (!candidate.has_value()) return;
    c.baseline_record = baseline->record;
    c.candidate_record = candidate->record;
    pair_time_[case_index] =
        baseline->elapsed + candidate->elapsed -
        absl::Seconds(baseline->record.export_s() + candidate->record.export_s());
    std::vector<std::string> differences = Differences(baseline->traits, candidate->traits);
    const std::vector<std::string> refused =
        options_.across      ? std::vector<std::string>()
        : options_.two_cases ? Differences(baseline->traits, candidate->traits, Traits::kOfTheRun)
                             : differences;
    if (!refused.empty()) {
      Fail(case_index, SideName::kCandidate, OUTCOME_UNSPECIFIED,
           absl::StrCat(absl::StrJoin(refused, "; "), " (--across compares all the same)"));
      return;
    }
    c.differences = std::move(differences);
    AddSeries(case_index, *baseline, *candidate);
  }

  // One series for each mode that both sides have.
  void AddSeries(size_t case_index, const MeasuredProcess& baseline,
                 const MeasuredProcess& candidate) {
    bool any = false;
    for (const ModeMedian& mode : baseline.medians) {
      const bool both = std::any_of(candidate.medians.begin(), candidate.medians.end(),
                                    [&](const ModeMedian& m) { return m.mode == mode.mode; });
      if (!both) continue;
      any = true;
      result_.series.push_back({.case_index = case_index, .mode = mode.mode});
    }
    if (!any) {
      Fail(case_index, SideName::kCandidate, OUTCOME_UNSPECIFIED, "no mode is common to both");
    }
  }

  bool Open(const SeriesResult& series) const {
    return series.decided_at_look == 0 && series.verdict == Conclusion::kInconclusive;
  }

  std::vector<size_t> OpenCases() const {
    std::vector<size_t> open;
    for (const SeriesResult& series : result_.series) {
      if (Open(series) && (open.empty() || open.back() != series.case_index)) {
        open.push_back(series.case_index);
      }
    }
    return open;
  }

  // Flagged pairs may be replaced by up to as many again as planned: on a shared machine a
  // neighbour may disturb every third pair. The number is even, like the plan.
  int MostPairs(int target) const {
    const bool replaced = !options_.keep_flagged && TimeLeft() > absl::ZeroDuration();
    return replaced ? 2 * target : target;
  }

  bool NeedsPairs(const SeriesResult& series, int target) const {
    if (!Open(series) || static_cast<int>(series.log_ratios.size()) >= target) return false;
    if (options_.keep_flagged) return true;
    return !series.Hopeless(pairs_took_[series.case_index]) &&
           series.FlaggedPairs() <= MostPairs(target) - target;
  }

  void TellOfFlags(const SeriesResult& series) {
    if (options_.keep_flagged) return;
    plan_.notice = series.FlagNotice(result_.cases[series.case_index].name, options_.metric);
    if (!plan_.notice.empty()) progress_(plan_);
    plan_.notice.clear();
  }

  std::vector<size_t> CasesThatNeedPairs(int target) const {
    std::vector<size_t> cases;
    for (const SeriesResult& series : result_.series) {
      if (NeedsPairs(series, target) && pairs_run_[series.case_index] < MostPairs(target) &&
          (cases.empty() || cases.back() != series.case_index)) {
        cases.push_back(series.case_index);
      }
    }
    return cases;
  }

  void RunPairsUntil(int target, int look) {
    const int open = static_cast<int>(OpenCases().size());
    const int each_look = 2 * open * options_.pairs;
    plan_.look = look;
    plan_.planned = result_.processes + each_look;
    plan_.at_most = plan_.planned + each_look * (options_.rules.looks - look);
    for (std::vector<size_t> cases = CasesThatNeedPairs(target); !cases.empty();
         cases = CasesThatNeedPairs(target)) {
      for (const size_t case_index : order_.Turns(std::move(cases), block_++)) {
        for (int i = 0; i < 2 && !result_.cases[case_index].failure.has_value(); ++i) {
          if (Interrupted()) return;
          RunPair(case_index, target);
        }
      }
    }
    RefuseFlagged(target);
  }

  void RunPair(size_t case_index, int target) {
    const int pair = pairs_run_[case_index]++;
    const bool baseline_first = order_.BaselineFirst(case_index, pair);
    plan_.doing = absl::StrCat(result_.cases[case_index].name, ", pair ", pair + 1, " of ", target);
    plan_.planned = std::max(plan_.planned, result_.processes + 2);
    const absl::Duration before = result_.measuring;
    std::optional<MeasuredProcess> processes[2];  // by SideName
    for (const bool baseline : {baseline_first, !baseline_first}) {
      const SideName side = baseline ? SideName::kBaseline : SideName::kCandidate;
      auto& process = processes[static_cast<int>(side)];
      process = RunSide(case_index, side, order_.PaddingBytes(case_index, pair, side));
      if (!process.has_value()) return;
    }
    pairs_took_[case_index] += result_.measuring - before;
    for (SeriesResult& series : result_.series) {
      if (series.case_index == case_index && Open(series)) {
        AddPair(series, *processes[0], *processes[1], baseline_first, target);
        if (result_.cases[case_index].failure.has_value()) return;
        TellOfFlags(series);
      }
    }
  }

  void AddPair(SeriesResult& series, const MeasuredProcess& baseline,
               const MeasuredProcess& candidate, bool baseline_first, int target) {
    const ModeMedian* medians[2] = {nullptr, nullptr};
    const MeasuredProcess* const processes[2] = {&baseline, &candidate};
    for (int side = 0; side < 2; ++side) {
      for (const ModeMedian& median : processes[side]->medians) {
        if (median.mode == series.mode) medians[side] = &median;
      }
      if (medians[side] == nullptr && IsTail(series.mode)) {
        series.verdict = Conclusion::kNotCompared;
        series.reason = "a process had too few queries for it; give a longer --duration";
        return;
      }
      if (medians[side] == nullptr) {
        Fail(series.case_index, static_cast<SideName>(side), CRASH,
             absl::StrCat("mode ", series.mode, " was missing in one of its processes"));
        return;
      }
    }
    PairMedians pair{*medians[0], *medians[1], baseline_first};
    const bool counts = options_.keep_flagged || !pair.Flagged();
    if (counts && static_cast<int>(series.log_ratios.size()) < target) {
      series.log_ratios.push_back(std::log(pair.candidate.median_ns / pair.baseline.median_ns));
    }
    series.pairs.push_back(std::move(pair));
  }

  void RefuseFlagged(int target) {
    for (SeriesResult& series : result_.series) {
      if (!Open(series) || Interrupted()) continue;
      if (static_cast<int>(series.log_ratios.size()) >= target) continue;
      series.verdict = Conclusion::kNotCompared;
      series.reason = series.FlagSummary(options_.metric);
    }
  }

  // Estimates the open series, and q-values over all series. A series that was decided at an
  // earlier look counts with its p-value of then.
  void EstimateOpen() {
    std::vector<std::vector<double>> ratios;
    std::vector<bool> open;
    for (const SeriesResult& series : result_.series) {
      const bool compared = series.verdict != Conclusion::kNotCompared;
      ratios.push_back(compared ? series.log_ratios : std::vector<double>());
      open.push_back(Open(series));
    }
    const auto estimates = EstimateAll(
        ratios, options_.rules,
        options_.second_opinion ? std::optional<uint64_t>(options_.seed) : std::nullopt, open);
    for (size_t i = 0; i < open.size(); ++i) {
      if (open[i]) result_.series[i].estimate = estimates[i];
    }
    std::vector<double> p_values;
    std::vector<SeriesResult*> tested;
    for (SeriesResult& series : result_.series) {
      if (series.verdict == Conclusion::kNotCompared || !series.estimate.has_value()) continue;
      tested.push_back(&series);
      p_values.push_back(series.estimate->p_value);
    }
    const std::vector<double> q_values = statistics::BenjaminiHochberg(p_values);
    for (size_t i = 0; i < tested.size(); ++i) {
      if (Open(*tested[i])) tested[i]->q_value = q_values[i];
    }
  }

  void Look(int look) {
    EstimateOpen();
    result_.looks_made = look;
    for (SeriesResult& series : result_.series) {
      if (!Open(series) || !series.estimate.has_value()) continue;
      series.verdict = Decide(*series.estimate, series.q_value, options_.rules);
      if (series.verdict != Conclusion::kInconclusive) series.decided_at_look = look;
    }
  }

  // After an interruption: gives figures of what there is, but no verdict, since this is not a
  // planned look.
  void Conclude() {
    EstimateOpen();
    for (SeriesResult& series : result_.series) {
      if (!Open(series)) continue;
      series.reason = absl::StrCat("interrupted after ", series.log_ratios.size(), " pairs");
    }
  }

  const CampaignOptions options_;
  const Order order_;
  const RunProcess run_;
  const ProgressSink progress_;
  const std::atomic<bool>* const interrupted_;
  std::vector<std::array<Coverage, 2>> coverage_;  // by case and SideName
  std::vector<int> pairs_run_;                     // by case
  std::vector<absl::Duration> pairs_took_;         // by case, without the trial
  std::vector<absl::Duration> pair_time_;          // by case, once it was tried
  int block_ = 0;
  CampaignProgress plan_;
  CampaignResult result_;
};

}  // namespace

void KeepLosses(const Coverage& baseline, const Coverage& candidate, CaseResult& c) {
  if (c.failure.has_value() && record::ExitCode(c.failure->outcome) != 0) return;
  c.lost = LossesOf(baseline, candidate);
}

bool CpuTimesWouldTell(const CampaignResult& result) {
  return !result.interrupted && !result.series.empty() &&
         absl::c_all_of(result.series, [&](const SeriesResult& series) {
           const CaseResult& c = result.cases[series.case_index];
           return series.verdict == Conclusion::kNotCompared && !c.failure.has_value() &&
                  c.baseline_record.device() != CUDA && series.QuietUnder(Metric::kCpu);
         });
}

void DecideAll(const DecisionRules& rules, CampaignResult& result) {
  std::vector<SeriesResult*> tested;
  std::vector<double> p_values;
  for (SeriesResult& series : result.series) {
    if (!series.estimate.has_value()) continue;
    tested.push_back(&series);
    p_values.push_back(series.estimate->p_value);
  }
  const std::vector<double> q_values = statistics::BenjaminiHochberg(p_values);
  for (size_t i = 0; i < tested.size(); ++i) {
    SeriesResult& series = *tested[i];
    series.q_value = q_values[i];
    series.verdict = Decide(*series.estimate, q_values[i], rules);
    series.decided_at_look =
        series.verdict == Conclusion::kInconclusive ? 0 : std::max(series.decided_at_look, 1);
  }
}

CampaignResult RunCampaign(const std::vector<std::string>& case_names,
                           const CampaignOptions& options, RunProcess run, ProgressSink progress,
                           const std::atomic<bool>* interrupted) {
  return Campaign(case_names, options, run, progress, interrupted).Run();
}

}  // namespace assay::compare
