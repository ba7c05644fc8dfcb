#include "tools/compare/compared_cases.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/text/few_names.h"
#include "benchmarks/harness/text/nearest_names.h"
#include "defs/case/load_library.h"
#include "tools/compare/decision/order.h"
#include "tools/compare/loaded_kernel.h"
#include "tools/processes/program_copies.h"
#include "tools/processes/program_stamp.h"
#include "tools/processes/workspace.h"
#include "tools/suite/launch/processes/case_script.h"

namespace assay::compare {
namespace {

using processes::ListCases;
using processes::OpenFolder;
using processes::OpenRevision;
using processes::UseLibTorch;
using processes::Workspace;

// A side with its tree opened and its programs built.
struct Resolved {
  const Side* side = nullptr;
  std::vector<std::string> build_flags;
  std::optional<Workspace> tree;       // for a label or tree
  std::vector<std::string> programs;   // one for each case
  std::vector<std::string> variables;  // that load the side's library
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
  resolved.build_flags = *flags;
  if (IsUnderLoad(side))
    resolved.build_flags.push_back(absl::StrCat("--", kLoadSetting, "=", kLoadLibrary));
  if (!flags->empty() && !suffix.empty()) {
    // Each side has an output folder of its own, so that building one side does not change the
    // other's programs. It comes last, since --config=cuda sets one as well.
    resolved.build_flags.push_back(absl::StrCat("--platform_suffix=-compare_", suffix));
    resolved.build_flags.push_back("--experimental_convenience_symlinks=ignore");
  }
  if (!side.library.empty()) {
    absl::StatusOr<std::vector<std::string>> variables =
        LoadingVariables(side, *resolved.tree, resolved.build_flags, interrupted);
    if (!variables.ok()) return variables.status();
    resolved.variables = *std::move(variables);
  }
  return resolved;
}

// A build takes minutes where the tree's Bazel has nothing yet, as at a revision's first time.
void SayWhatIsBuilt(const Resolved& side, const std::vector<std::string>& labels) {
  std::cerr << "compare: building "
            << (labels.size() == 1 ? labels[0] : absl::StrCat(labels.size(), " cases")) << " of "
            << side.description << "\n";
}

using Copies = std::vector<std::unique_ptr<processes::ProgramCopies>>;

// Lists and builds, once for all sides that are listed or built alike.
class Trees {
 public:
  Trees(Copies& copies, const std::atomic<bool>* interrupted)
      : copies_(copies), interrupted_(interrupted) {}

  // The labels of all cases of the side's tree.
  absl::StatusOr<std::vector<std::string>> List(const Resolved& side) {
    const auto [listed, is_new] = listed_.try_emplace({side.tree->root, side.tree->libtorch});
    if (is_new) listed->second = ListCases(*side.tree, interrupted_);
    return listed->second;
  }

  absl::Status Build(Resolved& side, const std::vector<std::string>& labels) {
    if (side.side->kind == SideKind::kProgram) {
      side.programs = {side.side->subject};
      return absl::OkStatus();
    }
    std::vector<std::string> how = labels;
    how.insert(how.end(), {side.tree->root, side.tree->libtorch});
    how.insert(how.end(), side.build_flags.begin(), side.build_flags.end());
    const auto [built, is_new] = built_.try_emplace(std::move(how));
    if (is_new) {
      SayWhatIsBuilt(side, labels);
      absl::StatusOr<std::vector<std::string>> programs =
          processes::Build(*side.tree, labels, side.build_flags, interrupted_);
      if (programs.ok()) programs = Copied(*programs, labels);
      if (!programs.ok()) return programs.status();
      built->second = *std::move(programs);
    }
    side.programs = built->second;
    return absl::OkStatus();
  }

 private:
  // Copies, which the next build of the tree leaves as they are.
  absl::StatusOr<std::vector<std::string>> Copied(std::vector<std::string> programs,
                                                  const std::vector<std::string>& labels) {
    const absl::StatusOr<std::string> folder = processes::FolderForCopies();
    if (!folder.ok()) return folder.status();
    copies_.push_back(std::make_unique<processes::ProgramCopies>(
        absl::StrCat(*folder, "/", copies_.size()), "set XDG_CACHE_HOME to another folder"));
    for (size_t i = 0; i < programs.size(); ++i) {
      absl::StatusOr<std::string> copy =
          copies_.back()->Make(programs[i], labels[i], processes::StampOf(programs[i]));
      if (!copy.ok()) return copy.status();
      programs[i] = *std::move(copy);
    }
    return programs;
  }

