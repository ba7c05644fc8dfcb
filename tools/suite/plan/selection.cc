#include "tools/suite/plan/selection.h"

#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/text/nearest_names.h"
#include "defs/case/program_kinds.h"

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
        if (!absl::StrContains(text, '$'))
          patterns.without_end_.push_back(patterns.regexes_.back());
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
  // Whether one of them is of a whole text, not of a part of it.
  bool Match(const std::string& text) const {
    return absl::c_any_of(regexes_,
                          [&](const std::regex& regex) { return std::regex_match(text, regex); });
  }
  // Whether another suite's name of a model matches, or has a match of one that says nothing of the
  // end.
  bool MatchNameElsewhere(const std::string& name) const {
    return Match(name) || absl::c_any_of(without_end_, [&](const std::regex& regex) {
             return std::regex_search(name, regex);
           });
  }

 private:
  std::vector<std::regex> regexes_, without_end_;
};

using Names = std::set<std::string>;

// The models of this tree, and what other suites call them.
class ModelNames {
 public:
  ModelNames(const Registry& registry, const OtherSuites& others) : others_(others) {
    for (const ResolvedCase& c : registry.cases()) here_.insert(ModelNameOf(c));
    for (const OtherModel& other : others.models()) {
      for (const std::string& model : Counterparts(other.name()))
        elsewhere_[model].insert(other.name());
    }
  }

  const Names& all() const { return here_; }

  // This tree's models that a name means, here or in another suite.
  std::vector<std::string> Here(const std::string& name) const {
    if (here_.count(name) > 0) return {name};
    std::vector<std::string> models;
    if (!EntryOf(name).here().empty()) models = Counterparts(name);
    const size_t tag = name.find('.');
    return models.empty() && tag != std::string::npos ? Here(name.substr(0, tag)) : models;
  }

  // The entry of another suite's model; an empty one where there is none.
  const OtherModel& EntryOf(const std::string& name) const {
    for (const OtherModel& other : others_.models()) {
      if (other.name() == name) return other;
    }
    return OtherModel::default_instance();
  }

  // This tree's models that are another suite's one of the name. A model here of that name may be a
  // different network (absent, here).
  std::vector<std::string> Counterparts(const std::string& name) const {
    const OtherModel& entry = EntryOf(name);
    if (!entry.absent().empty()) return {};
    if (entry.here().empty()) return Here(name);
    std::vector<std::string> models;
    absl::c_copy_if(entry.here(), std::back_inserter(models),
                    [&](const std::string& model) { return here_.count(model) > 0; });
    return models;
  }

  // Whether an expression is of the whole name of the case's model, here or in another suite, or, if it
  // says nothing of the end, of a part of that name: "^hf_" is of many. "b1$" is of cases, and not of
  // efficientnet_b1.
  bool Match(const Patterns& patterns, const ResolvedCase& c) const {
    const auto found = elsewhere_.find(ModelNameOf(c));
    return patterns.Match(ModelNameOf(c)) ||
           (found != elsewhere_.end() &&
            absl::c_any_of(found->second, [&](const std::string& name) {
              return patterns.MatchNameElsewhere(name);
            }));
  }

  // The batch of another suite, or 0.
  int64_t BatchOf(const std::string& model) const {
    for (const OtherModel& other : others_.models()) {
      if (absl::c_linear_search(Counterparts(other.name()), model) && other.batch() > 0) {
        return other.batch();
      }
    }
    return 0;
  }

 private:
  const OtherSuites& others_;
  Names here_;
  std::map<std::string, Names> elsewhere_;  // other suites' names, by the name here
};

absl::StatusOr<Names> ModelsOfTiers(std::string_view flag, const std::vector<int>& numbers,
                                    const OtherSuites& others, const ModelNames& models) {
  Names chosen;
  for (const int number : numbers) {
    bool known = false;
    std::vector<int> all;
    for (const Tier& tier : others.tiers()) {
      all.push_back(tier.number());
      if (tier.number() != number) continue;
      known = true;
      for (const std::string& name : tier.models()) {
        for (std::string& model : models.Counterparts(name)) chosen.insert(std::move(model));
      }
    }
    if (!known) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--", flag, "=", number, ": there are the tiers ", absl::StrJoin(all, ", ")));
    }
  }
  return chosen;
}

