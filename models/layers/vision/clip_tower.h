#ifndef ASSAY_MODELS_LAYERS_VISION_CLIP_TOWER_H_
#define ASSAY_MODELS_LAYERS_VISION_CLIP_TOWER_H_

// ---------------------------------------------------------------------------------------------
// models/layers/vision/clip_tower.h: the two encoders of CLIP as Hugging Face transformers builds them: the
// blocks of both, and the encoder of images whole. CLIP compares its class token with texts; LLaVA's
// decoder reads its patches.
//
// Not for: projections behind the encoder, the encoder of texts (models/clip).
//
// Example:
//
//     ClipImageTower tower{*this, "vision_model", {.tower = {...}, .patches = {...}}};
//     at::Tensor x = tower.Forward(image).class_token;       // (N, 3, 224, 224) -> (N, hidden)
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/layers/core/activation.h"
#include "models/layers/core/embedding.h"
#include "models/layers/core/layer.h"
#include "models/layers/core/layer_norm.h"
#include "models/layers/text/fairseq_block.h"
#include "models/layers/vision/patches.h"
#include "models/parameters.h"

namespace assay::models {

struct ClipTowerOptions {
  int64_t hidden;
  int64_t layers;
  int64_t heads;
  int64_t mlp;
  Activation activation = Activation::kQuickGelu;
  bool causal = false;  // a token sees those before it alone; else the mask says what it sees
};

// The parameters "<tower>_hidden", "_layers", "_heads" and "_mlp".
ClipTowerOptions ReadClipTower(const Parameters& parameters, std::string_view tower);

class ClipBlocks final {
 public:
  ClipBlocks(Layer& parent, const ClipTowerOptions& options);

  // x (N, S, hidden) -> the same. `mask` is added to scores, or undefined. `before`, or null, becomes
  // what the last block reads.
  at::Tensor Forward(at::Tensor x, const at::Tensor& mask, at::Tensor* before = nullptr) const;

 private:
  std::vector<std::unique_ptr<FairseqBlock>> blocks_;
};

struct ClipImageOptions {
  ClipTowerOptions tower;
  PatchesOptions patches;
};

class ClipImageTower final : public Layer {
 public:
  ClipImageTower(Layer& parent, std::string name, const ClipImageOptions& options);

  struct States {
    at::Tensor class_token;  // (N, hidden), with the last norm
    at::Tensor patches;      // (N, patches, hidden), behind the last block but one
  };

  // Images (N, 3, resolution, resolution).
  States Forward(const at::Tensor& image) const;

 private:
  class Tokens final : public Layer {
   public:
    Tokens(Layer& parent, const PatchesOptions& options);

    // Images -> the class token and the patches, (N, 1 + patches, hidden).
    at::Tensor Forward(const at::Tensor& image) const;

   private:
    Patches patches_;
    Embedding positions_;
    at::Tensor class_;  // (hidden)
  };

  Tokens tokens_;
  LayerNorm first_norm_;
  ClipBlocks blocks_;
  LayerNorm last_norm_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_VISION_CLIP_TOWER_H_
