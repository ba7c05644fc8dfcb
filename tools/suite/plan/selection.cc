#include "tools/suite/plan/selection.h"

#include <regex>
#include <set>
#include <string_view>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/nearest_names.h"

namespace assay::suite {
namespace {

constexpr auto kSyntax = std::regex::ECMAScript | std::regex::icase;

bool Compiles(const std::string& text) {
  try {
    static_cast<void>(std::regex(text, kSyntax));
    return true;
  } catch (const std::regex_error&) {
    return false;
  }
}

// std::regex_error names neither the expression nor the place; the text before the mistake compiles
// by itself, which gives the place.
absl::Status NoRegex(std::string_view flag, const std::string& text, const char* what) {
  size_t good = text.size() - 1;
  while (good > 0 && !Compiles(text.substr(0, good))) --good;
  return absl::InvalidArgumentError(
      absl::StrCat("--", flag, "=", text, ": no regular expression from character ", good + 1,
                   " on, '", text.substr(good), "': ", what));
}

class Patterns {
 public:
  static absl::StatusOr<Patterns> Compile(std::string_view flag,
                                          const std::vector<std::string>& texts) {
    Patterns patterns;
    for (const std::string& text : texts) {
      try {
        patterns.regexes_.emplace_back(text, kSyntax);
      } catch (const std::regex_error& error) {
        return NoRegex(flag, text, error.what());
      }
    }
    return patterns;
  }

  // Throws std::regex_error if a match takes too long.
  bool Find(const std::string& text) const {
    return absl::c_any_of(regexes_,
                          [&](const std::regex& regex) { return std::regex_search(text, regex); });
  }
  bool Find(const ResolvedCase& c) const {
    return Find(c.benchmark_case().name()) || Find(c.benchmark_case().label());
  }

 private:
  std::vector<std::regex> regexes_;
};

using Names = std::set<std::string>;

Names AllModels(const Registry& registry) {
  Names models;
  for (const ResolvedCase& c : registry.cases()) models.insert(ModelOf(c));
  return models;
}

// The models of this tree that an entry of a tier means.
std::vector<std::string> ModelsHere(const TierModel& entry, const Names& models) {
  std::vector<std::string> here(entry.here().begin(), entry.here().end());
  if (here.empty()) here.push_back(entry.name());
  here.erase(std::remove_if(here.begin(), here.end(),
                            [&](const std::string& name) { return models.count(name) == 0; }),
             here.end());
  return here;
}

absl::StatusOr<Names> ModelsOfTiers(std::string_view flag, const std::vector<int>& numbers,
                                    const Tiers& tiers, const Names& models) {
  Names chosen;
  for (const int number : numbers) {
    bool known = false;
    std::vector<int> all;
    for (const Tier& tier : tiers.tiers()) {
      all.push_back(tier.number());
      if (tier.number() != number) continue;
      known = true;
      for (const TierModel& entry : tier.models()) {
        for (std::string& name : ModelsHere(entry, models)) chosen.insert(std::move(name));
      }
    }
    if (!known) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--", flag, "=", number, ": there are the tiers ", absl::StrJoin(all, ", ")));
    }
  }
  return chosen;
}

bool HasAny(const BenchmarkCase& c, const std::vector<std::string>& tags) {
  return absl::c_any_of(
      tags, [&](const std::string& tag) { return absl::c_linear_search(c.tags(), tag); });
}

std::vector<std::string> NamesOf(const Registry& registry) {
  const Names models = AllModels(registry);
  std::vector<std::string> names(models.begin(), models.end());
  for (const ResolvedCase& c : registry.cases()) names.push_back(c.benchmark_case().name());
  return names;
}

absl::Status CheckKnown(const Registry& registry, const Selection& selection) {
  const std::vector<std::string> names = NamesOf(registry);
  Names known(names.begin(), names.end()), tags;
  for (const ResolvedCase& c : registry.cases()) {
    known.insert(c.benchmark_case().label());
    tags.insert(c.benchmark_case().tags().begin(), c.benchmark_case().tags().end());
  }
  for (const std::string& name : selection.only) {
    if (known.count(name) > 0) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("--only=", name, ": no case, label or model; the nearest names are ",
                     absl::StrJoin(base::NearestNames(name, names), ", ")));
  }
  for (const auto& [flag, given] :
       {std::pair("tag", &selection.tags), std::pair("exclude-tag", &selection.excluded_tags)}) {
    for (const std::string& tag : *given) {
      if (tags.count(tag) > 0) continue;
      const std::vector<std::string> all(tags.begin(), tags.end());
      return absl::InvalidArgumentError(
          absl::StrCat("--", flag, "=", tag, ": no case has it; the nearest tags are ",
                       absl::StrJoin(base::NearestNames(tag, all), ", ")));
    }
  }
  return absl::OkStatus();
}

