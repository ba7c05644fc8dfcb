#include "benchmarks/harness/statistics/testing/draws.h"

#include <cmath>

namespace assay::statistics {

std::vector<double> Draw(Shape shape, int count, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  std::vector<double> values(count);
  double before = normal(random);
  for (double& value : values) {
    const double z = normal(random);
    switch (shape) {
      case Shape::kNormal:
        value = z;
        break;
      case Shape::kSkewed:
        value = (std::exp(0.3 * z) - std::exp(0.045)) / 0.3;
        break;
      case Shape::kBimodal:
        value = 0.5 * z + (random() % 2 == 0 ? 1.5 : -1.5);
        break;
      case Shape::kAutoregressive:
        value = before = 0.3 * before + std::sqrt(1 - 0.09) * z;
        break;
    }
  }
  return values;
}

double Coverage(Shape shape, int count, int sets, uint64_t seed, const IntervalOf& interval_of,
                double truth) {
  std::mt19937_64 random(seed);
  int held = 0;
  for (int set = 0; set < sets; ++set) {
    const Interval interval = interval_of(Draw(shape, count, random));
    held += interval.low <= truth && truth <= interval.high;
  }
  return static_cast<double>(held) / sets;
}

}  // namespace assay::statistics
