#include "models/hdemucs/dconv.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/einsum.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/gelu.h>
#include <ATen/ops/glu.h>
#include <ATen/ops/softmax.h>

#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "models/layers/core/conv_nd.h"
#include "models/layers/core/group_norm.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/recurrent.h"

namespace assay::models {
namespace {

// torchaudio's defaults, which no published model changes.
constexpr int64_t kBranches = 2, kCompression = 4, kKernel = 3, kLstmLayers = 2;
constexpr int64_t kHeads = 4, kDecays = 4;

// The LSTM reads this many steps at a time, and each time begins kStride steps later. Steps that two
// readings have are taken from the one in whose middle they are.
constexpr int64_t kWindow = 200, kStride = kWindow / 2, kEdge = kStride / 2;

// Factors on the weights' recipe, for what stands in front of a layer.
constexpr double kBehindGelu = 1.5, kBehindLstm = 2, kBesideTheInput = 0.5;

// A step does not see itself.
constexpr double kScoreOfItself = -100;

ConvNdOptions Pointwise(int64_t in, int64_t out, double gain = 1) {
  return {.in = in, .out = out, .kernel = {1}, .gain = gain};
}

// torchaudio's _BLSTM.
class BothWaysLstm final : public Layer {
 public:
  BothWaysLstm(Layer& parent, std::string name, int64_t features)
      : Layer(parent, std::move(name)),
        lstm_(*this, "lstm",
              {.in = features, .hidden = features, .layers = kLstmLayers, .both_ways = true}),
        linear_(*this, "linear", {.in = 2 * features, .out = features, .gain = kBehindLstm}) {}

  // (N, features, T), as the result.
  at::Tensor Forward(const at::Tensor& x) const {
    const int64_t steps = x.size(2);
    if (steps <= kWindow) return x + Read(x.transpose(1, 2)).transpose(1, 2);
    const int64_t windows = (steps + kStride - 1) / kStride;
    const int64_t missing = (windows - 1) * kStride + kWindow - steps;
    // (N, features, windows, kWindow)
    const at::Tensor parts = at::constant_pad_nd(x, {0, missing}).unfold(2, kWindow, kStride);
    const at::Tensor read = Read(parts.permute({0, 2, 3, 1}).flatten(0, 1))
                                .unflatten(0, {-1, windows})
                                .permute({0, 3, 1, 2});
    const at::Tensor begin = read.select(2, 0).narrow(2, 0, kEdge);
    const at::Tensor middles = read.narrow(3, kEdge, kStride).flatten(2);
    return x + at::cat({begin, middles}, 2).narrow(2, 0, steps);
  }

 private:
  at::Tensor Read(const at::Tensor& x) const { return linear_.Forward(lstm_.Forward(x)); }

  Lstm lstm_;
  Linear linear_;
};

// torchaudio's _LocalState: attention of steps to others. A step chooses how fast its interest in others
// decays with their distance.
class LocalAttention final : public Layer {
 public:
  LocalAttention(Layer& parent, std::string name, int64_t features)
      : Layer(parent, std::move(name)),
        content_(*this, "content", Pointwise(features, features)),
        query_(*this, "query", Pointwise(features, features)),
        key_(*this, "key", Pointwise(features, features)),
        query_decay_(*this, "query_decay", Pointwise(features, kHeads * kDecays)),
        proj_(*this, "proj", Pointwise(features, features)) {}

  // (N, features, T), as the result.
  at::Tensor Forward(const at::Tensor& x) const {
    const at::Tensor query = OfHeads(query_, x), key = OfHeads(key_, x);
    // In scores t is a step that is seen, s the one that sees it.
    at::Tensor scores = at::einsum("bhct,bhcs->bhts", {key, query}) / std::sqrt(key.size(2));
    scores = scores +
             at::einsum("fts,bhfs->bhts", {Distances(x), OfHeads(query_decay_, x).sigmoid() / 2});
    scores.masked_fill_(at::eye(x.size(2), x.options().dtype(at::kBool)), kScoreOfItself);
    const at::Tensor seen =
        at::einsum("bhts,bhct->bhcs", {at::softmax(scores, 2), OfHeads(content_, x)});
    return x + proj_.Forward(seen.flatten(1, 2));
  }

