// Tacotron 2 (arXiv:1712.05884) as torchaudio builds it, in training: an encoder of symbols, a decoder that
// looks for the place in the text and makes the next frame of a spectrogram out of the given one before
// it, and a network that improves the frames. Tensor names, order and shapes are torchaudio's. Two
// differences: the prenet drops nothing, where torchaudio drops half in evaluation too, and all rows of a
// batch have the same length.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/binary_cross_entropy_with_logits.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/lstm_cell.h>
#include <ATen/ops/mse_loss.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/batch_norm2d.h"
#include "models/layers/core/dropout.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/layers/sequence/conv1d.h"
#include "models/layers/sequence/recurrent.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

constexpr double kConvolutionDropout = 0.5, kRecurrentDropout = 0.1;

struct Tacotron2Options {
  int64_t mels;
  int64_t embedding;
  int64_t attention_rnn;
  int64_t decoder_rnn;
  int64_t attention;
  int64_t filters;
  int64_t filter_kernel;
  int64_t prenet;
};

// A convolution that keeps the length, and the norm behind it.
class NormedConv1d {
 public:
  NormedConv1d(Layer& parent, const std::string& name, int64_t in, int64_t out, int64_t kernel)
      : conv_(parent, name + ".0",
              {.in = in, .out = out, .kernel = kernel, .padding = (kernel - 1) / 2, .bias = true}),
        norm_(parent, name + ".1", {.channels = out}) {}

  at::Tensor Forward(const at::Tensor& x) { return norm_.Forward(conv_.Forward(x)); }

 private:
  Conv1d conv_;
  BatchNorm2d norm_;
};

// torch.nn.LSTMCell, with its state of the hidden units and the cells.
class LstmCell final : public Layer {
 public:
  LstmCell(Layer& parent, std::string name, int64_t in, int64_t hidden)
      : Layer(parent, std::move(name)), hidden_(hidden) {
    AddParameter("weight_ih", {4 * hidden, in}, WeightInit(in), of_input_);
    AddParameter("weight_hh", {4 * hidden, hidden}, WeightInit(hidden), of_hidden_);
    AddParameter("bias_ih", {4 * hidden}, BiasInit(), bias_of_input_);
    AddParameter("bias_hh", {4 * hidden}, BiasInit(), bias_of_hidden_);
  }

  struct State {
    at::Tensor hidden;  // (N, hidden)
    at::Tensor cells;
  };
  State First(const at::Tensor& like) const {
    const at::Tensor zeros = at::zeros({like.size(0), hidden_}, like.options());
    return {zeros, zeros};
  }
  State Next(const at::Tensor& x, const State& state) const {
    auto [hidden, cells] = at::lstm_cell(x, {state.hidden, state.cells}, of_input_, of_hidden_,
                                         bias_of_input_, bias_of_hidden_);
    return {hidden, cells};
  }

 private:
  const int64_t hidden_;
  at::Tensor of_input_, of_hidden_;            // (4 hidden, in), (4 hidden, hidden)
  at::Tensor bias_of_input_, bias_of_hidden_;  // (4 hidden)
};

// The place in the text of the next frame, by the state of the decoder and by the places before.
class LocationAttention final : public Layer {
 public:
  LocationAttention(Layer& parent, std::string name, const Tacotron2Options& o)
      : Layer(parent, std::move(name)),
        query_(*this, "query_layer", {.in = o.attention_rnn, .out = o.attention, .bias = false}),
        memory_(*this, "memory_layer",
                {.in = o.embedding, .out = o.attention, .bias = false, .gain = kGain}),
        v_(*this, "v", {.in = o.attention, .out = 1, .bias = false, .gain = kGain}),
        location_conv_(*this, "location_layer.location_conv",
                       {.in = 2,
                        .out = o.filters,
                        .kernel = o.filter_kernel,
                        .padding = (o.filter_kernel - 1) / 2}),
        location_dense_(*this, "location_layer.location_dense",
                        {.in = o.filters, .out = o.attention, .bias = false}) {}

