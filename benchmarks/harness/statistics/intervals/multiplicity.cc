#include "benchmarks/harness/statistics/intervals/multiplicity.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace assay::statistics {

std::vector<double> BenjaminiHochberg(absl::Span<const double> p_values) {
  std::vector<double> p(p_values.begin(), p_values.end());
  for (double& value : p) value = std::isnan(value) ? 1 : value;
  std::vector<size_t> order(p.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&p](size_t a, size_t b) { return p[a] < p[b]; });
  std::vector<double> q(p.size());
  double smallest = 1;
  for (size_t rank = p.size(); rank > 0; --rank) {
    const size_t i = order[rank - 1];
    smallest = std::min(smallest, p[i] * static_cast<double>(p.size()) / static_cast<double>(rank));
    q[i] = smallest;
  }
  return q;
}

}  // namespace assay::statistics
