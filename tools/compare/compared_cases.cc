#include "tools/compare/compared_cases.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <regex>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/few_names.h"
#include "tools/processes/workspace.h"

namespace assay::compare {
namespace {

using processes::Build;
using processes::ListCases;
using processes::OpenFolder;
using processes::OpenRevision;
using processes::UseLibTorch;
using processes::Workspace;

// A side with its tree opened and its programs built.
struct Resolved {
  const Side* side = nullptr;
  std::vector<std::string> build_flags;
  std::optional<Workspace> tree;      // for a label or tree
  std::vector<std::string> programs;  // one for each case
  std::string description;
};

std::string Description(const Side& side, const std::optional<Workspace>& tree,
                        const std::vector<std::string>& build_flags) {
  std::string text = side.text;
  if (tree.has_value()) {
    // The folder in which `bazel run` was typed; other trees have their own folder.
    const char* here = std::getenv("BUILD_WORKSPACE_DIRECTORY");
    const bool is_here = here != nullptr && tree->root == here;
    absl::StrAppend(&text, "  (", is_here ? "this tree" : tree->root);
    if (!tree->commit.empty()) absl::StrAppend(&text, " at ", tree->commit.substr(0, 12));
    absl::StrAppend(&text, tree->dirty ? ", with changes that are not committed)" : ")");
  }
  for (const std::string& flag : build_flags) absl::StrAppend(&text, " built with ", flag);
  return text;
}

absl::StatusOr<std::optional<Workspace>> OpenTree(const Side& side, const std::string& root,
                                                  const std::atomic<bool>* interrupted) {
  if (side.kind == SideKind::kProgram) return std::nullopt;
  if (side.kind == SideKind::kTree && side.revision.empty()) return OpenFolder(side.subject);
  if (root.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "'", side.text, "' needs this tree; start with: tools/bazel run //tools:compare -- ..."));
  }
  if (side.revision.empty()) return OpenFolder(root);
  absl::StatusOr<Workspace> tree = OpenRevision(root, side.revision, interrupted);
  if (!tree.ok()) return tree.status();
  return *std::move(tree);
}

absl::StatusOr<Resolved> Open(const Side& side, const std::string& build, std::string_view suffix,
                              const std::string& root, const std::atomic<bool>* interrupted) {
  Resolved resolved;
  resolved.side = &side;
  absl::StatusOr<std::vector<std::string>> flags = SplitWords(build);
  if (!flags.ok()) return flags.status();
  absl::StatusOr<std::optional<Workspace>> tree = OpenTree(side, root, interrupted);
  if (!tree.ok()) return tree.status();
  if (tree->has_value()) {
    const absl::Status known = UseLibTorch(side.libtorch, **tree);
    if (!known.ok()) return known;
  }
  resolved.tree = *std::move(tree);
  resolved.description = Description(side, resolved.tree, *flags);
  if (!flags->empty()) {
    // Each side has an output folder of its own, so that building one side does not change the
    // other's programs. It comes last, since --config=cuda sets one as well.
    resolved.build_flags = *flags;
    resolved.build_flags.push_back(absl::StrCat("--platform_suffix=-compare_", suffix));
    resolved.build_flags.push_back("--experimental_convenience_symlinks=ignore");
  }
  return resolved;
}

absl::StatusOr<std::vector<std::string>> LabelsOf(const Resolved& resolved,
                                                  const std::atomic<bool>* interrupted) {
  return ListCases(*resolved.tree, interrupted);
}

// The labels to build on each side: one each for single cases, all common ones for trees.
struct Labels {
  std::vector<std::string> baseline;
  std::vector<std::string> candidate;
};

absl::StatusOr<Labels> ChooseLabels(const Resolved& a, const Resolved& b, const Settings& settings,
                                    ComparedCases& result, const std::atomic<bool>* interrupted) {
  const bool tree_a = a.side->kind == SideKind::kTree, tree_b = b.side->kind == SideKind::kTree;
  if (!tree_a && !tree_b) {
    if (!settings.cases.empty()) {
      return absl::InvalidArgumentError("--cases chooses cases of a tree, and no side is one");
    }
    return Labels{{a.side->subject}, {b.side->subject}};
  }
  if (tree_a != tree_b) {
    // A tree is compared by the case that the other side names.
    const Side& one = tree_a ? *b.side : *a.side;
    if (one.kind != SideKind::kLabel) {
      return absl::InvalidArgumentError(
          "a tree compares with a tree or a case, not with a program");
    }
    return Labels{{one.subject}, {one.subject}};
  }
  if (settings.cases.empty()) {
    return absl::InvalidArgumentError(
        "a tree holds many cases; say which: --cases='mlp_.*b64' (all of them: --cases=.)");
  }
  const absl::StatusOr<std::vector<std::string>> from_a = LabelsOf(a, interrupted);
  if (!from_a.ok()) return from_a.status();
  const absl::StatusOr<std::vector<std::string>> from_b = LabelsOf(b, interrupted);
  if (!from_b.ok()) return from_b.status();
  const std::vector<std::string> common = CommonLabels(*from_a, *from_b, settings.cases, result);
  if (common.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--cases=", settings.cases, " matches no case that both sides have (", from_a->size(),
        " and ", from_b->size(), " cases; tools/bazel run //benchmarks:list names them)"));
  }
  return Labels{common, common};
}