  at::Tensor Prepared(const at::Tensor& memory) const { return memory_.Forward(memory); }

  // query (N, rnn), the prepared memory (N, symbols, attention), past weights (N, 2, symbols) -> weights
  // (N, symbols).
  at::Tensor Weights(const at::Tensor& query, const at::Tensor& prepared,
                     const at::Tensor& past) const {
    const at::Tensor where = location_dense_.Forward(location_conv_.Forward(past).transpose(1, 2));
    const at::Tensor sum = query_.Forward(query.unsqueeze(1)) + where + prepared;
    return v_.Forward(sum.tanh()).squeeze(2).softmax(1);
  }

 private:
  static constexpr double kGain = 4;  // else the weights are nearly uniform
  Linear query_, memory_, v_;
  Conv1d location_conv_;
  Linear location_dense_;
};

class Decoder final : public Layer {
 public:
  Decoder(Layer& parent, std::string name, const Tacotron2Options& o)
      : Layer(parent, std::move(name)),
        prenet0_(*this, "prenet.layers.0", {.in = o.mels, .out = o.prenet, .bias = false}),
        prenet1_(*this, "prenet.layers.1", {.in = o.prenet, .out = o.prenet, .bias = false}),
        attention_rnn_(*this, "attention_rnn", o.prenet + o.embedding, o.attention_rnn),
        attention_(*this, "attention_layer", o),
        decoder_rnn_(*this, "decoder_rnn", o.attention_rnn + o.embedding, o.decoder_rnn),
        projection_(*this, "linear_projection", {.in = o.decoder_rnn + o.embedding, .out = o.mels}),
        gate_(*this, "gate_layer", {.in = o.decoder_rnn + o.embedding, .out = 1}),
        dropout_(*this, kRecurrentDropout) {}

  // memory (N, symbols, embedding), mel (N, mels, frames) -> frames (N, mels, frames), gates (N, frames),
  // weights (N, frames, symbols).
  std::vector<at::Tensor> Forward(const at::Tensor& memory, const at::Tensor& mel) const {
    const at::Tensor given = mel.permute({2, 0, 1});  // (frames, N, mels)
    // The last frame passes the prenet as well, though no frame follows it.
    const at::Tensor before = at::concat({at::zeros_like(given.narrow(0, 0, 1)), given});
    const at::Tensor steps = prenet1_.Forward(prenet0_.Forward(before).relu_()).relu_();
    const at::Tensor prepared = attention_.Prepared(memory);
    LstmCell::State seeking = attention_rnn_.First(memory), making = decoder_rnn_.First(memory);
    at::Tensor weights = at::zeros({memory.size(0), memory.size(1)}, memory.options());
    at::Tensor all_weights = weights, context = at::zeros_like(memory.select(1, 0));
    std::vector<at::Tensor> frames, gates, alignments;
    for (const at::Tensor& step : steps.narrow(0, 0, given.size(0)).unbind(0)) {
      seeking = attention_rnn_.Next(at::concat({step, context}, 1), seeking);
      seeking.hidden = dropout_.Forward(seeking.hidden);
      weights = attention_.Weights(seeking.hidden, prepared, at::stack({weights, all_weights}, 1));
      all_weights = all_weights + weights;
      context = at::bmm(weights.unsqueeze(1), memory).squeeze(1);
      making = decoder_rnn_.Next(at::concat({seeking.hidden, context}, 1), making);
      making.hidden = dropout_.Forward(making.hidden);
      const at::Tensor known = at::concat({making.hidden, context}, 1);
      frames.push_back(projection_.Forward(known));
      gates.push_back(gate_.Forward(known).squeeze(1));
      alignments.push_back(weights);
    }
    return {at::stack(frames, 2), at::stack(gates, 1), at::stack(alignments, 1)};
  }

