#include "benchmarks/harness/numerics/error_measures.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"

namespace assay::numerics {

double RootMeanSquareError(absl::Span<const double> a, absl::Span<const double> b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares / static_cast<double>(a.size()));
}

double LargestError(absl::Span<const double> a, absl::Span<const double> b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double error = std::abs(a[i] - b[i]);
    if (error > largest || std::isnan(error)) largest = error;
  }
  return largest;
}

double Cosine(absl::Span<const double> a, absl::Span<const double> b) {
  const auto largest = [](absl::Span<const double> v) {
    double most = 0;
    for (const double x : v) most = std::max(most, std::abs(x));
    return most;
  };
  // Scaled, so that squares of tiny and huge values neither vanish nor overflow.
  const double unit_a = largest(a), unit_b = largest(b);
  if (unit_a == 0 || unit_b == 0) return unit_a == unit_b ? 1 : 0;
  double dot = 0, squares_a = 0, squares_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i] / unit_a, y = b[i] / unit_b;
    dot += x * y;
    squares_a += x * x;
    squares_b += y * y;
  }
  const double cosine = dot / (std::sqrt(squares_a) * std::sqrt(squares_b));
  return std::isnan(cosine) ? cosine : std::clamp(cosine, -1.0, 1.0);
}

double MeanRelativeError(absl::Span<const double> got, absl::Span<const double> want) {
  double sum = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != want[i]) sum += std::abs(got[i] - want[i]) / std::abs(want[i]);
  }
  return sum / static_cast<double>(got.size());
}

double IntersectionOverUnion(absl::Span<const double> a, absl::Span<const double> b) {
  int64_t both = 0, either = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += a[i] != 0 && b[i] != 0;
    either += a[i] != 0 || b[i] != 0;
  }
  return either == 0 ? 1 : static_cast<double>(both) / static_cast<double>(either);
}

}  // namespace assay::numerics
