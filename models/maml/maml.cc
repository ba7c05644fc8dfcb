// Model-agnostic meta-learning (MAML, arXiv:1703.03400): a call adapts a small network to each task by
// steps of gradient descent on the task's labelled images, and then names the classes of its queries,
// which are other images. A training step differentiates the loss of the queries by the weights before
// the adaptation.
//
// Nets, rates and names of tensors are TorchBench's. `maml` (dragen1860/MAML-Pytorch) takes the inner
// gradients for constants, and names the classes before the first step and after each. `maml_omniglot`
// (facebookresearch/higher) differentiates the inner steps, too. functorch_maml_omniglot calls it for
// all tasks at once, as torch.func.vmap does: its convolutions have a group for each task.
//
// Norms use the statistics of the batch and keep none, since no result of an adaptation depends on those kept.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/baddbmm.h>
#include <ATen/ops/batch_norm.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/max_pool2d.h>
#include <ATen/ops/stack.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <c10/util/Exception.h>
#include <torch/csrc/autograd/autograd.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/gradient.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/recipes.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

constexpr int64_t kSide = 28;  // of an image, pixels; the last convolution leaves one
constexpr double kSqrtTwo = 1.4142135623730951;  // makes up for what a ReLU takes
constexpr int64_t kNoPadding = 0;
constexpr double kEps = 1e-5, kMomentum = 0.1;  // of norms

struct Convolution {
  int64_t kernel;
  int64_t stride = 1;
};

struct Design {
  const char* name;
  std::vector<Convolution> convolutions;  // each with a norm and a ReLU
  std::vector<std::string> tensors;       // names of the layers' weights and biases, in order
  bool pools;                             // behind norm and ReLU; else the norm is behind the ReLU
  double rate;                            // of the inner steps
  bool second_order;                      // whether the inner gradients are differentiated
  bool answers_each_step;  // logits of the queries, also before the first; or at the end alone
};

class Maml final : public LayeredModel, public Trainable {
 public:
  Maml(Design design, const Parameters& p, bool at_once)
      : design_(std::move(design)), steps_(p.Integer("steps")), at_once_(at_once) {
    const int64_t channels = p.Integer("channels"), ways = p.Integer("ways");
    for (size_t i = 0; i < design_.convolutions.size(); ++i) {
      const int64_t in = i == 0 ? 1 : channels, kernel = design_.convolutions[i].kernel;
      Add({channels, in, kernel, kernel}, WeightInit(in * kernel * kernel, kSqrtTwo));
      Add({channels}, BiasInit());
      Add({channels}, ScaleInit());
      Add({channels}, BiasInit());
    }
    Add({ways, channels}, WeightInit(channels));
    Add({ways}, BiasInit());
  }

