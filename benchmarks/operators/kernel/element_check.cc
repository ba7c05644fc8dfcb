#include "benchmarks/operators/kernel/element_check.h"

#include <ATen/TensorOperators.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/numerics/output_stats.h"
#include "benchmarks/harness/numerics/rules.h"
#include "benchmarks/harness/text/shape_text.h"
#include "benchmarks/operators/judge/result_difference.h"

namespace assay::kernel {
namespace {

std::string NumberText(double number) {
  return std::isnan(number) ? "NaN" : absl::StrFormat("%.9g", number);
}

at::Tensor Doubles(const at::Tensor& tensor) {
  return tensor.detach().to(at::kDouble).contiguous();
}

bool HoldsPoison(const at::Tensor& contiguous, int64_t element, uint8_t poison) {
  const auto size = static_cast<size_t>(contiguous.element_size());
  const auto* at = static_cast<const uint8_t*>(contiguous.const_data_ptr()) +
                   static_cast<size_t>(element) * size;
  return std::all_of(at, at + size, [poison](uint8_t byte) { return byte == poison; });
}

// Whether both are the same that is not finite, or the dtype has no such number.
bool SameNonfinite(double got, double want, double largest) {
  if (std::isnan(want)) return std::isnan(got);
  if (got == want) return true;
  return std::isinf(got) && std::abs(want) > largest && std::signbit(got) == std::signbit(want);
}

class Elements {
 public:
  Elements(const at::Tensor& got, const at::Tensor& truth, const at::Tensor* aten,
           const OutputLimit& limit, double largest)
      : tensors_{Doubles(got), Doubles(truth), aten == nullptr ? at::Tensor() : Doubles(*aten)},
        got_(tensors_[0].const_data_ptr<double>()),
        want_(tensors_[1].const_data_ptr<double>()),
        aten_(aten == nullptr ? nullptr : tensors_[2].const_data_ptr<double>()),
        count_(static_cast<size_t>(got.numel())),
        limit_(limit),
        largest_(largest) {}

  // The element whose error is largest as a share of what it may be; -1 where all have none.
  int64_t Worst(double& share) {
    share = 0;
    int64_t worst = -1;
    if (limit_.kind == OutputLimit::Kind::kSpread) Spread();
    for (size_t i = 0; i < count_; ++i) {
      const double of = ShareOf(i);
      if (of > share) share = of, worst = static_cast<int64_t>(i);
    }
    if (rms_share_ > share) share = rms_share_;
    return worst;
  }
  void Largest(double& absolute, double& relative) const {
    for (size_t i = 0; i < count_; ++i) {
      const double error = std::abs(got_[i] - want_[i]);
      if (std::isfinite(error)) {
        absolute = std::max(absolute, error);
        relative = std::max(relative, error / (std::abs(want_[i]) + 1e-8));
      } else if (!Free(i) && !SameNonfinite(got_[i], want_[i], largest_)) {
        absolute = relative = std::numeric_limits<double>::infinity();
      }
    }
  }
  double got(int64_t i) const { return got_[static_cast<size_t>(i)]; }
  double want(int64_t i) const { return want_[static_cast<size_t>(i)]; }
  double Allowed(int64_t i) const { return AllowedAt(static_cast<size_t>(i)); }
  bool RmsIsWorst(double share) const { return rms_share_ > 1 && rms_share_ >= share; }