// A build takes minutes where the tree's Bazel has nothing yet, as at a revision's first time.
void SayWhatIsBuilt(const Resolved& side, const std::vector<std::string>& labels) {
  std::cerr << "compare: building "
            << (labels.size() == 1 ? labels[0] : absl::StrCat(labels.size(), " cases")) << " of "
            << side.description << "\n";
}

absl::Status BuildSide(Resolved& side, const std::vector<std::string>& labels,
                       const std::atomic<bool>* interrupted) {
  if (side.side->kind == SideKind::kProgram) {
    side.programs = {side.side->subject};
    return absl::OkStatus();
  }
  SayWhatIsBuilt(side, labels);
  absl::StatusOr<std::vector<std::string>> programs =
      Build(*side.tree, labels, side.build_flags, interrupted);
  if (!programs.ok()) return programs.status();
  side.programs = *std::move(programs);
  return absl::OkStatus();
}

MeasuredCommand CommandOf(const Resolved& side, size_t index, const Settings& settings) {
  MeasuredCommand command;
  command.command = {side.programs[index]};
  // The side's own flags come last, so that its --budget counts.
  command.flags = {"--modes=" + settings.modes, absl::StrCat("--budget=", settings.budget_s)};
  command.flags.insert(command.flags.end(), side.side->flags.begin(), side.side->flags.end());
  if (side.side->kind == SideKind::kProgram) command.folder = settings.working_folder;
  command.timeout = settings.timeout;
  return command;
}

}  // namespace

std::vector<std::string> CommonLabels(const std::vector<std::string>& baseline,
                                      const std::vector<std::string>& candidate,
                                      const std::string& regex, ComparedCases& result) {
  const std::regex pattern(regex);
  const auto matches = [&](const std::string& label) { return MatchesCase(label, pattern); };
  const std::set<std::string> in_baseline(baseline.begin(), baseline.end());
  const std::set<std::string> in_candidate(candidate.begin(), candidate.end());
  std::vector<std::string> common, new_ones;
  for (const std::string& label : candidate) {
    if (matches(label)) (in_baseline.count(label) > 0 ? common : new_ones).push_back(label);
  }
  if (!new_ones.empty())
    result.notes.push_back("only in the candidate: " + base::FewNames(new_ones));
  for (const std::string& label : baseline) {
    if (matches(label) && in_candidate.count(label) == 0) {
      result.only_in_baseline.push_back(label);
    }
  }
  return common;
}

absl::StatusOr<ComparedCases> ResolveCases(const Side& baseline, const Side& candidate,
                                           const Settings& settings, const std::string& root,
                                           const std::atomic<bool>* interrupted) {
  // Equal build flags need one build only.
  const std::string_view suffix =
      settings.baseline_build == settings.candidate_build ? "baseline" : "candidate";
  absl::StatusOr<Resolved> a =
      Open(baseline, settings.baseline_build, "baseline", root, interrupted);
  if (!a.ok()) return a.status();
  absl::StatusOr<Resolved> b = Open(candidate, settings.candidate_build, suffix, root, interrupted);
  if (!b.ok()) return b.status();
  ComparedCases result{.baseline = a->description, .candidate = b->description};
  const absl::StatusOr<Labels> labels = ChooseLabels(*a, *b, settings, result, interrupted);
  if (!labels.ok()) return labels.status();
  if (const absl::Status built = BuildSide(*a, labels->baseline, interrupted); !built.ok())
    return built;
  if (const absl::Status built = BuildSide(*b, labels->candidate, interrupted); !built.ok())
    return built;
  for (size_t i = 0; i < labels->candidate.size(); ++i) {
    ComparedCase compared{.name = labels->candidate[i],
                          .baseline = CommandOf(*a, i, settings),
                          .candidate = CommandOf(*b, i, settings)};
    if (candidate.kind == SideKind::kProgram) {
      compared.name = std::filesystem::path(candidate.subject).filename().string();
    }
    if (!settings.inject.empty()) compared.candidate.flags.push_back("--inject=" + settings.inject);
    result.cases.push_back(std::move(compared));
  }
  return result;
}

}  // namespace assay::compare
