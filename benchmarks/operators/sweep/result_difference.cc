#include "benchmarks/operators/sweep/result_difference.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/view_as_real.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/base/shape_text.h"
#include "benchmarks/harness/numerics/error_measures.h"
#include "benchmarks/harness/numerics/output_stats.h"
#include "benchmarks/harness/numerics/rules.h"
#include "benchmarks/operators/sweep/value_leaves.h"

namespace assay::sweep {
namespace {

constexpr double kLargest = 1e-4, kRms = 1e-5;  // RELATIVE_TO_STD for float32: defs/tolerances.bzl

// A contiguous copy without names; complex numbers become pairs.
at::Tensor Dense(at::Tensor tensor) {
  tensor = tensor.detach();
  if (tensor._is_zerotensor()) tensor = at::zeros(tensor.sizes(), tensor.options());
  if (tensor.has_names()) tensor = tensor.rename(std::nullopt);
  if (tensor.is_quantized()) tensor = tensor.dequantize();
  if (tensor.layout() != at::kStrided) tensor = tensor.to_dense();
  if (tensor.is_complex()) tensor = at::view_as_real(tensor.resolve_conj());
  return tensor.contiguous();
}

std::vector<double> Values(const at::Tensor& dense) {
  const at::Tensor doubles = dense.to(at::kDouble).flatten();
  const double* data = doubles.const_data_ptr<double>();
  return std::vector<double>(data, data + doubles.numel());
}

// NaN equals itself here.
bool SameBits(const at::Tensor& first, const at::Tensor& second) {
  if (first.defined() != second.defined()) return false;
  if (!first.defined()) return true;
  const at::Tensor a = Dense(first), b = Dense(second);
  if (a.sizes() != b.sizes() || a.scalar_type() != b.scalar_type()) return false;
  if (!a.is_floating_point()) return at::equal(a, b);
  return a.equal(b) || ((a == b) | (a.isnan() & b.isnan())).all().item<bool>();
}

// A number may differ by rounding.
bool Near(const c10::IValue& got, const c10::IValue& want) {
  if (!got.isDouble() || !want.isDouble()) return SameValue(got, want);
  const double distance = std::abs(got.toDouble() - want.toDouble());
  return SameValue(got, want) || distance <= kLargest * (1 + std::abs(want.toDouble()));
}

std::string Name(const Leaf& leaf) { return absl::StrCat("result ", leaf.position, leaf.element); }

bool SamePlaces(const std::vector<Leaf>& a, const std::vector<Leaf>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Leaf& x, const Leaf& y) {
    return x.position == y.position && x.element == y.element &&
           x.value.isTensor() == y.value.isTensor();
  });
}

}  // namespace

std::string TensorDifference(const at::Tensor& got_tensor, const at::Tensor& want_tensor,
                             double* error) {
  const at::Tensor got = Dense(got_tensor), want = Dense(want_tensor);
  if (got.sizes() != want.sizes())
    return absl::StrCat("has shape ", base::ShapeText(got.sizes()), ", in float64 ",
                        base::ShapeText(want.sizes()));
  if (!want.is_floating_point())
    return at::equal(got.to(want.scalar_type()), want) ? "" : "differs";
  std::vector<double> a, b;
  const std::vector<double> all = Values(got), exact = Values(want);
  for (size_t i = 0; i < all.size(); ++i) {
    if (std::isfinite(all[i]) && std::isfinite(exact[i])) {
      a.push_back(all[i]);
      b.push_back(exact[i]);
    } else if (!(std::isnan(all[i]) && std::isnan(exact[i])) && all[i] != exact[i]) {
      return absl::StrFormat("is %g where float64 gives %g", all[i], exact[i]);
    }
  }
  if (b.empty()) return "";
  numerics::OutputStatsBuilder stats;
  stats.Add(b);
  const double scale = numerics::ScaleOf(stats.Stats()).value;
  const double rms = numerics::RootMeanSquareError(a, b) / scale;
  const double largest = numerics::LargestError(a, b) / scale;
  *error = std::max(*error, largest);
  if (rms <= kRms && largest <= kLargest) return "";
  return absl::StrFormat("differs by %.2g of its spread, rms %.2g", largest, rms);
}

std::string ResultDifference(const torch::jit::Stack& got, const torch::jit::Stack& want,
                             double* error) {
  const std::vector<Leaf> a = LeavesOf(got), b = LeavesOf(want);
  if (!SamePlaces(a, b)) return "returns another number of results in float64";
  for (size_t i = 0; i < a.size(); ++i) {
    std::string difference;
    if (!a[i].value.isTensor()) {
      if (!Near(a[i].value, b[i].value)) difference = "differs";
    } else if (a[i].value.toTensor().defined() != b[i].value.toTensor().defined()) {
      difference = "exists in one of them only";
    } else if (a[i].value.toTensor().defined()) {
      difference = TensorDifference(a[i].value.toTensor(), b[i].value.toTensor(), error);
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

}  // namespace assay::sweep
