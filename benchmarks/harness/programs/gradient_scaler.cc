#include "benchmarks/harness/programs/gradient_scaler.h"

#include <ATen/ops/_amp_foreach_non_finite_check_and_unscale.h>
#include <ATen/ops/_amp_update_scale.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>

namespace assay::execution {
namespace {

// torch.amp.GradScaler's defaults.
constexpr double kFirstScale = 65536, kGrowth = 2, kBackoff = 0.5;
constexpr int64_t kGrowthInterval = 2000;

}  // namespace

GradientScaler::GradientScaler(at::Device device)
    : scale_(at::full({}, kFirstScale, at::TensorOptions(device).dtype(at::kFloat))),
      growth_tracker_(at::zeros({}, at::TensorOptions(device).dtype(at::kInt))),
      found_inf_(at::zeros({}, at::TensorOptions(device).dtype(at::kFloat))) {}

at::Tensor GradientScaler::Scale(const at::Tensor& loss) const { return loss.mul(scale_); }

void GradientScaler::Unscale(at::TensorList gradients) {
  const c10::NoGradGuard no_grad;
  found_inf_.zero_();
  // float64, so that the reciprocal of a power of two is exact, as in Python.
  const at::Tensor inverse = scale_.to(at::kDouble).reciprocal().to(at::kFloat);
  at::_amp_foreach_non_finite_check_and_unscale_(gradients, found_inf_, inverse);
}

void GradientScaler::Update() {
  const c10::NoGradGuard no_grad;
  at::_amp_update_scale_(scale_, growth_tracker_, found_inf_, kGrowth, kBackoff, kGrowthInterval);
}

}  // namespace assay::execution
