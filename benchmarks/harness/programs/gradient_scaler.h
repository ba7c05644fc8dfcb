#ifndef ASSAY_BENCHMARKS_HARNESS_PROGRAMS_GRADIENT_SCALER_H_
#define ASSAY_BENCHMARKS_HARNESS_PROGRAMS_GRADIENT_SCALER_H_

// ---------------------------------------------------------------------------------------------
// gradient_scaler.h: torch.amp.GradScaler: the loss is multiplied before backward, so that small
// gradients survive float16, and the gradients are divided before the update. Gradients that
// overflow skip the update and halve the scale; it doubles after 2000 steps without one.
//
// Not for: choosing whether to scale.
//
// Example:
//   GradientScaler scaler(device);
//   scaler.Scale(loss).backward();
//   scaler.Unscale(gradients);
//   optimizer.Step(scaler.found_inf());
//   scaler.Update();
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

namespace assay::execution {

class GradientScaler {
 public:
  explicit GradientScaler(at::Device device);

  at::Tensor Scale(const at::Tensor& loss) const;
  // Divides in place, and looks for NaN and infinity.
  void Unscale(at::TensorList gradients);
  // A float32 scalar: not zero if the last Unscale() found NaN or infinity.
  const at::Tensor& found_inf() const { return found_inf_; }
  void Update();

 private:
  at::Tensor scale_, growth_tracker_, found_inf_;
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_PROGRAMS_GRADIENT_SCALER_H_
