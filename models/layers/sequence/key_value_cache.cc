#include "models/layers/sequence/key_value_cache.h"

#include <ATen/TensorIndexing.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <c10/util/Exception.h>

#include <utility>

namespace assay::models {

KeyValueCache::KeyValueCache(at::Tensor keys, at::Tensor values)
    : keys_(std::move(keys)), values_(std::move(values)) {}

at::Tensor SeenByRows(const CachePlace& place, int64_t window) {
  const at::Tensor keys = at::arange(place.position + 1, place.rows.options());
  const at::Tensor last = place.rows.view({-1, 1, 1, 1});
  const at::Tensor seen = keys.le(last);
  return window > 0 ? seen.logical_and(keys.gt(last - window)) : seen;
}

KeyValue KeyValueCache::Add(const at::Tensor& key, const at::Tensor& value,
                            const CachePlace& place) const {
  const int64_t count = key.size(1), end = place.position + count;
  TORCH_CHECK(place.position >= 0 && end <= keys_.size(1), "positions ", place.position, " to ",
              end - 1, " do not fit into a cache of ", keys_.size(1), " tokens");
  if (place.rows.defined()) {
    const at::Tensor row = at::arange(key.size(0), place.rows.options());
    at::Tensor keys = keys_, values = values_;
    keys.index_put_({row, place.rows}, key.squeeze(1));
    values.index_put_({row, place.rows}, value.squeeze(1));
  } else {
    keys_.narrow(1, place.position, count).copy_(key);
    values_.narrow(1, place.position, count).copy_(value);
  }
  return {keys_.narrow(1, 0, end), values_.narrow(1, 0, end)};
}

}  // namespace assay::models
