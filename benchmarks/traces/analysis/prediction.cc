#include "benchmarks/traces/analysis/prediction.h"

#include <algorithm>
#include <cmath>

namespace assay::traces {

Prediction Predict(const OperatorMix& mix,
                   const std::function<std::optional<double>(size_t rank)>& time) {
  Prediction made;
  for (size_t rank = 0; rank < mix.operators.size(); ++rank) {
    const MixedOperator& one = mix.operators[rank];
    const std::optional<double> each = time(rank);
    if (!each) {
      made.unmeasured.push_back(rank);
      made.unmeasured_ns += one.recorded_ns;
      continue;
    }
    const PredictedOperator& added = made.operators.emplace_back(
        PredictedOperator{.rank = rank,
                          .predicted_ns = *each * static_cast<double>(one.nodes.size()),
                          .comparable_ns = *each * static_cast<double>(one.timed)});
    made.predicted_ns += added.predicted_ns;
    made.comparable_ns += added.comparable_ns;
    made.covered_ns += one.recorded_ns;
  }
  if (mix.timed == 0) return made;
  const auto distance = [&](const PredictedOperator& one) {
    return std::abs(one.comparable_ns - static_cast<double>(mix.operators[one.rank].recorded_ns));
  };
  std::stable_sort(made.operators.begin(), made.operators.end(),
                   [&](const PredictedOperator& a, const PredictedOperator& b) {
                     return distance(a) > distance(b);
                   });
  return made;
}

}  // namespace assay::traces
