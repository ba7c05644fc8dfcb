#ifndef ASSAY_MODELS_LAYERS_SEQUENCE_DECODER_MEMORY_H_
#define ASSAY_MODELS_LAYERS_SEQUENCE_DECODER_MEMORY_H_

// ---------------------------------------------------------------------------------------------
// models/layers/sequence/decoder_memory.h: what a decoder's block reads beside its tokens, and the cache of a
// Generator (models/generator.h) that keeps it from call to call.
//
// A block attends to the tokens before it and, behind an encoder, to the encoder's output. Keys and
// values of that output are the same for all tokens: Prefill() writes them into the cache once.
// For each block the cache holds keys and values of its tokens and, behind an encoder, those of the
// encoder's output; at last comes the encoder's mask.
//
// Not for: the attention itself (attention.h).
//
// Example, in an encoder-decoder:
//
//     cache = NewDecoderCache({.blocks = 6, .features = 512, .rows = 1, .capacity = 16,
//                              .encoded = 128}, options);            // NewCache()
//     KeepEncoded(of_blocks, mask, cache);                           // Prefill()
//     for (const DecoderMemory& memory : CachedMemories(6, cache, position)) ...  // Extend()
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "models/layers/sequence/key_value_cache.h"

namespace assay::models {

struct DecoderMemory {
  KeyValue encoded = {};         // of the encoder's output, (N, S, features); undefined: no encoder
  at::Tensor encoded_mask = {};  // added to the scores of that output, (N, 1, 1, S); or undefined
  std::optional<KeyValueCache> cache = {};  // of the decoder's tokens; none: these are all tokens
  CachePlace place = 0;
  at::Tensor seen = {};  // SeenByRows() of it where rows differ; undefined: each sees all before it
};

struct DecoderCacheSize {
  int64_t blocks;
  int64_t features;
  int64_t rows;
  int64_t capacity;     // tokens of the decoder
  int64_t encoded = 0;  // tokens of the encoder; 0: there is none
  bool masked = true;   // whether some of these may be padding
};

std::vector<at::Tensor> NewDecoderCache(const DecoderCacheSize& size,
                                        const at::TensorOptions& options);

// Writes each block's keys and values of the encoder's output and their mask, (N, 1, 1, S),
// which is undefined where the cache was made without.
void KeepEncoded(const std::vector<KeyValue>& of_blocks, const at::Tensor& mask,
                 at::ArrayRef<at::Tensor> cache);

// A memory for each block, as views of the cache.
std::vector<DecoderMemory> CachedMemories(int64_t blocks, at::ArrayRef<at::Tensor> cache,
                                          const CachePlace& place);

// Likewise where all tokens come at once.
std::vector<DecoderMemory> Memories(const std::vector<KeyValue>& of_blocks, const at::Tensor& mask);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_SEQUENCE_DECODER_MEMORY_H_
