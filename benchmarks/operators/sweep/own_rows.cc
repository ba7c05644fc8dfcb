#include "benchmarks/operators/sweep/own_rows.h"

#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "benchmarks/harness/text/nearest_names.h"
#include "benchmarks/operators/sweep/sample_arguments.h"
#include "benchmarks/operators/sweep/sample_values.h"

namespace assay::sweep {
namespace {

absl::Status At(const OwnRow& own, std::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat(own.place, ": ", problem));
}

std::string Nearest(std::string_view name, const std::vector<std::string>& names) {
  return absl::StrJoin(base::NearestNames(name, names), ", ");
}

// "mine::softmx" of "^mine::softmx$".
std::string NameIn(std::string_view pattern) {
  std::string name;
  for (const char c : pattern) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':' || c == '.') name += c;
  }
  return name;
}

const c10::FunctionSchema* SchemaOf(const c10::OperatorName& name) {
  const auto handle = c10::Dispatcher::singleton().findSchema(name);
  return handle ? &handle->schema() : nullptr;
}

// The operators that the row is for.
std::vector<c10::OperatorName> Fitting(const OwnRow& own,
                                       const std::vector<c10::OperatorName>& swept) {
  std::vector<c10::OperatorName> fitting;
  for (const c10::OperatorName& name : swept) {
    if (SchemaOf(name) != nullptr && std::regex_search(c10::toString(name), own.pattern))
      fitting.push_back(name);
  }
  return fitting;
}

absl::Status CheckPattern(const OwnRow& own, const std::vector<c10::OperatorName>& swept) {
  std::vector<std::string> names;
  for (const c10::OperatorName& name : swept) names.push_back(c10::toString(name));
  return At(
      own, absl::StrCat("no operator that '", own.pattern_text, "' fits is swept; the nearest are ",
                        Nearest(NameIn(own.pattern_text), names)));
}

absl::Status CheckArguments(const OwnRow& own, const std::vector<c10::OperatorName>& fitting) {
  std::set<std::string> known;
  for (const c10::OperatorName& name : fitting) {
    for (const c10::Argument& argument : SchemaOf(name)->arguments()) known.insert(argument.name());
  }
  for (const auto& [argument, text] : own.row.arguments) {
    if (argument != "*" && known.count(argument) == 0) {
      return At(
          own, absl::StrCat(c10::toString(fitting[0]), " has no argument '", argument,
                            "'; the nearest are ",
                            Nearest(argument, std::vector<std::string>(known.begin(), known.end())),
                            "; its schema is ", c10::toString(*SchemaOf(fitting[0]))));
    }
    absl::Status valid;
    // LibTorch's own refusals are shown when the operator is called.
    base::CatchTorch("value", [&, &value = text] {
      valid = SampleValue(OfSize(value, SampleSize::kSmall), at::kFloat, /*seed=*/7).status();
    }).IgnoreError();
    if (!valid.ok()) return At(own, absl::StrCat(argument, "=", text, ": ", valid.message()));
  }
  return absl::OkStatus();
}

// Whether the truth takes the arguments by position, as judging calls it.
absl::Status CheckTruth(const OwnRow& own, const c10::OperatorName& name, const SampleRow& call) {
  const std::optional<ArgumentTexts> texts =
      TextsOf(*SchemaOf(name), call, kTensorTexts[0], SampleSize::kSmall);
  if (!texts) return absl::OkStatus();  // there is no sample, which is a finding
  absl::Status bound;
  base::CatchTorch("binding", [&] {
    execution::OperatorArguments arguments;
    for (const auto& [argument, text] : *texts) {
      absl::StatusOr<c10::IValue> value = SampleValue(text, at::kDouble, /*seed=*/7);
      if (!value.ok()) return;  // said of the row that has it
      arguments.positional.push_back(*std::move(value));
    }
    bound = execution::BindOperator(call.truth, arguments).status();
  }).IgnoreError();
  if (bound.ok()) return bound;
  return At(
      own, absl::StrCat("!truth=", call.truth, " of ", c10::toString(name), ": ", bound.message()));
}

}  // namespace

absl::Status CheckOwnRows(const SampleTable& table, const std::vector<c10::OperatorName>& swept) {
  for (const OwnRow& own : table.own()) {
    const std::vector<c10::OperatorName> fitting = Fitting(own, swept);
    if (fitting.empty()) return CheckPattern(own, swept);
    if (absl::Status status = CheckArguments(own, fitting); !status.ok()) return status;
    if (own.row.truth.empty()) continue;
    for (const c10::OperatorName& name : fitting) {
      for (const SampleRow& call : table.CallsOf(c10::toString(name))) {
        if (call.truth != own.row.truth) continue;
        if (absl::Status status = CheckTruth(own, name, call); !status.ok()) return status;
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace assay::sweep
