#ifndef ASSAY_MODELS_LAYERS_SEQUENCE_ROTARY_H_
#define ASSAY_MODELS_LAYERS_SEQUENCE_ROTARY_H_

// ---------------------------------------------------------------------------------------------
// models/layers/sequence/rotary.h: rotary position embedding (RoPE, https://arxiv.org/abs/2104.09864): turns
// each pair of a head's features, i and i + features / 2, by an angle that grows with the position.
//
// Frequencies are computed in float32, operator by operator as transformers computes them, and stay
// so in every dtype; angles in float32, or in float64 for a model in float64.
//
// Not for: pairs of neighbours (GPT-J), frequencies that depend on the length of the input.
//
// Example:
//
//     Rotary rotary{*this, {.features = 64, .theta = 500000}};
//     const Rotary::Turn turn = rotary.At(rotary.Positions(position, n), x.scalar_type());
//     query = Rotate(query.view({N, n, 32, 64}), turn);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

#include "models/generator.h"
#include "models/layers/core/layer.h"

namespace assay::models {

struct RotaryOptions {
  int64_t features;      // of a head, an even number
  double theta = 10000;  // the slowest pair turns by 1 / theta^(1 - 2 / features)
  std::string scaling =
      "default";      // or "linear", "llama3", "yarn": how angles grow for long inputs
  double factor = 1;  // by which low frequencies are divided
  double low_frequency_factor = 1;   // llama3: all wavelengths beyond original / this are divided
  double high_frequency_factor = 4;  // llama3: none below original / this
  int64_t original_positions = 0;    // llama3, yarn: positions of the first training
  int64_t positions = 0;             // that the model has; 0: any number
};

class Rotary final : public Layer {
 public:
  Rotary(Layer& parent, const RotaryOptions& options);

  // Cosine and sine, (..., n, 1, features / 2).
  struct Turn {
    at::Tensor cosine, sine;
  };

  // int64 (count), or (N, 1) where rows differ. Throws c10::Error if the model has fewer.
  at::Tensor Positions(const CachePlace& place, int64_t count) const;

  // positions: int64 (n), or (N, n) where rows differ.
  Turn At(const at::Tensor& positions, at::ScalarType dtype) const;

 private:
  at::Tensor frequencies_;  // float32 (features / 2), radians a position
  int64_t positions_;
  double magnitude_ = 1;  // factor on cosine and sine
};

// x (N, n, heads, features) -> the same, turned.
at::Tensor Rotate(const at::Tensor& x, const Rotary::Turn& turn);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_SEQUENCE_ROTARY_H_