  Copies& copies_;
  const std::atomic<bool>* const interrupted_;
  std::map<std::vector<std::string>, absl::StatusOr<std::vector<std::string>>> listed_;
  std::map<std::vector<std::string>, std::vector<std::string>> built_;  // how -> programs
};

// The label of the side's case, which may be named without its package.
absl::StatusOr<std::string> LabelOf(const Resolved& side, Trees& trees) {
  const std::string& subject = side.side->subject;
  if (side.side->kind != SideKind::kLabel || absl::StartsWith(subject, "//")) return subject;
  const absl::StatusOr<std::vector<std::string>> labels = trees.List(side);
  if (!labels.ok()) return labels.status();
  std::vector<std::string> names;
  for (const std::string& label : *labels) {
    names.push_back(label.substr(label.rfind(':') + 1));
    if (names.back() == subject) return label;
  }
  return absl::NotFoundError(absl::StrCat("there is no file, folder or case '", subject,
                                          "'; the nearest cases are ",
                                          absl::StrJoin(base::NearestNames(subject, names), ", ")));
}

// The labels to build on each side: one each for single cases, all common ones for trees.
struct Labels {
  std::vector<std::string> baseline;
  std::vector<std::string> candidate;
};

absl::StatusOr<Labels> ChooseLabels(const Resolved& a, const Resolved& b, const Settings& settings,
                                    Trees& trees, ComparedCases& result) {
  const bool tree_a = a.side->kind == SideKind::kTree, tree_b = b.side->kind == SideKind::kTree;
  if (!tree_a && !tree_b) {
    if (!settings.cases.empty()) {
      return absl::InvalidArgumentError("--cases chooses cases of a tree, and no side is one");
    }
    const absl::StatusOr<std::string> of_a = LabelOf(a, trees), of_b = LabelOf(b, trees);
    if (!of_a.ok()) return of_a.status();
    if (!of_b.ok()) return of_b.status();
    return Labels{{*of_a}, {*of_b}};
  }
  if (tree_a != tree_b) {
    // A tree is compared by the case that the other side names.
    const Resolved& one = tree_a ? b : a;
    if (one.side->kind != SideKind::kLabel) {
      return absl::InvalidArgumentError(
          "a tree compares with a tree or a case, not with a program");
    }
    const absl::StatusOr<std::string> label = LabelOf(one, trees);
    if (!label.ok()) return label.status();
    return Labels{{*label}, {*label}};
  }
  if (settings.cases.empty()) {
    return absl::InvalidArgumentError(
        "a tree holds many cases; say which: --cases='mlp_.*b64' (all of them: --cases=.)");
  }
  const absl::StatusOr<std::vector<std::string>> from_a = trees.List(a);
  if (!from_a.ok()) return from_a.status();
  const absl::StatusOr<std::vector<std::string>> from_b = trees.List(b);
  if (!from_b.ok()) return from_b.status();
  const std::vector<std::string> common = CommonLabels(*from_a, *from_b, settings.cases, result);
  if (common.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--cases=", settings.cases, " matches no case that both sides have (", from_a->size(),
        " and ", from_b->size(), " cases; tools/bazel run //benchmarks:list names them)"));
  }
  return Labels{common, common};
}

// The words that tell a candidate from the baseline and from the others: its flags, if these do.
std::string WayOf(const Side& candidate, const Side& baseline) {
  std::vector<std::string> own;
  for (const std::string& flag : candidate.flags) {
    if (!absl::c_linear_search(baseline.flags, flag)) own.push_back(flag);
  }
  const bool by_flags = !own.empty() && candidate.revision.empty() && candidate.libtorch.empty() &&
                        candidate.library.empty();
  return by_flags ? absl::StrJoin(own, " ") : candidate.text;
}

MeasuredCommand CommandOf(const Resolved& side, size_t index, const Settings& settings) {
  MeasuredCommand command;
  command.command = {side.programs[index]};
  if (!side.variables.empty()) {
    command.environment = side.variables;
    // The runner itself: the script that starts it would load the library, too.
    const std::vector<std::string> runner = suite::CommandOfCase(side.programs[index]);
    if (!runner.empty()) command.command = runner;
  }
  // A flag of the side itself counts, and a runner refuses a flag that is given twice.
  std::vector<std::pair<std::string, std::string>> flags;
  if (!IsUnderLoad(*side.side)) {
    flags = {{"--modes=", settings.modes}, {"--budget=", absl::StrCat(settings.budget_s)}};
  }
  if (settings.campaign.metric != Metric::kWall) flags.emplace_back("--threads=", "1");
  for (const auto& [flag, value] : flags) {
    const bool given = absl::c_any_of(side.side->flags, [&flag = flag](const std::string& own) {
      return absl::StartsWith(own, flag);
    });
    if (!given) command.flags.push_back(absl::StrCat(flag, value));
  }
  command.flags.insert(command.flags.end(), side.side->flags.begin(), side.side->flags.end());
  if (side.side->kind == SideKind::kProgram) command.folder = settings.working_folder;
  command.timeout = settings.timeout;
  command.metric = settings.campaign.metric;
  return command;
}

// By a name such as resnet18_fp32_b64_s128: small batches, of these float32, which every CPU has fast
// kernels for; first what is named otherwise.
int Cost(const std::string& label) {
  static const std::regex& pattern = *new std::regex("_([a-z0-9]+)_b([0-9]{1,8})(_|$)");
  std::smatch found;
  if (!std::regex_search(label, found, pattern)) return 0;
  return 2 * std::stoi(found[2]) + (found[1] == "fp32" ? 0 : 1);
}

}  // namespace

