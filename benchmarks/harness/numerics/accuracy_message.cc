#include "benchmarks/harness/numerics/accuracy_message.h"

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/numerics/reference.h"
#include "benchmarks/harness/numerics/rules.h"
#include "defs/proto/record.pb.h"

namespace assay::numerics {
namespace {

std::string WorstLine(const OutputVerdict& verdict, const RuleResult& result) {
  const double got = verdict.worst_got(), want = verdict.worst_want();
  const std::string tolerance =
      result.tolerance.empty() ? "" : absl::StrCat(", tolerance ", result.tolerance);
  // Nine digits: with fewer, got and want would look equal for a small error.
  return absl::StrFormat("worst  [%s]  got %.9g  want %.9g  (abs %.3g%s)",
                         absl::StrJoin(verdict.worst_index(), ", "), got, want,
                         std::abs(got - want), tolerance);
}

std::string WrongLine(const OutputVerdict& verdict, const RuleResult& result,
                      const ReferenceOutput& want) {
  std::string cosine = absl::StrFormat("cosine %.6g", result.cosine);
  if (!result.counts_wrong) return cosine;
  const std::size_t compared = want.values.size();
  const std::string of_whole = want.sampled
                                   ? absl::StrCat(" sampled of ", verdict.elements(), " elements")
                               : want.nonfinite.empty() ? " elements"
                                                        : " finite elements";
  return absl::StrFormat("wrong  %d of %d%s (%.3g %%), %s", result.wrong, compared, of_whole,
                         100.0 * static_cast<double>(result.wrong) / static_cast<double>(compared),
                         cosine);
}

std::string ReferenceLine(const ReferenceOutputs& reference) {
  std::vector<std::string> parts;
  if (!reference.sha256.empty()) {
    parts.push_back(absl::StrCat("sha256 ", reference.sha256.substr(0, 8), "…"));
  }
  const auto provenance = reference.metadata.find("provenance");
  if (provenance != reference.metadata.end()) parts.push_back(provenance->second);
  return parts.empty() ? "" : absl::StrCat("reference  ", absl::StrJoin(parts, ", "));
}

}  // namespace

std::string AccuracyMessage(const OutputVerdict& verdict, const RuleResult& result,
                            const ReferenceOutput& want, const ReferenceOutputs& reference) {
  std::vector<std::string> lines = {
      absl::StrCat("output \"", verdict.name(), "\" differs from the reference"),
      WorstLine(verdict, result)};
  lines.insert(lines.end(), result.reasons.begin(), result.reasons.end());
  lines.push_back(WrongLine(verdict, result, want));
  if (std::string line = ReferenceLine(reference); !line.empty()) lines.push_back(line);
  return absl::StrJoin(lines, "\n  ");
}

}  // namespace assay::numerics
