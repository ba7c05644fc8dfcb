#ifndef ASSAY_MODELS_HDEMUCS_DCONV_H_
#define ASSAY_MODELS_HDEMUCS_DCONV_H_

// ---------------------------------------------------------------------------------------------
// models/hdemucs/dconv.h: torchaudio's _DConv, the branches of an encoder of Hybrid Demucs: two narrow
// convolutions over time, of dilation 1 and 2, each of which adds its result to what it read. In a deep
// level an LSTM that goes both ways and attention stand between a branch's two convolutions.
//
// Attention of T steps holds (N, 4, T, T) scores.
//
// Example:
//
//     DConv dconv{*this, "dconv", /*channels=*/768, /*deep=*/true};   // "dconv.layers.0.0.weight", ...
//     at::Tensor y = dconv.Forward(x);                                // (N, 768, T), as x
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/layers/core/layer.h"

namespace assay::models {

class DConv final : public Layer {
 public:
  // Of 4 channels or more; where `deep`, of a multiple of 16.
  DConv(Layer& parent, std::string name, int64_t channels, bool deep);
  ~DConv() override;

  at::Tensor Forward(at::Tensor x) const;

 private:
  class Branch;

  std::vector<std::unique_ptr<Branch>> branches_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_HDEMUCS_DCONV_H_
