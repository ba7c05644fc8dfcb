#ifndef ASSAY_MODELS_LAYERS_SEQUENCE_KEY_VALUE_CACHE_H_
#define ASSAY_MODELS_LAYERS_SEQUENCE_KEY_VALUE_CACHE_H_

// ---------------------------------------------------------------------------------------------
// models/layers/sequence/key_value_cache.h: the keys and values of one attention layer for the tokens so
// far, in memory of fixed capacity that the caller owns.
//
// Not for: several layers (a model keeps two tensors for each), paging, sliding windows.
//
// Example, in a layer that gets `cache` and `position`:
//
//     const KeyValue all = cache.Add(key, value, position);       // (N, position + n, features)
//     at::Tensor y = Attend(query, all.key, all.value, {.heads = 12, .causal = true});
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "models/generator.h"

namespace assay::models {

struct KeyValue {
  at::Tensor key, value;
};

// The keys up to place.position that a token of each row sees, bool (N, 1, 1, place.position + 1): with a
// window that many, itself the last.
at::Tensor SeenByRows(const CachePlace& place, int64_t window = 0);

class KeyValueCache {
 public:
  // Both tensors are (N, capacity, features) and shared with the caller.
  KeyValueCache(at::Tensor keys, at::Tensor values);

  // Writes key and value, (N, n, features), at their place. Returns views of all up to the last one.
  // Throws c10::Error where they do not fit.
  KeyValue Add(const at::Tensor& key, const at::Tensor& value, const CachePlace& place) const;

 private:
  at::Tensor keys_, values_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_SEQUENCE_KEY_VALUE_CACHE_H_
