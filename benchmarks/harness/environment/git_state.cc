#include "benchmarks/harness/environment/git_state.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/ascii.h"

namespace assay::environment {
namespace {

// The standard output of `git` with these arguments; nothing if it fails or is not installed. No
// shell is involved, so a folder's name can never run as a command.
std::optional<std::string> Git(const std::string& folder, std::vector<std::string> arguments) {
  // Without the option, `git status` would write the refreshed index; a measurement changes no
  // files.
  std::vector<std::string> words = {"git", "--no-optional-locks", "-C", folder};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  const absl::Cleanup close_read_end = [&ends] { close(ends[0]); };
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int error = posix_spawnp(&child, "git", &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) return std::nullopt;

  std::string output;
  char buffer[4096];
  ssize_t got = 0;
  while ((got = read(ends[0], buffer, sizeof(buffer))) > 0 || (got < 0 && errno == EINTR)) {
    if (got > 0) output.append(buffer, static_cast<size_t>(got));
  }
  int state = 0;
  while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(state) || WEXITSTATUS(state) != 0) return std::nullopt;
  return output;
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
