// The speaker encoder of Mozilla's and Coqui's TTS, as TorchBench's tts_angular builds it: LSTMs,
// each with a projection behind it, make a vector of unit length out of the frames of an utterance.
// Tensor names, order and shapes are TorchBench's, so its checkpoints fit.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cosine_similarity.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/sequence/recurrent.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

// Least length that a vector is divided by: torch.nn.functional.normalize's.
constexpr double kShortest = 1e-12;

// Factor on the cosines in the loss. TorchBench has it in its criterion, whose parameters its
// optimizer does not get, so that it keeps this value; a term that it adds to all cosines alike
// changes no cross entropy and is left out.
constexpr double kLossScale = 10;

struct TtsAngularOptions {
  int64_t input_dim;
  int64_t lstm_dim;
  int64_t proj_dim;
  int64_t num_lstm_layers;
  int64_t utterances;
};

class ProjectedLstm final : public Layer {
 public:
  ProjectedLstm(Layer& parent, std::string name, int64_t in, const TtsAngularOptions& options)
      : Layer(parent, std::move(name)),
        lstm_(*this, "lstm", {.in = in, .hidden = options.lstm_dim}),
        linear_(*this, "linear", {.in = options.lstm_dim, .out = options.proj_dim, .bias = false}) {
  }

  // (N, frames, in) -> (N, frames, proj_dim).
  at::Tensor Forward(const at::Tensor& x) const { return linear_.Forward(lstm_.Forward(x)); }

 private:
  Lstm lstm_;
  Linear linear_;
};

class TtsAngular final : public LayeredModel, public Trainable {
 public:
  explicit TtsAngular(const TtsAngularOptions& options)
      : input_dim_(options.input_dim), utterances_(options.utterances) {
    for (int64_t i = 0; i < options.num_lstm_layers; ++i) {
      layers_.push_back(
          std::make_unique<ProjectedLstm>(*this, absl::StrCat("layers.", i),
                                          i == 0 ? options.input_dim : options.proj_dim, options));
    }
  }

  // Mel frames (N, frames, input_dim) -> embeddings (N, proj_dim) of length 1.
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    at::Tensor x = inputs[0];
    TORCH_CHECK_VALUE(x.dim() == 3 && x.size(1) > 0 && x.size(2) == input_dim_,
                      "tts_angular: the frames are ", x.sizes(), "; want (N, frames, ", input_dim_,
                      ")");
    for (const std::unique_ptr<ProjectedLstm>& layer : layers_) x = layer->Forward(x);
    const at::Tensor last = x.select(1, -1);
    return {last / last.norm(2, 1, /*keepdim=*/true).clamp_min(kShortest)};
  }

  // The angular prototypical loss (https://arxiv.org/abs/2003.11982): a speaker's first utterance
  // is to have the direction of the mean of that speaker's others rather than of other speakers'.
  // Rows are grouped by speaker; there are no targets.
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> /*targets*/) override {
    const at::Tensor& rows = outputs[0];
    TORCH_CHECK_VALUE(rows.size(0) % utterances_ == 0, "tts_angular: ", rows.size(0),
                      " rows; want a multiple of ", utterances_, " utterances a speaker");
    const at::Tensor speakers = rows.unflatten(0, {-1, utterances_});
    const at::Tensor first = speakers.select(1, 0);
    const at::Tensor others = speakers.slice(1, 1).mean(1);
    const at::Tensor cosines = at::cosine_similarity(first.unsqueeze(1), others.unsqueeze(0), 2);
    return at::cross_entropy_loss(cosines * kLossScale,
                                  at::arange(others.size(0), rows.options().dtype(at::kLong)));
  }

 private:
  int64_t input_dim_;
  int64_t utterances_;
  std::vector<std::unique_ptr<ProjectedLstm>> layers_;
};

ASSAY_MODEL_IMPLEMENTATION(
    "tts_angular", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
      return std::make_unique<TtsAngular>(
          TtsAngularOptions{.input_dim = parameters.Integer("input_dim"),
                            .lstm_dim = parameters.Integer("lstm_dim"),
                            .proj_dim = parameters.Integer("proj_dim"),
                            .num_lstm_layers = parameters.Integer("num_lstm_layers"),
                            .utterances = parameters.Integer("utterances")});
    });

}  // namespace
}  // namespace assay::models
