#include "benchmarks/harness/checkpoints/checkpoint_plan.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/text/few_names.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::checkpoints {
namespace {

using base::Quoted;

// A prefix and every beginning of it that is one: "", "module.", "module.bert.".
std::vector<std::string> Beginnings(std::string_view prefix) {
  std::vector<std::string> beginnings = {""};
  for (size_t dot = prefix.find('.'); dot != prefix.npos; dot = prefix.find('.', dot + 1))
    beginnings.emplace_back(prefix.substr(0, dot + 1));
  return beginnings;
}

// The model's name for what is left of a file's name behind the prefix; empty: it has none.
std::string NameInModel(const ModelNames& model, const CheckpointExtras& extras,
                        const std::string& rest) {
  if (model.contains(rest)) return rest;
  for (const auto& [old_name, name] : {std::pair{"gamma", "weight"}, {"beta", "bias"}}) {
    std::string_view module = rest;
    if (!absl::ConsumeSuffix(&module, old_name) || !module.ends_with('.')) continue;
    if (std::string today = absl::StrCat(module, name); model.contains(today)) return today;
  }
  for (const CheckpointExtras::Renaming& renaming : extras.renamings()) {
    const size_t at = rest.rfind(renaming.then());
    if (at == rest.npos) continue;
    std::string today = rest;
    today.replace(at, renaming.then().size(), renaming.today());
    if (model.contains(today)) return today;
  }
  return "";
}

// A file may hold names of megabytes; a prefix is a few words.
constexpr size_t kLongestPrefix = 200;

// "transformer.", or "" where the implementation declares none.
std::string BaseOf(const CheckpointExtras& extras) {
  return extras.base().empty() ? "" : absl::StrCat(extras.base(), ".");
}

// The prefix behind which most of the model's names are found, without `base`, and at least half;
// else none.
absl::StatusOr<std::optional<std::string>> FindPrefix(const ModelNames& model,
                                                      const FileNames& file,
                                                      const CheckpointExtras& extras,
                                                      const std::string& base) {
  size_t longest = 0;
  for (const auto& [name, first] : model) longest = std::max(longest, name.size());
  std::map<std::string, std::set<std::string>> found;  // prefix -> the model's names behind it
  for (const std::string& name : file) {
    if (name.size() > longest + kLongestPrefix) continue;
    for (const std::string& prefix : Beginnings(name)) {
      const std::string in_model = NameInModel(model, extras, base + name.substr(prefix.size()));
      if (!in_model.empty()) found[prefix].insert(in_model);
    }
  }
  size_t most = 0;
  for (const auto& [prefix, names] : found) most = std::max(most, names.size());
  if (2 * most < model.size()) return std::nullopt;
  std::vector<std::string> best;
  for (const auto& [prefix, names] : found) {
    if (names.size() == most) best.push_back(prefix);
  }
  if (best.size() == 1) return best[0];
  // An average of the weights is a choice that somebody makes; the plain ones are what most mean.
  const auto plain = std::find_if(best.rbegin(), best.rend(), [](const std::string& in_front) {
    return !absl::StrContains(in_front, "ema");
  });
  return absl::InvalidArgumentError(absl::StrCat(
      "the model is in it ", best.size(), " times, behind ",
      absl::StrJoin(best, " and ", [](auto* to, const auto& p) { absl::StrAppend(to, Quoted(p)); }),
      "; say which is meant: --weights-prefix=",
      base::Printable(plain == best.rend() ? best.back() : *plain, 120)));
}

// Sets the prefix of the file's names, and the base that they lack.
absl::Status FindPrefixes(const ModelNames& model, const FileNames& file,
                          const CheckpointExtras& extras, CheckpointPlan& plan) {
  for (const std::string& base : std::set<std::string>{"", BaseOf(extras)}) {
    absl::StatusOr<std::optional<std::string>> prefix = FindPrefix(model, file, extras, base);
    if (!prefix.ok()) return prefix.status();
    if (!prefix->has_value()) continue;
    plan.prefix = **std::move(prefix);
    plan.base = base;
    break;
  }
  return absl::OkStatus();
}

// The base, where most of the names behind a given prefix lack it.
std::string BaseBehind(const ModelNames& model, const FileNames& file,
                       const CheckpointExtras& extras, const std::string& prefix) {
  const std::string base = BaseOf(extras);
  int64_t whole = 0, lacking = 0;
  for (const std::string& name : file) {
    if (!name.starts_with(prefix)) continue;
    const std::string rest = name.substr(prefix.size());
    whole += NameInModel(model, extras, rest).empty() ? 0 : 1;
    lacking += NameInModel(model, extras, base + rest).empty() ? 0 : 1;
  }
  return lacking > whole ? base : "";
}

absl::StatusOr<std::string> GivenPrefix(const FileNames& file, const std::string& given) {
  const std::string prefix = given.ends_with('.') ? given : given + ".";
  std::set<std::string> firsts;
  for (const std::string& name : file) {
    if (name.starts_with(prefix)) return prefix;
    firsts.insert(name.substr(0, name.find('.') + 1));
  }
  constexpr size_t kShown = 5;
  std::vector<std::string> shown;
  for (const std::string& first : firsts) {
    if (shown.size() < kShown && !first.empty()) shown.push_back(Quoted(first));
  }
  return absl::InvalidArgumentError(
      absl::StrCat("no tensor's name begins with ", Quoted(prefix), " (--weights-prefix)",
                   shown.empty() ? "" : "; they begin with ", absl::StrJoin(shown, ", "),
                   firsts.size() > kShown ? ", …" : ""));
}

// Whether the name has this first part, "classifier" or "classifier.".
bool HasFirstPart(std::string_view name, std::string_view part) {
  absl::ConsumeSuffix(&part, ".");
  return absl::ConsumePrefix(&name, part) && (name.empty() || name[0] == '.');
}

bool IsHead(const CheckpointExtras& extras, std::string_view name) {
  return std::any_of(extras.heads().begin(), extras.heads().end(),
                     [&](const std::string& head) { return HasFirstPart(name, head); });
}

// Moves the names that the user ignores out of the file's: whole, or behind the prefix or a part of it.
absl::StatusOr<FileNames> WithoutIgnored(const FileNames& file,
                                         const std::vector<std::string>& ignored,
                                         CheckpointPlan& plan) {
  FileNames kept;
  std::set<std::string> unused(ignored.begin(), ignored.end());
  for (const std::string& name : file) {
    const size_t before = plan.ignored.size();
    for (const std::string& beginning : Beginnings(plan.prefix)) {
      if (!name.starts_with(beginning)) continue;
      for (const std::string& part : ignored) {
        if (!HasFirstPart(std::string_view(name).substr(beginning.size()), part)) continue;
        unused.erase(part);
        plan.ignored.insert(name);
      }
    }
    if (plan.ignored.size() == before) kept.insert(name);
  }
  if (unused.empty()) return kept;
  return absl::InvalidArgumentError(absl::StrCat("no tensor's name begins with ",
                                                 Quoted(*unused.begin()), " (--weights-ignore)"));
}

// Whether a name is the pattern's, in which "*" is any one part.
bool IsLike(std::string_view name, std::string_view pattern) {
  const std::vector<std::string_view> parts = absl::StrSplit(name, '.');
  const std::vector<std::string_view> wanted = absl::StrSplit(pattern, '.');
  return std::equal(
      parts.begin(), parts.end(), wanted.begin(), wanted.end(),
      [](std::string_view part, std::string_view want) { return want == "*" || part == want; });
}

// Sorts a name of the file that is no name of the model: prefix, extra or unexpected.
void LeaveOut(const std::string& name, const CheckpointExtras& extras, bool prefix_given,
              CheckpointPlan& plan) {
  if (prefix_given && !name.starts_with(plan.prefix)) {
    plan.outside.insert(name);
    return;
  }
  for (const std::string& beginning : Beginnings(plan.prefix)) {
    if (!name.starts_with(beginning)) continue;
    const std::string rest = name.substr(beginning.size());
    if (IsHead(extras, rest)) {
      plan.heads.insert(name);
      return;
    }
    if (beginning == plan.prefix &&
        std::any_of(extras.buffers().begin(), extras.buffers().end(),
                    [&](const std::string& buffer) { return IsLike(plan.base + rest, buffer); })) {
      plan.buffers.insert(name);
      return;
    }
  }
  plan.misfit.unexpected.insert(name);
}

bool IsCounter(std::string_view name) { return name.ends_with(".num_batches_tracked"); }

// Finds the model's names that no name of the file fills.
void FindMissing(const ModelNames& model, CheckpointPlan& plan) {
  std::set<std::string> filled;  // first names
  bool counters = false;
  for (const auto& [name, source] : plan.sources) {
    filled.insert(model.at(name));
    counters |= IsCounter(name);
  }
  for (const auto& [name, first] : model) {
    if (filled.contains(first)) continue;
    // If only some counters are missing, the file is damaged, not old.
    (IsCounter(name) && !counters ? plan.counters : plan.misfit.missing).insert(name);
  }
}

std::string Tensors(size_t count) {
  return absl::StrCat(count, count == 1 ? " tensor" : " tensors");
}

std::string SomeOf(const std::set<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back(Quoted(name));
  return base::FewNames(quoted);
}

// The scale of a quantized weight, as FP8, GPTQ and compressed-tensors files call it. The weight
// without it is another number.
bool IsScale(std::string_view name) {
  return name.ends_with("_scale") || name.ends_with("_scale_inv") || name.ends_with(".scales") ||
         name.ends_with(".qzeros");
}

// The shortest beginning of a name, in whole parts, that no tensor has which the model takes.
std::string BeginningOfItsOwn(const std::string& name, const CheckpointPlan& plan) {
  size_t end = name.find('.', plan.prefix.size());
  const auto is_taken = [&](const auto& source) {
    return HasFirstPart(source.second, name.substr(0, end));
  };
  while (end != name.npos && std::any_of(plan.sources.begin(), plan.sources.end(), is_taken))
    end = name.find('.', end + 1);
  return name.substr(0, end);
}

}  // namespace

