#include "benchmarks/harness/runner/verdict/rule_flag.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/numerics/rules.h"

namespace assay::runner {
namespace {

using Limits = VerifyParameters;

struct Limit {
  std::string_view name;
  void (*set)(Limits& limits, double number);
  double alone = NAN;  // the main limit if no number is given; NaN: a number is needed
};

struct NamedRule {
  std::string_view name;
  Rule rule;
  std::vector<Limit> limits;
  bool main;                  // whether the first limit may be written without its name
  std::string_view defaults;  // the default limits; empty: limits must be given
};

const std::vector<NamedRule>& Rules() {
  static const auto& rules = *new std::vector<NamedRule>{
      {"dynamo_same",
       DYNAMO_SAME,
       {{"tol", [](Limits& l, double x) { l.set_atol(x); }},
        {"multiplier", [](Limits& l, double x) { l.set_multiplier(x); }},
        {"larger_multiplier", [](Limits& l, double x) { l.set_larger_multiplier(x != 0); }, 1},
        {"cosine", [](Limits& l, double x) { l.set_cosine_min(x); }, 0.99}},
       true,
       "tol=1e-4"},
      {"cosine",
       COSINE,
       {{"min", [](Limits& l, double x) { l.set_cosine_min(x); }}},
       true,
       "min=0.99"},
      {"allclose",
       ALLCLOSE,
       {{"atol", [](Limits& l, double x) { l.set_atol(x); }},
        {"rtol", [](Limits& l, double x) { l.set_rtol(x); }}},
       false,
       "atol=0.5"},
      {"mean_relative",
       MEAN_RELATIVE,
       {{"limit", [](Limits& l, double x) { l.set_mean_relative_limit(x); }}},
       true,
       "limit=2%"},
      {"iou", IOU, {{"min", [](Limits& l, double x) { l.set_iou_min(x); }}}, true, "min=0.99"},
      {"relative_to_std",
       RELATIVE_TO_STD,
       {{"rms", [](Limits& l, double x) { l.set_rms_limit(x); }},
        {"max", [](Limits& l, double x) { l.set_max_limit(x); }}},
       false,
       ""},
  };
  return rules;
}

template <typename Items>
std::string Names(const Items& items) {
  return absl::StrJoin(items, ", ",
                       [](std::string* out, const auto& item) { absl::StrAppend(out, item.name); });
}

absl::Status Problem(std::string_view flag, std::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(flag, ": ", what));
}

absl::StatusOr<double> Number(std::string_view text) {
  double number = 0;
  const bool percent = absl::ConsumeSuffix(&text, "%");
  if (!absl::SimpleAtod(text, &number) || !std::isfinite(number) || number < 0)
    return absl::InvalidArgumentError("no number");
  return percent ? number / 100 : number;
}

// Sets one limit: "atol=1e-3", "1e-3" for the main limit, or a name that has a default value.
absl::Status SetLimit(const NamedRule& rule, std::string_view word, bool first,
                      std::string_view flag, Limits& limits) {
  const std::pair<std::string_view, std::string_view> parts =
      absl::StrSplit(word, absl::MaxSplits('=', 1));
  const bool named = absl::StrContains(word, '=');
  auto limit = absl::c_find_if(rule.limits, [&](const Limit& l) { return l.name == parts.first; });
  const bool main = limit == rule.limits.end() && first && rule.main && !named;
  if (main) limit = rule.limits.begin();
  if (limit == rule.limits.end()) {
    return Problem(
        flag, absl::StrCat("'", word, "': ", rule.name, " takes ", rule.main ? "a number, or " : "",
                           Names(rule.limits), ", as in ", rule.limits[0].name, "=1e-3"));
  }
  if (!main && !named && !std::isnan(limit->alone)) {
    limit->set(limits, limit->alone);
    return absl::OkStatus();
  }
  const absl::StatusOr<double> number = Number(main ? word : parts.second);
  if (!number.ok()) {
    return Problem(flag,
                   absl::StrCat("'", word, "': ", limit->name, " is a number, 0 or more, as in ",
                                limit->name, "=1e-3; 2% is 0.02"));
  }
  limit->set(limits, *number);
  return absl::OkStatus();
}

absl::Status CheckRule(const Limits& limits, std::string_view flag) {
  const absl::Status status = numerics::CheckLimits(limits);
  if (!status.ok()) return Problem(flag, absl::StripPrefix(status.message(), "verify: "));
  if (limits.rule() == ALLCLOSE && !(limits.rtol() < 1))
    return Problem(flag, "rtol must be below 1: from 1 on, zeros pass for anything");
  if (limits.rule() == RELATIVE_TO_STD && !(limits.rms_limit() > 0 && limits.max_limit() > 0))
    return Problem(flag, "relative_to_std needs both, as in relative_to_std:rms=1e-5,max=1e-4");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<VerifyParameters> ParseRule(std::string_view text) {
  const std::string flag = absl::StrCat("--rule=", text);
  const std::pair<std::string_view, std::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits(':', 1));
  const auto rule =
      absl::c_find_if(Rules(), [&](const NamedRule& r) { return r.name == parts.first; });
  if (rule == Rules().end()) {
    return Problem(flag, parts.first == "exact"
                             ? "integers and booleans are compared exactly without being asked, "
                               "and floats never equal a float64 reference; --check=bitwise "
                               "compares with the plain eager execution"
                             : absl::StrCat("one of ", Names(Rules())));
  }
  Limits limits;
  limits.set_rule(rule->rule);
  limits.set_provenance(absl::StrCat("flag ", flag));
  const auto set_all = [&](std::string_view words) {
    bool first = true;
    for (const std::string_view word : absl::StrSplit(words, ',')) {
      const absl::Status set = SetLimit(*rule, word, first, flag, limits);
      if (!set.ok()) return set;
      first = false;
    }
    return absl::OkStatus();
  };
  // The main limit keeps its default when only others are given: dynamo_same:multiplier=10.
  absl::Status status;
  const bool given = absl::StrContains(text, ':');
  if (!rule->defaults.empty() && (rule->main || !given)) status = set_all(rule->defaults);
  if (status.ok() && given) status = set_all(parts.second);
  if (status.ok()) status = CheckRule(limits, flag);
  if (!status.ok()) return status;
  return limits;
}

absl::StatusOr<ResolvedCase> WithRule(const ResolvedCase& c, const VerifyParameters& rule) {
  ResolvedCase judged = c;
  VerifyParameters& verify = *judged.mutable_benchmark_case()->mutable_verify();
  if (verify.rule() == DETECTIONS) {
    return absl::InvalidArgumentError(
        absl::StrCat(absl::StripPrefix(rule.provenance(), "flag "), ": ", c.benchmark_case().name(),
                     " finds boxes, whose order is open; they are compared as a set"));
  }
  const bool masks = rule.rule() == IOU;
  int outputs = 0;
  for (ExpectedOutput& output : *judged.mutable_verified()->mutable_outputs()) {
    if (masks ? output.dtype() != BOOL : !base::IsFloatingPoint(output.dtype())) continue;
    ++outputs;
    if (masks) {
      output.set_rule(IOU);
    } else {
      output.clear_rule();
    }
  }
  if (outputs == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        absl::StripPrefix(rule.provenance(), "flag "), ": ", c.benchmark_case().name(), " has no ",
        masks ? "boolean outputs, which iou is for"
              : "outputs that hold floats; others are compared exactly"));
  }
  if (masks) {
    verify.set_iou_min(rule.iou_min());
    verify.set_provenance(absl::StrCat(verify.provenance(), "; booleans: ", rule.provenance()));
    return judged;
  }
  const int64_t batch = verify.batch();
  verify = rule;
  verify.set_batch(batch);
  return judged;
}

}  // namespace assay::runner