absl::Status NothingLeft(const Registry& registry, const Selection& selection) {
  // The letters of a regular expression that may be part of a name.
  std::string typed;
  for (const char c : absl::StrJoin(selection.filters, "")) {
    if (absl::ascii_isalnum(c) || c == '_') typed.push_back(c);
  }
  return absl::NotFoundError(absl::StrCat(
      "none of ", registry.cases_size(), " cases is selected",
      typed.empty()
          ? ""
          : absl::StrCat("; the nearest names are ",
                         absl::StrJoin(base::NearestNames(typed, NamesOf(registry)), ", ")),
      selection.tiers.empty() ? "" : "; --list-tiers says which models of a tier are here",
      ". tools/bazel run //benchmarks:list names all"));
}

}  // namespace

const std::string& ModelOf(const ResolvedCase& c) {
  const BenchmarkCase& b = c.benchmark_case();
  return b.has_operator_call() ? c.model().name() : b.model();
}

absl::StatusOr<std::vector<ChosenCase>> SelectCases(const Registry& registry,
                                                    const Selection& selection,
                                                    const Tiers& tiers) {
  const absl::Status known = CheckKnown(registry, selection);
  if (!known.ok()) return known;
  const absl::StatusOr<Patterns> filters = Patterns::Compile("filter", selection.filters);
  if (!filters.ok()) return filters.status();
  const absl::StatusOr<Patterns> excludes = Patterns::Compile("exclude", selection.excludes);
  if (!excludes.ok()) return excludes.status();
  const absl::StatusOr<Patterns> provenances =
      Patterns::Compile("provenance", selection.provenances);
  if (!provenances.ok()) return provenances.status();
  const Names models = AllModels(registry);
  const absl::StatusOr<Names> tier_models =
      ModelsOfTiers("filter-by-tier", selection.tiers, tiers, models);
  if (!tier_models.ok()) return tier_models.status();
  const absl::StatusOr<Names> left_out =
      ModelsOfTiers("exclude-by-tier", selection.excluded_tiers, tiers, models);
  if (!left_out.ok()) return left_out.status();

  const Names only(selection.only.begin(), selection.only.end());
  const bool all = selection.filters.empty() && only.empty() && selection.tiers.empty();
  std::vector<ChosenCase> chosen;
  try {
    for (const ResolvedCase& c : registry.cases()) {
      const BenchmarkCase& b = c.benchmark_case();
      const bool by_name = only.count(b.name()) > 0 || only.count(b.label()) > 0;
      if (!all && !by_name && only.count(ModelOf(c)) == 0 && !filters->Find(c) &&
          tier_models->count(ModelOf(c)) == 0) {
        continue;
      }
      if (!selection.tags.empty() && !HasAny(b, selection.tags)) continue;
      if (!selection.provenances.empty() && !provenances->Find(c.reference().provenance())) {
        continue;
      }
      if (excludes->Find(c) || HasAny(b, selection.excluded_tags) ||
          left_out->count(ModelOf(c)) > 0) {
        continue;
      }
      chosen.push_back({.resolved = &c, .by_name = by_name});
    }
  } catch (const std::regex_error& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("a regular expression cannot be matched: ", error.what()));
  }
  if (chosen.empty()) return NothingLeft(registry, selection);
  return chosen;
}

std::string TierList(const Registry& registry, const Tiers& tiers) {
  const Names models = AllModels(registry);
  std::string text;
  for (const Tier& tier : tiers.tiers()) {
    for (const TierModel& entry : tier.models()) {
      const std::vector<std::string> here = ModelsHere(entry, models);
      absl::StrAppend(&text, "tier ", tier.number(), "  ", entry.name(), ": ",
                      here.empty() ? "not here" : absl::StrJoin(here, ", "), "\n");
    }
  }
  return text;
}

}  // namespace assay::suite
