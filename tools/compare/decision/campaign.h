// -----------------------------------------------------------------------------
// File: campaign.h
// -----------------------------------------------------------------------------
//
// Runs a comparison from its first process to its verdicts: decides which process runs next, when
// to look, what to run again, and when to stop.
//
// 1. One process of each side of each case, whose figures are discarded: it brings the program
//    into the page cache, shows whether the two can be compared, and says how long one takes.
//    With a limit of time, cases are tried while it lasts for their pairs, too.
// 2. The planned pairs, in the order of order.h. One process gives one median for each mode.
// 3. A look: decision.h over all series (case and mode). Cases with an inconclusive series get as
//    many pairs again, then a second look, and a third; the number of looks is planned.
//
// A process that fails (wrong output, crash, timeout) ends its case: the speed of wrong results is
// not reported. A pair in which a check FLAGGED a mode is run again for that mode, up to as many as
// planned; beyond that the mode is refused with the flags' names, unless `keep_flagged`.
//
// Not for starting processes: `RunProcess` does, or a fake of it.
//
//   CampaignResult result = assay::compare::RunCampaign({"mlp_fp32_b64"}, options, run, progress,
//                                                       &interrupted);

#ifndef ASSAY_TOOLS_COMPARE_DECISION_CAMPAIGN_H_
#define ASSAY_TOOLS_COMPARE_DECISION_CAMPAIGN_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/time/time.h"
#include "tools/compare/decision/coverage.h"
#include "tools/compare/decision/decision.h"
#include "tools/compare/decision/measured_process.h"
#include "tools/compare/decision/metric.h"
#include "tools/compare/decision/order.h"

namespace assay::compare {

struct CampaignOptions {
  int pairs = 20;  // before each look; even
  uint64_t seed = 0;
  DecisionRules rules = {};
  Metric metric = Metric::kWall;  // of the processes' figures
  bool keep_flagged = false;
  // Whether to compare although traits differ (TraitsOf() in measured_process.h).
  bool across = false;
  // Whether each side is one case that the user named: traits of the case may differ then.
  bool two_cases = false;
  bool second_opinion = true;  // bootstrap intervals
  // The time limit for all processes together. A case whose pairs would not fit into the rest stays
  // `missing`; a later look runs them if time is left, as it runs flagged pairs again. The limit is
  // exceeded only by pairs that take longer than their trial.
  absl::Duration within = absl::InfiniteDuration();
  std::vector<size_t> trial_order = {};  // of all cases; empty: as they come
};

struct ProcessRequest {
  size_t case_index = 0;
  SideName side = SideName::kBaseline;
  int64_t padding_bytes = 0;
  absl::Duration at_most = absl::InfiniteDuration();  // then TIMEOUT
};
using RunProcess = absl::FunctionRef<MeasuredProcess(const ProcessRequest&)>;

// The state of a campaign, after each process.
struct CampaignProgress {
  int done = 0;
  int planned = 0;          // until the next look
  int at_most = 0;          // if no look before the last one decides
  int look = 1;             // the case that runs next
  std::string doing = {};   // "mlp_fp32_b64, pair 3 of 20"
  std::string notice = {};  // what a person must know at once; empty with all but one report of it
};
using ProgressSink = absl::FunctionRef<void(const CampaignProgress&)>;

// One pair of processes, for one mode.
struct PairMedians {
  ModeMedian baseline = {};
  ModeMedian candidate = {};
  bool baseline_first = false;

  bool Flagged() const { return !baseline.flags.empty() || !candidate.flags.empty(); }
};

struct SeriesResult {
  size_t case_index = 0;
  std::string mode = {};
  std::vector<PairMedians> pairs = {};  // all pairs that were run, in order
  std::vector<double> log_ratios = {};  // log ratios of the pairs that count
  std::optional<Estimate> estimate = {};
  double q_value = 1;
  Conclusion verdict = Conclusion::kInconclusive;
  std::string reason =
      {};  // the reason for NOT_COMPARED, or for INCONCLUSIVE other than a wide interval
  int decided_at_look = 0;

