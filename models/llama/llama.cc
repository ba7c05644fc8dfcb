// Decoders of the kind that Llama began (models/layers/text/llama_decoder.h) with a score for each next
// word, all at once or one token after another with a cache. Tensor names, order and shapes are those
// of transformers' state_dict.
//
// A second input says which tokens there are, where rows of different lengths are padded at their
// beginning.

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/tanh.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/generator.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/text/llama_decoder.h"
#include "models/layers/text/text_heads.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

LlamaStyle StyleOf(const std::string& model_type) {
  return {.gemma = model_type == "gemma2" || model_type == "gemma3",
          .head_norms = model_type == "qwen3" || model_type == "gemma3",
          .local_frequencies = model_type == "gemma3",
          .mixtral = model_type == "mixtral",
          .gpt_oss = model_type == "gpt_oss"};
}

class Llama final : public LayeredModel, public Trainable, public Generator {
 public:
  // `tied`: whether the scores' weight is the words'. `logit_cap`: 0 is none.
  Llama(const LlamaOptions& options, bool tied, double logit_cap)
      : logit_cap_(logit_cap),
        decoder_(*this, "model", options),
        scores_(*this, "lm_head",
                {.in = options.hidden_size,
                 .out = options.vocab_size,
                 .bias = false,
                 .tied_weight = tied ? &decoder_.words() : nullptr}) {}

  // Tokens, int64 (N, S), and which of them there are, likewise -> logits (N, S, vocabulary).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const at::Tensor there = inputs.size() > 1 ? inputs[1] : at::Tensor();
    return {Scores(decoder_.Forward(decoder_.Words(inputs[0]), there, 0, {}))};
  }

  // The mean over all tokens but the first; labels int64 (N, S).
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return NextWordLoss(outputs[0], targets[0]);
  }

  // The decoder's; where rows are padded, also which tokens there are, int64 (rows, capacity).
  std::vector<at::Tensor> NewCache(at::ArrayRef<at::Tensor> inputs, int64_t capacity) override {
    std::vector<at::Tensor> cache = decoder_.NewCache(inputs[0].size(0), capacity);
    if (inputs.size() > 1)
      cache.push_back(at::empty({inputs[1].size(0), capacity}, inputs[1].options()));
    return cache;
  }

  at::Tensor Prefill(at::ArrayRef<at::Tensor> inputs, at::ArrayRef<at::Tensor> cache) override {
    if (inputs.size() > 1) cache.back().fill_(1).narrow(1, 0, inputs[1].size(1)).copy_(inputs[1]);
    return Extend(inputs[0], 0, cache);
  }

  at::Tensor Extend(const at::Tensor& tokens, const CachePlace& place,
                    at::ArrayRef<at::Tensor> cache) override {
    at::Tensor there;  // behind the blocks, which have two tensors each
    if (cache.size() % 2 == 1) there = cache.back().narrow(1, 0, place.position + tokens.size(1));
    const at::Tensor x = decoder_.Forward(decoder_.Words(tokens), there, place, cache);
    return Scores(x.select(1, -1));
  }

 private:
  at::Tensor Scores(const at::Tensor& x) const {
    const at::Tensor scores = scores_.Forward(decoder_.Normed(x));
    return logit_cap_ > 0 ? at::tanh(scores / logit_cap_) * logit_cap_ : scores;
  }

  double logit_cap_;
  LlamaDecoder decoder_;
  Linear scores_;
};

absl::StatusOr<std::unique_ptr<Model>> NewLlama(const Parameters& parameters) {
  const absl::Status status =
      CheckMultiple("llama", parameters, "num_attention_heads", "num_key_value_heads");
  if (!status.ok()) return status;
  const int64_t head_dim = parameters.Integer("head_dim");
  if (head_dim % 2 != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("llama: head_dim ", head_dim, " is odd; its features are turned in pairs"));
  }
  const int64_t experts = parameters.Integer("num_local_experts");
  if (parameters.Integer("num_experts_per_tok") > experts) {
    return absl::InvalidArgumentError(
        absl::StrCat("llama: num_experts_per_tok ", parameters.Integer("num_experts_per_tok"),
                     " of ", experts, " experts (num_local_experts)"));
  }
  const LlamaOptions options = {
      .style = StyleOf(parameters.Text("model_type")),
      .vocab_size = parameters.Integer("vocab_size"),
      .hidden_size = parameters.Integer("hidden_size"),
      .intermediate_size = parameters.Integer("intermediate_size"),
      .layers = parameters.Integer("num_hidden_layers"),
      .heads = parameters.Integer("num_attention_heads"),
      .key_heads = parameters.Integer("num_key_value_heads"),
      .head_dim = head_dim,
      .rms_norm_eps = parameters.Real("rms_norm_eps"),
      .rotary = {.features = head_dim,
                 .theta = parameters.Real("rope_theta"),
                 .scaling = parameters.Text("rope_type"),
                 .factor = parameters.Real("factor"),
                 .low_frequency_factor = parameters.Real("low_freq_factor"),
                 .high_frequency_factor = parameters.Real("high_freq_factor"),
                 .original_positions = parameters.Integer("original_max_position_embeddings")},
      .local_theta = parameters.Real("rope_local_base_freq"),
      .window = parameters.Integer("sliding_window"),
      .window_pattern = parameters.Integer("sliding_window_pattern"),
      .query_scalar = parameters.Integer("query_pre_attn_scalar"),
      .attention_cap = parameters.Real("attn_logit_softcapping"),
      .attention_bias = parameters.Flag("attention_bias"),
      .experts = experts,
      .experts_per_token = parameters.Integer("num_experts_per_tok")};
  return std::make_unique<Llama>(options, parameters.Flag("tie_word_embeddings"),
                                 parameters.Real("final_logit_softcapping"));
}

ASSAY_MODEL_IMPLEMENTATION("llama", NewLlama);
ASSAY_MODEL_IMPLEMENTATION("llama_padded", NewLlama);

}  // namespace
}  // namespace assay::models
