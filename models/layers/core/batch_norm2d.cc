#include "models/layers/core/batch_norm2d.h"

#include <ATen/ops/batch_norm.h>
#include <c10/util/Exception.h>

#include <utility>

#include "models/layers/core/recipes.h"

namespace assay::models {

BatchNorm2d::BatchNorm2d(Layer& parent, std::string name, const BatchNorm2dOptions& options)
    : Layer(parent, std::move(name)),
      eps_(options.eps),
      momentum_(options.momentum),
      frozen_(options.frozen) {
  if (frozen_) {
    AddBuffer("weight", {options.channels}, ScaleInit(options.gain), weight_);
    AddBuffer("bias", {options.channels}, BiasInit(), bias_);
    AddBuffer("running_mean", {options.channels}, BiasInit(), running_mean_);
    AddBuffer("running_var", {options.channels}, ScaleInit(), running_var_);
    return;
  }
  AddParameter("weight", {options.channels}, ScaleInit(options.gain), weight_);
  AddParameter("bias", {options.channels}, BiasInit(), bias_);
  AddBuffer("running_mean", {options.channels}, BiasInit(), running_mean_);
  AddBuffer("running_var", {options.channels}, ScaleInit(), running_var_);
  AddCounter("num_batches_tracked", num_batches_tracked_);
}

BatchNorm2d::Affine BatchNorm2d::AsAffine() const {
  const at::Tensor scale =
      weight_.to(at::kDouble).mul(running_var_.to(at::kDouble).add(eps_).rsqrt());
  return {scale, bias_.to(at::kDouble).sub(running_mean_.to(at::kDouble).mul(scale))};
}

at::Tensor BatchNorm2d::Forward(const at::Tensor& x) {
  if (frozen_) {
    const at::Tensor scale = weight_.mul(running_var_.add(eps_).rsqrt());
    const at::Tensor shift = bias_.sub(running_mean_.mul(scale));
    return x.mul(scale.view({-1, 1, 1})).add_(shift.view({-1, 1, 1}));
  }
  if (training()) {
    // LibTorch itself would return NaN; torch.nn refuses, too.
    TORCH_CHECK_VALUE(x.numel() > x.size(1),
                      "batch norm in training needs more than one value a "
                      "channel, and its input is ",
                      x.sizes(), "; give a larger batch or a larger image");
    num_batches_tracked_.add_(1);
  }
  return at::batch_norm(x, weight_, bias_, running_mean_, running_var_, training(), momentum_, eps_,
                        /*cudnn_enabled=*/true);
}

}  // namespace assay::models