  // The two times that a report shows. With an estimate their quotient is its ratio, and their geometric
  // mean is that of the pair in the middle: medians of each side alone may be of different pairs, and
  // then say the opposite of the ratio, which is formed within pairs. Without an estimate they are
  // those medians; 0 without any.
  double BaselineTime() const;
  double CandidateTime() const;
  double BaselineFirstCall() const;  // median of the processes; 0 where none is known
  double CandidateFirstCall() const;
  // The number of calls after which the side that is faster per call has made up for its longer
  // loading and first call; `loading_ns`: the candidate's loading without the baseline's. Absent if
  // neither side is faster, if the faster side is ready sooner, too, or if no first call is known.
  std::optional<int64_t> BreakEvenCalls(double loading_ns) const;
  std::string FlagSummary(Metric metric) const;  // checks, how often, first message of each
  int FlaggedPairs() const;
  // Whether more pairs are not worth the time, of which they took so much: so many are flagged that the
  // planned number would not be reached, or all are, and their time is up.
  bool Hopeless(absl::Duration took) const;
  // How it will end, where the first two pairs, and no other yet, were flagged; else empty.
  std::string FlagNotice(const std::string& case_name, Metric metric) const;
  // Whether there are pairs, and none would be flagged under this metric.
  bool QuietUnder(Metric metric) const;
  // Advice if too many pairs are flagged under this metric.
  std::string WayOut(Metric metric) const;
  // How many timed calls of each side were not verified, and the first reason; empty: all were. A
  // side that is FASTER so may compute something else.
  std::string Unverified() const;
};

// Why a case was not compared.
struct CaseFailure {
  SideName side = SideName::kBaseline;
  Outcome outcome = OUTCOME_UNSPECIFIED;  // unspecified: the comparison was refused
  std::string message = {};
};

// How a case uses an operator whose kernel a side replaces.
struct OperatorUse {
  std::string name = {};
  double calls = 0;  // in one call of each of the case's steps
  double share = 0;  // of their time
};

struct CaseResult {
  std::string name = {};
  std::string label = {};  // of the case alone, and the candidate's way to call it, where there are
  std::string way = {};    // several candidates (compared_cases.h)
  std::optional<CaseFailure> failure = {};
  std::vector<std::string> differences = {};  // differences that the options allow
  std::vector<std::string> lost = {};         // what only the baseline has (coverage.h)
  std::vector<OperatorUse> uses = {};         // of the candidate's kernels
  std::string missing = {};     // why there is no comparison: time, its machine (parts.h)
  Record baseline_record = {};  // of the first process, without samples
  Record candidate_record = {};

  // How long the first process of each side took to load what it calls, and to export it where it
  // did that.
  double BaselineLoadingNs() const;
  double CandidateLoadingNs() const;
  // `series` is one of this case.
  std::optional<int64_t> BreakEvenCalls(const SeriesResult& series) const {
    return series.BreakEvenCalls(CandidateLoadingNs() - BaselineLoadingNs());
  }
};

struct CampaignResult {
  std::vector<CaseResult> cases = {};
  std::vector<SeriesResult> series = {};
  std::vector<std::string> lost = {};  // damaged lines, which cannot be assigned to a case
  int looks_made = 0;
  int processes = 0;
  bool interrupted = false;
  absl::Duration measuring = {};  // time spent in processes
};

// Enters what only the baseline has. A case that failed gets no entry: its failure says enough.
void KeepLosses(const Coverage& baseline, const Coverage& candidate, CaseResult& c);

// Whether each series is refused for what other programs did to its wall times, so that CPU times
// would be compared. Not for a GPU's times.
bool CpuTimesWouldTell(const CampaignResult& result);

// Q-values and verdicts of all series that have an estimate, after one look at them together.
void DecideAll(const DecisionRules& rules, CampaignResult& result);

CampaignResult RunCampaign(const std::vector<std::string>& case_names,
                           const CampaignOptions& options, RunProcess run, ProgressSink progress,
                           const std::atomic<bool>* interrupted);

}  // namespace assay::compare

#endif  // ASSAY_TOOLS_COMPARE_DECISION_CAMPAIGN_H_
