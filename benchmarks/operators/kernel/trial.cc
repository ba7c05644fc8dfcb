#include "benchmarks/operators/kernel/trial.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/operators/judge/result_difference.h"
#include "benchmarks/operators/kernel/candidate.h"
#include "benchmarks/operators/kernel/element_check.h"
#include "benchmarks/operators/kernel/gradients.h"
#include "benchmarks/operators/kernel/isolated_call.h"
#include "benchmarks/operators/kernel/sized_call.h"
#include "benchmarks/operators/kernel/truth.h"

namespace assay::kernel {
namespace {

constexpr std::string_view kLayoutTexts[kLayouts] = {"", "transposed", "sliced", "broadcast"};
constexpr std::string_view kValueTexts[kValues] = {"",
                                                   "values with NaN",
                                                   "values with infinities",
                                                   "a row of -inf",
                                                   "subnormals",
                                                   "huge values",
                                                   "ties",
                                                   "constant values",
                                                   "sorted",
                                                   "a long tail"};

struct Extremes {
  double largest, subnormal;
};
Extremes ExtremesOf(at::ScalarType dtype) {
  switch (dtype) {
    case at::kHalf:
      return {65504, 5.9604645e-8};
    case at::kBFloat16:
      return {3.3895e38, 9.1835e-41};
    case at::kDouble:
      return {std::numeric_limits<double>::max(), std::numeric_limits<double>::denorm_min()};
    default:
      return {std::numeric_limits<float>::max(), std::numeric_limits<float>::denorm_min()};
  }
}

// `flat`: contiguous doubles of a tensor that ends as `dtype`; `row`: elements of its last dimension.
void Change(Values values, int64_t row, Extremes extremes, std::mt19937_64& draw,
            at::Tensor& flat) {
  double* x = flat.mutable_data_ptr<double>();
  const int64_t n = flat.numel();
  if (n == 0) return;
  const double infinity = std::numeric_limits<double>::infinity();
  const auto some = [&](int64_t one_in) { return static_cast<int64_t>(draw() % one_in) == 0; };
  switch (values) {
    case Values::kDrawn:
      return;
    case Values::kNan:
      for (int64_t i = 0; i < n; ++i) x[i] = some(7) ? std::nan("") : x[i];
      return;
    case Values::kInfinite:
      for (int64_t i = 0; i < n; ++i) x[i] = some(7) ? (some(2) ? infinity : -infinity) : x[i];
      return;
    case Values::kNegativeInfinity: {
      const int64_t first = static_cast<int64_t>(draw() % static_cast<uint64_t>(n / row)) * row;
      std::fill(x + first, x + first + row, -infinity);
      return;
    }
    case Values::kSubnormal:
      for (int64_t i = 0; i < n; ++i)
        x[i] = extremes.subnormal * static_cast<double>(1 + draw() % 100) * (some(2) ? 1 : -1);
      return;
    case Values::kHuge:
      for (int64_t i = 0; i < n; ++i)
        x[i] = extremes.largest * (some(2) ? 1 : -1) / static_cast<double>(1 + draw() % 8);
      return;
    case Values::kTies:
      for (int64_t i = 0; i < n; ++i) x[i] = static_cast<double>(draw() % 3) - 1;
      return;
    case Values::kConstant:
      std::fill(x, x + n, 0.75);
      return;
    case Values::kSorted:
      for (int64_t i = 0; i + row <= n; i += row) std::sort(x + i, x + i + row);
      return;
    case Values::kLongTail:
      for (int64_t i = 0; i < n; ++i) x[i] *= some(31) ? 1e6 : 1;
      return;
  }
}

at::Tensor WithValues(const at::Tensor& tensor, Values values, std::mt19937_64& draw) {
  if (values == Values::kDrawn || !tensor.is_floating_point() || tensor.numel() == 0) return tensor;
  at::Tensor flat = tensor.to(at::kDouble).contiguous().clone();
  Change(values, tensor.dim() == 0 ? 1 : tensor.size(-1), ExtremesOf(tensor.scalar_type()), draw,
         flat);
  return flat.to(tensor.scalar_type());
}

// The same numbers in another place; nullopt for a tensor that cannot lie so.
std::optional<at::Tensor> WithLayout(const at::Tensor& tensor, Layout layout) {
  switch (layout) {
    case Layout::kPlain:
      return tensor.contiguous();
    case Layout::kTransposed:
      if (tensor.dim() < 2 || tensor.size(-1) < 2 || tensor.size(-2) < 2) return std::nullopt;
      return tensor.transpose(-1, -2).contiguous().transpose(-1, -2);
    case Layout::kSliced: {
      if (tensor.dim() < 1 || tensor.numel() == 0) return std::nullopt;
      std::vector<int64_t> sizes = tensor.sizes().vec();
      sizes.back() = 1;
      const at::Tensor edge = at::zeros(sizes, tensor.options());
      const at::Tensor longer = at::cat({edge, tensor, edge}, -1);
      return longer.narrow(-1, 1, tensor.size(-1));
    }
    case Layout::kBroadcast:
      if (tensor.dim() < 1 || tensor.size(0) < 2) return std::nullopt;
      return tensor.narrow(0, 0, 1).contiguous().expand(tensor.sizes());
  }
  return tensor;
}

// False where no input can lie as the trial says.
bool Arrange(const Trial& trial, SizedCall& call) {
  std::mt19937_64 draw(trial.seed);
  bool any = false;
  for (auto& [name, tensor] : call.inputs) {
    tensor = WithValues(tensor, trial.values, draw);
    if (!tensor.is_floating_point() && trial.layout == Layout::kBroadcast) continue;
    if (std::optional<at::Tensor> arranged = WithLayout(tensor, trial.layout)) {
      tensor = *std::move(arranged);
      any = true;
    }
  }
  return any || trial.layout == Layout::kPlain;
}

TrialEnd Wrong(const Trial& trial, std::string kind, std::string text) {
  TrialEnd end = {.state = TrialEnd::State::kWrong};
  end.failure.set_kind(std::move(kind));
  end.failure.set_where(TrialText(trial));
  end.failure.set_text(std::move(text));
  return end;
}

TrialEnd NoQuestion(const absl::Status& why) {
  TrialEnd end = {.state = TrialEnd::State::kNoQuestion};
  end.failure.set_text(std::string(why.message()));
  return end;
}

TrialEnd Compare(const Candidate& candidate, const Trial& trial, const SizedCall& call,
                 const CallEnd& called, const Truth& truth) {
  TrialEnd end;
  const Difference difference =
      CompareResults(call, called.results, truth, trial.values == Values::kDrawn);
  if (!difference.kind.empty()) end = Wrong(trial, difference.kind, difference.text);
  end.error_share = difference.share;
  end.absolute_error = difference.absolute;
  end.relative_error = difference.relative;
  if (!difference.kind.empty()) return end;
  if (candidate.nondeterministic) return end;
  for (size_t i = 0; i < called.results.size() && i < called.again.size(); ++i) {
    const std::string place = operators::FirstOtherElement(called.results[i], called.again[i]);
    if (place.empty()) continue;
    TrialEnd differs = Wrong(trial, "two equal calls differ",
                             absl::StrCat("result ", place,
                                          " has other bits in the second of two equal calls; "
                                          "declare a kernel that adds in any order with "
                                          "--nondeterministic"));
    differs.error_share = end.error_share;
    differs.absolute_error = end.absolute_error;
    differs.relative_error = end.relative_error;
    return differs;
  }
  return end;
}

TrialEnd CompareGradientsOf(const Candidate& candidate, const Trial& trial, const SizedCall& call) {
  const GradientEnd end = CompareGradients(
      candidate.name, call, {.threads = candidate.threads, .timeout = candidate.timeout});
  if (!end.asked) return {.state = TrialEnd::State::kNoQuestion};
  if (!end.note.empty()) {
    TrialEnd noted = Wrong(trial, "no gradients", end.note);
    noted.state = TrialEnd::State::kNoted;
    return noted;
  }
  if (end.difference.kind.empty()) return {.error_share = end.difference.share};
  return Wrong(trial, end.difference.kind, end.difference.text);
}

}  // namespace

std::string TrialText(const Trial& trial) {
  std::string text =
      absl::StrCat(SizesText(trial.sizes), ", ", absl::AsciiStrToLower(Dtype_Name(trial.dtype)));
  for (const std::string_view word : {kLayoutTexts[static_cast<int>(trial.layout)],
                                      kValueTexts[static_cast<int>(trial.values)]}) {
    if (!word.empty()) absl::StrAppend(&text, ", ", word);
  }
  if (trial.gradients) absl::StrAppend(&text, ", gradients");
  return text;
}

TrialEnd RunTrial(const Candidate& candidate, const Trial& trial) {
  absl::StatusOr<SizedCall> call = AtSizes(candidate.row, trial.sizes, trial.dtype, trial.seed);
  if (!call.ok()) return NoQuestion(call.status());
  if (!Arrange(trial, *call)) return {.state = TrialEnd::State::kNoQuestion};
  const std::string& like_name = candidate.row.call().name();
  const absl::StatusOr<execution::BoundOperator> like = Bind(like_name, *call);
  if (!like.ok()) return NoQuestion(like.status());
  const absl::StatusOr<execution::BoundOperator> bound = BindLike(candidate.name, *like);
  if (!bound.ok()) return Wrong(trial, "another signature", std::string(bound.status().message()));
  if (trial.gradients) return CompareGradientsOf(candidate, trial, *call);
  absl::StatusOr<execution::BoundOperator> between = absl::NotFoundError("");
  if (const absl::StatusOr<SizedCall> other =
          AtSizes(candidate.row, trial.sizes, trial.dtype, trial.seed ^ 1);
      other.ok()) {
    const absl::StatusOr<execution::BoundOperator> other_like = Bind(like_name, *other);
    if (other_like.ok()) between = BindLike(candidate.name, *other_like);
  }
  const CallEnd called = CallIsolated(*bound, {.edge = trial.edge,
                                               .threads = candidate.threads,
                                               .between = between.ok() ? &*between : nullptr,
                                               .timeout = candidate.timeout});
  if (called.kind == "surroundings") {
    TrialEnd end = Wrong(trial, called.kind, called.text);
    end.state = TrialEnd::State::kSurroundings;
    return end;
  }
  // After the candidate has ended: nothing of the truth was there while it ran.
  const absl::StatusOr<Truth> truth = TruthOf(*call);
  if (!truth.ok()) return NoQuestion(truth.status());
  if (!called.kind.empty()) {
    TrialEnd end = Wrong(trial, called.kind, called.text);
    if (called.kind == "threw") end.state = TrialEnd::State::kRefused;
    return end;
  }
  return Compare(candidate, trial, *call, called, *truth);
}

}  // namespace assay::kernel
