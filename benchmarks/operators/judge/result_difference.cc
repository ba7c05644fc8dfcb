#include "benchmarks/operators/judge/result_difference.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/numerics/output_stats.h"
#include "benchmarks/harness/numerics/rules.h"
#include "benchmarks/harness/text/shape_text.h"
#include "benchmarks/operators/judge/value_leaves.h"

namespace assay::operators {
namespace {

constexpr DtypeLimits kLimits[] = {
#include "benchmarks/operators/judge/limits.inc"
};

// A contiguous copy without names; complex numbers become pairs.
at::Tensor Dense(at::Tensor tensor) {
  tensor = tensor.detach();
  if (tensor._is_zerotensor()) tensor = at::zeros(tensor.sizes(), tensor.options());
  if (tensor.has_names()) tensor = tensor.rename(std::nullopt);
  if (tensor.is_quantized()) tensor = tensor.dequantize();
  if (tensor.layout() != at::kStrided) tensor = tensor.to_dense();
  if (tensor.is_complex()) tensor = at::view_as_real(tensor.resolve_conj());
  return tensor.cpu().contiguous();
}

// The errors of the elements that are finite in both.
class Errors {
 public:
  // Adds the elements of two flat tensors. Returns "" or what cannot be compared.
  std::string Add(const at::Tensor& got, const at::Tensor& want, double beyond) {
    const at::Tensor a = got.to(at::kDouble), b = want.to(at::kDouble);
    const double *x = a.const_data_ptr<double>(), *y = b.const_data_ptr<double>();
    finite_.clear();
    for (int64_t i = 0; i < a.numel(); ++i) {
      if (std::isfinite(x[i]) && std::isfinite(y[i])) {
        const double error = x[i] - y[i];
        squares_.Add(error * error);
        largest_ = std::max(largest_, std::abs(error));
        finite_.push_back(y[i]);
        continue;
      }
      const bool overflows =
          std::isinf(x[i]) && std::abs(y[i]) > beyond && std::signbit(x[i]) == std::signbit(y[i]);
      if (!overflows && !(std::isnan(x[i]) && std::isnan(y[i])) && x[i] != y[i])
        return absl::StrFormat("is %g where float64 gives %g", x[i], y[i]);
    }
    count_ += static_cast<double>(finite_.size());
    want_.Add(finite_);
    return "";
  }

  bool empty() const { return count_ == 0; }
  double Largest() const { return largest_; }
  double LargestWanted() const { return want_.Stats().max_abs; }
  double Rms() const { return std::sqrt(squares_.Total() / count_); }
  double Of(Unit unit) const {
    const numerics::OutputStats stats = want_.Stats();
    if (unit == Unit::kSpread) return numerics::ScaleOf(stats).value;
    return stats.l2_norm > 0 ? stats.l2_norm / std::sqrt(count_) : 1;
  }

 private:
  std::vector<double> finite_;
  numerics::OutputStatsBuilder want_;
  numerics::CompensatedSum squares_;
  double largest_ = 0, count_ = 0;
};

bool SameBits(const at::Tensor& first, const at::Tensor& second) {
  if (first.defined() != second.defined()) return false;
  return !first.defined() || FirstOtherElement(Dense(first), Dense(second)).empty();
}

// A number may differ by rounding.
bool Near(const c10::IValue& got, const c10::IValue& want) {
  if (!got.isDouble() || !want.isDouble()) return SameValue(got, want);
  const double distance = std::abs(got.toDouble() - want.toDouble());
  return SameValue(got, want) ||
         distance <= LimitsOf(at::kFloat)->largest * (1 + std::abs(want.toDouble()));
}

std::string Name(const Leaf& leaf) { return absl::StrCat("result ", leaf.position, leaf.element); }

bool SamePlaces(const std::vector<Leaf>& a, const std::vector<Leaf>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Leaf& x, const Leaf& y) {
    return x.position == y.position && x.element == y.element &&
           x.value.isTensor() == y.value.isTensor();
  });
}

}  // namespace

const DtypeLimits* LimitsOf(at::ScalarType dtype) {
  for (const DtypeLimits& limits : kLimits) {
    if (limits.dtype == dtype) return &limits;
  }
  return nullptr;
}

double LargestNumber(at::ScalarType dtype) {
  switch (dtype) {
    case at::kHalf:
      return 65504;
    case at::kFloat:
    case at::kBFloat16:
      return std::numeric_limits<float>::max();
    default:
      return std::numeric_limits<double>::max();
  }
}

std::optional<c10::ScalarType> CoarsestOf(const std::vector<at::Tensor>& tensors) {
  const DtypeLimits* widest = nullptr;
  for (const at::Tensor& tensor : tensors) {
    const DtypeLimits* limits = LimitsOf(tensor.scalar_type());
    if (limits != nullptr && (widest == nullptr || limits->rms > widest->rms)) widest = limits;
  }
  return widest == nullptr ? std::nullopt : std::optional(widest->dtype);
}

std::string ElementText(int64_t element, c10::IntArrayRef sizes) {
  std::vector<int64_t> index(sizes.size());
  for (size_t d = sizes.size(); d-- > 0;) {
    index[d] = element % sizes[d];
    element /= sizes[d];
  }
  return absl::StrCat("[", absl::StrJoin(index, ", "), "]");
}

