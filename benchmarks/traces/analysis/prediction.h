#ifndef ASSAY_BENCHMARKS_TRACES_ANALYSIS_PREDICTION_H_
#define ASSAY_BENCHMARKS_TRACES_ANALYSIS_PREDICTION_H_

// ---------------------------------------------------------------------------------------------
// prediction.h: the time of a program out of the times of its operators, each measured alone: the sum
// of calls times time, beside what the trace recorded.
//
// Example:
//   const Prediction p = Predict(mix, [&](size_t rank) { return TimeOf(mix.operators[rank]); });
//   p.predicted_ns / p.whole_ns;
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "benchmarks/traces/analysis/operator_mix.h"

namespace assay::traces {

struct PredictedOperator {
  size_t rank = 0;           // in OperatorMix::operators
  double predicted_ns = 0;   // of all its calls
  double comparable_ns = 0;  // of those that have a time in the trace
};

struct Prediction {
  // The largest difference from the recorded time first; without times in the mix's order.
  std::vector<PredictedOperator> operators = {};
  std::vector<size_t> unmeasured = {};  // ranks
  double predicted_ns = 0, comparable_ns = 0;
  int64_t covered_ns = 0;     // recorded for the operators that were measured
  int64_t unmeasured_ns = 0;  // for the others
};

// `time` gives nanoseconds of one call, by rank.
Prediction Predict(const OperatorMix& mix,
                   const std::function<std::optional<double>(size_t rank)>& time);

}  // namespace assay::traces

#endif  // ASSAY_BENCHMARKS_TRACES_ANALYSIS_PREDICTION_H_
