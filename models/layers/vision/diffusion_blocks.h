#ifndef ASSAY_MODELS_LAYERS_VISION_DIFFUSION_BLOCKS_H_
#define ASSAY_MODELS_LAYERS_VISION_DIFFUSION_BLOCKS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/diffusion_blocks.h: what the networks of diffusers have in common: a time as
// features, residual blocks of convolutions, attention with its four projections. Names and shapes
// are those of diffusers.
//
// Not for: attention with norms of query and key, time that scales a norm.
//
// Example:
//
//     TwoLinear time{*this, "time_embedding", 320, 1280};
//     ResidualBlock block{*this, "resnets.0", {.in = 320, .out = 640, .groups = 32, .time = 1280}};
//     at::Tensor y = block.Forward(x, at::silu(time.Forward(features)));
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>

#include "models/layers/core/conv2d.h"
#include "models/layers/core/group_norm.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/linear.h"

namespace assay::models {

// Cosines, then sines, of a time at frequencies that fall from 1 to about 1 / 10000. Angles are
// computed in float32, or in float64 for a model in float64.
class TimeFeatures final : public Layer {
 public:
  // `features` is even. The last frequency is 10000^-((half - 1) / (half - shift)).
  TimeFeatures(Layer& parent, int64_t features, int64_t shift);

  // Times (N), integers or not, -> (N, features) in `dtype`.
  at::Tensor Forward(const at::Tensor& times, at::ScalarType dtype) const;

 private:
  at::Tensor frequencies_;  // float64 (features / 2)
};

// Two linear layers, a SiLU between them.
class TwoLinear final : public Layer {
 public:
  TwoLinear(Layer& parent, std::string name, int64_t in, int64_t out);

  at::Tensor Forward(const at::Tensor& x) const;

 private:
  Linear linear_1_;
  Linear linear_2_;
};

struct ResidualBlockOptions {
  int64_t in;
  int64_t out;
  int64_t groups;     // of the norms
  int64_t time = 0;   // features of the time that is added; 0: there is none
  double eps = 1e-5;  // of the norms
};

// Norm, SiLU and a 3x3 convolution, twice, added to the input.
class ResidualBlock final : public Layer {
 public:
  ResidualBlock(Layer& parent, std::string name, const ResidualBlockOptions& options);

  // x (N, in, H, W), time (N, time) behind its SiLU, or undefined -> (N, out, H, W).
  at::Tensor Forward(const at::Tensor& x, const at::Tensor& time) const;

 private:
  GroupNorm norm1_;
  Conv2d conv1_;
  std::unique_ptr<Linear> time_;  // null: no time
  GroupNorm norm2_;
  Conv2d conv2_;
  std::unique_ptr<Conv2d> shortcut_;  // null: as many channels as before
};

struct ProjectedAttentionOptions {
  int64_t features;
  int64_t context;    // features of what is attended to
  int64_t heads;      // a divisor of `features`
  bool bias = false;  // of query, key and value; the output always has one
};

class ProjectedAttention final : public Layer {
 public:
  ProjectedAttention(Layer& parent, std::string name, const ProjectedAttentionOptions& options);

  // x (N, S, features), context (N, T, context) -> (N, S, features).
  at::Tensor Forward(const at::Tensor& x, const at::Tensor& context) const;

 private:
  int64_t heads_;
  Linear query_;
  Linear key_;
  Linear value_;
  Linear out_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_DIFFUSION_BLOCKS_H_
