// -----------------------------------------------------------------------------
// File: testing/golden.h
// -----------------------------------------------------------------------------
//
// SciPy's results: the cases of one topic of testdata/goldens.json, which `tools/bazel run
// //ci/goldens:statistics_goldens_update` rewrites.
//
//   for (const auto& c : Goldens("paired_t")) EXPECT_NEAR(Mine(Numbers(c["x"])), c["p"], 1e-12);

#ifndef ASSAY_BENCHMARKS_HARNESS_STATISTICS_TESTING_GOLDEN_H_
#define ASSAY_BENCHMARKS_HARNESS_STATISTICS_TESTING_GOLDEN_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace assay::statistics {

// Throws, and so fails the test, when there is no such topic or it is empty.
nlohmann::json Goldens(const std::string& topic);

std::vector<double> Numbers(const nlohmann::json& list);

// |got - want| <= relative * |want|, with `absolute` as a floor.
bool Near(double got, double want, double relative = 1e-9, double absolute = 1e-300);

}  // namespace assay::statistics

#endif  // ASSAY_BENCHMARKS_HARNESS_STATISTICS_TESTING_GOLDEN_H_
