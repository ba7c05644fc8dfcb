#include "benchmarks/harness/sampling/mutants/mutants.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/sampling/mutants/mutant.h"
#include "benchmarks/harness/statistics/describe/quantile.h"

namespace assay::sampling {
namespace {

constexpr double kTruthTolerance = 0.005;

struct Finding {
  bool as_wanted = false;
  std::string detail;
};

bool IsComplaint(const Check& check) {
  return check.status == CheckStatus::kNoted || check.status == CheckStatus::kFlagged;
}

// The texts of the checks that noted or flagged; empty for a clean set.
std::string Complaints(const SampleSet& set) {
  std::string text;
  for (const Check& check : set.checks) {
    if (IsComplaint(check)) absl::StrAppend(&text, check.name, ": ", check.detail, "; ");
  }
  return text;
}

Finding FindClean(const absl::StatusOr<SampleSet>& set) {
  if (!set.ok()) return {.detail = set.status().ToString()};
  if (set->samples_ns.empty()) return {.detail = "no samples"};
  std::string complaints = Complaints(*set);
  return {.as_wanted = complaints.empty(), .detail = std::move(complaints)};
}

Finding FindCheck(const absl::StatusOr<SampleSet>& set, const Contract& contract) {
  if (!set.ok()) return {.detail = set.status().ToString()};
  const auto check = std::find_if(set->checks.begin(), set->checks.end(),
                                  [&](const Check& c) { return c.name == contract.check; });
  if (check == set->checks.end()) return {.detail = "there is no such check"};
  const bool noted_suffices = contract.least == CheckStatus::kNoted;
  return {.as_wanted = check->status == CheckStatus::kFlagged ||
                       (noted_suffices && check->status == CheckStatus::kNoted),
          .detail = check->detail};
}

Finding FindTruth(const absl::StatusOr<SampleSet>& set, int64_t truth_ns) {
  if (!set.ok()) return {.detail = set.status().ToString()};
  if (set->samples_ns.empty()) return {.detail = "no samples"};
  std::vector<double> sorted = set->samples_ns;
  std::sort(sorted.begin(), sorted.end());
  const double error = statistics::Median(sorted) / static_cast<double>(truth_ns) - 1;
  const bool flagged = std::any_of(set->checks.begin(), set->checks.end(), [](const Check& check) {
    return check.status == CheckStatus::kFlagged;
  });
  return {.as_wanted = std::abs(error) <= kTruthTolerance && !flagged,
          .detail = absl::StrFormat("median off by %+.2g %%; %s", 100 * error, Complaints(*set))};
}

Finding FindMutant(const absl::StatusOr<SampleSet>& set, const Contract& contract) {
  if (contract.error != absl::StatusCode::kOk) {
    return {.as_wanted = set.status().code() == contract.error,
            .detail = std::string(set.status().message())};
  }
  return contract.truth_ns > 0 ? FindTruth(set, contract.truth_ns) : FindCheck(set, contract);
}

std::string CaughtBy(const Contract& contract) {
  if (contract.error != absl::StatusCode::kOk) return absl::StatusCodeToString(contract.error);
  return contract.truth_ns > 0 ? "measured right" : std::string(contract.check);
}

MutantResult RunOne(const Mutant& mutant, uint64_t seed) {
  Noise noise(seed), twins_noise(seed);
  const Finding found = FindMutant(mutant.run(/*honest=*/false, noise), mutant.contract);
  const Finding twin = FindClean(mutant.run(/*honest=*/true, twins_noise));
  return {.number = std::string(mutant.number),
          .name = std::string(mutant.name),
          .caught_by = CaughtBy(mutant.contract),
          .caught = found.as_wanted,
          .twin_clean = twin.as_wanted,
          .detail =
              twin.as_wanted ? found.detail : absl::StrCat(found.detail, " | twin: ", twin.detail)};
}

}  // namespace

uint64_t Noise::Next() {
  uint64_t z = (state_ += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

int64_t Noise::operator()(int64_t ns) {
  double sum = -2;  // sum of four uniform numbers: variance 1/3
  for (int i = 0; i < 4; ++i) sum += static_cast<double>(Next() >> 11) * 0x1p-53;
  return std::llround(static_cast<double>(ns) * (1 + 0.002 * std::sqrt(3.0) * sum));
}

std::vector<MutantResult> RunMutants(uint64_t seed) {
  std::vector<MutantResult> results;
  for (const std::vector<Mutant>& group : {TimingMutants(), WorkloadMutants(), ProcessMutants()}) {
    for (const Mutant& mutant : group) results.push_back(RunOne(mutant, seed));
  }
  return results;
}

}  // namespace assay::sampling
