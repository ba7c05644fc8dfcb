#include "benchmarks/operators/sweep/operator_check.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/core/Generator.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/rand.h>
#include <c10/core/DeviceType.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/execution/boxed_operator.h"
#include "benchmarks/harness/sampling/device/cpu_device.h"
#include "benchmarks/harness/sampling/presets.h"
#include "benchmarks/operators/sweep/result_difference.h"
#include "benchmarks/operators/sweep/sample_arguments.h"
#include "benchmarks/operators/sweep/sample_values.h"

namespace assay::sweep {
namespace {

using execution::BindOperator;
using execution::BoundOperator;
using execution::OperatorArguments;
using execution::TensorsOf;

constexpr uint64_t kSeed = 7;

// Fails where a value cannot be made; c10::Error likewise. `truth`: another operator, which may name
// its arguments as it likes; empty: the operator itself.
absl::StatusOr<BoundOperator> Bind(const std::string& name, const ArgumentTexts& texts,
                                   at::ScalarType floats, const std::string& truth = "") {
  OperatorArguments arguments;
  uint64_t seed = kSeed;
  for (const auto& [argument, text] : texts) {
    absl::StatusOr<c10::IValue> value = SampleValue(text, floats, seed += kSeed);
    if (!value.ok()) return value.status();
    if (truth.empty()) {
      arguments.named.emplace_back(argument, *std::move(value));
    } else {
      arguments.positional.push_back(*std::move(value));
    }
  }
  return BindOperator(truth.empty() ? name : truth, arguments);
}

// Everything that a call left, tensors and others.
c10::Stack Call(const BoundOperator& bound) {
  c10::Stack stack = bound.arguments;
  bound.handle.callBoxed(stack);
  return stack;
}

void SeedRandomNumbers() {
  at::Generator generator = at::globalContext().defaultGenerator(at::kCPU);
  const std::lock_guard<std::mutex> lock(generator.mutex());
  generator.set_current_seed(kSeed);
}

bool CouldHaveGradient(const c10::IValue& value) {
  if (!value.isTensor() || !value.toTensor().defined()) return false;
  const at::Tensor& tensor = value.toTensor();
  return tensor.is_floating_point() && tensor.layout() == at::kStrided && !tensor.is_quantized();
}

// The tensors among the arguments that could have gradients.
std::vector<at::Tensor> FloatsOf(const BoundOperator& bound) {
  std::vector<at::Tensor> floats;
  for (const at::Tensor& tensor : TensorsOf(bound.arguments)) {
    if (CouldHaveGradient(tensor)) floats.push_back(tensor);
  }
  return floats;
}

// The arguments with others in the place of FloatsOf().
c10::Stack WithFloats(c10::Stack arguments, const std::vector<at::Tensor>& floats) {
  auto next = floats.begin();
  for (c10::IValue& argument : arguments) {
    if (CouldHaveGradient(argument)) argument = *next++;
    if (!argument.isList()) continue;
    c10::List<c10::IValue> list = argument.toList().copy();  // the arguments share theirs
    for (size_t i = 0; i < list.size(); ++i) {
      if (CouldHaveGradient(list.get(i))) list.set(i, *next++);
    }
    argument = list;
  }
  return arguments;
}

struct Differentiated {
  c10::Stack results;
  std::vector<at::Tensor> gradients;  // of those asked for; empty: no result depends on them
};

// Forward and, where a result depends on the arguments asked for, by their positions in FloatsOf(),
// backward from seeded numbers: from ones many a gradient would be zero.
Differentiated CallAndDifferentiate(const BoundOperator& bound, const std::vector<size_t>& wanted) {
  std::vector<at::Tensor> floats = FloatsOf(bound), leaves;
  for (const size_t i : wanted) leaves.push_back(floats[i] = floats[i].detach().requires_grad_());
  Differentiated made;
  SeedRandomNumbers();
  made.results = Call({bound.handle, WithFloats(bound.arguments, floats)});
  std::vector<at::Tensor> roots, starts;
  for (const at::Tensor& result : TensorsOf(made.results)) {
    if (!result.requires_grad() || result.layout() != at::kStrided) continue;
    roots.push_back(result);
    const auto generator = at::make_generator<at::CPUGeneratorImpl>(kSeed);
    const at::Tensor start = at::rand(result.sizes(), generator, at::kFloat).mul_(2).sub_(1);
    starts.push_back(start.to(result.scalar_type()));
  }
  if (roots.empty()) return made;
  torch::autograd::backward(roots, starts);
  for (const at::Tensor& leaf : leaves) made.gradients.push_back(leaf.grad());
  return made;
}

// Which of the arguments that could have gradients have a derivative.
std::vector<size_t> Differentiable(const BoundOperator& bound) {
  const auto works = [&](const std::vector<size_t>& wanted) {
    return base::CatchTorch("gradients", [&] { CallAndDifferentiate(bound, wanted); }).ok();
  };
  std::vector<size_t> all(FloatsOf(bound).size()), each;
  std::iota(all.begin(), all.end(), 0);
  if (works(all)) return all;
  for (const size_t i : all) {
    if (works({i})) each.push_back(i);
  }
  return works(each) ? each : std::vector<size_t>();
}

// 0 where the clock failed.
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

// A call of LibTorch's that could not be dispatched, in its words.
bool SaysNoKernel(std::string_view message) {
  return absl::StrContains(message, "Could not run 'aten::") ||
         absl::StrContains(message, "_overrideable not") ||
         absl::StrContains(message, "with tensor backend other than CPU");
}

// Gradients, with those that do not exist left out of both.
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

// Compares a call that ran with another like it and with float64.
void Compare(const BoundOperator& bound, const ArgumentTexts& texts, bool random,
             const SampleRow& row, OperatorResult& result) {
  const auto end = [&](Finding finding, std::string reason) {
    result.finding = finding;
    result.reason = std::move(reason);
  };
  const auto seeded = [&] {
    SeedRandomNumbers();
    return Call(bound);
  };
  {
    const at::NoGradGuard no_grad;
    const c10::Stack first = seeded(), second = seeded();
    if (!row.free.empty()) return end(Finding::kFree, row.free);
    const std::string difference = BitDifference(first, second);
    if (!difference.empty()) return end(Finding::kNondeterministic, difference);
  }
  if (random) return end(Finding::kSeeded, "");
  // No derivative is no mistake; the results are compared all the same.
  const std::vector<size_t> wanted = Differentiable(bound);
  Differentiated got = CallAndDifferentiate(bound, wanted), want;
  const absl::Status in_float64 = base::CatchTorch("in float64", [&] {
    const absl::StatusOr<BoundOperator> exact = Bind(result.name, texts, at::kDouble, row.truth);
    if (!exact.ok()) throw std::runtime_error(std::string(exact.status().message()));
    want = CallAndDifferentiate(*exact, wanted);
  });
  if (!in_float64.ok()) return end(Finding::kNotCompared, std::string(in_float64.message()));
  const bool has_gradient =
      std::any_of(got.gradients.begin(), got.gradients.end(),
                  [](const at::Tensor& gradient) { return gradient.defined(); });
  result.differentiated = has_gradient;
  // A kernel that was registered without a derivative may have a truth that has one.
  if (!row.truth.empty() && !has_gradient) got.gradients.clear(), want.gradients.clear();
  if (!row.first.empty()) {
    got.results.resize(1);
    want.results.resize(1);
  }
  std::string difference = ResultDifference(got.results, want.results, &result.error);
  if (difference.empty()) difference = GradientDifference(got, want, &result.error);
  end(difference.empty() ? Finding::kVerified : Finding::kDiffers, difference);
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
    const std::optional<ArgumentTexts> texts = TextsOf(handle->schema(), row, tensor);
    if (!texts) {
      result.finding = Finding::kNoSample;
      return result;
    }
    const std::string sample = SampleText(*texts);
    if (sample == result.sample && !result.reason.empty())
      break;  // no argument depends on the tensor
    result.sample = sample;
    absl::Status bound_status;
    std::optional<BoundOperator> bound;
    const absl::Status called = base::CatchTorch("call", [&] {
      absl::StatusOr<BoundOperator> made = Bind(result.name, *texts, at::kFloat);
      bound_status = made.status();
      if (!made.ok()) return;
      SeedRandomNumbers();
      Call(*made);
      bound = *std::move(made);
    });
    if (bound) {
      // A name without an overload may have been bound to another.
      const absl::Status compared = base::CatchTorch("compared", [&] {
        Compare(*bound, *texts, random, row, result);
        result.forward_us = MedianMicroseconds(*bound);
      });
      if (!compared.ok()) {
        result.finding = Finding::kNotCompared;
        result.reason = std::string(compared.message());
      }
      return result;
    }
    const absl::Status& failed = called.ok() ? bound_status : called;
    if (result.reason.empty() || SaysNoKernel(failed.message())) result.reason = failed.message();
    result.finding = SaysNoKernel(result.reason) ? Finding::kNoKernel : Finding::kRefused;
  }
  return result;
}

}  // namespace assay::sweep
