#include "models/layers/vision/parallel_branches.h"

#include <ATen/ops/avg_pool2d.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/max_pool2d.h>

#include <utility>

namespace assay::models {
namespace {

constexpr double kInceptionEps = 1e-3;

// Factor on the weights' recipe: without it the image fades over inception_v3's 11 blocks, and a change
// of weights by 1 % moves the output by 2e-5 of its standard deviation.
constexpr double kGain = 1.2;

at::Tensor Pooled(BranchPool pool, const at::Tensor& x) {
  switch (pool) {
    case BranchPool::kNone:
      return x;
    case BranchPool::kAverage:
      return at::avg_pool2d(x, {3, 3}, /*stride=*/{1, 1}, /*padding=*/{1, 1});
    case BranchPool::kMaximum:
      return at::max_pool2d(x, {3, 3}, /*stride=*/{1, 1}, /*padding=*/{1, 1});
    case BranchPool::kHalvingMaximum:
      return at::max_pool2d(x, {3, 3}, /*stride=*/{2, 2});
  }
  return x;
}

}  // namespace

std::unique_ptr<ConvNormActivation> MakeBranchConvolution(Layer& parent, int64_t in,
                                                          const BranchConvolution& convolution) {
  return std::make_unique<ConvNormActivation>(
      parent, ConvNormNames{convolution.name + ".conv", convolution.name + ".bn"},
      ConvNormActivationOptions{.in = in,
                                .out = convolution.out,
                                .kernel = convolution.kernel,
                                .stride = convolution.stride,
                                .padded = convolution.padded,
                                .eps = kInceptionEps,
                                .gain = kGain});
}

ParallelBranches::ParallelBranches(Layer& parent, std::string name, int64_t in,
                                   const std::vector<Branch>& branches)
    : Layer(parent, std::move(name)) {
  for (const Branch& branch : branches) {
    Built& built = branches_.emplace_back();
    built.pool = branch.pool;
    int64_t channels = in;
    for (const BranchConvolution& convolution : branch.chain) {
      built.chain.push_back(MakeBranchConvolution(*this, channels, convolution));
      channels = convolution.out;
    }
    for (const BranchConvolution& convolution : branch.ends) {
      built.ends.push_back(MakeBranchConvolution(*this, channels, convolution));
      out_ += convolution.out;
    }
    if (branch.ends.empty()) out_ += channels;
  }
}

at::Tensor ParallelBranches::Forward(const at::Tensor& x) {
  std::vector<at::Tensor> made;
  for (const Built& branch : branches_) {
    at::Tensor y = Pooled(branch.pool, x);
    for (const std::unique_ptr<ConvNormActivation>& convolution : branch.chain) {
      y = convolution->Forward(y);
    }
    for (const std::unique_ptr<ConvNormActivation>& convolution : branch.ends) {
      made.push_back(convolution->Forward(y));
    }
    if (branch.ends.empty()) made.push_back(std::move(y));
  }
  return at::concat(made, 1);
}

}  // namespace assay::models
