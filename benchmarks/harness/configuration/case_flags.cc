#include "benchmarks/harness/configuration/case_flags.h"

#include <algorithm>
#include <iterator>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "benchmarks/harness/base/flag_rules.h"
#include "benchmarks/harness/configuration/flag_sections.h"
#include "benchmarks/harness/configuration/flag_spec.h"
#include "benchmarks/harness/configuration/load_flags.h"

namespace assay::configuration {
namespace {

FlagSection UnderLoad() {
  return {
      .title = "Under load",
      .flags = LoadFlags(),
      .after =
          "  tools/bazel run //benchmarks/resnet:resnet18_fp32_b8 -- --scenario=server --qps=10 "
          "--latency-bound=500ms@p99"};
}

// The rules of all rows.
const std::vector<base::FlagRule>& FlagRules() {
  static const auto& rules = *[] {
    auto* all = new std::vector<base::FlagRule>;
    for (const FlagSection& section : FlagSections()) {
      for (const FlagSpec& flag : section.flags) {
        for (const Exclusion& exclusion : flag.excludes) {
          const std::string& value = exclusion.value;
          all->push_back(
              {.flags = {value.empty() ? flag.name : absl::StrCat(flag.name, "=", value)},
               .excludes = exclusion.with,
               .why = exclusion.why});
        }
        if (flag.needs.empty()) continue;
        all->push_back({.flags = {flag.name},
                        .needs = flag.needs,
                        .why = base::NeedsText(ListedNames(flag.needs))});
      }
    }
    return all;
  }();
  return rules;
}

}  // namespace

const std::vector<FlagSection>& FlagSections() {
  static const auto& sections = *new std::vector<FlagSection>{
      MeasuredFlags(), CalledFlags(),   TrainedFlags(), ComparedFlags(), GivenFlags(),
      KeptFlags(),     ProfiledFlags(), UnderLoad(),    ToolFlags()};
  return sections;
}

const std::vector<const FlagSpec*>& CaseFlags() {
  static const auto& flags = *[] {
    auto* all = new std::vector<const FlagSpec*>;
    for (const FlagSection& section : FlagSections()) {
      for (const FlagSpec& flag : section.flags) all->push_back(&flag);
    }
    std::stable_sort(all->begin(), all->end(),
                     [](const FlagSpec* a, const FlagSpec* b) { return a->use < b->use; });
    return all;
  }();
  return flags;
}

const FlagSpec* FindFlag(std::string_view name) {
  const std::string wanted = absl::StrReplaceAll(name, {{"_", "-"}});
  const auto found =
      absl::c_find_if(CaseFlags(), [&](const FlagSpec* flag) { return flag->name == wanted; });
  return found == CaseFlags().end() ? nullptr : *found;
}

std::string ValueOf(const FlagValues& values, std::string_view name) {
  const auto found = values.find(std::string(name));
  return found != values.end() ? found->second : FindFlag(name)->fallback;
}

bool IsGiven(const FlagValues& values, std::string_view name) {
  return values.count(std::string(name)) > 0;
}

std::vector<std::string> ListedNames(const std::vector<std::string>& names) {
  std::vector<std::string> listed;
  absl::c_copy_if(names, std::back_inserter(listed), [](const std::string& name) {
    return FindFlag(name.substr(0, name.find('=')))->use != FlagUse::kProgram;
  });
  return listed;
}

absl::Status CheckFlags(const FlagValues& values) {
  base::GivenFlags given = values;
  for (const FlagSpec* flag : CaseFlags()) {
    // The value that the flag has anyway excludes nothing.
    const auto found = given.find(flag->name);
    if (found != given.end() && flag->needs.empty() && found->second == flag->fallback)
      given.erase(found);
  }
  return base::CheckFlagRules(FlagRules(), given);
}

Comparison ComparisonOf(const FlagValues& values) {
  const std::string action = ValueOf(values, "action");
  if (ValueOf(values, "verify") == "off" || action == "smoke") return Comparison::kNone;
  // For a training case's layers one step is enough.
  if (IsGiven(values, "export-layers") || ValueOf(values, "locate") == "true")
    return Comparison::kMeasured;
  // A test compares everything, and so does the export of a reference.
  const bool all = action == "verify" || absl::c_any_of(values, [](const auto& flag) {
                     return absl::StartsWith(flag.first, "export-");
                   });
  return all ? Comparison::kAllOptimizers : Comparison::kMeasured;
}

std::vector<std::string> FlagWords(const FlagValues& values) {
  std::vector<std::string> words;
  for (const FlagSpec* flag : CaseFlags()) {
    const auto found = values.find(flag->name);
    if (found != values.end()) words.push_back(absl::StrCat("--", flag->name, "=", found->second));
  }
  return words;
}

CallFlags CallFlagsOf(const FlagValues& values) {
  CallFlags flags;
  for (const FlagSpec* flag : CaseFlags()) {
    const auto found = values.find(flag->name);
    if (flag->enter != nullptr && found != values.end()) flag->enter(found->second, flags);
  }
  return flags;
}

}  // namespace assay::configuration