absl::Status KeepUsers(ComparedCases& cases, const std::atomic<bool>* interrupted) {
  std::vector<ComparedCase> kept;
  std::string operators;
  for (ComparedCase& c : cases.cases) {
    if (!c.candidate.environment.empty()) {
      absl::StatusOr<std::vector<OperatorUse>> uses = UsesIn(c.candidate, interrupted);
      if (!uses.ok())
        return absl::Status(uses.status().code(),
                            absl::StrCat(c.name, ": ", uses.status().message()));
      c.uses = *std::move(uses);
    }
    const auto called = [](const OperatorUse& use) { return use.calls > 0; };
    if (c.uses.empty() || absl::c_any_of(c.uses, called)) {
      kept.push_back(std::move(c));
      continue;
    }
    operators = absl::StrJoin(
        c.uses, ", ", [](std::string* out, const OperatorUse& use) { out->append(use.name); });
    cases.notes.push_back(
        absl::StrCat(c.name, " does not call ", operators, ", and is not compared"));
  }
  cases.cases = std::move(kept);
  if (!cases.cases.empty() || operators.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "none of these cases calls ", operators, "; tools/bazel run //benchmarks:callers -- ",
      operators.substr(0, operators.find(',')), " names the models that do"));
}

std::vector<size_t> DrawnOrder(const std::vector<ComparedCase>& cases, uint64_t seed) {
  std::map<std::string, std::vector<size_t>> of_label;
  for (size_t i = 0; i < cases.size(); ++i) of_label[cases[i].label].push_back(i);
  std::vector<size_t> first, drawn;
  for (const auto& [label, indices] : of_label) first.push_back(indices[0]);
  first = Order(seed).Turns(std::move(first), /*block=*/-1);
  absl::c_stable_sort(
      first, [&cases](size_t a, size_t b) { return Cost(cases[a].label) < Cost(cases[b].label); });
  for (const size_t i : first) {
    const std::vector<size_t>& indices = of_label.at(cases[i].label);
    drawn.insert(drawn.end(), indices.begin(), indices.end());
  }
  return drawn;
}

std::string NameOf(const std::string& label, const std::string& way) {
  return way.empty() ? label : absl::StrCat(label, " ", way);
}

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

absl::StatusOr<ComparedCases> ResolveCases(const Side& baseline,
                                           const std::vector<Side>& candidates,
                                           const Settings& settings, const std::string& root,
                                           const std::atomic<bool>* interrupted) {
  // Equal build flags need one build only.
  const bool one_build = settings.baseline_build == settings.candidate_build;
  absl::StatusOr<Resolved> a =
      Open(baseline, settings.baseline_build, one_build ? "" : "baseline", root, interrupted);
  if (!a.ok()) return a.status();
  ComparedCases result{.baseline = a->description};
  Trees trees(result.copies, interrupted);
  for (const Side& candidate : candidates) {
    absl::StatusOr<Resolved> b =
        Open(candidate, settings.candidate_build, one_build ? "" : "candidate", root, interrupted);
    if (!b.ok()) return b.status();
    result.candidates.push_back(b->description);
    const std::string way = candidates.size() > 1 ? WayOf(candidate, baseline) : "";
    result.ways.push_back(way);
    if (!settings.parts_path.empty()) continue;
    const size_t lost_before = result.only_in_baseline.size();
    const absl::StatusOr<Labels> labels = ChooseLabels(*a, *b, settings, trees, result);
    if (!labels.ok()) return labels.status();
    for (size_t i = lost_before; i < result.only_in_baseline.size(); ++i)
      result.only_in_baseline[i] = NameOf(result.only_in_baseline[i], way);
    for (const auto& [side, of_side] :
         {std::pair(&*a, &labels->baseline), std::pair(&*b, &labels->candidate)}) {
      if (const absl::Status built = trees.Build(*side, *of_side); !built.ok()) return built;
    }
    const bool cases = baseline.kind == SideKind::kLabel && candidate.kind == SideKind::kLabel;
    result.two_cases &= cases && labels->baseline != labels->candidate;
    for (size_t i = 0; i < labels->candidate.size(); ++i) {
      ComparedCase compared{.label = labels->candidate[i],
                            .way = way,
                            .baseline = CommandOf(*a, i, settings),
                            .candidate = CommandOf(*b, i, settings)};
      if (candidate.kind == SideKind::kProgram)
        compared.label = std::filesystem::path(candidate.subject).filename().string();
      compared.name = NameOf(compared.label, way);
      if (!settings.inject.empty())
        compared.candidate.flags.push_back("--inject=" + settings.inject);
      result.cases.push_back(std::move(compared));
    }
  }
  return result;
}

}  // namespace assay::compare
