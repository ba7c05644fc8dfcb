#include "benchmarks/traces/graph/storages.h"

#include <algorithm>
#include <utility>

#include "absl/container/flat_hash_map.h"

namespace assay::traces {
namespace {

class Finder {
 public:
  explicit Finder(const TraceTree& tree) : tree_(tree) {
    found_.inputs.Resize(tree.nodes.size());
    found_.outputs.Resize(tree.nodes.size());
  }

  Storages Find() && {
    WalkOperators(
        tree_,
        [this](size_t node) {
          tree_.nodes.ForEachInput(node, [&](const TraceTensor& like, int64_t id, int64_t storage) {
            found_.inputs.Add(node, Read({like, id, storage}));
          });
        },
        [this](size_t node) {
          tree_.nodes.ForEachOutput(node,
                                    [&](const TraceTensor& like, int64_t id, int64_t storage) {
                                      found_.outputs.Add(node, Made(node, {like, id, storage}));
                                    });
        });
    return std::move(found_);
  }

 private:
  struct Seen {
    const TraceTensor& like;
    int64_t id, storage;
  };

  int New(const Seen& tensor, size_t born) {
    const int place = static_cast<int>(found_.all.size());
    found_.all.push_back({.id = tensor.storage,
                          .born = born,
                          .bytes = std::max<int64_t>(ExtentOf(tensor.like), 0),
                          .first = &tensor.like});
    // torch.profiler names no memory: each of its tensors has an id of its own, below zero.
    if (tensor.id < 0 && tensor.id == tensor.storage) return place;
    current_[tensor.storage] = place;
    return last_[tensor.id] = place;
  }

  int Read(const Seen& tensor) {
    if (tensor.like.elements == 0) return kNoStorage;
    const auto current = current_.find(tensor.storage);
    if (current == current_.end()) return New(tensor, kNoNode);
    Storage& storage = found_.all[static_cast<size_t>(current->second)];
    const auto last = last_.find(tensor.id);
    const bool known = last != last_.end() && last->second == current->second;
    const int64_t extent = ExtentOf(tensor.like);
    const bool fits = storage.born == kNoNode || extent <= storage.bytes;
    const bool alike = storage.first->device == tensor.like.device &&
                       (known || storage.first->dtype == tensor.like.dtype);
    if (!fits || !alike) return New(tensor, kNoNode);
    storage.bytes = std::max(storage.bytes, extent);
    return last_[tensor.id] = current->second;
  }

  int Made(size_t node, const Seen& tensor) {
    if (tensor.like.elements == 0) return kNoStorage;
    for (const int input : found_.inputs[node]) {
      if (input == kNoStorage || found_.all[static_cast<size_t>(input)].id != tensor.storage)
        continue;
      return Grown(input, tensor);
    }
    const auto current = current_.find(tensor.storage);
    if (current != current_.end()) {
      const size_t born = found_.all[static_cast<size_t>(current->second)].born;
      if (born != kNoNode && tree_.Within(born, node)) return Grown(current->second, tensor);
    }
    return New(tensor, node);
  }

  int Grown(int storage, const Seen& tensor) {
    int64_t& bytes = found_.all[static_cast<size_t>(storage)].bytes;
    bytes = std::max(bytes, ExtentOf(tensor.like));
    return last_[tensor.id] = storage;
  }

  const TraceTree& tree_;
  Storages found_;
  absl::flat_hash_map<int64_t, int> current_;  // by the trace's id of a storage
  absl::flat_hash_map<int64_t, int> last_;     // by the trace's id of a tensor
};

}  // namespace

int64_t ExtentOf(const TraceTensor& tensor) {
  int64_t last = 0, elements = 1, bytes = 0;
  for (size_t i = 0; i < tensor.sizes.size(); ++i) {
    const int64_t stride = tensor.has_strides ? tensor.strides[i] : 0;
    int64_t step = 0;
    if (tensor.sizes[i] < 0 || stride < 0 ||
        __builtin_mul_overflow(elements, tensor.sizes[i], &elements) ||
        __builtin_mul_overflow(std::max<int64_t>(tensor.sizes[i] - 1, 0), stride, &step) ||
        __builtin_add_overflow(last, step, &last))
      return -1;
  }
  if (!tensor.has_strides) last = elements - 1;
  if (elements != tensor.elements || tensor.offset < 0 || tensor.element_size <= 0 ||
      __builtin_add_overflow(last, tensor.offset, &last) ||
      __builtin_add_overflow(last, int64_t{1}, &last) ||
      __builtin_mul_overflow(last, tensor.element_size, &bytes))
    return -1;
  return elements == 0 ? 0 : bytes;
}

Storages FindStorages(const TraceTree& tree) { return Finder(tree).Find(); }

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