absl::StatusOr<CheckpointPlan> PlanCheckpoint(const ModelNames& model, const FileNames& file,
                                              const LoadingRules& rules) {
  const auto& [extras, prefix, ignored] = rules;
  CheckpointPlan plan;
  if (prefix.empty()) {
    const absl::Status found = FindPrefixes(model, file, extras, plan);
    if (!found.ok()) return found;
  } else {
    absl::StatusOr<std::string> given = GivenPrefix(file, prefix);
    if (!given.ok()) return given.status();
    plan.prefix = *std::move(given);
    plan.base = BaseBehind(model, file, extras, plan.prefix);
  }
  const absl::StatusOr<FileNames> kept = WithoutIgnored(file, ignored, plan);
  if (!kept.ok()) return kept.status();
  for (const std::string& name : *kept) {
    const std::string rest =
        name.starts_with(plan.prefix) ? plan.base + name.substr(plan.prefix.size()) : "";
    const std::string in_model = NameInModel(model, extras, rest);
    if (in_model.empty()) {
      LeaveOut(name, extras, !prefix.empty(), plan);
      continue;
    }
    const auto [place, fresh] = plan.sources.insert({in_model, name});
    if (!fresh) {
      plan.misfit.doubled[in_model] =
          absl::StrCat("is there as ", Quoted(place->second), " and as ", Quoted(name));
    }
    if (rest == in_model) continue;
    if (rest.ends_with(".gamma") || rest.ends_with(".beta")) {
      ++plan.renamed;
    } else {
      plan.older.insert(name);
    }
  }
  FindMissing(model, plan);
  const std::set<std::string>& unexpected = plan.misfit.unexpected;
  if (!unexpected.empty() && std::none_of(unexpected.begin(), unexpected.end(), [&](auto& name) {
        return name.starts_with(plan.prefix);
      })) {
    plan.misfit.hint = absl::StrCat("--weights-prefix=", base::Printable(plan.prefix, 120),
                                    " leaves out what has not that in front of its name");
  } else if (std::any_of(unexpected.begin(), unexpected.end(), IsScale)) {
    plan.misfit.hint =
        "the weights are stored in parts, numbers and scales: convert the file to one "
        "floating-point type first";
  } else if (!unexpected.empty() && plan.misfit.missing.empty()) {
    plan.misfit.hint = absl::StrCat(
        "--weights-ignore=", base::Printable(BeginningOfItsOwn(*unexpected.begin(), plan), 120),
        " leaves out what begins so; several are divided by commas");
  }
  return plan;
}

