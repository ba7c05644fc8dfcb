#include "benchmarks/harness/runner/case_file.h"

#include <fstream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "defs/compiler/case_registry.h"

namespace assay::runner {

absl::StatusOr<ResolvedCase> ReadCase(const std::string& path, const std::string& label) {
  std::ifstream file(path, std::ios::binary);
  Registry registry;
  if (!file || !registry.ParseFromIstream(&file)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--case=", path,
                     ": not a case file. A case is started by its own target: tools/bazel run "
                     "//benchmarks/FAMILY:CASE; tools/bazel run //benchmarks:list lists them"));
  }
  for (ResolvedCase& c : *registry.mutable_cases()) {
    const bool found =
        label.empty() ? registry.cases_size() == 1
                      : c.benchmark_case().label() == label || c.benchmark_case().name() == label;
    if (!found) continue;
    if (JoinCase(registry, &c)) return std::move(c);
    return absl::InvalidArgumentError(absl::StrCat(
        "--case=", path, ": has no model '", c.benchmark_case().model(), "' for its case '",
        c.benchmark_case().label(), "'; it is cut off, or another version wrote it"));
  }
  return absl::InvalidArgumentError(absl::StrCat("--case-name=", label, ": ", path, " holds ",
                                                 registry.cases_size(),
                                                 " cases, none or not one of them called that"));
}

}  // namespace assay::runner