absl::StatusOr<const OtherSuite*> FindSuite(const OtherSuites& others, const std::string& name) {
  std::vector<std::string> all;
  for (const OtherSuite& suite : others.suites()) {
    if (suite.name() == name) return &suite;
    all.push_back(suite.name());
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--suite=", name, ": one of ", absl::StrJoin(all, ", ")));
}

// The models here that the suite has, too. Without a name: none.
absl::StatusOr<Names> ModelsOfSuite(const std::string& name, const OtherSuites& others,
                                    const ModelNames& models) {
  Names chosen;
  if (name.empty()) return chosen;
  const absl::StatusOr<const OtherSuite*> suite = FindSuite(others, name);
  if (!suite.ok()) return suite.status();
  for (const std::string& model : (*suite)->models()) {
    for (std::string& here : models.Counterparts(model)) chosen.insert(std::move(here));
  }
  return chosen;
}

constexpr std::string_view kLeftOut = ": left out: ";

// "hf_Bert: done as bert_base_masked_lm, batch 32".
absl::StatusOr<std::string> Line(const std::string& name, const ModelNames& models) {
  const OtherModel& entry = models.EntryOf(name);
  const std::vector<std::string> here = models.Counterparts(name);
  const int named = std::max(entry.here_size(), 1);
  const bool is_absent = !entry.absent().empty();
  if (is_absent ? entry.here_size() > 0 : static_cast<int>(here.size()) != named) {
    return absl::FailedPreconditionError(
        absl::StrCat("other_suites.textproto: ", name, ": of ", named, " models here there are ",
                     here.size(), is_absent ? absl::StrCat("; absent: ", entry.absent()) : ""));
  }
  if (is_absent) return absl::StrCat(name, kLeftOut, entry.absent());
  return absl::StrCat(
      name, ": done",
      here == std::vector{name} ? "" : absl::StrCat(" as ", absl::StrJoin(here, ", ")),
      entry.batch() == 0 ? "" : absl::StrCat(", batch ", entry.batch()),
      entry.differs().empty() ? "" : absl::StrCat("; differs: ", entry.differs()));
}

absl::StatusOr<std::vector<std::string>> Lines(const Registry& registry, const OtherSuites& others,
                                               const std::string& suite) {
  std::vector<std::string> names;
  if (suite.empty()) {
    for (const OtherModel& other : others.models()) names.push_back(other.name());
  } else {
    const absl::StatusOr<const OtherSuite*> found = FindSuite(others, suite);
    if (!found.ok()) return found.status();
    names.assign((*found)->models().begin(), (*found)->models().end());
  }
  const ModelNames models(registry, others);
  std::vector<std::string> lines;
  for (const std::string& name : names) {
    absl::StatusOr<std::string> line = Line(name, models);
    if (!line.ok()) return line.status();
    lines.push_back(*std::move(line));
  }
  return lines;
}

// The one batch in which a tier takes cases of one model, dtype and mode: the other suite's, or the
// first one that there is.
class TierBatches {
 public:
  TierBatches(const Registry& registry, const ModelNames& models, const Names& wanted) {
    for (const ResolvedCase& c : registry.cases()) {
      if (wanted.count(ModelNameOf(c)) == 0) continue;
      const int64_t batch = c.benchmark_case().batch();
      const auto [first, is_first] = batches_.emplace(KeyOf(c), batch);
      if (batch == models.BatchOf(ModelNameOf(c))) first->second = batch;
    }
  }
  bool Has(const ResolvedCase& c) const {
    const auto found = batches_.find(KeyOf(c));
    return found != batches_.end() && found->second == c.benchmark_case().batch();
  }

 private:
  using Key = std::tuple<std::string, Dtype, CaseMode>;
  static Key KeyOf(const ResolvedCase& c) {
    return {ModelNameOf(c), c.benchmark_case().dtype(), c.benchmark_case().mode()};
  }
  std::map<Key, int64_t> batches_;
};

bool HasAny(const BenchmarkCase& c, const std::vector<std::string>& tags) {
  return absl::c_any_of(
      tags, [&](const std::string& tag) { return absl::c_linear_search(c.tags(), tag); });
}

// Names of models, then of cases.
std::vector<std::string> NamesOf(const Registry& registry, const ModelNames& models) {
  std::vector<std::string> names(models.all().begin(), models.all().end());
  for (const ResolvedCase& c : registry.cases()) names.push_back(c.benchmark_case().name());
  return names;
}

// "mlp_fp32_b2" is mlp_fp32_b1 with another batch: how to ask for that. Empty if it is not.
std::string BatchAdvice(const std::string& name, const Names& known) {
  const std::regex with_batch("(.*_b)([0-9]+)(|_.*)");
  std::smatch parts;
  if (!std::regex_match(name, parts, with_batch)) return "";
  for (const std::string& other : known) {
    std::smatch others;
    if (std::regex_match(other, others, with_batch) && others[1] == parts[1] &&
        others[3] == parts[3]) {
      return absl::StrCat(", or --only=", other, " --batch=", parts[2].str(),
                          " for a batch that no case has");
    }
  }
  return "";
}

// A name that shares nothing with what there is, is no slip of the fingers: three odd names would not help.
std::string NamesLike(const std::string& name, const std::vector<std::string>& names) {
  const std::vector<std::string> nearest = base::NearestNames(name, names);
  const bool is_part = !nearest.empty() && absl::StrContains(nearest[0], name);
  if (is_part || !base::LikelyMeant(name, names).empty())
    return absl::StrCat("; the nearest names are ", absl::StrJoin(nearest, ", "));
  return ", and none has a name like it; tools/bazel run //benchmarks:list names all, and "
         "--list-others what other suites' models are called here";
}

absl::Status CheckKnown(const Registry& registry, const Selection& selection,
                        const ModelNames& models) {
  const std::vector<std::string> names = NamesOf(registry, models);
  Names known(names.begin(), names.end()), tags;
  for (const ResolvedCase& c : registry.cases()) {
    known.insert(c.benchmark_case().label());
    tags.insert(c.benchmark_case().tags().begin(), c.benchmark_case().tags().end());
  }
  for (const std::string& name : selection.only) {
    if (known.count(name) > 0 || !models.Here(name).empty()) continue;
    if (const std::string& why = models.EntryOf(name).absent(); !why.empty())
      return absl::InvalidArgumentError(absl::StrCat("--only=", name, kLeftOut, why));
    return absl::InvalidArgumentError(absl::StrCat("--only=", name, ": no case, label or model",
                                                   NamesLike(name, names),
                                                   BatchAdvice(name, known)));
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

absl::Status NoMatch(const std::regex_error& error) {
  return absl::InvalidArgumentError(
      absl::StrCat("a regular expression cannot be matched: ", error.what()));
}

absl::Status NothingLeft(const Registry& registry, const Selection& selection,
                         const ModelNames& models) {
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
                         absl::StrJoin(base::NearestNames(typed, NamesOf(registry, models)), ", ")),
      selection.suite.empty() ? ""
                              : absl::StrCat("; --suite=", selection.suite,
                                             " --list says which of its models are here"),
      selection.tiers.empty() ? "" : "; --list-tiers says which models of a tier are here",
      ". tools/bazel run //benchmarks:list names all"));
}

}  // namespace

