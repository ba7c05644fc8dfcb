#include "benchmarks/harness/statistics/location.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "benchmarks/harness/statistics/finite.h"

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

// All sums a_i + b_j of two ascending samples, or with i <= j only when they are the same one.
// Rounding a sum keeps the order in either argument, so counting by two pointers is exact.
class PairSums {
 public:
  PairSums(absl::Span<const double> a, absl::Span<const double> b, bool half)
      : a_(a), b_(b), half_(half) {}

  int64_t Size() const {
    const auto n = static_cast<int64_t>(a_.size());
    return half_ ? n * (n + 1) / 2 : n * static_cast<int64_t>(b_.size());
  }
  double Least() const { return a_.front() + b_.front(); }
  double Greatest() const { return a_.back() + b_.back(); }

  int64_t CountUpTo(double bound) const {
    int64_t count = 0;
    size_t j = b_.size();
    for (const double a : a_) {
      while (j > 0 && a + b_[j - 1] > bound) --j;
      if (j == 0) break;
      count += static_cast<int64_t>(j);
    }
    // Every pair i < j was counted twice, i = j once.
    return half_ ? (count + CountDiagonalUpTo(bound)) / 2 : count;
  }

  // The smallest sum above `bound`, of which there is one.
  double NextAbove(double bound) const {
    double next = Greatest();
    size_t j = b_.size();
    for (const double a : a_) {
      while (j > 0 && a + b_[j - 1] > bound) --j;
      if (j < b_.size()) next = std::min(next, a + b_[j]);
    }
    return next;
  }

 private:
  int64_t CountDiagonalUpTo(double bound) const {
    return std::partition_point(a_.begin(), a_.end(),
                                [bound](double a) { return a + a <= bound; }) -
           a_.begin();
  }

  absl::Span<const double> a_, b_;
  bool half_;
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

std::vector<double> ScaledAndSorted(absl::Span<const double> values, double factor) {
  std::vector<double> sorted;
  sorted.reserve(values.size());
  for (const double value : values) sorted.push_back(factor * value);
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

}  // namespace

double HodgesLehmann(absl::Span<const double> values) {
  if (values.empty() || !AllFinite(values)) return std::numeric_limits<double>::quiet_NaN();
  // Halves, so that a sum is the average itself and cannot overflow.
  const std::vector<double> halves = ScaledAndSorted(values, 0.5);
  return MedianOfSums(PairSums(halves, halves, true));
}

double HodgesLehmannShift(absl::Span<const double> x, absl::Span<const double> y) {
  if (x.empty() || y.empty() || !AllFinite(x) || !AllFinite(y)) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  return MedianOfSums(PairSums(ScaledAndSorted(x, -1), ScaledAndSorted(y, 1), false));
}

}  // namespace assay::statistics
