// Momentum contrast (MoCo, arXiv:1911.05722) as facebookresearch/moco trains it: a ResNet, the query
// encoder, learns to tell the key of another view of its image from the keys in a queue. The key encoder
// follows the query encoder by a momentum and gets no gradient. A training step moves the key encoder
// and puts its keys in the place of the queue's oldest. Tensor names and their order are the original's.
//
// The original also shuffles the images of a batch over GPUs. On one device that changes nothing.
// Evaluation leaves queue and key encoder as they are; the original's forward changes them there, too.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/einsum.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/vision/image_input.h"
#include "models/layers/vision/resnet_backbone.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

constexpr double kMomentum = 0.999;    // of the key encoder
constexpr double kTemperature = 0.07;  // by which logits are divided
constexpr double kShortest = 1e-12;    // length by which features are divided at least

// torchvision's ResNet, whose classes are features of length 1.
class Encoder final : public Layer {
 public:
  Encoder(Layer& parent, std::string name, const ResNetBackboneOptions& options, int64_t features)
      : Layer(parent, std::move(name)),
        backbone_(*this, "", options),
        fc_(*this, "fc", {.in = backbone_.high_channels(), .out = features}) {}

  using Layer::Freeze;

  // Images (N, 3, H, W) -> (N, features).
  at::Tensor Forward(const at::Tensor& image) {
    const at::Tensor x = backbone_.High(backbone_.Low(image));
    const at::Tensor features = fc_.Forward(at::adaptive_avg_pool2d(x, {1, 1}).flatten(1));
    return features / features.norm(2, {1}, /*keepdim=*/true).clamp_min(kShortest);
  }

  std::vector<NamedTensor> State() const {
    std::vector<NamedTensor> state;
    AppendState("", state);
    return state;
  }

 private:
  ResNetBackbone backbone_;
  Linear fc_;
};

class Moco final : public LayeredModel, public Trainable {
 public:
  Moco(const ResNetBackboneOptions& options, int64_t features, int64_t keys)
      : query_encoder_(*this, "encoder_q", options, features),
        key_encoder_(*this, "encoder_k", options, features) {
    AddBuffer("queue", {features, keys}, WeightInit(features), queue_);
    AddBuffer("queue_ptr", at::zeros({1}, at::kLong), place_);
    key_encoder_.Freeze();
  }

  // Two views of each image (N, 3, H, W) -> logits (N, 1 + keys), first that of the other view.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    for (const at::Tensor& view : inputs) CheckImage(view, "moco", {.minimum = 32});
    const int64_t images = inputs[0].size(0);
    TORCH_CHECK_VALUE(inputs[1].size(0) == images, "moco: there are ", images, " queries and ",
                      inputs[1].size(0), " keys; want as many");
    if (training()) CheckQueue(images);
    const at::Tensor query = query_encoder_.Forward(inputs[0]);
    const at::Tensor key = Key(inputs[1]);
    const at::Tensor same = at::einsum("nc,nc->n", {query, key}).unsqueeze(-1);
    // Training changes the queue before the backward pass.
    const at::Tensor others = at::einsum("nc,ck->nk", {query, queue_.clone()});
    if (training()) Enqueue(key);
    return {at::concat({same, others}, 1).div_(kTemperature)};
  }

  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor>) override {
    const at::Tensor& logits = outputs[0];
    return at::cross_entropy_loss(logits,
                                  at::zeros({logits.size(0)}, logits.options().dtype(at::kLong)));
  }

  bool Remembers() const override { return true; }

 private:
  at::Tensor Key(const at::Tensor& image) {
    const c10::NoGradGuard no_grad;
    if (training()) FollowQueryEncoder();
    return key_encoder_.Forward(image);
  }

  void FollowQueryEncoder() {
    const std::vector<NamedTensor> keys = key_encoder_.State();
    auto key = keys.begin();
    for (const NamedTensor& query : query_encoder_.State()) {
      const at::Tensor tensor = (key++)->tensor;
      if (query.trainable) tensor.mul_(kMomentum).add_(query.tensor * (1.0 - kMomentum));
    }
  }

  // Before anything is changed.
  void CheckQueue(int64_t images) const {
    const int64_t length = queue_.size(1);
    TORCH_CHECK_VALUE(length % images == 0, "moco: a queue of ", length,
                      " keys does not divide into batches of ", images,
                      "; give a batch that divides it, or another queue_size");
  }

  void Enqueue(const at::Tensor& keys) {
    const int64_t images = keys.size(0), length = queue_.size(1);
    const int64_t first = place_.item<int64_t>();
    TORCH_CHECK_VALUE(first + images <= length, "moco: the oldest key is at ", first,
                      " of a queue of ", length, ", where ", images,
                      " keys find no place; it was filled by batches of another size");
    queue_.narrow(1, first, images).copy_(keys.t());
    place_.fill_((first + images) % length);
  }

  at::Tensor queue_;  // (features, keys)
  at::Tensor place_;  // int64 (1): of the oldest keys
  Encoder query_encoder_;
  Encoder key_encoder_;
};

ASSAY_MODEL_IMPLEMENTATION("moco",
                           [](const Parameters& p) -> absl::StatusOr<std::unique_ptr<Model>> {
                             const absl::Status status = CheckBlocks("moco", p, /*stages=*/4);
                             if (!status.ok()) return status;
                             return std::make_unique<Moco>(
                                 ResNetBackboneOptions{
                                     .bottleneck = p.Text("block") == "bottleneck",
                                     .layers = p.Integers("layers")},
                                 p.Integer("features"), p.Integer("queue_size"));
                           });

}  // namespace
}  // namespace assay::models
