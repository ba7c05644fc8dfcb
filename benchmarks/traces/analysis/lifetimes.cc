#include "benchmarks/traces/analysis/lifetimes.h"

#include <utility>

#include "absl/container/flat_hash_map.h"

namespace assay::traces {

int64_t BytesOf(const TraceTensor& tensor) {
  int64_t bytes = 0;
  return __builtin_mul_overflow(tensor.elements, tensor.element_size, &bytes) ? -1 : bytes;
}

std::vector<TensorLife> TensorLives(const TraceTree& tree, const Storages& storages) {
  std::vector<TensorLife> lives;
  absl::flat_hash_map<std::pair<int64_t, int>, uint32_t> places;
  const auto life = [&](const TraceTensor& like, int64_t id, int64_t storage,
                        int place) -> TensorLife& {
    const auto [at, added] =
        places.emplace(std::make_pair(id, place), static_cast<uint32_t>(lives.size()));
    if (added) lives.push_back({.like = &like, .id = id, .storage = storage});
    return lives[at->second];
  };
  WalkOperators(
      tree,
      [&](size_t node) {
        size_t place = 0;
        tree.nodes.ForEachInput(node, [&](const TraceTensor& like, int64_t id, int64_t storage) {
          TensorLife& one = life(like, id, storage, storages.inputs[node][place++]);
          if (one.first_use == kNoNode) one.first_use = static_cast<uint32_t>(node);
          one.last_use = static_cast<uint32_t>(node);
          ++one.uses;
        });
      },
      [&](size_t node) {
        size_t place = 0;
        tree.nodes.ForEachOutput(node, [&](const TraceTensor& like, int64_t id, int64_t storage) {
          TensorLife& one = life(like, id, storage, storages.outputs[node][place++]);
          if (one.made == kNoNode && one.first_use == kNoNode)
            one.made = static_cast<uint32_t>(node);
        });
      });
  return lives;
}

}  // namespace assay::traces
