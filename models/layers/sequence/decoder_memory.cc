#include "models/layers/sequence/decoder_memory.h"

#include <ATen/ops/empty.h>

namespace assay::models {
namespace {

// Places of a block's tensors behind one another; without an encoder the first two alone.
enum DecoderCachePlace { kKeys, kValues, kEncodedKeys, kEncodedValues, kWithEncoder };

constexpr int64_t kWithoutEncoder = kEncodedKeys;

}  // namespace

std::vector<at::Tensor> NewDecoderCache(const DecoderCacheSize& size,
                                        const at::TensorOptions& options) {
  std::vector<at::Tensor> cache;
  const auto add = [&](int64_t tokens) {
    cache.push_back(at::empty({size.rows, tokens, size.features}, options));
  };
  for (int64_t i = 0; i < size.blocks; ++i) {
    add(size.capacity);
    add(size.capacity);
    if (size.encoded == 0) continue;
    add(size.encoded);
    add(size.encoded);
  }
  if (size.encoded > 0 && size.masked)
    cache.push_back(at::empty({size.rows, size.encoded}, options));
  return cache;
}

void KeepEncoded(const std::vector<KeyValue>& of_blocks, const at::Tensor& mask,
                 at::ArrayRef<at::Tensor> cache) {
  for (size_t i = 0; i < of_blocks.size(); ++i) {
    cache[kWithEncoder * i + kEncodedKeys].copy_(of_blocks[i].key);
    cache[kWithEncoder * i + kEncodedValues].copy_(of_blocks[i].value);
  }
  if (mask.defined()) cache.back().copy_(mask.flatten(1));
}

std::vector<DecoderMemory> CachedMemories(int64_t blocks, at::ArrayRef<at::Tensor> cache,
                                          const CachePlace& place) {
  const auto size = static_cast<int64_t>(cache.size());
  const bool encoder = size >= kWithEncoder * blocks;
  const int64_t of_block = encoder ? int64_t{kWithEncoder} : kWithoutEncoder;
  at::Tensor mask;
  if (size > of_block * blocks) mask = cache.back().unsqueeze(1).unsqueeze(1);
  const at::Tensor seen = place.rows.defined() ? SeenByRows(place) : at::Tensor();
  std::vector<DecoderMemory> memories;
  for (int64_t i = 0; i < blocks; ++i) {
    const at::Tensor* const own = &cache[of_block * i];
    memories.push_back(
        {.encoded = encoder ? KeyValue{own[kEncodedKeys], own[kEncodedValues]} : KeyValue(),
         .encoded_mask = mask,
         .cache = KeyValueCache(own[kKeys], own[kValues]),
         .place = place,
         .seen = seen});
  }
  return memories;
}

std::vector<DecoderMemory> Memories(const std::vector<KeyValue>& of_blocks,
                                    const at::Tensor& mask) {
  std::vector<DecoderMemory> memories;
  for (const KeyValue& encoded : of_blocks)
    memories.push_back({.encoded = encoded, .encoded_mask = mask});
  return memories;
}

}  // namespace assay::models