 private:
  // (N, heads, ., T)
  static at::Tensor OfHeads(const ConvNd& layer, const at::Tensor& x) {
    return layer.Forward(x).unflatten(1, {kHeads, -1});
  }

  // (kDecays, T, T): the score that each kind of decay takes from a step at this distance.
  static at::Tensor Distances(const at::Tensor& x) {
    const at::Tensor steps = at::arange(x.size(2), x.options());
    const at::Tensor rates = at::arange(1, kDecays + 1, x.options()).neg().view({-1, 1, 1});
    return rates * (steps.unsqueeze(1) - steps).abs() / std::sqrt(kDecays);
  }

  ConvNd content_, query_, key_, query_decay_, proj_;
};

struct LayerScale final : Layer {
  LayerScale(Layer& parent, std::string name, int64_t channels) : Layer(parent, std::move(name)) {
    AddParameter("scale", {channels}, ScaleInit(kBesideTheInput), scale);
  }
  at::Tensor scale;  // (channels)
};

}  // namespace

class DConv::Branch final : public Layer {
 public:
  Branch(Layer& parent, std::string name, int64_t channels, int64_t dilation, bool deep)
      : Layer(parent, std::move(name)),
        narrow_(*this, "0",
                {.in = channels,
                 .out = channels / kCompression,
                 .kernel = {kKernel},
                 .padding = {dilation * (kKernel / 2)},
                 .dilation = {dilation}}),
        norm_(*this, "1", {.groups = 1, .channels = channels / kCompression}) {
    const int64_t hidden = channels / kCompression;
    int place = 3;  // in torchaudio's nn.Sequential
    if (deep) {
      lstm_ = std::make_unique<BothWaysLstm>(*this, absl::StrCat(place++), hidden);
      attention_ = std::make_unique<LocalAttention>(*this, absl::StrCat(place++), hidden);
    }
    widen_ = std::make_unique<ConvNd>(*this, absl::StrCat(place),
                                      Pointwise(hidden, 2 * channels, kBehindGelu));
    wide_norm_ = std::make_unique<GroupNorm>(
        *this, absl::StrCat(place + 1), GroupNormOptions{.groups = 1, .channels = 2 * channels});
    scale_ = std::make_unique<LayerScale>(*this, absl::StrCat(place + 3), channels);
  }

  at::Tensor Forward(const at::Tensor& x) const {
    at::Tensor y = at::gelu(norm_.Forward(narrow_.Forward(x)));
    if (lstm_) y = attention_->Forward(lstm_->Forward(y));
    y = at::glu(wide_norm_->Forward(widen_->Forward(y)), 1);
    return x + scale_->scale.unsqueeze(1) * y;
  }

 private:
  ConvNd narrow_;
  GroupNorm norm_;
  std::unique_ptr<BothWaysLstm> lstm_;         // null where the level is not deep
  std::unique_ptr<LocalAttention> attention_;  // likewise
  std::unique_ptr<ConvNd> widen_;
  std::unique_ptr<GroupNorm> wide_norm_;
  std::unique_ptr<LayerScale> scale_;
};

DConv::DConv(Layer& parent, std::string name, int64_t channels, bool deep)
    : Layer(parent, std::move(name)) {
  for (int64_t i = 0; i < kBranches; ++i) {
    branches_.push_back(std::make_unique<Branch>(*this, absl::StrCat("layers.", i), channels,
                                                 /*dilation=*/int64_t{1} << i, deep));
  }
}

DConv::~DConv() = default;

at::Tensor DConv::Forward(at::Tensor x) const {
  for (const std::unique_ptr<Branch>& branch : branches_) x = branch->Forward(x);
  return x;
}

}  // namespace assay::models
