#ifndef ASSAY_MODELS_LAYERS_SEQUENCE_RECURRENT_H_
#define ASSAY_MODELS_LAYERS_SEQUENCE_RECURRENT_H_

// ---------------------------------------------------------------------------------------------
// models/layers/sequence/recurrent.h: Gru and Lstm, rows first; names and shapes of torch.nn.GRU and
// torch.nn.LSTM with batch_first, and PyTorch's own kernels. The hidden state begins as zeros in each
// call. A layer that goes both ways gives the units of both directions side by side.
//
// The output is a new tensor, but don't write to it where autograd records: the backward passes of
// cuDNN and oneDNN read it.
//
// On CUDA, cuDNN reads all tensors from one piece of memory, and copies them there in each call
// if they are elsewhere: 13 MB for 768 units that read 256 features. So these layers put them there
// when they are moved, as torch.nn does: views of one buffer, of the same names and shapes.
//
// Not for: projections, packed sequences, states that are handed on from call to call.
//
// Example:
//
//     Lstm lstm{*this, "lstm", {.in = 40, .hidden = 768}};        // "lstm.weight_ih_l0", ...
//     at::Tensor y = lstm.Forward(x);                             // (N, 50, 40) -> (N, 50, 768)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "models/layers/core/layer.h"

namespace assay::models {

struct RecurrentOptions {
  int64_t in;
  int64_t hidden;
  int64_t layers = 1;  // each further one reads what the one before gives
  bool both_ways = false;
};

// The numbers by which at::_cudnn_rnn_flatten_weight() knows a layer.
struct CudnnRecurrent {
  int64_t mode;  // cudnnRNNMode_t: 2 is an LSTM, 3 a GRU
  int64_t in, hidden;
};
CudnnRecurrent CudnnRecurrentOf(int64_t gates, const RecurrentOptions& options);

// The parts that both have: for each layer and direction two weights and two biases, each with a block
// of rows for each gate.
class Recurrent : public Layer {
 protected:
  Recurrent(Layer& parent, std::string name, int64_t gates, const RecurrentOptions& options);

  at::TensorList Weights() const { return tensors_; }
  // Zeros (layers * directions, N, hidden), the state before the first step of x (N, steps, in).
  at::Tensor FirstState(const at::Tensor& x) const;
  const RecurrentOptions& options() const { return options_; }

 private:
  // Lays the tensors out for cuDNN where it computes the layer: on CUDA, but not in bf16.
  void Moved() override;

  const RecurrentOptions options_;
  const CudnnRecurrent cudnn_;
  // weight_ih_l0 (gates * hidden, in), weight_hh_l0 (gates * hidden, hidden), bias_ih_l0 and bias_hh_l0
  // (gates * hidden), those that end in _l0_reverse where there are any, those of layer 1, ...
  std::vector<at::Tensor> tensors_;
};

class Gru final : public Recurrent {
 public:
  Gru(Layer& parent, std::string name, const RecurrentOptions& options);

  // The hidden units of every step: (N, steps, in) -> (N, steps, directions * hidden).
  at::Tensor Forward(const at::Tensor& x) const;
};

class Lstm final : public Recurrent {
 public:
  Lstm(Layer& parent, std::string name, const RecurrentOptions& options);

  // The hidden units of every step: (N, steps, in) -> (N, steps, directions * hidden).
  at::Tensor Forward(const at::Tensor& x) const;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_SEQUENCE_RECURRENT_H_
