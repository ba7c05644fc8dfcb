#include "benchmarks/harness/runner/verdict/mistake.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay::runner {

absl::Status MakeMistake(execution::Program& program, const std::string& mistake) {
  if (mistake.empty()) return absl::OkStatus();
  const std::vector<std::string> known = program.Mistakes();
  if (std::find(known.begin(), known.end(), mistake) == known.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--mistake=", mistake, ": this case's program knows ",
                     known.empty() ? "none" : absl::StrJoin(known, ", ")));
  }
  program.MakeMistake(mistake);
  return absl::OkStatus();
}

}  // namespace assay::runner