 private:
  bool Free(size_t i) const {
    return aten_ != nullptr && !SameNonfinite(aten_[i], want_[i], largest_) &&
           std::isfinite(aten_[i]) != std::isfinite(want_[i]);
  }
  double AtenError(size_t i) const {
    return aten_ != nullptr && std::isfinite(aten_[i]) && std::isfinite(want_[i])
               ? 2 * std::abs(aten_[i] - want_[i])
               : 0;
  }
  double AllowedAt(size_t i) const {
    if (limit_.kind == OutputLimit::Kind::kEqual) return 0;
    if (limit_.kind == OutputLimit::Kind::kSpread) return spread_allowed_;
    return std::max(limit_.atol + limit_.rtol * std::abs(want_[i]), AtenError(i));
  }
  double ShareOf(size_t i) const {
    constexpr double kWrong = 1e9;
    if (Free(i)) return 0;
    if (!std::isfinite(got_[i]) || !std::isfinite(want_[i]))
      return SameNonfinite(got_[i], want_[i], largest_) ? 0 : kWrong;
    const double error = std::abs(got_[i] - want_[i]);
    const double allowed = AllowedAt(i);
    if (error == 0) return 0;
    return allowed > 0 ? std::min(error / allowed, kWrong) : kWrong;
  }
  // The unit of errors, and the root mean square's share of its limit.
  void Spread() {
    std::vector<double> finite;
    double squares = 0, aten_squares = 0, aten_largest = 0;
    for (size_t i = 0; i < count_; ++i) {
      if (!std::isfinite(want_[i])) continue;
      finite.push_back(want_[i]);
      if (std::isfinite(got_[i]) && !Free(i)) squares += std::pow(got_[i] - want_[i], 2);
      aten_squares += std::pow(AtenError(i), 2);
      aten_largest = std::max(aten_largest, AtenError(i));
    }
    if (finite.empty()) return;
    numerics::OutputStatsBuilder stats;
    stats.Add(finite);
    const double unit = std::max(numerics::ScaleOf(stats.Stats()).value, limit_.least_unit);
    spread_allowed_ = std::max(limit_.largest * unit, aten_largest);
    if (static_cast<int64_t>(count_) < kFewestElements) return;
    const auto count = static_cast<double>(finite.size());
    const double allowed = std::max(limit_.rms * unit, std::sqrt(aten_squares / count));
    rms_share_ = allowed > 0 ? std::sqrt(squares / count) / allowed : 0;
  }

  const std::array<at::Tensor, 3> tensors_;              // in which the numbers lie
  const double *const got_, *const want_, *const aten_;  // aten_: or null
  const size_t count_;
  const OutputLimit& limit_;
  const double largest_;
  double spread_allowed_ = 0, rms_share_ = 0;
};

}  // namespace

Difference CompareElements(const at::Tensor& got, const at::Tensor& truth, at::ScalarType dtype,
                           const OutputLimit& limit, const at::Tensor* aten, uint8_t poison) {
  if (got.sizes() != truth.sizes())
    return {"another shape", absl::StrCat("result has shape ", base::ShapeText(got.sizes()),
                                          ", ATen's ", base::ShapeText(truth.sizes()))};
  if (got.scalar_type() != dtype)
    return {"another dtype", absl::StrCat("result has dtype ", c10::toString(got.scalar_type()),
                                          ", ATen's ", c10::toString(dtype))};
  const at::Tensor flat = got.contiguous();
  Elements elements(got, truth, aten, limit, operators::LargestNumber(dtype));
  Difference difference;
  const int64_t worst = elements.Worst(difference.share);
  elements.Largest(difference.absolute, difference.relative);
  if (difference.share <= 1) return difference;
  const std::string place = worst < 0 ? "[]" : operators::ElementText(worst, got.sizes());
  if (worst < 0 || elements.RmsIsWorst(difference.share)) {
    difference.kind = "differs";
    difference.text = absl::StrFormat(
        "the errors of all elements are %.3g times what they may be in the root mean square, the "
        "largest is at result %s",
        difference.share, place);
    return difference;
  }
  const bool unwritten = HoldsPoison(flat, worst, poison) &&
                         !(std::isnan(elements.want(worst)) && std::isnan(elements.got(worst)));
  if (unwritten) {
    difference.kind = "unwritten";
    difference.text = absl::StrFormat("result %s was not written to; float64 gives %.6g", place,
                                      elements.want(worst));
  } else {
    difference.kind = "differs";
    const double got_number = elements.got(worst), wanted = elements.want(worst);
    difference.text = absl::StrCat("result ", place, " is ", NumberText(got_number),
                                   ", float64 gives ", NumberText(wanted));
    if (std::isfinite(got_number) && std::isfinite(wanted))
      absl::StrAppendFormat(&difference.text, " (allowed +-%.2g)", elements.Allowed(worst));
  }
  return difference;
}

}  // namespace assay::kernel
