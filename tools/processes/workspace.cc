#include "tools/processes/workspace.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "benchmarks/harness/base/cache_folder.h"
#include "benchmarks/harness/base/private_path.h"
#include "benchmarks/harness/environment/git_state.h"
#include "benchmarks/harness/processes/child_process.h"

namespace assay::processes {
namespace {

namespace fs = std::filesystem;

constexpr char kLibTorchVariable[] = "ASSAY_LIBTORCH";
constexpr char kUserSettings[] = "user.bazelrc";  // which .bazelrc imports where it is there

// Standard output of a command that has to succeed.
absl::StatusOr<std::string> Output(const std::string& what, ChildCommand command,
                                   const std::atomic<bool>* interrupted) {
  command.keep_bytes = int64_t{64} << 20;
  const absl::StatusOr<ChildEnd> end = RunChild(command, interrupted);
  if (!end.ok()) return end.status();
  if (end->ending == Ending::kInterrupted) return absl::CancelledError("interrupted");
  if (!end->Exited(0)) {
    return absl::FailedPreconditionError(absl::StrCat(
        what, " failed (", Describe(*end), "): ", absl::StrJoin(command.arguments, " "),
        command.folder.empty() ? "" : " in " + command.folder,
        end->errors.empty() ? "" : "\n" + end->errors));
  }
  return std::string(absl::StripTrailingAsciiWhitespace(end->output));
}

absl::StatusOr<std::string> Git(const std::string& folder, std::vector<std::string> arguments,
                                const std::atomic<bool>* interrupted) {
  ChildCommand command{.arguments = {"git", "-C", folder}};
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  return Output("git", command, interrupted);
}

ChildCommand Bazel(const Workspace& tree, std::vector<std::string> arguments) {
  ChildCommand command{.arguments = {tree.root + "/tools/bazel"}, .folder = tree.root};
  command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
  // A person at a terminal sees the build's own progress; else its output is shown if it fails.
  command.show_errors = isatty(STDERR_FILENO) == 1;
  if (!tree.libtorch.empty())
    command.environment.push_back(absl::StrCat(kLibTorchVariable, "=", tree.libtorch));
  return command;
}

bool IsProgram(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

// Below bazel-bin; empty where the label has no program. Only Bazel knows what an alias stands for.
std::string PathOfAlias(const Workspace& tree, const std::string& label,
                        const std::vector<std::string>& build_flags,
                        const std::atomic<bool>* interrupted) {
  std::vector<std::string> words = {"cquery", "--output=starlark",
                                    "--starlark:expr=target.files_to_run.executable.path"};
  words.insert(words.end(), build_flags.begin(), build_flags.end());
  words.push_back(label);
  const absl::StatusOr<std::string> path = Output("bazel", Bazel(tree, words), interrupted);
  constexpr std::string_view kBin = "/bin/";
  const size_t bin = path.ok() ? path->find(kBin) : std::string::npos;
  return bin == std::string::npos ? "" : path->substr(bin + kBin.size());
}

absl::StatusOr<fs::path> CacheFolder(const std::string& repository) {
  const absl::StatusOr<fs::path> cache = base::CacheFolder("worktrees");
  if (!cache.ok()) return cache.status();
  // Two clones may share a cache.
  const size_t clone = std::hash<std::string>()(fs::weakly_canonical(repository).string());
  return *cache / "worktrees" / absl::StrFormat("%016x", clone);
}

absl::Status CheckUnchanged(const std::string& path, const std::string& commit,
                            const std::atomic<bool>* interrupted) {
  const absl::StatusOr<std::string> head = Git(path, {"rev-parse", "HEAD"}, interrupted);
  if (!head.ok()) return head.status();
  const absl::StatusOr<std::string> changes = Git(path, {"status", "--porcelain"}, interrupted);
  if (!changes.ok()) return changes.status();
  if (*head == commit && changes->empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      "the worktree ", path, " was changed by hand, so it is not ", commit.substr(0, 12),
      changes->empty() ? "" : ":\n" + *changes, "\nremove it: git worktree remove --force ", path));
}

// A build of the revision uses what the user told Bazel for this tree, a disk cache above all. Only where
// that revision's git leaves the file alone; a file that somebody put there stays.
void ShareSettings(const std::string& repository, const std::string& path,
                   const std::atomic<bool>* interrupted) {
  const fs::path settings = fs::path(repository) / kUserSettings,
                 link = fs::path(path) / kUserSettings;
  std::error_code error;
  if (fs::is_symlink(link, error)) fs::remove(link, error);  // of another day, or of another folder
  if (!fs::is_regular_file(settings, error) || fs::exists(link, error)) return;
  if (!Git(path, {"check-ignore", "--quiet", kUserSettings}, interrupted).ok()) return;
  fs::create_symlink(fs::absolute(settings, error), link, error);
}

}  // namespace

Workspace OpenFolder(const std::string& root) {
  const environment::GitState state = environment::ReadGitState(root);
  return {.root = root, .commit = state.commit, .dirty = state.dirty};
}

absl::StatusOr<Workspace> OpenRevision(const std::string& repository, const std::string& revision,
                                       const std::atomic<bool>* interrupted) {
  const absl::StatusOr<std::string> commit = Git(
      repository, {"rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}"},
      interrupted);
  if (absl::IsCancelled(commit.status())) return commit.status();
  if (!commit.ok()) {
    return absl::NotFoundError(absl::StrCat("git:", revision, " is no commit of ", repository,
                                            " (git rev-parse ", revision, ")"));
  }
  const absl::StatusOr<fs::path> cache = CacheFolder(repository);
  if (!cache.ok()) return cache.status();
  const std::string path = (*cache / commit->substr(0, 16)).string();
  if (!fs::exists(path)) {
    const absl::Status folders = base::MakePrivateFolders(*cache);
    if (!folders.ok()) return folders;
    // A worktree whose folder was deleted by hand is still in git's list.
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"worktree", "prune"}, {"worktree", "add", "--quiet", "--detach", path, *commit}}) {
      const absl::StatusOr<std::string> done = Git(repository, arguments, interrupted);
      if (!done.ok()) return done.status();
    }
    base::MakePrivate(path).IgnoreError();
  }
  // It is built and run.
  const absl::Status believed = base::CheckPrivate(path);
  if (!believed.ok()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "a worktree of ", commit->substr(0, 12), " is built and runs as you: ", believed.message(),
        ", or set XDG_CACHE_HOME to a folder of your own"));
  }
  const absl::Status unchanged = CheckUnchanged(path, *commit, interrupted);
  if (!unchanged.ok()) return unchanged;
  ShareSettings(repository, path, interrupted);
  if (!fs::exists(fs::path(path) / "tools" / "bazel")) {
    return absl::FailedPreconditionError(
        absl::StrCat("git:", revision, " has no tools/bazel, so it cannot be built"));
  }
  return Workspace{.root = path, .commit = *commit, .dirty = false, .ours = true};
}