 private:
  Linear prenet0_, prenet1_;
  LstmCell attention_rnn_;
  LocationAttention attention_;
  LstmCell decoder_rnn_;
  Linear projection_, gate_;
  Dropout dropout_;
};

class Tacotron2 final : public LayeredModel, public Trainable {
 public:
  Tacotron2(const Parameters& p, const Tacotron2Options& o)
      : embedding_(*this, "embedding", {.rows = p.Integer("symbols"), .features = o.embedding}),
        encoder_(MakeConvolutions("encoder", p.Integer("encoder_convolutions"), o.embedding,
                                  o.embedding, o.embedding)),
        lstm_(*this, "encoder.lstm",
              {.in = o.embedding, .hidden = o.embedding / 2, .both_ways = true}),
        decoder_(*this, "decoder", o),
        postnet_(MakeConvolutions("postnet", p.Integer("postnet_convolutions"), o.mels,
                                  p.Integer("postnet"), o.mels)),
        dropout_(*this, kConvolutionDropout) {}

  // Symbols, int64 (N, symbols), and the spectrogram (N, mels, frames) -> frames and improved frames
  // (N, mels, frames), gates (N, frames), weights (N, frames, symbols).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    at::Tensor x = embedding_.Forward(inputs[0]).transpose(1, 2);
    for (NormedConv1d& conv : encoder_) x = dropout_.Forward(conv.Forward(x).relu_());
    const at::Tensor memory = lstm_.Forward(x.transpose(1, 2));
    std::vector<at::Tensor> made = decoder_.Forward(memory, inputs[1]);
    at::Tensor better = made[0];
    for (size_t i = 0; i < postnet_.size(); ++i) {
      better = postnet_[i].Forward(better);
      better = dropout_.Forward(i + 1 < postnet_.size() ? better.tanh() : better);
    }
    return {made[0], made[0] + better, made[1], made[2]};
  }

  // NVIDIA's: the squared errors of both spectrograms, and the cross entropy of whether a frame is the last.
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return at::mse_loss(outputs[0], targets[0]) + at::mse_loss(outputs[1], targets[0]) +
           at::binary_cross_entropy_with_logits(outputs[2], targets[1]);
  }

 private:
  static constexpr int64_t kKernel = 5;

  std::deque<NormedConv1d> MakeConvolutions(const char* part, int64_t count, int64_t in,
                                            int64_t between, int64_t out) {
    std::deque<NormedConv1d> made;
    for (int64_t i = 0; i < count; ++i) {
      made.emplace_back(*this, absl::StrCat(part, ".convolutions.", i), i == 0 ? in : between,
                        i + 1 == count ? out : between, kKernel);
    }
    return made;
  }

  Embedding embedding_;
  std::deque<NormedConv1d> encoder_;
  Lstm lstm_;
  Decoder decoder_;
  std::deque<NormedConv1d> postnet_;
  Dropout dropout_;
};

ASSAY_MODEL_IMPLEMENTATION("tacotron2",
                           [](const Parameters& p) -> absl::StatusOr<std::unique_ptr<Model>> {
                             const absl::Status status =
                                 CheckOdd("tacotron2", "filter_kernel", p.Integer("filter_kernel"));
                             if (!status.ok()) return status;
                             return std::make_unique<Tacotron2>(
                                 p, Tacotron2Options{.mels = p.Integer("mels"),
                                                     .embedding = 2 * p.Integer("encoder_units"),
                                                     .attention_rnn = p.Integer("attention_rnn"),
                                                     .decoder_rnn = p.Integer("decoder_rnn"),
                                                     .attention = p.Integer("attention"),
                                                     .filters = p.Integer("filters"),
                                                     .filter_kernel = p.Integer("filter_kernel"),
                                                     .prenet = p.Integer("prenet")});
                           });

}  // namespace
}  // namespace assay::models