std::string FirstOtherElement(const at::Tensor& a, const at::Tensor& b) {
  if (a.sizes() != b.sizes() || a.scalar_type() != b.scalar_type()) return "another shape or dtype";
  const at::Tensor first = a.contiguous(), second = b.contiguous();
  const auto size = static_cast<size_t>(first.element_size());
  const auto* x = static_cast<const char*>(first.const_data_ptr());
  const auto* y = static_cast<const char*>(second.const_data_ptr());
  if (first.numel() == 0 || std::memcmp(x, y, size * static_cast<size_t>(first.numel())) == 0)
    return "";
  const bool floats = first.is_floating_point();
  const at::Tensor nan = floats ? (first.isnan() & second.isnan()).contiguous() : at::Tensor();
  for (int64_t i = 0; i < first.numel(); ++i) {
    const size_t at = static_cast<size_t>(i) * size;
    if (std::memcmp(x + at, y + at, size) != 0 && !(floats && nan.const_data_ptr<bool>()[i]))
      return ElementText(i, a.sizes());
  }
  return "";
}

std::string TensorDifference(const at::Tensor& got_tensor, const at::Tensor& want_tensor,
                             Comparison& comparison) {
  const at::Tensor got = Dense(got_tensor), want = Dense(want_tensor);
  if (got.sizes() != want.sizes())
    return absl::StrCat("has shape ", base::ShapeText(got.sizes()), ", in float64 ",
                        base::ShapeText(want.sizes()));
  if (!want.is_floating_point())
    return at::equal(got.to(want.scalar_type()), want) ? "" : "differs";
  const DtypeLimits* limits = LimitsOf(got.scalar_type());
  if (limits == nullptr)
    return absl::StrCat("has dtype ", c10::toString(got.scalar_type()), ", which has no limits");
  if (comparison.coarsest && limits->rms < LimitsOf(*comparison.coarsest)->rms)
    limits = LimitsOf(*comparison.coarsest);
  constexpr int64_t kChunk = 1 << 20;
  const at::Tensor flat_got = got.flatten(), flat_want = want.flatten();
  Errors errors;
  for (int64_t first = 0; first < flat_got.numel(); first += kChunk) {
    const int64_t length = std::min(kChunk, flat_got.numel() - first);
    const std::string apart =
        errors.Add(flat_got.narrow(0, first, length), flat_want.narrow(0, first, length),
                   LargestNumber(got_tensor.scalar_type()));
    if (!apart.empty()) return apart;
  }
  if (errors.empty()) return "";
  const double unit = errors.Of(comparison.unit);
  const bool heavy_tailed = comparison.factor != 1 && errors.LargestWanted() > 0;
  const double rms = errors.Rms() / unit,
               largest = errors.Largest() / (heavy_tailed ? errors.LargestWanted() : unit);
  comparison.error = std::max(comparison.error, largest);
  const double rms_limit = comparison.factor * limits->rms,
               largest_limit = comparison.factor * limits->largest;
  if (rms <= rms_limit && largest <= largest_limit) return "";
  return absl::StrFormat("differs by %.2g of its %s, rms %.2g (limits %g, %g)", largest,
                         heavy_tailed                       ? "largest number"
                         : comparison.unit == Unit::kSpread ? "spread"
                                                            : "root mean square",
                         rms, largest_limit, rms_limit);
}

std::string ResultDifference(const torch::jit::Stack& got, const torch::jit::Stack& want,
                             Comparison& comparison) {
  const std::vector<Leaf> a = LeavesOf(got), b = LeavesOf(want);
  if (!SamePlaces(a, b)) return "returns another number of results in float64";
  for (size_t i = 0; i < a.size(); ++i) {
    std::string difference;
    if (!a[i].value.isTensor()) {
      if (!Near(a[i].value, b[i].value)) difference = "differs";
    } else if (a[i].value.toTensor().defined() != b[i].value.toTensor().defined()) {
      difference = "exists in one of them only";
    } else if (a[i].value.toTensor().defined()) {
      difference = TensorDifference(a[i].value.toTensor(), b[i].value.toTensor(), comparison);
    }
    if (!difference.empty()) return absl::StrCat(Name(a[i]), " ", difference);
  }
  return "";
}

std::string BitDifference(const torch::jit::Stack& first, const torch::jit::Stack& second) {
  const std::vector<Leaf> a = LeavesOf(first), b = LeavesOf(second);
  if (!SamePlaces(a, b)) return "another number of results";
  for (size_t i = 0; i < a.size(); ++i) {
    const bool same = a[i].value.isTensor() ? SameBits(a[i].value.toTensor(), b[i].value.toTensor())
                                            : SameValue(a[i].value, b[i].value);
    if (!same) return absl::StrCat(Name(a[i]), " differs");
  }
  return "";
}

std::string NothingIn(const at::Tensor& tensor) {
  const at::Tensor dense = Dense(tensor);
  if (dense.numel() == 0) return "is empty";
  if (!dense.is_floating_point()) return "";
  const auto nan = dense.isnan().sum().item<int64_t>();
  if (nan > 0) return absl::StrFormat("holds NaN in %d of %d elements", nan, dense.numel());
  return dense.isfinite().any().item<bool>() ? "" : "holds infinity only";
}

std::string NothingToCompare(const torch::jit::Stack& results, bool may_lack) {
  std::string first;
  bool something = false;
  for (const Leaf& leaf : LeavesOf(results)) {
    const bool is_tensor = leaf.value.isTensor();
    // A result that was not requested is neither.
    if (leaf.value.isNone() || (is_tensor && !leaf.value.toTensor().defined())) continue;
    std::string nothing;
    if (is_tensor) nothing = NothingIn(leaf.value.toTensor());
    if (leaf.value.isDouble() && std::isnan(leaf.value.toDouble())) nothing = "is NaN";
    something |= nothing.empty();
    if (first.empty() && !nothing.empty()) first = absl::StrCat(Name(leaf), " ", nothing);
  }
  if (!something && first.empty()) return "no result holds anything";
  return something && may_lack ? "" : first;
}

}  // namespace assay::operators
