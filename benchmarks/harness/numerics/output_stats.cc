#include "benchmarks/harness/numerics/output_stats.h"

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"

namespace assay::numerics {

void CompensatedSum::Add(double value) {
  const double sum = sum_ + value;
  lost_ += std::abs(sum_) >= std::abs(value) ? (sum_ - sum) + value : (value - sum) + sum_;
  sum_ = sum;
}

void OutputStatsBuilder::Add(absl::Span<const double> values) {
  constexpr std::size_t kBlock = 256;
  for (std::size_t begin = 0; begin < values.size(); begin += kBlock) {
    AddBlock(values.subspan(begin, kBlock));
  }
}

void OutputStatsBuilder::AddBlock(absl::Span<const double> values) {
  const double count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
    // Not std::max, which drops a NaN; here one NaN stays for good.
    if (std::abs(value) > max_abs_ || std::isnan(value)) max_abs_ = std::abs(value);
  }
  const double mean = sum / count;
  double squared_deviations = 0;
  for (const double value : values) squared_deviations += (value - mean) * (value - mean);

  const double before = static_cast<double>(count_);
  if (count_ > 0) {
    const double shift = mean - sum_.Total() / before;
    squared_deviations_.Add(shift * shift * (before * count / (before + count)));
  }
  squared_deviations_.Add(squared_deviations);
  sum_.Add(sum);
  squares_.Add(squares);
  count_ += static_cast<int64_t>(values.size());
}

OutputStats OutputStatsBuilder::Stats() const {
  if (count_ == 0) return {};
  const double count = static_cast<double>(count_);
  return {.mean = sum_.Total() / count,
          .std = std::sqrt(squared_deviations_.Total() / count),
          .l2_norm = std::sqrt(squares_.Total()),
          .max_abs = max_abs_};
}

OutputStats StatsOf(absl::Span<const double> values) {
  OutputStatsBuilder builder;
  builder.Add(values);
  return builder.Stats();
}

}  // namespace assay::numerics
