// BERT as BERT-pytorch builds it, TorchBench's BERT_pytorch: norms stand before the branches and divide
// by the standard deviation of a sample, positions are sines, and two heads say whether a sentence
// follows the other one, and which word stands in each place. Tensor names, order and shapes are those
// of its BERTLM.

#include <ATen/TensorOperators.h>
#include <ATen/core/Reduction.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/nll_loss.h>
#include <ATen/ops/std.h>
#include <ATen/ops/zeros.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/attention.h"
#include "models/layers/sequence/interleaved_positions.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

constexpr double kDropout = 0.1;
constexpr int64_t kPositions = 512, kSegments = 3, kPadding = 0;

// With plain weights attention is nearly uniform, and a wrong mask would not be seen.
constexpr double kQueryKeyGain = 2;

class SampleNorm final : public Layer {
 public:
  SampleNorm(Layer& parent, std::string name, int64_t features) : Layer(parent, std::move(name)) {
    AddParameter("a_2", {features}, ScaleInit(), scale_);
    AddParameter("b_2", {features}, BiasInit(), shift_);
  }

  at::Tensor Forward(const at::Tensor& x) const {
    const at::Tensor deviation = at::std(x, {-1}, /*correction=*/1, /*keepdim=*/true);
    return scale_ * (x - x.mean({-1}, /*keepdim=*/true)) / (deviation + kEps) + shift_;
  }

 private:
  static constexpr double kEps = 1e-6;
  at::Tensor scale_;  // (features)
  at::Tensor shift_;  // (features)
};

class Block final : public Layer {
 public:
  Block(Layer& parent, std::string name, int64_t features, int64_t heads)
      : Layer(parent, std::move(name)),
        heads_(heads),
        query_(*this, "attention.linear_layers.0", Square(features, kQueryKeyGain)),
        key_(*this, "attention.linear_layers.1", Square(features, kQueryKeyGain)),
        value_(*this, "attention.linear_layers.2", Square(features, 1)),
        out_(*this, "attention.output_linear", Square(features, 1)),
        widen_(*this, "feed_forward.w_1", {.in = features, .out = 4 * features}),
        narrow_(*this, "feed_forward.w_2", {.in = 4 * features, .out = features}),
        norm1_(*this, "input_sublayer.norm", features),
        norm2_(*this, "output_sublayer.norm", features),
        dropout_(*this, kDropout) {}

  at::Tensor Forward(at::Tensor x, const at::Tensor& mask) const {
    const at::Tensor y = norm1_.Forward(x);
    const at::Tensor attended =
        Attend(query_.Forward(y), key_.Forward(y), value_.Forward(y),
               {.heads = heads_, .mask = mask, .dropout = dropout_.active_probability()});
    x = x + dropout_.Forward(out_.Forward(attended));
    const at::Tensor wide = Activate(Activation::kGelu, widen_.Forward(norm2_.Forward(x)));
    x = x + dropout_.Forward(narrow_.Forward(dropout_.Forward(wide)));
    return dropout_.Forward(x);
  }

 private:
  static LinearOptions Square(int64_t features, double gain) {
    return {.in = features, .out = features, .gain = gain};
  }

  const int64_t heads_;
  Linear query_, key_, value_, out_, widen_, narrow_;
  SampleNorm norm1_, norm2_;
  Dropout dropout_;
};

class BertPytorch final : public LayeredModel, public Trainable {
 public:
  explicit BertPytorch(const Parameters& p)
      : words_(*this, "bert.embedding.token", Table(p.Integer("vocab_size"), p)),
        positions_(*this, "bert.embedding.position", "bert_pytorch", kPositions,
                   p.Integer("hidden")),
        segments_(*this, "bert.embedding.segment", Table(kSegments, p)),
        dropout_(*this, kDropout) {
    for (int64_t i = 0; i < p.Integer("layers"); ++i) {
      blocks_.emplace_back(*this, absl::StrCat("bert.transformer_blocks.", i), p.Integer("hidden"),
                           p.Integer("heads"));
    }
    next_.emplace(*this, "next_sentence.linear",
                  LinearOptions{.in = p.Integer("hidden"), .out = 2});
    word_.emplace(*this, "mask_lm.linear",
                  LinearOptions{.in = p.Integer("hidden"), .out = p.Integer("vocab_size")});
  }

  // Words, of which 0 is padding, and their segments, int64 (N, S) -> logarithms of probabilities: of a
  // sentence that does not follow and one that does (N, 2), of words (N, S, vocab_size).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const int64_t length = inputs[0].size(1);
    at::Tensor x = dropout_.Forward(words_.Forward(inputs[0]) + positions_.First(length) +
                                    segments_.Forward(inputs[1]));
    const at::Tensor mask = at::zeros(inputs[0].sizes(), x.options())
                                .masked_fill_(inputs[0].le(kPadding), LowestScore(x.scalar_type()))
                                .unsqueeze(1)
                                .unsqueeze(1)
                                .expand({-1, 1, length, length});
    for (const Block& block : blocks_) x = block.Forward(x, mask);
    return {at::log_softmax(next_->Forward(x.select(1, 0)), -1),
            at::log_softmax(word_->Forward(x), -1)};
  }

  // Both targets leave out what is zero. A batch of which all are zero has the loss NaN, as there.
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return MeanOfNonzero(outputs[0], targets[0]) +
           MeanOfNonzero(outputs[1].flatten(0, 1), targets[1].flatten());
  }

 private:
  static EmbeddingOptions Table(int64_t rows, const Parameters& p) {
    return {.rows = rows, .features = p.Integer("hidden"), .padding_idx = kPadding};
  }
  static at::Tensor MeanOfNonzero(const at::Tensor& logarithms, const at::Tensor& target) {
    return at::nll_loss(logarithms, target, {}, at::Reduction::Mean, /*ignore_index=*/0);
  }

  Embedding words_;
  InterleavedPositions positions_;
  Embedding segments_;
  Dropout dropout_;
  std::deque<Block> blocks_;
  std::optional<Linear> next_, word_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "bert_pytorch", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      absl::Status status = CheckMultiple("bert_pytorch", parameters, "hidden", "heads");
      status.Update(CheckEven("bert_pytorch", "hidden", parameters.Integer("hidden")));
      if (!status.ok()) return status;
      return std::make_unique<BertPytorch>(parameters);
    });

}  // namespace
}  // namespace assay::models
