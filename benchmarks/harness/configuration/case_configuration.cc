#include "benchmarks/harness/configuration/case_configuration.h"

#include <set>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/configuration/case_flags.h"
#include "benchmarks/harness/text/message_bytes.h"

namespace assay::configuration {
namespace {

// The digest of what is measured, apart from how: without names, limits, outputs that are compared, and
// what the settings say.
std::string SubjectOf(const ResolvedCase& called) {
  BenchmarkCase c = called.benchmark_case();
  const std::string package = c.label().substr(0, c.label().find(':'));
  c.clear_name();
  c.clear_label();
  c.clear_tags();
  c.clear_skips();
  c.clear_nondeterministic();
  c.clear_verify();
  c.clear_execution();
  c.clear_batch();
  c.mutable_training()->clear_clip_norm();
  Workload workload = called.measured();
  workload.clear_outputs();
  return base::Sha256Hex(
      absl::StrCat(package, "\n", base::MessageBytes(c), "\n", base::MessageBytes(workload)));
}

// The value of a setting that nobody has chosen.
std::string DefaultOf(const std::string& name) {
  if (name == "weights") return "seeded";
  const FlagSpec* const flag = FindFlag(name);
  if (flag == nullptr) return "";
  return flag->of_case != nullptr ? flag->of_case(BenchmarkCase()) : flag->fallback;
}

// Without defaults, so that a flag which is new does not change the digest of runs without it.
std::string DigestOf(const Configuration& c) {
  std::string text = absl::StrCat(c.subject(), "\n");
  const std::map<std::string, std::string> sorted(c.settings().begin(), c.settings().end());
  for (const auto& [name, value] : sorted) {
    if (value != DefaultOf(name)) absl::StrAppend(&text, name, "=", value, "\n");
  }
  return base::Sha256Hex(text);
}

std::string SettingOf(const Configuration& c, const std::string& name) {
  const auto found = c.settings().find(name);
  return found == c.settings().end() ? DefaultOf(name) : found->second;
}

}  // namespace

Configuration ConfigurationOf(const ResolvedCase& called, const FlagValues& values,
                              const OtherSettings& others) {
  Configuration c;
  c.set_subject(SubjectOf(called));
  auto& settings = *c.mutable_settings();
  for (const FlagSpec* flag : CaseFlags()) {
    if (!flag->in_configuration()) continue;
    settings[flag->name] = flag->of_case != nullptr ? flag->of_case(called.benchmark_case())
                                                    : ValueOf(values, flag->name);
  }
  for (const auto& [name, value] : others) settings[name] = value;
  c.set_digest(DigestOf(c));
  return c;
}

std::vector<std::string> ConfigurationDifferences(const Configuration& a, const Configuration& b) {
  std::vector<std::string> differences;
  if (a.digest() == b.digest()) return differences;
  std::set<std::string> names;
  for (const Configuration* c : {&a, &b}) {
    for (const auto& [name, value] : c->settings()) names.insert(name);
  }
  for (const std::string& name : names) {
    const std::string of_a = SettingOf(a, name), of_b = SettingOf(b, name);
    if (of_a != of_b) differences.push_back(absl::StrCat(name, ": ", of_a, " against ", of_b));
  }
  return differences;
}

}  // namespace assay::configuration