absl::StatusOr<std::vector<ChosenCase>> SelectCases(const Registry& registry,
                                                    const Selection& selection,
                                                    const OtherSuites& others) {
  const ModelNames models(registry, others);
  const absl::Status known = CheckKnown(registry, selection, models);
  if (!known.ok()) return known;
  const absl::StatusOr<Patterns> filters = Patterns::Compile("filter", selection.filters);
  if (!filters.ok()) return filters.status();
  const absl::StatusOr<Patterns> excludes = Patterns::Compile("exclude", selection.excludes);
  if (!excludes.ok()) return excludes.status();
  const absl::StatusOr<Patterns> provenances =
      Patterns::Compile("provenance", selection.provenances);
  if (!provenances.ok()) return provenances.status();
  const absl::StatusOr<Names> tier_models =
      ModelsOfTiers("filter-by-tier", selection.tiers, others, models);
  if (!tier_models.ok()) return tier_models.status();
  const absl::StatusOr<Names> left_out =
      ModelsOfTiers("exclude-by-tier", selection.excluded_tiers, others, models);
  if (!left_out.ok()) return left_out.status();

  const absl::StatusOr<Names> suite_models = ModelsOfSuite(selection.suite, others, models);
  if (!suite_models.ok()) return suite_models.status();

  const TierBatches tier_batches(registry, models, *tier_models);
  const Names only(selection.only.begin(), selection.only.end());
  Names only_models;
  for (const std::string& name : selection.only) {
    for (std::string& model : models.Here(name)) only_models.insert(std::move(model));
  }
  const bool all = selection.filters.empty() && only.empty() && selection.tiers.empty();
  std::vector<ChosenCase> chosen;
  try {
    for (const ResolvedCase& c : registry.cases()) {
      const BenchmarkCase& b = c.benchmark_case();
      const bool by_name = only.count(b.name()) > 0 || only.count(b.label()) > 0;
      const bool by_tier =
          tier_models->count(ModelNameOf(c)) > 0 && (selection.every_batch || tier_batches.Has(c));
      if (!all && !by_name && !by_tier && only_models.count(ModelNameOf(c)) == 0 &&
          !filters->Find(c) && !models.Match(*filters, c)) {
        continue;
      }
      if (!selection.suite.empty() && suite_models->count(ModelNameOf(c)) == 0) continue;
      if (!selection.tags.empty() && !HasAny(b, selection.tags)) continue;
      if (!selection.provenances.empty() && !provenances->Find(c.reference().provenance())) {
        continue;
      }
      if (excludes->Find(c) || models.Match(*excludes, c) || HasAny(b, selection.excluded_tags) ||
          left_out->count(ModelNameOf(c)) > 0) {
        continue;
      }
      chosen.push_back({.resolved = &c, .by_name = by_name});
    }
  } catch (const std::regex_error& error) {
    return NoMatch(error);
  }
  if (chosen.empty()) return NothingLeft(registry, selection, models);
  return chosen;
}

