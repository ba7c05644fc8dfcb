#ifndef ASSAY_BENCHMARKS_HARNESS_BASE_FLAG_RULES_H_
#define ASSAY_BENCHMARKS_HARNESS_BASE_FLAG_RULES_H_

// ---------------------------------------------------------------------------------------------
// flag_rules.h: which flags cannot stand together, and which need another, as data.
//
// A rule names flags by patterns:
//   weights          the flag, whatever its value
//   action=smoke     this value, or a list that has this word
//   rule=cosine*     a value that begins so
//   processes!=1     any other value
//   export-*         each flag whose name begins so
//
// Not for: reading a command line (flags.h), nor for the values that one flag takes.
//
// Example:
//   const FlagRule rules[] = {{.flags = {"weights"}, .excludes = {"action=smoke"},
//                              .why = "not with $, whose model is a small one"}};
//   absl::Status status = CheckFlagRules(rules, {{"weights", "w"}, {"action", "smoke"}});
//   // "--weights: not with --action=smoke, whose model is a small one"
// ---------------------------------------------------------------------------------------------

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace assay::base {

struct FlagRule {
  std::vector<std::string> flags = {};     // the rule holds for each of them
  std::vector<std::string> excludes = {};  // none of these may stand beside it
  std::vector<std::string> needs = {};     // one of these must stand beside it
  // The text after "--flag: ". "$" becomes the other flag.
  // Empty for `needs`: NeedsText().
  std::string why = {};
  std::vector<std::string> unless = {};  // where one of these is given, the rule does not hold
};

// Values by name, of the flags that were given. A switch that is off counts as not given.
using GivenFlags = std::map<std::string, std::string>;

// InvalidArgument for the first rule that is broken; names both flags.
absl::Status CheckFlagRules(absl::Span<const FlagRule> rules, const GivenFlags& given);

// "it is of --profile or --nsys, none of which is given".
std::string NeedsText(std::vector<std::string> names);

// Notes a flag that base::ParseFlags() has set, with the words that did it.
void NoteGiven(const std::string& name, absl::Span<const std::string> words, GivenFlags& given);

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_BASE_FLAG_RULES_H_
