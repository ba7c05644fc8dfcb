#include "benchmarks/operators/judge/judgement.h"

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "benchmarks/harness/dispatcher/kernels_over_aten.h"
#include "benchmarks/operators/judge/differentiated_call.h"

namespace assay::operators {
namespace {

using execution::TensorsOf;

void Set(Finding finding, std::string reason, Judgement& judgement) {
  judgement.finding = finding;
  judgement.reason = std::move(reason);
}

// Compares gradients; one that does not exist is left out of both.
std::string GradientDifference(const Differentiated& got, const Differentiated& want,
                               Comparison& comparison) {
  if (got.gradients.size() != want.gradients.size()) return "one of them has no backward pass";
  for (size_t i = 0; i < got.gradients.size(); ++i) {
    if (got.gradients[i].defined() != want.gradients[i].defined())
      return absl::StrCat("gradient ", i, " exists in one of them only");
    if (!got.gradients[i].defined()) continue;
    const std::string difference =
        TensorDifference(got.gradients[i], want.gradients[i], comparison);
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

// All cores, for the call in float64 of a program that measures with one.
class AllThreads {
 public:
  AllThreads() : before_(at::get_num_threads()) {
    at::set_num_threads(at::intraop_default_num_threads());
  }
  AllThreads(const AllThreads&) = delete;
  ~AllThreads() { at::set_num_threads(before_); }

 private:
  const int before_;
};

class Judging {
 public:
  Judging(const Callable& call, const ArgumentState& before, const CallNotes& notes,
          const JudgeOptions& options)
      : call_(call), before_(before), notes_(notes), options_(options) {}

  void Run(const InFloat64Of& in_float64, Judgement& judgement) {
    c10::Stack first;
    CallTwice(first, judgement);
    if (judgement.finding != Finding::kVerified) return;
    if (options_.random) {
      judgement.finding = Finding::kSeeded;
    } else {
      CompareWithFloat64(std::move(first), in_float64, judgement);
    }
    // The backward pass also receives the arguments.
    if (std::string reason = Written(); !reason.empty())
      Set(Finding::kWrites, std::move(reason), judgement);
  }

 private:
  // The argument that the calls so far have written to; "" if there is none, or it is known.
  std::string Written() const { return notes_.writes.empty() ? before_.Change(call_) : ""; }

  // kVerified if two equal calls left the arguments alone and gave equal results that a comparison
  // can use; `first` has the first call's then, if the others are not for comparison, only one.
  void CallTwice(c10::Stack& first, Judgement& judgement) {
    const at::NoGradGuard no_grad;
    first = SeededCall(call_);
    const c10::Stack second = SeededCall(call_);
    if (std::string reason = Written(); !reason.empty())
      return Set(Finding::kWrites, std::move(reason), judgement);
    if (options_.own_memory && notes_.alias.empty()) {
      std::string reason = SharedMemory(first, call_);
      if (reason.empty()) reason = SharedMemory(second, first);
      if (!reason.empty()) return Set(Finding::kAliases, std::move(reason), judgement);
    }
    if (!notes_.free.empty()) return Set(Finding::kFree, notes_.free, judgement);
    const execution::OwnKernels own;  // from here on nothing is called, all is compared
    if (std::string reason = BitDifference(first, second); !reason.empty())
      return Set(Finding::kNondeterministic, std::move(reason), judgement);
    if (options_.timed != nullptr && !options_.random) {
      const std::vector<at::Tensor> tensors = TensorsOf(first);
      if (std::string reason =
              BitDifference(c10::Stack(tensors.begin(), tensors.end()),
                            c10::Stack(options_.timed->begin(), options_.timed->end()));
          !reason.empty())
        return Set(Finding::kDiffers, reason + " from what the timed call returned", judgement);
    }
    if (!notes_.first.empty()) first.resize(1);
    if (std::string reason = NothingToCompare(first, /*may_lack=*/!notes_.lacks.empty());
        !reason.empty())
      return Set(Finding::kNothing, std::move(reason), judgement);
    for (const c10::Stack& stack : {call_.arguments, second}) {
      for (const at::Tensor& tensor : TensorsOf(stack))
        judgement.elements = std::max(judgement.elements, tensor.numel());
    }
  }

  // An operator without a derivative is not wrong; its results are still compared.
  void CompareWithFloat64(c10::Stack first, const InFloat64Of& in_float64, Judgement& judgement) {
    Differentiated got, want;
    if (options_.gradients) {
      got = DifferentiateAll(call_);
    } else {
      got.results = std::move(first);
    }
    // A kernel over ATen's must be neither its own truth nor part of the comparison.
    const execution::OwnKernels own;
    if (!own.status().ok())
      return Set(Finding::kNotCompared, std::string(own.status().message()), judgement);
    const absl::Status exact = base::CatchTorch("in float64", [&] {
      const AllThreads threads;
      const absl::StatusOr<Callable> call = in_float64();
      if (!call.ok()) throw std::runtime_error(std::string(call.status().message()));
      if (options_.gradients) {
        want = CallAndDifferentiate(*call, got.wanted);
      } else {
        const at::NoGradGuard no_grad;
        want.results = SeededCall(*call);
      }
    });
    if (!exact.ok()) return Set(Finding::kNotCompared, std::string(exact.message()), judgement);
    judgement.differentiated =
        std::any_of(got.gradients.begin(), got.gradients.end(),
                    [](const at::Tensor& gradient) { return gradient.defined(); });
    if (options_.other_operator && !judgement.differentiated)
      got.gradients.clear(), want.gradients.clear();
    if (!notes_.first.empty()) {
      got.results.resize(1);
      want.results.resize(1);
    }
    Comparison comparison = {.unit = options_.unit,
                             .coarsest = CoarsestOf(TensorsOf(call_.arguments))};
    std::string difference = ResultDifference(got.results, want.results, comparison);
    comparison.factor = options_.gradient_factor;
    if (difference.empty()) difference = GradientDifference(got, want, comparison);
    judgement.error = comparison.error;
    if (!difference.empty()) return Set(Finding::kDiffers, std::move(difference), judgement);
    if (!notes_.lacks.empty()) return;
    if (std::string nothing = NothingInGradients(got.gradients); !nothing.empty())
      Set(Finding::kNothing, std::move(nothing), judgement);
  }

  const Callable& call_;
  const ArgumentState& before_;
  const CallNotes& notes_;
  const JudgeOptions& options_;
};

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
    case Finding::kOutside:
      return "touches memory outside";
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

InFloat64Of ByCasting(const Callable& call) {
  return [&call]() -> absl::StatusOr<Callable> {
    Callable exact = call;
    exact.arguments = InFloat64(std::move(exact.arguments));
    return exact;
  };
}

Judgement Judge(const Callable& call, const ArgumentState& before, const InFloat64Of& in_float64,
                const CallNotes& notes, const JudgeOptions& options) {
  Judgement judgement;
  const absl::Status compared = base::CatchTorch(
      "compared", [&] { Judging(call, before, notes, options).Run(in_float64, judgement); });
  if (!compared.ok()) Set(Finding::kNotCompared, std::string(compared.message()), judgement);
  return judgement;
}

}  // namespace assay::operators