absl::StatusOr<std::vector<std::string>> AbsentModels(const Selection& selection,
                                                      const OtherSuites& others) {
  const absl::StatusOr<Patterns> filters = Patterns::Compile("filter", selection.filters);
  if (!filters.ok()) return filters.status();
  Names of_tiers;
  for (const Tier& tier : others.tiers()) {
    if (absl::c_linear_search(selection.tiers, tier.number()))
      of_tiers.insert(tier.models().begin(), tier.models().end());
  }
  std::vector<std::string> absent;
  try {
    for (const OtherModel& other : others.models()) {
      if (other.absent().empty()) continue;
      if (of_tiers.count(other.name()) > 0 || filters->MatchNameElsewhere(other.name()))
        absent.push_back(absl::StrCat(other.name(), kLeftOut, other.absent()));
    }
  } catch (const std::regex_error& error) {
    return NoMatch(error);
  }
  return absent;
}

absl::StatusOr<std::string> OtherModelList(const Registry& registry, const OtherSuites& others,
                                           const std::string& suite) {
  const absl::StatusOr<std::vector<std::string>> lines = Lines(registry, others, suite);
  if (!lines.ok()) return lines.status();
  return absl::StrCat(absl::StrJoin(*lines, "\n"), "\n");
}

absl::StatusOr<std::string> SuiteSummary(const Registry& registry, const OtherSuites& others,
                                         const std::string& suite) {
  const absl::StatusOr<std::vector<std::string>> lines = Lines(registry, others, suite);
  if (!lines.ok()) return lines.status();
  const auto count = [&](std::string_view words) {
    return absl::c_count_if(
        *lines, [&](const std::string& line) { return absl::StrContains(line, words); });
  };
  const auto left_out = count(kLeftOut), other_name = count(": done as ");
  return absl::StrCat(suite, ": ", lines->size(),
                      " models: ", static_cast<int64_t>(lines->size()) - left_out - other_name,
                      " done, ", other_name, " done under another name, ", left_out,
                      " left out; --suite=", suite, " --list says which");
}

std::string TierList(const Registry& registry, const OtherSuites& others) {
  const ModelNames models(registry, others);
  std::string text;
  for (const Tier& tier : others.tiers()) {
    for (const std::string& name : tier.models()) {
      const std::vector<std::string> here = models.Counterparts(name);
      const int64_t batch = here.empty() ? 0 : models.BatchOf(here[0]);
      absl::StrAppend(&text, "tier ", tier.number(), "  ", name, ": ",
                      here.empty() ? "left out" : absl::StrJoin(here, ", "),
                      batch == 0 ? "" : absl::StrCat(", batch ", batch), "\n");
    }
  }
  return text;
}

}  // namespace assay::suite
