#include "benchmarks/harness/statistics/describe/location.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "benchmarks/harness/statistics/describe/finite.h"

namespace assay::statistics {
namespace {

// Doubles in their order as integers, so that bisection ends at neighbours after 64 steps.
int64_t Ordinal(double value) {
  const auto bits = std::bit_cast<int64_t>(value);
  return bits >= 0 ? bits : std::numeric_limits<int64_t>::min() - bits;
}

double FromOrdinal(int64_t ordinal) {
  return std::bit_cast<double>(ordinal >= 0 ? ordinal
                                            : std::numeric_limits<int64_t>::min() - ordinal);
}

// All sums a_i + a_j, i <= j, of an ascending sample. Rounding a sum keeps the order in either
// argument, so counting by two pointers is exact.
class PairSums {
 public:
  explicit PairSums(absl::Span<const double> values) : values_(values) {}

  int64_t Size() const {
    const auto n = static_cast<int64_t>(values_.size());
    return n * (n + 1) / 2;
  }
  double Least() const { return values_.front() + values_.front(); }
  double Greatest() const { return values_.back() + values_.back(); }

  int64_t CountUpTo(double bound) const {
    int64_t count = 0;
    size_t j = values_.size();
    for (const double value : values_) {
      while (j > 0 && value + values_[j - 1] > bound) --j;
      if (j == 0) break;
      count += static_cast<int64_t>(j);
    }
    return (count + CountDiagonalUpTo(bound)) / 2;  // a pair i < j was counted twice, i = j once
  }

  // The smallest sum above `bound`, of which there is one.
  double NextAbove(double bound) const {
    double next = Greatest();
    size_t j = values_.size();
    for (const double value : values_) {
      while (j > 0 && value + values_[j - 1] > bound) --j;
      if (j < values_.size()) next = std::min(next, value + values_[j]);
    }
    return next;
  }

 private:
  int64_t CountDiagonalUpTo(double bound) const {
    return std::partition_point(values_.begin(), values_.end(),
                                [bound](double value) { return value + value <= bound; }) -
           values_.begin();
  }

  absl::Span<const double> values_;
};

// The sum of one-based rank `rank`.
double Select(const PairSums& sums, int64_t rank) {
  int64_t low = Ordinal(sums.Least()), high = Ordinal(sums.Greatest());
  while (low < high) {
    const int64_t middle = (low & high) + ((low ^ high) >> 1);  // no overflow, rounds down
    if (sums.CountUpTo(FromOrdinal(middle)) >= rank) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return FromOrdinal(low);
}

double MedianOfSums(const PairSums& sums) {
  const int64_t size = sums.Size(), rank = (size + 1) / 2;
  const double lower = Select(sums, rank);
  if (size % 2 == 1 || sums.CountUpTo(lower) > rank) return lower;
  return lower / 2 + sums.NextAbove(lower) / 2;
}

}  // namespace

double HodgesLehmann(absl::Span<const double> values) {
  if (values.empty() || !AllFinite(values)) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> halves(values.begin(), values.end());
  for (double& value : halves) value *= 0.5;  // so a sum is the average itself and cannot overflow
  std::sort(halves.begin(), halves.end());
  return MedianOfSums(PairSums(halves));
}

}  // namespace assay::statistics
