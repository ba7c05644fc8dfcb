#include "benchmarks/harness/statistics/change_points.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <set>

#include "benchmarks/harness/statistics/quantile.h"

namespace assay::statistics {
namespace {

struct Values {
  std::vector<double> value;
  std::vector<int64_t> index;   // in the caller's series
  std::vector<uint32_t> order;  // equal values have equal order
};

struct Candidate {
  int64_t begin, end, cut;  // the values begin .. end - 1, changing at cut
  double z;
};

Values Finite(absl::Span<const double> series) {
  Values result;
  for (size_t i = 0; i < series.size(); ++i) {
    if (!std::isfinite(series[i])) continue;
    result.value.push_back(series[i]);
    result.index.push_back(static_cast<int64_t>(i));
  }
  std::vector<double> sorted = result.value;
  std::sort(sorted.begin(), sorted.end());
  for (const double v : result.value) {
    result.order.push_back(
        static_cast<uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), v) - sorted.begin()));
  }
  return result;
}

// Doubled mid-ranks of the values of one interval, in their order in time, and the tie correction
// sum of t^3 - t. Reuses its memory between intervals.
class RankedWindow {
 public:
  void Rank(absl::Span<const uint32_t> order) {
    keys_.resize(order.size());
    doubled_.resize(order.size());
    for (size_t i = 0; i < order.size(); ++i) keys_[i] = uint64_t{order[i]} << 32 | i;
    std::sort(keys_.begin(), keys_.end());
    ties_ = 0;
    for (size_t begin = 0, end = 0; begin < keys_.size(); begin = end) {
      while (end < keys_.size() && keys_[end] >> 32 == keys_[begin] >> 32) ++end;
      for (size_t i = begin; i < end; ++i) doubled_[keys_[i] & 0xffffffff] = begin + end + 1;
      const auto t = static_cast<double>(end - begin);
      ties_ += t * (t * t - 1);
    }
  }
  double doubled(int64_t i) const { return static_cast<double>(doubled_[i]); }
  double ties() const { return ties_; }

 private:
  std::vector<uint64_t> keys_, doubled_;
  double ties_ = 0;
};

// The cut of the interval with the largest standardised rank sum.
Candidate BestCut(const Values& values, int64_t begin, int64_t end, int64_t min_segment,
                  RankedWindow& ranks) {
  const int64_t size = end - begin;
  ranks.Rank(absl::MakeConstSpan(values.order).subspan(begin, size));
  const auto n = static_cast<double>(size);
  const double spread = (n + 1 - ranks.ties() / (n * (n - 1))) / 12;  // of one value's rank
  Candidate best{.begin = begin, .end = end, .cut = begin, .z = 0};
  if (spread <= 0) return best;
  double sum = 0;
  for (int64_t left = 1; left <= size - min_segment; ++left) {
    sum += ranks.doubled(left - 1);
    if (left < min_segment) continue;
    const auto l = static_cast<double>(left);
    const double distance = std::abs(sum - l * (n + 1)) / 2 - 0.5;
    const double z = distance / std::sqrt(l * (n - l) * spread);
    if (z > best.z) {
      best.z = z;
      best.cut = begin + left;
    }
  }
  return best;
}

double MedianOf(const Values& values, int64_t begin, int64_t end) {
  std::vector<double> sorted(values.value.begin() + begin, values.value.begin() + end);
  std::sort(sorted.begin(), sorted.end());
  return Median(sorted);
}

// For the choice among `length` cuts, and of the interval: the logarithm was measured (the test
// beside this file), the bound without it holds up to 10^3 values.
double CorrectedP(double z, size_t length) {
  const auto n = static_cast<double>(length);
  return std::min(1.0, n * std::max(1.0, std::log2(n) / 10) * std::erfc(z / std::sqrt(2.0)));
}

bool ChangesEnough(const Values& values, const Candidate& c, double min_relative_change) {
  if (min_relative_change <= 0) return true;
  const double before = MedianOf(values, c.begin, c.cut), after = MedianOf(values, c.cut, c.end);
  return std::abs(after - before) >= min_relative_change * std::abs(before);
}

std::vector<Candidate> Candidates(const Values& values, const ChangePointOptions& options) {
  const auto n = static_cast<int64_t>(values.value.size());
  const int64_t min_segment = std::max<int64_t>(1, options.min_segment);
  std::vector<Candidate> found;
  RankedWindow ranks;
  for (int64_t length = n; length >= std::max<int64_t>(4, 2 * min_segment);
       length = (length + 1) / 2) {
    const int64_t step = std::max<int64_t>(1, length / 2);
    for (int64_t begin = 0;; begin += step) {
      const int64_t end = std::min(n, begin + length);
      if (end - begin < 2 * min_segment) break;
      const Candidate best = BestCut(values, begin, end, min_segment, ranks);
      if (CorrectedP(best.z, values.value.size()) <= options.alpha &&
          ChangesEnough(values, best, options.min_relative_change)) {
        found.push_back(best);
      }
      if (end == n) break;
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Candidate& a, const Candidate& b) { return a.z > b.z; });
  return found;
}

// Strongest first; an interval that holds a change already taken is set aside.
std::vector<Candidate> Take(const std::vector<Candidate>& candidates) {
  std::set<int64_t> cuts;
  std::vector<Candidate> taken;
  for (const Candidate& c : candidates) {
    const auto next = cuts.upper_bound(c.begin);
    if (next != cuts.end() && *next < c.end) continue;
    cuts.insert(c.cut);
    taken.push_back(c);
  }
  std::sort(taken.begin(), taken.end(),
            [](const Candidate& a, const Candidate& b) { return a.cut < b.cut; });
  return taken;
}

// The cut between two levels that the values lie nearest to. (Ranks find that there is a change,
// but their standardised sum leans towards the middle of the interval.)
int64_t Refine(const Values& values, int64_t begin, int64_t cut, int64_t end) {
  const double before = MedianOf(values, begin, cut), after = MedianOf(values, cut, end);
  double misfit = 0, least = std::numeric_limits<double>::infinity();
  int64_t best = cut;
  for (int64_t i = begin; i + 1 < end; ++i) {
    misfit += std::abs(values.value[i] - before) - std::abs(values.value[i] - after);
    if (misfit < least) {
      least = misfit;
      best = i + 1;
    }
  }
  return best;
}

}  // namespace

std::vector<ChangePoint> FindChangePoints(absl::Span<const double> series,
                                          const ChangePointOptions& options) {
  const Values values = Finite(series);
  const std::vector<Candidate> taken = Take(Candidates(values, options));
  std::vector<int64_t> cuts = {0};
  for (const Candidate& c : taken) cuts.push_back(c.cut);
  cuts.push_back(static_cast<int64_t>(values.value.size()));
  for (size_t i = 1; i + 1 < cuts.size(); ++i) {
    cuts[i] = Refine(values, cuts[i - 1], cuts[i], cuts[i + 1]);
  }
  std::vector<ChangePoint> result;
  for (size_t i = 1; i + 1 < cuts.size(); ++i) {
    result.push_back({.index = values.index[cuts[i]],
                      .before = MedianOf(values, cuts[i - 1], cuts[i]),
                      .after = MedianOf(values, cuts[i], cuts[i + 1]),
                      .p_value = CorrectedP(taken[i - 1].z, values.value.size())});
  }
  return result;
}

}  // namespace assay::statistics
