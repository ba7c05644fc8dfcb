// LLaVA as Hugging Face transformers builds it (LlavaForConditionalGeneration with "sdpa" attention):
// CLIP's encoder of images, two linear layers, and Llama's decoder, which reads the image's patches
// in the places that the tokens give them. Tensor names, order and shapes are its state_dict's, so
// its checkpoints fit.

#include <ATen/core/Tensor.h>
#include <ATen/ops/where.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/generator.h"
#include "models/layers/core/activation.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/text/llama_decoder.h"
#include "models/layers/vision/clip_tower.h"
#include "models/parameters.h"
#include "models/registry.h"

namespace assay::models {
namespace {

struct LlavaOptions {
  ClipImageOptions image;
  LlamaOptions text;
  int64_t image_token;
};

class Llava final : public LayeredModel, public Generator {
 public:
  explicit Llava(const LlavaOptions& o)
      : image_token_(o.image_token),
        eye_(*this, "model.vision_tower", o.image),
        first_(*this, "model.multi_modal_projector.linear_1",
               {.in = o.image.tower.hidden, .out = o.text.hidden_size}),
        second_(*this, "model.multi_modal_projector.linear_2",
                {.in = o.text.hidden_size, .out = o.text.hidden_size}),
        decoder_(*this, "model.language_model", o.text),
        scores_(*this, "lm_head",
                {.in = o.text.hidden_size, .out = o.text.vocab_size, .bias = false}) {}

  // Tokens int64 (N, S), in which each image has as many places as patches, and images
  // (N, 3, resolution, resolution) -> logits (N, S, vocabulary).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    return {Scores(decoder_.Forward(Read(inputs), {}, 0, {}))};
  }

  std::vector<at::Tensor> NewCache(at::ArrayRef<at::Tensor> inputs, int64_t capacity) override {
    return decoder_.NewCache(inputs[0].size(0), capacity);
  }

  at::Tensor Prefill(at::ArrayRef<at::Tensor> inputs, at::ArrayRef<at::Tensor> cache) override {
    return Scores(decoder_.Forward(Read(inputs), {}, 0, cache).select(1, -1));
  }

  at::Tensor Extend(const at::Tensor& tokens, const CachePlace& place,
                    at::ArrayRef<at::Tensor> cache) override {
    return Scores(decoder_.Forward(decoder_.Words(tokens), {}, place, cache).select(1, -1));
  }

 private:
  // Words, and patches in the places of the image, for the decoder to read: (N, S, hidden_size).
  at::Tensor Read(at::ArrayRef<at::Tensor> inputs) const {
    const at::Tensor seen = first_.Forward(eye_.Forward(inputs[1]).patches);
    const at::Tensor patches = second_.Forward(Activate(Activation::kGelu, seen)).flatten(0, 1);
    const at::Tensor places = inputs[0].eq(image_token_);
    // A GPU would have to be waited for.
    if (places.is_cpu()) {
      const auto count = places.sum().item<int64_t>();
      TORCH_CHECK_VALUE(count == patches.size(0), "llava: the tokens have ", count,
                        " places of an image (token ", image_token_, "), and the images have ",
                        patches.size(0), " patches");
    }
    // The patch of each place, in order. The number of a word's place is not read.
    const at::Tensor number = places.flatten().cumsum(0).sub(1).clamp_min(0);
    const at::Tensor words = decoder_.Words(inputs[0]);
    return at::where(places.unsqueeze(-1), patches.index_select(0, number).view_as(words), words);
  }

  at::Tensor Scores(const at::Tensor& x) const { return scores_.Forward(decoder_.Normed(x)); }

  int64_t image_token_;
  ClipImageTower eye_;
  Linear first_;
  Linear second_;
  LlamaDecoder decoder_;
  Linear scores_;
};

absl::Status Check(const Parameters& parameters) {
  absl::Status status = CheckMultiple("llava", parameters, "image_hidden", "image_heads");
  status.Update(CheckMultiple("llava", parameters, "resolution", "patch_size"));
  status.Update(CheckMultiple("llava", parameters, "hidden_size", "num_attention_heads"));
  status.Update(CheckMultiple("llava", parameters, "num_attention_heads", "num_key_value_heads"));
  if (!status.ok()) return status;
  const int64_t token = parameters.Integer("image_token_index"),
                words = parameters.Integer("vocab_size");
  if (token >= words) {
    return absl::InvalidArgumentError(absl::StrCat("llava: image_token_index ", token,
                                                   " is no token of a vocabulary of ", words,
                                                   "; give a smaller one, or a larger vocab_size"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Model>> NewLlava(const Parameters& parameters) {
  absl::Status status = Check(parameters);
  if (!status.ok()) return status;
  const ClipTowerOptions tower = ReadClipTower(parameters, "image");
  const PatchesOptions patches = {.family = "llava",
                                  .resolution = parameters.Integer("resolution"),
                                  .patch_size = parameters.Integer("patch_size"),
                                  .features = tower.hidden,
                                  .bias = false};
  if (const int64_t places = parameters.Integer("image_seq_length"); places != patches.count()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "llava: image_seq_length ", places, " is not the number of patches: an image of ",
        patches.resolution, " pixels a side has ", patches.count(), " of ", patches.patch_size));
  }
  const int64_t hidden = parameters.Integer("hidden_size");
  const int64_t heads = parameters.Integer("num_attention_heads");
  status = CheckEven("llava", "the number of a head's features", hidden / heads);
  if (!status.ok()) return status;
  return std::make_unique<Llava>(
      LlavaOptions{.image = {.tower = tower, .patches = patches},
                   .text = {.vocab_size = parameters.Integer("vocab_size"),
                            .hidden_size = hidden,
                            .intermediate_size = parameters.Integer("intermediate_size"),
                            .layers = parameters.Integer("num_hidden_layers"),
                            .heads = heads,
                            .key_heads = parameters.Integer("num_key_value_heads"),
                            .head_dim = hidden / heads,
                            .rms_norm_eps = parameters.Real("rms_norm_eps"),
                            .rotary = {.features = hidden / heads,
                                       .theta = parameters.Real("rope_theta"),
                                       .positions = parameters.Integer("max_position_embeddings")}},
                   .image_token = parameters.Integer("image_token_index")});
}

ASSAY_MODEL_IMPLEMENTATION("llava", NewLlava);

}  // namespace
}  // namespace assay::models