std::vector<std::string> CheckpointPlan::Notes() const {
  std::vector<std::string> notes;
  if (!prefix.empty()) {
    notes.push_back(absl::StrCat(Tensors(sources.size()), sources.size() == 1 ? " has " : " have ",
                                 Quoted(prefix), " in front of ",
                                 sources.size() == 1 ? "its name" : "their names"));
  }
  if (!base.empty()) {
    notes.push_back(absl::StrCat("the names lack ", Quoted(base), ", as those of the bare model"));
  }
  if (renamed > 0)
    notes.push_back(absl::StrCat(Tensors(renamed), " called gamma or beta read as weight or bias"));
  if (!older.empty()) {
    notes.push_back(
        absl::StrCat(Tensors(older.size()), " with names of an older version: ", SomeOf(older)));
  }
  if (!counters.empty()) {
    notes.push_back(
        absl::StrCat(Tensors(counters.size()), " not in the file left at 0: ", SomeOf(counters)));
  }
  const auto left_out = [&](const std::set<std::string>& names, std::string_view what) {
    if (names.empty()) return;
    notes.push_back(absl::StrCat(Tensors(names.size()), " left out, ", what, ": ", SomeOf(names)));
  };
  left_out(buffers, "buffers that the original library does not read");
  left_out(heads, "heads that the model has not");
  left_out(outside, "outside of --weights-prefix");
  left_out(ignored, "by --weights-ignore");
  return notes;
}

}  // namespace assay::checkpoints
