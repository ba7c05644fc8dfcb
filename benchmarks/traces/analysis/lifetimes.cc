#include "benchmarks/traces/analysis/lifetimes.h"

#include <map>
#include <utility>

namespace assay::traces {

int64_t BytesOf(const TraceTensor& tensor) {
  int64_t bytes = 0;
  return __builtin_mul_overflow(tensor.elements, tensor.element_size, &bytes) ? -1 : bytes;
}

std::vector<TensorLife> TensorLives(const TraceTree& tree, const Storages& storages) {
  std::vector<TensorLife> lives;
  std::map<std::pair<int64_t, int>, size_t> places;
  const auto life = [&](const TraceTensor& tensor, int storage) -> TensorLife& {
    const auto [at, added] = places.emplace(std::make_pair(tensor.id, storage), lives.size());
    if (added) lives.push_back({.tensor = tensor, .storage = storage});
    return lives[at->second];
  };
  const auto each = [&](const std::vector<TraceValue>& values, const std::vector<int>& of,
                        const auto& take) {
    size_t place = 0;
    ForEachTensor(values, [&](const TraceTensor& tensor) { take(life(tensor, of[place++])); });
  };
  WalkOperators(
      tree,
      [&](size_t node) {
        each(tree.nodes[node].inputs, storages.inputs[node], [&](TensorLife& one) {
          if (one.first_use == kNoNode) one.first_use = node;
          one.last_use = node;
          ++one.uses;
        });
      },
      [&](size_t node) {
        each(tree.nodes[node].outputs, storages.outputs[node], [&](TensorLife& one) {
          if (one.made == kNoNode && one.first_use == kNoNode) one.made = node;
        });
      });
  return lives;
}

}  // namespace assay::traces
