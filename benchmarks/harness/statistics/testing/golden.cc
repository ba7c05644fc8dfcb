#include "benchmarks/harness/statistics/testing/golden.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

namespace assay::statistics {

nlohmann::json Goldens(const std::string& topic) {
  std::ifstream file("benchmarks/harness/statistics/testing/testdata/goldens.json");
  nlohmann::json cases = nlohmann::json::parse(file).at(topic);
  if (cases.empty()) throw std::runtime_error("goldens.json: no cases of " + topic);
  return cases;
}

std::vector<double> Numbers(const nlohmann::json& list) { return list.get<std::vector<double>>(); }

bool Near(double got, double want, double relative, double absolute) {
  return std::abs(got - want) <= std::max(absolute, relative * std::abs(want));
}

}  // namespace assay::statistics
