#include "benchmarks/harness/runner/series/relaunch.h"

#include <cstdlib>
#include <iostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/processes/other_program.h"
#include "defs/case/execution_names.h"
#include "defs/case/load_library.h"

namespace assay::runner {
namespace {

// Set for the program that is started, so that one which still lacks the back end does not start
// another one.
constexpr char kRelaunched[] = "ASSAY_RELAUNCHED";

}  // namespace

absl::Status RelaunchWith(bool generator, const BenchmarkCase& c,
                          const std::vector<std::string>& words) {
  const std::string backend = BackendName(c.execution());
  const bool of_backend = IsLinkable(backend);
  const char* const workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  if ((!of_backend && !generator) || workspace == nullptr || std::getenv(kRelaunched) != nullptr)
    return absl::OkStatus();
  std::vector<std::string> command = {absl::StrCat(workspace, "/tools/bazel"), "run",
                                      "--noshow_progress"};
  const auto link = [&command](std::string_view flag, std::string_view what,
                               const std::string& library) {
    command.push_back(absl::StrCat("--", flag, "=", library));
    std::cerr << "backend   this program lacks " << what << "; building it again with " << library
              << "\n";
  };
  if (of_backend) link("//benchmarks/backends", backend, absl::StrCat(kBackendsPackage, backend));
  if (generator) {
    link(kLoadSetting, "a load generator", std::string(kLoadLibrary));
  }
  command.insert(command.end(), {c.label(), "--"});
  command.insert(command.end(), words.begin(), words.end());
  setenv(kRelaunched, "1", /*overwrite=*/1);
  return processes::ReplaceBy(std::move(command));
}

}  // namespace assay::runner
