#ifndef ASSAY_MODELS_LAYERS_VISION_PARALLEL_BRANCHES_H_
#define ASSAY_MODELS_LAYERS_VISION_PARALLEL_BRANCHES_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/parallel_branches.h: the block of Inception networks, given as data.
//
//        ┌─ [pool] ── convolution ── convolution ── ... ─────────────┐
//     x ─┼─ [pool] ── convolution ── ... ─┬─ convolution ─┐          ├─ side by side, by channels
//        └─ [pool] ── ...                 └─ convolution ─┴──────────┘
//
// Convolutions have a norm (eps 1e-3, "<name>.bn") and ReLU behind them and are called "<name>.conv".
//
// Not for: sums of branches.
//
// Example:
//
//     ParallelBranches mixed{*this, "inception3a", 192,
//                            {{.chain = {{"branch1", 64}}},
//                             {.chain = {{"branch2.0", 96}, {"branch2.1", 128, 3}}}}};
//     at::Tensor y = mixed.Forward(x);                   // (N, 192, H, W) -> (N, 64 + 128, H, W)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/layers/core/layer.h"
#include "models/layers/vision/conv_norm_activation.h"

namespace assay::models {

struct BranchConvolution {
  std::string name;
  int64_t out;
  Extent kernel = 1;
  int64_t stride = 1;
  bool padded = true;  // keeps the image's size, unless it strides
};

// 3x3 pooling in front of a branch. All but the last keep the image's size.
enum class BranchPool { kNone, kAverage, kMaximum, kHalvingMaximum };

struct Branch {
  BranchPool pool = BranchPool::kNone;
  std::vector<BranchConvolution> chain = {};
  std::vector<BranchConvolution> ends = {};  // side by side, on what the chain made
};

// A convolution under the names that these networks give it.
std::unique_ptr<ConvNormActivation> MakeBranchConvolution(Layer& parent, int64_t in,
                                                          const BranchConvolution& convolution);

class ParallelBranches final : public Layer {
 public:
  ParallelBranches(Layer& parent, std::string name, int64_t in,
                   const std::vector<Branch>& branches);

  at::Tensor Forward(const at::Tensor& x);

  int64_t out() const { return out_; }  // channels

 private:
  struct Built {
    BranchPool pool;
    std::vector<std::unique_ptr<ConvNormActivation>> chain;
    std::vector<std::unique_ptr<ConvNormActivation>> ends;
  };

  std::vector<Built> branches_;
  int64_t out_ = 0;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_PARALLEL_BRANCHES_H_
