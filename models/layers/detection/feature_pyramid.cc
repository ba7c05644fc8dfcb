#include "models/layers/detection/feature_pyramid.h"

#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/upsample_nearest2d.h>

#include <utility>

#include "absl/strings/str_cat.h"

namespace assay::models {

FeaturePyramid::FeaturePyramid(Layer& parent, std::string name,
                               const FeaturePyramidOptions& options)
    : Layer(parent, std::move(name)) {
  for (const int64_t in : options.in) {
    inner_.push_back(std::make_unique<Conv2d>(
        *this, absl::StrCat("inner_blocks.", inner_.size(), ".0"),
        Conv2dOptions{.in = in, .out = options.out, .kernel = 1, .bias = true}));
  }
  const auto convolution = [&](const std::string& called, int64_t stride) {
    return std::make_unique<Conv2d>(*this, called,
                                    Conv2dOptions{.in = options.out,
                                                  .out = options.out,
                                                  .kernel = 3,
                                                  .stride = stride,
                                                  .padding = 1,
                                                  .bias = true});
  };
  while (layers_.size() < inner_.size())
    layers_.push_back(convolution(absl::StrCat("layer_blocks.", layers_.size(), ".0"), 1));
  if (options.top == PyramidTop::kPool) return;
  p6_ = convolution("extra_blocks.p6", 2);
  p7_ = convolution("extra_blocks.p7", 2);
}

std::vector<at::Tensor> FeaturePyramid::Forward(const std::vector<at::Tensor>& stages) {
  std::vector<at::Tensor> levels(stages.size());
  at::Tensor sum;
  for (size_t i = stages.size(); i-- > 0;) {
    at::Tensor inner = inner_[i]->Forward(stages[i]);
    sum = sum.defined() ? inner + at::upsample_nearest2d(sum, {inner.size(2), inner.size(3)})
                        : std::move(inner);
    levels[i] = layers_[i]->Forward(sum);
  }
  if (p6_ == nullptr) {
    levels.push_back(at::max_pool2d(levels.back(), /*kernel_size=*/{1, 1}, /*stride=*/{2, 2}));
    return levels;
  }
  levels.push_back(p6_->Forward(levels.back()));
  levels.push_back(p7_->Forward(at::relu(levels.back())));
  return levels;
}

}  // namespace assay::models
