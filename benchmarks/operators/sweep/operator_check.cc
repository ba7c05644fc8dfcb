#include "benchmarks/operators/sweep/operator_check.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/execution/boxed_operator.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "benchmarks/harness/sampling/presets.h"
#include "benchmarks/operators/sweep/argument_memory.h"
#include "benchmarks/operators/sweep/differentiated_call.h"
#include "benchmarks/operators/sweep/result_difference.h"
#include "benchmarks/operators/sweep/sample_arguments.h"
#include "benchmarks/operators/sweep/sample_values.h"

namespace assay::sweep {
namespace {

using execution::BindOperator;
using execution::BoundOperator;
using execution::OperatorArguments;
using execution::TensorsOf;

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
double MedianMicroseconds(const BoundOperator& bound) {
  constexpr int kCalls = 11;
  const at::NoGradGuard no_grad;
  sampling::CpuDevice device;
  const absl::StatusOr<sampling::PresetResult> timed =
      sampling::MeasurePreset(device, sampling::Preset::kDiscrete,
                              {.forward = [&bound] { Call(bound); }}, {.iterations = kCalls});
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

// Compares gradients; one that does not exist is left out of both.
std::string GradientDifference(const Differentiated& got, const Differentiated& want,
                               double* error) {
  if (got.gradients.size() != want.gradients.size()) return "one of them has no backward pass";
  for (size_t i = 0; i < got.gradients.size(); ++i) {
    if (got.gradients[i].defined() != want.gradients[i].defined())
      return absl::StrCat("gradient ", i, " exists in one of them only");
    if (!got.gradients[i].defined()) continue;
    const std::string difference = TensorDifference(got.gradients[i], want.gradients[i], error);
    if (!difference.empty()) return absl::StrCat("gradient ", i, " ", difference);
  }
  return "";
}

std::string NothingInGradients(const std::vector<at::Tensor>& gradients) {
  for (size_t i = 0; i < gradients.size(); ++i) {
    if (!gradients[i].defined()) continue;
    const std::string nothing = NothingIn(gradients[i]);
    if (!nothing.empty()) return absl::StrCat("gradient ", i, " ", nothing);
  }
  return "";
}

// A call that succeeded once, and its arguments as they were before.
struct Sample {
  ArgumentTexts texts;
  BoundOperator bound;
  ArgumentState before;
};

// Binds the arguments and calls once; fails if either fails.
absl::StatusOr<Sample> CalledOnce(const std::string& name, const ArgumentTexts& texts) {
  absl::Status bound_status;
  std::optional<Sample> sample;
  const absl::Status called = base::CatchTorch("call", [&] {
    absl::StatusOr<BoundOperator> bound = Bind(name, texts, at::kFloat);
    bound_status = bound.status();
    if (!bound.ok()) return;
    ArgumentState before(*bound);
    SeededCall(*bound);
    sample = Sample{texts, *std::move(bound), std::move(before)};
  });
  if (sample) return *std::move(sample);
  return called.ok() ? bound_status : called;
}

struct Judgement {
  Finding finding = Finding::kVerified;
  std::string reason = {};
};

Judgement Unless(Finding finding, std::string reason) {
  return reason.empty() ? Judgement() : Judgement{finding, std::move(reason)};
}

// The argument that the calls so far have written to; "" if there is none, or the table allows it.
std::string Written(const Sample& sample, const SampleRow& row) {
  return row.writes.empty() ? sample.before.Change(sample.bound) : "";
}

// kVerified if two equal calls left the arguments alone and gave equal results that a comparison
// can use.
Judgement JudgeTwoCalls(const Sample& sample, const SampleRow& row) {
  const at::NoGradGuard no_grad;
  c10::Stack first = SeededCall(sample.bound), second = SeededCall(sample.bound);
  if (std::string reason = Written(sample, row); !reason.empty()) return {Finding::kWrites, reason};
  if (row.alias.empty()) {
    std::string reason = SharedMemory(first, sample.bound);
    if (reason.empty()) reason = SharedMemory(second, first);
    if (!reason.empty()) return {Finding::kAliases, reason};
  }
  if (!row.free.empty()) return {Finding::kFree, row.free};
  if (std::string reason = BitDifference(first, second); !reason.empty())
    return {Finding::kNondeterministic, reason};
  if (!row.first.empty()) first.resize(1);
  return Unless(Finding::kNothing, NothingToCompare(first, /*may_lack=*/!row.lacks.empty()));
}

// Compares results and gradients with those of the same call in float64.
Judgement JudgeAgainstFloat64(const Sample& sample, const SampleRow& row, OperatorResult& result) {
  // An operator without a derivative is not wrong; its results are still compared.
  const std::vector<size_t> wanted = Differentiable(sample.bound);
  Differentiated got = CallAndDifferentiate(sample.bound, wanted), want;
  const absl::Status in_float64 = base::CatchTorch("in float64", [&] {
    const absl::StatusOr<BoundOperator> exact =
        Bind(result.name, sample.texts, at::kDouble, row.truth);
    if (!exact.ok()) throw std::runtime_error(std::string(exact.status().message()));
    want = CallAndDifferentiate(*exact, wanted);
  });
  if (!in_float64.ok()) return {Finding::kNotCompared, std::string(in_float64.message())};
  result.differentiated =
      std::any_of(got.gradients.begin(), got.gradients.end(),
                  [](const at::Tensor& gradient) { return gradient.defined(); });
  // A kernel registered without a derivative may have a reference with one.
  if (!row.truth.empty() && !result.differentiated) got.gradients.clear(), want.gradients.clear();
  if (!row.first.empty()) {
    got.results.resize(1);
    want.results.resize(1);
  }
  std::string difference = ResultDifference(got.results, want.results, &result.error);
  if (difference.empty()) difference = GradientDifference(got, want, &result.error);
  if (!difference.empty() || !row.lacks.empty()) return Unless(Finding::kDiffers, difference);
  return Unless(Finding::kNothing, NothingInGradients(got.gradients));
}

// The number of elements of the largest tensor among a call's arguments and results.
int64_t LargestOf(const Sample& sample) {
  int64_t largest = 0;
  for (const c10::Stack& stack : {sample.bound.arguments, SeededCall(sample.bound)}) {
    for (const at::Tensor& tensor : TensorsOf(stack)) largest = std::max(largest, tensor.numel());
  }
  return largest;
}

// Never throws: an exception here means that a comparison could not be made.
OperatorResult Judged(const std::string& name, const Sample& sample, const SampleRow& row,
                      bool random) {
  OperatorResult result;
  result.name = name;
  result.sample = SampleText(sample.texts);
  Judgement judgement;
  const absl::Status compared = base::CatchTorch("compared", [&] {
    judgement = JudgeTwoCalls(sample, row);
    if (judgement.finding != Finding::kVerified) return;
    result.elements = LargestOf(sample);
    if (random) {
      judgement.finding = Finding::kSeeded;
    } else {
      judgement = JudgeAgainstFloat64(sample, row, result);
    }
    // The backward pass also receives the arguments.
    if (std::string reason = Written(sample, row); !reason.empty())
      judgement = {Finding::kWrites, reason};
  });
  if (!compared.ok()) judgement = {Finding::kNotCompared, std::string(compared.message())};
  result.finding = judgement.finding;
  result.reason = judgement.reason;
  return result;
}

// Checks a sample that ran and, if the table has a larger one and the operator takes it, that one,
// too.
OperatorResult JudgedInBothSizes(const std::string& name, const c10::FunctionSchema& schema,
                                 const SampleRow& row, std::string_view tensor,
                                 const Sample& sample, bool random) {
  OperatorResult result = Judged(name, sample, row, random);
  result.forward_us = MedianMicroseconds(sample.bound);
  const ArgumentTexts large = *TextsOf(schema, row, tensor, SampleSize::kLarge);
  if (!IsGood(result.finding) || large == sample.texts) return result;
  const absl::StatusOr<Sample> called = CalledOnce(name, large);
  if (!called.ok()) return result;  // the small sample's result is kept, and `elements` says so
  OperatorResult larger = Judged(name, *called, row, random);
  larger.forward_us = result.forward_us;
  larger.differentiated |= result.differentiated;
  larger.error = std::max(larger.error, result.error);
  if (larger.finding == result.finding) larger.sample = result.sample;
  return larger;
}

}  // namespace

std::string_view FindingName(Finding finding) {
  switch (finding) {
    case Finding::kVerified:
      return "verified";
    case Finding::kSeeded:
      return "random, equal for equal seeds";
    case Finding::kFree:
      return "ran; results are free";
    case Finding::kNotCompared:
      return "ran; not in float64";
    case Finding::kDiffers:
      return "differs from float64";
    case Finding::kNondeterministic:
      return "two equal calls differ";
    case Finding::kWrites:
      return "writes to an argument";
    case Finding::kAliases:
      return "returns memory of an argument";
    case Finding::kNothing:
      return "ran; a result is empty or NaN";
    case Finding::kCrashed:
      return "crashed";
    case Finding::kTimedOut:
      return "did not end";
    case Finding::kNoKernel:
      return "no kernel for the CPU";
    case Finding::kNoSample:
      return "no sample for an argument";
    case Finding::kRefused:
      return "every sample refused";
  }
  return "";
}

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

OperatorResult CheckOperator(const c10::OperatorName& name, const SampleTable& table) {
  OperatorResult result;
  result.name = c10::toString(name);
  const auto handle = c10::Dispatcher::singleton().findSchema(name);
  if (!handle) {
    result.reason = "it is gone";
    return result;
  }
  const SampleRow row = table.For(result.name);
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
    const absl::StatusOr<Sample> sample = CalledOnce(result.name, *texts);
    if (sample.ok())
      return JudgedInBothSizes(result.name, handle->schema(), row, tensor, *sample, random);
    const std::string_view failed = sample.status().message();
    if (result.reason.empty() || SaysNoKernel(failed)) result.reason = std::string(failed);
    result.finding = SaysNoKernel(result.reason) ? Finding::kNoKernel : Finding::kRefused;
  }
  return result;
}

}  // namespace assay::sweep
