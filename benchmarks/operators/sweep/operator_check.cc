#include "benchmarks/operators/sweep/operator_check.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "benchmarks/harness/sampling/presets.h"
#include "benchmarks/operators/judge/callable.h"
#include "benchmarks/operators/judge/differentiated_call.h"
#include "benchmarks/operators/judge/judgement.h"
#include "benchmarks/operators/judge/result_difference.h"
#include "benchmarks/operators/kernel/isolated_call.h"
#include "benchmarks/operators/sweep/sample_arguments.h"
#include "benchmarks/operators/sweep/sample_values.h"

namespace assay::sweep {
namespace {

using execution::BindOperator;
using execution::BoundOperator;
using execution::OperatorArguments;

constexpr uint64_t kFirstSeed = 7;

// Fails if a value cannot be made; c10::Error likewise. `truth`: another operator, whose arguments
// may have other names; empty: the operator itself.
absl::StatusOr<BoundOperator> Bind(const std::string& name, const ArgumentTexts& texts,
                                   at::ScalarType floats, const std::string& truth = "") {
  OperatorArguments arguments;
  uint64_t seed = kFirstSeed;
  for (const auto& [argument, text] : texts) {
    absl::StatusOr<c10::IValue> value = SampleValue(text, floats, seed += kFirstSeed);
    if (!value.ok()) return value.status();
    if (truth.empty()) {
      arguments.named.emplace_back(argument, *std::move(value));
    } else {
      arguments.positional.push_back(*std::move(value));
    }
  }
  return BindOperator(truth.empty() ? name : truth, arguments);
}

// 0 if the clock failed.
double MedianMicroseconds(const operators::Callable& call) {
  constexpr int kCalls = 11;
  const at::NoGradGuard no_grad;
  sampling::CpuDevice device;
  const absl::StatusOr<sampling::PresetResult> timed = sampling::MeasurePreset(
      device, sampling::Preset::kDiscrete, {.forward = [&call] { call.run(call.arguments); }},
      {.iterations = kCalls});
  if (!timed.ok()) return 0;
  std::vector<double> times = timed->forward.measured_ns;
  std::nth_element(times.begin(), times.begin() + kCalls / 2, times.end());
  return times[kCalls / 2] / 1e3;
}

// Whether LibTorch's message says that a call could not be dispatched.
bool SaysNoKernel(std::string_view message) {
  return absl::StrContains(message, "Could not run 'aten::") ||
         absl::StrContains(message, "_overrideable not") ||
         absl::StrContains(message, "with tensor backend other than CPU");
}

// A call that succeeded once, and its arguments as they were before.
struct Sample {
  ArgumentTexts texts;
  operators::Callable call;
  operators::ArgumentState before;
};

// A call that did not come to its end, or did what no caller may see.
struct Fault {
  Finding finding = Finding::kRefused;
  std::string reason = {};
};

// Calls twice in guarded memory. A call that throws is no fault here: it throws again when it is judged.
std::optional<Fault> FaultIn(const BoundOperator& bound, const operators::CallNotes& notes) {
  static const auto& findings =
      *new std::map<std::string, Finding>{{"crashed", Finding::kCrashed},
                                          {"exited", Finding::kCrashed},
                                          {"hung", Finding::kTimedOut},
                                          {"writes to an input", Finding::kWrites},
                                          {"touches memory outside", Finding::kOutside}};
  if (!notes.writes.empty()) return std::nullopt;
  const kernel::CallEnd end = kernel::CallIsolated(bound, {.threads = 1});
  if (const auto found = findings.find(end.kind); found != findings.end())
    return Fault{found->second, end.text};
  if (!notes.free.empty() || bound.handle.hasTag(at::Tag::nondeterministic_seeded))
    return std::nullopt;
  for (size_t i = 0; i < std::min(end.results.size(), end.again.size()); ++i) {
    const std::string place = operators::FirstOtherElement(end.results[i], end.again[i]);
    if (!place.empty())
      return Fault{Finding::kNondeterministic,
                   absl::StrCat("result ", i, " ", place,
                                " has other bits in the second of two equal calls, before which "
                                "LibTorch's memory held other bytes: perhaps it is not written")};
  }
  return std::nullopt;
}

// Binds the arguments and calls once. Without a sample: the fault.
struct Called {
  std::optional<Sample> sample = {};
  Fault fault = {};
};
Called CalledOnce(const std::string& name, const ArgumentTexts& texts,
                  const operators::CallNotes& notes, bool guarded) {
  absl::Status bound_status;
  Called called;
  std::optional<Sample>& sample = called.sample;
  const absl::Status ended = base::CatchTorch("call", [&] {
    const absl::StatusOr<BoundOperator> bound = Bind(name, texts, at::kFloat);
    bound_status = bound.status();
    if (!bound.ok()) return;
    if (std::optional<Fault> fault = guarded ? FaultIn(*bound, notes) : std::nullopt) {
      called.fault = *std::move(fault);
      return;
    }
    operators::Callable call = operators::CallableOf(*bound);
    operators::ArgumentState before(call);
    operators::SeededCall(call);
    sample = Sample{texts, std::move(call), std::move(before)};
  });
  if (!sample && called.fault.reason.empty())
    called.fault.reason = std::string((ended.ok() ? bound_status : ended).message());
  return called;
}

OperatorResult Judged(const std::string& name, const Sample& sample, const SampleRow& row,
                      bool random) {
  const auto in_float64 = [&]() -> absl::StatusOr<operators::Callable> {
    const absl::StatusOr<BoundOperator> exact = Bind(name, sample.texts, at::kDouble, row.truth);
    if (!exact.ok()) return exact.status();
    return operators::CallableOf(*exact);
  };
  const operators::Judgement judgement =
      operators::Judge(sample.call, sample.before, in_float64, row.notes,
                       {.random = random, .other_operator = !row.truth.empty()});
  return {.name = name,
          .row = row.place,
          .finding = judgement.finding,
          .reason = judgement.reason,
          .sample = SampleText(sample.texts),
          .differentiated = judgement.differentiated,
          .error = judgement.error,
          .elements = judgement.elements};
}

// Checks a sample that ran and, if the table has a larger one and the operator takes it, that one,
// too.
OperatorResult JudgedInBothSizes(const std::string& name, const c10::FunctionSchema& schema,
                                 const SampleRow& row, std::string_view tensor,
                                 const Sample& sample, bool random, bool guarded) {
  OperatorResult result = Judged(name, sample, row, random);
  result.forward_us = MedianMicroseconds(sample.call);
  const ArgumentTexts large = *TextsOf(schema, row, tensor, SampleSize::kLarge);
  if (!operators::IsGood(result.finding) || large == sample.texts) return result;
  const Called called = CalledOnce(name, large, row.notes, guarded);
  // One that is refused counts if the user asked for it.
  if (!called.sample && (called.fault.finding != Finding::kRefused || !row.place.empty())) {
    result.finding = called.fault.finding;
    result.sample = SampleText(large);
    result.reason = called.fault.reason;
  }
  if (!called.sample) return result;  // the small sample's result is kept, and `elements` says so
  OperatorResult larger = Judged(name, *called.sample, row, random);
  larger.forward_us = result.forward_us;
  larger.differentiated |= result.differentiated;
  larger.error = std::max(larger.error, result.error);
  if (larger.finding == result.finding) larger.sample = result.sample;
  return larger;
}

}  // namespace

bool IsPublicAten(const c10::OperatorName& name) {
  return absl::StartsWith(name.name, "aten::") && !absl::StartsWith(name.name, "aten::_");
}

std::vector<c10::OperatorName> FunctionalOperators(
    absl::FunctionRef<bool(const c10::OperatorName&)> wanted) {
  c10::Dispatcher& dispatcher = c10::Dispatcher::singleton();
  std::vector<c10::OperatorName> names;
  for (const c10::OperatorName& name : dispatcher.getAllOpNames()) {
    if (!wanted(name)) continue;
    const auto handle = dispatcher.findSchema(name);
    if (!handle || handle->schema().is_mutable()) continue;
    const auto aliases = [](const c10::Argument& argument) {
      return argument.is_out() || argument.alias_info() != nullptr;
    };
    const c10::FunctionSchema& schema = handle->schema();
    if (std::any_of(schema.arguments().begin(), schema.arguments().end(),
                    [](const c10::Argument& argument) { return argument.is_out(); }) ||
        std::any_of(schema.returns().begin(), schema.returns().end(), aliases))
      continue;
    names.push_back(name);
  }
  std::sort(names.begin(), names.end(), [](const c10::OperatorName& a, const c10::OperatorName& b) {
    return c10::toString(a) < c10::toString(b);
  });
  return names;
}

OperatorResult CheckOperator(const c10::OperatorName& name, const SampleRow& row, bool guarded) {
  OperatorResult result;
  result.name = c10::toString(name);
  result.row = row.place;
  const auto handle = c10::Dispatcher::singleton().findSchema(name);
  if (!handle) {
    result.reason = "it is gone";
    return result;
  }
  const bool random = handle->hasTag(at::Tag::nondeterministic_seeded);
  for (const std::string_view tensor : kTensorTexts) {
    const std::optional<ArgumentTexts> texts =
        TextsOf(handle->schema(), row, tensor, SampleSize::kSmall);
    if (!texts) {
      result.finding = Finding::kNoSample;
      return result;
    }
    const std::string sample_text = SampleText(*texts);
    if (sample_text == result.sample && !result.reason.empty())
      break;  // no argument depends on the tensor
    result.sample = sample_text;
    const Called called = CalledOnce(result.name, *texts, row.notes, guarded);
    if (called.sample)
      return JudgedInBothSizes(result.name, handle->schema(), row, tensor, *called.sample, random,
                               guarded);
    const std::string& failed = called.fault.reason;
    if (called.fault.finding != Finding::kRefused) {
      result.finding = called.fault.finding;
      result.reason = failed;
      return result;
    }
    if (result.reason.empty() || SaysNoKernel(failed)) result.reason = failed;
    result.finding = SaysNoKernel(result.reason) ? Finding::kNoKernel : Finding::kRefused;
  }
  return result;
}

}  // namespace assay::sweep
