#include "models/named_tensor.h"

#include <c10/core/StorageImpl.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace assay::models {

int64_t BytesReadAtLeast(const std::vector<NamedTensor>& state) {
  using Part = std::pair<int64_t, int64_t>;  // first element, bytes
  std::map<const c10::StorageImpl*, std::pair<int64_t, std::set<Part>>> read;
  for (const NamedTensor& entry : state) {
    if (entry.sparse_access) continue;
    const at::Tensor& tensor = entry.tensor;
    auto& [bytes, parts] = read[tensor.storage().unsafeGetStorageImpl()];
    const int64_t size = static_cast<int64_t>(tensor.nbytes());
    if (!parts.insert({tensor.storage_offset(), size}).second) continue;
    // Views may overlap, but no more than the whole memory is read.
    bytes = std::min(bytes + size, static_cast<int64_t>(tensor.storage().nbytes()));
  }
  int64_t total = 0;
  for (const auto& [storage, bytes_and_parts] : read) total += bytes_and_parts.first;
  return total;
}

}  // namespace assay::models
