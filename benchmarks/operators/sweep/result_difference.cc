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
#include "benchmarks/harness/execution/boxed_operator.h"
#include "benchmarks/harness/numerics/error_measures.h"
#include "benchmarks/harness/numerics/output_stats.h"
#include "benchmarks/harness/numerics/rules.h"

namespace assay::sweep {
namespace {

constexpr double kLargest = 1e-4, kRms = 1e-5;  // RELATIVE_TO_STD for float32: defs/tolerances.bzl

// Contiguous, on its own, without names; complex numbers as pairs.
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

std::string Differs(const c10::IValue& got, const c10::IValue& want) {
  return got == want ? "" : "a result that is no tensor differs";
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
  const std::vector<at::Tensor> a = execution::TensorsOf(got), b = execution::TensorsOf(want);
  if (a.size() != b.size()) return "returns another number of tensors in float64";
  for (size_t i = 0; i < a.size(); ++i) {
    const std::string difference = TensorDifference(a[i], b[i], error);
    if (!difference.empty()) return absl::StrCat("result ", i, " ", difference);
  }
  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i].isTensor() || got[i].isList()) continue;
    // A dtype differs as it must, and a number by rounding.
    if (got[i].isDouble() && want[i].isDouble() &&
        std::abs(got[i].toDouble() - want[i].toDouble()) <=
            kLargest * (1 + std::abs(want[i].toDouble())))
      continue;
    const std::string difference = Differs(got[i], want[i]);
    if (!difference.empty()) return difference;
  }
  return "";
}

std::string BitDifference(const torch::jit::Stack& first, const torch::jit::Stack& second) {
  const std::vector<at::Tensor> a = execution::TensorsOf(first), b = execution::TensorsOf(second);
  if (a.size() != b.size()) return "another number of tensors";
  for (size_t i = 0; i < a.size(); ++i) {
    const at::Tensor got = Dense(a[i]), want = Dense(b[i]);
    // NaN is equal to itself here.
    const bool equal =
        got.is_floating_point() && got.sizes() == want.sizes()
            ? got.equal(want) || ((got == want) | (got.isnan() & want.isnan())).all().item<bool>()
            : at::equal(got, want);
    if (!equal) return absl::StrCat("result ", i, " differs");
  }
  for (size_t i = 0; i < first.size(); ++i) {
    if (first[i].isTensor() || first[i].isList()) continue;
    const std::string difference = Differs(first[i], second[i]);
    if (!difference.empty()) return difference;
  }
  return "";
}

}  // namespace assay::sweep