absl::Status UseLibTorch(const std::string& version, Workspace& tree) {
  if (version.empty()) return absl::OkStatus();
  const std::string wrapper = tree.root + "/tools/bazel";
  std::ifstream file(wrapper);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!absl::StrContains(text, kLibTorchVariable)) {
    return absl::FailedPreconditionError(absl::StrCat("--libtorch=", version, ": ", wrapper,
                                                      " builds with the tree's own LibTorch only"));
  }
  tree.libtorch = version;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> ListCases(const Workspace& tree,
                                                   const std::atomic<bool>* interrupted) {
  // Every revision knows this format, and it has 1.3 MB where the registry's JSON has 48.
  const absl::StatusOr<std::string> listed =
      Output("listing the cases", Bazel(tree, {"run", "//benchmarks:list", "--", "--format=csv"}),
             interrupted);
  if (!listed.ok()) return listed.status();
  return LabelsOfList(*listed);
}

absl::StatusOr<std::vector<std::string>> LabelsOfList(std::string_view csv) {
  std::vector<std::string_view> lines = absl::StrSplit(csv, '\n', absl::SkipEmpty());
  if (lines.empty() || !absl::StartsWith(lines[0], "case,"))
    return absl::InvalidArgumentError("the list of cases has no line of names");
  std::vector<std::string> labels;
  for (const std::string_view line : absl::MakeConstSpan(lines).subspan(1)) {
    labels.emplace_back(line.substr(0, line.find(',')));
    if (!absl::StartsWith(labels.back(), "//")) {
      return absl::InvalidArgumentError(
          absl::StrCat("the list of cases has a line without a label: ", line));
    }
  }
  return labels;
}

std::string PathOfLabel(std::string_view label) {
  absl::ConsumePrefix(&label, "//");
  const size_t colon = label.find(':');
  if (colon == std::string_view::npos) {
    return absl::StrCat(label, "/", label.substr(label.rfind('/') + 1));
  }
  return absl::StrCat(label.substr(0, colon), "/", label.substr(colon + 1));
}

absl::StatusOr<std::vector<std::string>> Build(const Workspace& tree,
                                               const std::vector<std::string>& labels,
                                               const std::vector<std::string>& build_flags,
                                               const std::atomic<bool>* interrupted) {
  std::vector<std::string> build = {"build"};
  build.insert(build.end(), build_flags.begin(), build_flags.end());
  build.push_back("--");
  build.insert(build.end(), labels.begin(), labels.end());
  const absl::StatusOr<std::string> built = Output("the build", Bazel(tree, build), interrupted);
  if (!built.ok()) return built.status();
  std::vector<std::string> info = {"info"};
  info.insert(info.end(), build_flags.begin(), build_flags.end());
  info.push_back("bazel-bin");
  const absl::StatusOr<std::string> bin = Output("bazel info", Bazel(tree, info), interrupted);
  if (!bin.ok()) return bin.status();
  std::vector<std::string> programs;
  for (const std::string& label : labels) {
    programs.push_back(absl::StrCat(*bin, "/", PathOfLabel(label)));
    if (IsProgram(programs.back())) continue;
    programs.back() = absl::StrCat(*bin, "/", PathOfAlias(tree, label, build_flags, interrupted));
    if (!IsProgram(programs.back())) {
      return absl::NotFoundError(absl::StrCat(label, " was built, but there is no program ", *bin,
                                              "/", PathOfLabel(label),
                                              ": is the label that of a program?"));
    }
  }
  if (tree.ours || !tree.libtorch.empty())
    Output("bazel", Bazel(tree, {"shutdown"}), interrupted).IgnoreError();
  return programs;
}

}  // namespace assay::processes
