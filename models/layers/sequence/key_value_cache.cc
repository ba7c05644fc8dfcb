#include "models/layers/sequence/key_value_cache.h"

#include <c10/util/Exception.h>

#include <utility>

namespace assay::models {

KeyValueCache::KeyValueCache(at::Tensor keys, at::Tensor values)
    : keys_(std::move(keys)), values_(std::move(values)) {}

KeyValue KeyValueCache::Add(const at::Tensor& key, const at::Tensor& value,
                            int64_t position) const {
  const int64_t count = key.size(1);
  TORCH_CHECK(position >= 0 && position + count <= keys_.size(1), "positions ", position, " to ",
              position + count - 1, " do not fit into a cache of ", keys_.size(1), " tokens");
  keys_.narrow(1, position, count).copy_(key);
  values_.narrow(1, position, count).copy_(value);
  return {keys_.narrow(1, 0, position + count), values_.narrow(1, 0, position + count)};
}

}  // namespace assay::models