  // Images of each task (tasks, images, 1, 28, 28), their labels (tasks, images) and queries (tasks,
  // queries, 1, 28, 28) -> logits (tasks, queries, ways), or (tasks, 1 + steps, queries, ways).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    Check(inputs);
    const bool differentiated = AutogradRecords(weights_.front());
    // The caller may have switched autograd off, which the inner steps need.
    const c10::InferenceMode recorded(false);
    const c10::AutoGradMode gradients(true);
    const int64_t tasks = inputs[0].size(0), together = at_once_ ? tasks : 1;
    std::vector<at::Tensor> logits;
    for (int64_t first = 0; first < tasks; first += together) {
      std::vector<at::Tensor> rows;
      for (const at::Tensor& input : inputs) rows.push_back(input.narrow(0, first, together));
      logits.push_back(OfTasks(SideBySide(rows[0]), rows[1].flatten().clone(), SideBySide(rows[2]),
                               differentiated));
    }
    return {at::concat(logits)};
  }

  // Reads what the last step gives.
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    const at::Tensor last = design_.answers_each_step ? outputs[0].select(1, steps_) : outputs[0];
    return at::cross_entropy_loss(last.flatten(0, 1), targets[0].flatten());
  }

 private:
  using Tensors = std::vector<at::Tensor>;

  void Add(at::IntArrayRef shape, Init init) {
    const size_t place = weights_.size();
    AddParameter(design_.tensors[place], shape, init, weights_.emplace_back());
  }

  void Check(at::ArrayRef<at::Tensor> inputs) const {
    const at::Tensor &images = inputs[0], &labels = inputs[1], &queries = inputs[2];
    for (const at::Tensor& x : {images, queries}) {
      TORCH_CHECK_VALUE(
          x.dim() == 5 && x.size(1) > 1 && x.sizes().slice(2) == at::IntArrayRef({1, kSide, kSide}),
          design_.name, ": the images are ", x.sizes(),
          "; want (tasks, images, 1, 28, 28) with two images or more");
    }
    TORCH_CHECK_VALUE(
        labels.sizes() == images.sizes().slice(0, 2) && queries.size(0) == images.size(0),
        design_.name, ": the labels are ", labels.sizes(), " and the queries ", queries.sizes(),
        "; want one of each of the images ", images.sizes(), " and as many tasks");
  }

  // (tasks, images, 1, 28, 28) -> (images, tasks, 28, 28), which autograd may keep.
  static at::Tensor SideBySide(const at::Tensor& x) {
    return x.transpose(0, 1).clone(at::MemoryFormat::Contiguous).flatten(1, 2);
  }

  // One forward pass: images (images, tasks, 28, 28) -> logits (tasks, images, ways). Each task has
  // weights of its own, (tasks, ...).
  at::Tensor Logits(const Tensors& weights, at::Tensor x) const {
    const int64_t tasks = x.size(1);
    auto w = weights.begin();
    for (const Convolution& convolution : design_.convolutions) {
      x = at::conv2d(x, w[0].flatten(0, 1), w[1].flatten(), convolution.stride, kNoPadding,
                     /*dilation=*/1, /*groups=*/tasks);
      if (!design_.pools) x.relu_();
      x = at::batch_norm(x, w[2].flatten(), w[3].flatten(), {}, {}, /*training=*/true, kMomentum,
                         kEps, /*cudnn_enabled=*/true);
      if (design_.pools) x = at::max_pool2d(x.relu_(), 2);
      w += 4;
    }
    const at::Tensor features = x.view({x.size(0), tasks, -1}).transpose(0, 1);
    return at::baddbmm(w[1].unsqueeze(1), features, w[0].transpose(1, 2));
  }

  at::Tensor OfTasks(const at::Tensor& images, const at::Tensor& labels, const at::Tensor& queries,
                     bool differentiated) const {
    const int64_t tasks = images.size(1);
    Tensors weights, answers;
    for (const at::Tensor& weight : weights_) {
      std::vector<int64_t> shape = weight.sizes().vec();
      shape.insert(shape.begin(), tasks);
      const at::Tensor shared = weight.expand(shape);
      weights.push_back(differentiated ? shared : shared.detach().requires_grad_(true));
    }
    for (int64_t step = 0; step <= steps_; ++step) {
      if (step > 0) Descend(images, labels, differentiated, weights);
      if (step < steps_ && !design_.answers_each_step) continue;
      const c10::AutoGradMode recorded(differentiated && step == steps_);
      answers.push_back(Logits(weights, queries));
    }
    return design_.answers_each_step ? at::stack(answers, 1) : answers.back();
  }

  // An inner step of each task.
  void Descend(const at::Tensor& images, const at::Tensor& labels, bool differentiated,
               Tensors& weights) const {
    const int64_t tasks = images.size(1);
    const at::Tensor loss = at::cross_entropy_loss(Logits(weights, images).flatten(0, 1), labels);
    const Tensors gradients =
        torch::autograd::grad({loss}, weights, /*grad_outputs=*/{}, /*retain_graph=*/std::nullopt,
                              /*create_graph=*/differentiated && design_.second_order);
    // The loss is a mean over all tasks, and each wants the gradient of its own mean.
    const double rate = design_.rate * static_cast<double>(tasks);
    for (size_t i = 0; i < weights.size(); ++i) weights[i] = weights[i] - gradients[i] * rate;
  }

  const Design design_;
  const int64_t steps_;
  const bool at_once_;
  std::deque<at::Tensor> weights_;
};

Design Learner() {
  std::vector<std::string> tensors;
  for (int i = 0; i < 18; ++i) tensors.push_back(absl::StrCat("net.vars.", i));
  return {.name = "maml",
          .convolutions = {{3, 2}, {3, 2}, {3, 2}, {2}},
          .tensors = std::move(tensors),
          .pools = false,
          .rate = 0.4,
          .second_order = false,
          .answers_each_step = true};
}

Design Omniglot() {
  std::vector<std::string> tensors;
  for (const int layer : {0, 1, 4, 5, 8, 9, 13}) {
    for (const char* of_layer : {".weight", ".bias"})
      tensors.push_back(absl::StrCat(layer, of_layer));
  }
  return {.name = "maml_omniglot",
          .convolutions = {{3}, {3}, {3}},
          .tensors = std::move(tensors),
          .pools = true,
          .rate = 0.1,
          .second_order = true,
          .answers_each_step = false};
}

ASSAY_MODEL_IMPLEMENTATION("maml",
                           [](const Parameters& p) -> absl::StatusOr<std::unique_ptr<Model>> {
                             return std::make_unique<Maml>(Learner(), p, /*at_once=*/false);
                           });
ASSAY_MODEL_IMPLEMENTATION("maml_omniglot",
                           [](const Parameters& p) -> absl::StatusOr<std::unique_ptr<Model>> {
                             return std::make_unique<Maml>(Omniglot(), p,
                                                           /*at_once=*/p.Flag("tasks_at_once"));
                           });

}  // namespace
}  // namespace assay::models
