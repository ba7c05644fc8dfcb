#include "benchmarks/harness/environment/git_state.h"

#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "benchmarks/harness/processes/child_process.h"

namespace assay::environment {
namespace {

// The standard output of `git` with these arguments; nothing if it fails or is not installed. No
// shell is involved, so a folder's name can never run as a command.
std::optional<std::string> Git(const std::string& folder, std::vector<std::string> arguments) {
  // Without the option, `git status` would write the refreshed index; a measurement changes no
  // files.
  std::vector<std::string> words = {"git", "--no-optional-locks", "-C", folder};
  words.insert(words.end(), arguments.begin(), arguments.end());
  const absl::StatusOr<processes::ChildEnd> end =
      processes::RunChild({.arguments = std::move(words)}, /*interrupted=*/nullptr);
  if (!end.ok() || !end->Exited(0)) return std::nullopt;
  return end->output;
}

}  // namespace

GitState ReadGitState(const std::string& folder) {
  GitState state;
  const std::optional<std::string> commit = Git(folder, {"rev-parse", "--verify", "HEAD"});
  if (!commit) return state;
  state.commit = std::string(absl::StripAsciiWhitespace(*commit));
  const std::optional<std::string> changes =
      Git(folder, {"status", "--porcelain", "--untracked-files=no"});
  // If a tree's state cannot be read, it counts as dirty.
  state.dirty = !changes || !changes->empty();
  return state;
}

}  // namespace assay::environment
