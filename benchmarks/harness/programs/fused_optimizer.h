#ifndef ASSAY_BENCHMARKS_HARNESS_PROGRAMS_FUSED_OPTIMIZER_H_
#define ASSAY_BENCHMARKS_HARNESS_PROGRAMS_FUSED_OPTIMIZER_H_

// ---------------------------------------------------------------------------------------------
// fused_optimizer.h: torch.optim's SGD, Adam and AdamW with fused = True: one multi-tensor kernel of
// ATen for all parameters. (LibTorch's own optimizers loop over the parameters, as torch.optim does
// with foreach = False and fused = False.)
//
// As in torch.optim, a parameter without a gradient is left unchanged and gets no state, and state
// has its parameter's dtype and device. SGD has no dampening; a first step with momentum starts
// from zero, which gives the same bits.
//
// Not for: learning rate schedules, AMSGrad, sparse gradients.
//
// Example:
//   FusedOptimizer optimizer(settings, parameters);
//   loss.backward();
//   optimizer.Step();
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

#include "defs/proto/suite.pb.h"

namespace assay::execution {

class FusedOptimizer {
 public:
  // `settings` must have a kind.
  FusedOptimizer(const Optimizer& settings, std::vector<at::Tensor> parameters);

  void SetLearningRate(double learning_rate) { learning_rate_ = learning_rate; }

  // Updates the parameters from their gradients. Nothing changes if `found_inf`, a float32 scalar
  // on the same device, is given and not zero.
  void Step(const at::Tensor& found_inf = {});

  // Every tensor that is kept from step to step; none before the first step.
  std::vector<at::Tensor> State() const;

  // Adds `steps` to the number of steps in Adam's bias correction: a mistake, for tests.
  void MiscountBy(double steps) { miscount_ = steps; }

 private:
  struct Moments {
    at::Tensor first;   // momentum, or Adam's first moment
    at::Tensor second;  // Adam's second moment
    at::Tensor steps;   // Adam's count, a float32 scalar
  };

  // The parameters that have gradients, with their state, in the form that the kernels want.
  struct Lists {
    std::vector<at::Tensor> parameters, gradients, first, second, steps;
  };

  Lists Gather();
  void StepSgd(Lists& lists, const std::optional<at::Tensor>& found_inf);
  void StepAdam(Lists& lists, const std::optional<at::Tensor>& found_inf);

  const Optimizer settings_;
  const std::vector<at::Tensor> parameters_;
  double learning_rate_;
  double miscount_ = 0;
  std::vector<Moments> states_;  // one for each parameter; undefined before its first step
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_PROGRAMS_FUSED_OPTIMIZER_H_
