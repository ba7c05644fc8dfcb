#include "benchmarks/harness/runner/series/relaunch.h"

#include <cstdlib>
#include <iostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/processes/other_program.h"
#include "defs/case/execution_names.h"

namespace assay::runner {
namespace {

// Set for the program that is started, so that one which still lacks the back end does not start
// another one.
constexpr char kRelaunched[] = "ASSAY_RELAUNCHED";

}  // namespace

absl::Status RelaunchWithBackend(const BenchmarkCase& c, const std::vector<std::string>& words) {
  const std::string backend = BackendName(c.execution());
  const char* const workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  if (!IsLinkable(backend) || workspace == nullptr || std::getenv(kRelaunched) != nullptr)
    return absl::OkStatus();
  const std::string library = absl::StrCat(kBackendsPackage, backend);
  std::vector<std::string> command = {
      absl::StrCat(workspace, "/tools/bazel"),           "run",     "--noshow_progress",
      absl::StrCat("--//benchmarks/backends=", library), c.label(), "--"};
  command.insert(command.end(), words.begin(), words.end());
  std::cerr << "backend   this program lacks " << backend << "; building it again with " << library
            << "\n";
  setenv(kRelaunched, "1", /*overwrite=*/1);
  return processes::ReplaceBy(std::move(command));
}

}  // namespace assay::runner
