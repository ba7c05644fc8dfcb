#include "benchmarks/harness/programs/fused_optimizer.h"

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_sub.h>
#include <ATen/ops/_fused_adam.h>
#include <ATen/ops/_fused_adamw.h>
#include <ATen/ops/_fused_sgd.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros_like.h>
#include <c10/core/GradMode.h>

#include <utility>

namespace assay::execution {
namespace {

double LearningRate(const Optimizer& settings) {
  if (settings.has_sgd()) return settings.sgd().learning_rate();
  return settings.has_adam() ? settings.adam().learning_rate() : settings.adamw().learning_rate();
}

}  // namespace

FusedOptimizer::FusedOptimizer(const Optimizer& settings, std::vector<at::Tensor> parameters)
    : settings_(settings),
      parameters_(std::move(parameters)),
      learning_rate_(LearningRate(settings)),
      states_(parameters_.size()) {}

FusedOptimizer::Lists FusedOptimizer::Gather() {
  const bool has_first = !settings_.has_sgd() || settings_.sgd().momentum() > 0;
  Lists lists;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    const at::Tensor& parameter = parameters_[i];
    if (!parameter.grad().defined()) continue;
    Moments& state = states_[i];
    lists.parameters.push_back(parameter);
    lists.gradients.push_back(parameter.grad());
    if (!has_first) continue;
    if (!state.first.defined()) state.first = at::zeros_like(parameter);
    lists.first.push_back(state.first);
    if (settings_.has_sgd()) continue;
    if (!state.second.defined()) {
      state.second = at::zeros_like(parameter);
      state.steps = at::full({}, miscount_, parameter.options().dtype(at::kFloat));
    }
    lists.second.push_back(state.second);
    lists.steps.push_back(state.steps);
  }
  return lists;
}

std::vector<at::Tensor> FusedOptimizer::State() const {
  std::vector<at::Tensor> tensors;
  for (const Moments& state : states_) {
    for (const at::Tensor& tensor : {state.first, state.second, state.steps}) {
      if (tensor.defined()) tensors.push_back(tensor);
    }
  }
  return tensors;
}

void FusedOptimizer::Step(const at::Tensor& found_inf) {
  const c10::NoGradGuard no_grad;
  Lists lists = Gather();
  if (lists.parameters.empty()) return;
  const auto given = found_inf.defined() ? std::optional<at::Tensor>(found_inf) : std::nullopt;
  if (settings_.has_sgd()) {
    StepSgd(lists, given);
  } else {
    StepAdam(lists, given);
  }
}

void FusedOptimizer::StepSgd(Lists& lists, const std::optional<at::Tensor>& found_inf) {
  const Sgd& sgd = settings_.sgd();
  at::_fused_sgd_(lists.parameters, lists.gradients, lists.first, sgd.weight_decay(),
                  sgd.momentum(), learning_rate_, /*dampening=*/0.0, sgd.nesterov(),
                  /*maximize=*/false, /*is_first_step=*/false, /*grad_scale=*/std::nullopt,
                  found_inf);
}

void FusedOptimizer::StepAdam(Lists& lists, const std::optional<at::Tensor>& found_inf) {
  const bool decoupled = settings_.has_adamw();
  const Adam& adam = decoupled ? settings_.adamw() : settings_.adam();
  at::_foreach_add_(lists.steps, 1);
  const auto update = [&](auto kernel) {
    kernel(lists.parameters, lists.gradients, lists.first, lists.second, /*max_exp_avg_sqs=*/{},
           lists.steps, learning_rate_, adam.beta1(), adam.beta2(), adam.weight_decay(),
           adam.epsilon(), /*amsgrad=*/false, /*maximize=*/false, /*grad_scale=*/std::nullopt,
           found_inf);
  };
  using Scalars =
      void (*)(at::TensorList, at::TensorList, at::TensorList, at::TensorList, at::TensorList,
               at::TensorList, double, double, double, double, double, bool, bool,
               const std::optional<at::Tensor>&, const std::optional<at::Tensor>&);
  update(decoupled ? static_cast<Scalars>(&at::_fused_adamw_)
                   : static_cast<Scalars>(&at::_fused_adam_));
  // A step that was skipped does not count.
  if (found_inf.has_value()) {
    at::_foreach_sub_(lists.steps, std::vector<at::Tensor>(lists.steps.size(), *found_inf));
  }
}

}  // namespace assay::execution
