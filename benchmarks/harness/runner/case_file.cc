#include "benchmarks/harness/runner/case_file.h"

#include <fstream>

#include "absl/strings/str_cat.h"

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
  for (const ResolvedCase& c : registry.cases()) {
    if (registry.cases_size() == 1 && label.empty()) return c;
    if (c.benchmark_case().label() == label || c.benchmark_case().name() == label) return c;
  }
  return absl::InvalidArgumentError(absl::StrCat("--case_name=", label, ": ", path, " holds ",
                                                 registry.cases_size(),
                                                 " cases, none or not one of them called that"));
}

}  // namespace assay::runner
