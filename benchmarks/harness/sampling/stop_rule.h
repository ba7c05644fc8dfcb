// -----------------------------------------------------------------------------
// File: stop_rule.h
// -----------------------------------------------------------------------------
//
// When to stop taking samples. The rule asked by default is about the precision of the number that
// is reported: it stops when the 95 % order-statistic interval of the median is narrow. A rule
// about the spread of the samples would answer another question: a quiet kernel would stop early
// whatever the error of its median, and a noisy one would run on long after the median is known.
//
// Not for limits that hold under any rule: the capacity of the log and Ctrl-C are the engine's.
//
//   PrecisionRule rule({.relative_half_width = 0.0025, .budget = absl::Seconds(1)});
//   SamplingOptions options;
//   options.rule = &rule;

#ifndef ASSAY_BENCHMARKS_HARNESS_SAMPLING_STOP_RULE_H_
#define ASSAY_BENCHMARKS_HARNESS_SAMPLING_STOP_RULE_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/time/time.h"
#include "benchmarks/harness/sampling/sample_log.h"

namespace assay::sampling {

enum class StopReason {
  kPrecise,      // the interval of the median is narrow enough
  kBudget,       // the time is up
  kSampleCount,  // as many samples as were asked for
  kLogFull,      // as many samples as are kept
  kInterrupted,  // Ctrl-C; what was taken until then is kept
};

// "precise", "budget", "sample_count", "log_full", "interrupted": as in the record.
std::string_view StopReasonName(StopReason reason);

class StopRule {
 public:
  virtual ~StopRule() = default;

  // Forgets everything and allocates memory for up to `max_samples` samples.
  virtual void Start(int64_t max_samples) = 0;

  // Called after every sample, outside the timed region; nullopt means go on. `elapsed_ns` is the
  // time since the budget began to run, all overheads included; no absl::Duration, whose arithmetic
  // would cost a tenth of a sample. Must not allocate.
  virtual std::optional<StopReason> Check(const SampleLog& log, int64_t elapsed_ns) = 0;
};

// Stops when half the width of the 95 % interval of the median is at most a share of the median,
// or when the time is up.
class PrecisionRule : public StopRule {
 public:
  struct Options {
    double relative_half_width = 0.0025;
    // The interval is not trusted below this many samples: with few, a narrow one is often luck.
    int64_t min_samples = 30;
    // Nor is it trusted before this much time has passed: a narrow interval describes only the
    // moment in which its samples were taken, and a neighbour's disturbance outlasts a few
    // milliseconds.
    absl::Duration min_time = absl::ZeroDuration();
    absl::Duration budget = absl::Seconds(1);
    // The budget is not exceeded by more than a tenth, except for this many samples: 6 is the
    // fewest for which a 95 % interval exists, so that a slow case has one as well.
    int64_t min_samples_in_budget = 6;
    // Not even for these is it exceeded by more than this factor.
    double most_budgets = 10;
  };

  explicit PrecisionRule(const Options& options) : options_(options) {}

  void Start(int64_t max_samples) override;
  std::optional<StopReason> Check(const SampleLog& log, int64_t elapsed_ns) override;

 private:
  bool IsNarrow(const SampleLog& log);

  Options options_;
  double min_time_ns_ = 0, budget_ns_ = 0;
  // Computing the interval costs time in proportion to the number of samples, so it is computed
  // only when that has grown by a quarter: all computations together cost five times the last one.
  // From 10,000 samples on, which are so short that this would show (22 ns each), only when it has
  // doubled.
  int64_t next_look_ = 0;
  std::vector<int64_t> scratch_;
  double last_elapsed_ns_ = 0;  // at the last Check
};

// Stops after a fixed number of samples.
class SampleCountRule : public StopRule {
 public:
  explicit SampleCountRule(int64_t samples) : samples_(samples) {}

  void Start(int64_t) override {}
  std::optional<StopReason> Check(const SampleLog& log, int64_t elapsed_ns) override;

 private:
  int64_t samples_;
};

}  // namespace assay::sampling

#endif  // ASSAY_BENCHMARKS_HARNESS_SAMPLING_STOP_RULE_H_
