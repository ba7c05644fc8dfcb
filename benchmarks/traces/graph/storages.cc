#include "benchmarks/traces/graph/storages.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace assay::traces {
namespace {

class Finder {
 public:
  explicit Finder(const TraceTree& tree) : tree_(tree) {
    found_.inputs.resize(tree.nodes.size());
    found_.outputs.resize(tree.nodes.size());
  }

  Storages Find() && {
    WalkOperators(
        tree_, [this](size_t node) { Begin(node); }, [this](size_t node) { End(node); });
    return std::move(found_);
  }

 private:
  void Begin(size_t node) {
    ForEachTensor(tree_.nodes[node].inputs,
                  [&](const TraceTensor& tensor) { found_.inputs[node].push_back(Read(tensor)); });
  }

  void End(size_t node) {
    ForEachTensor(tree_.nodes[node].outputs, [&](const TraceTensor& tensor) {
      found_.outputs[node].push_back(Made(node, tensor));
    });
  }

  int New(const TraceTensor& tensor, size_t born) {
    const int place = static_cast<int>(found_.all.size());
    found_.all.push_back({.id = tensor.storage,
                          .born = born,
                          .bytes = std::max<int64_t>(ExtentOf(tensor), 0),
                          .device = tensor.device});
    current_[tensor.storage] = place;
    dtype_[place] = tensor.dtype;
    return last_[tensor.id] = place;
  }

  int Read(const TraceTensor& tensor) {
    if (tensor.elements == 0) return kNoStorage;
    const auto current = current_.find(tensor.storage);
    if (current == current_.end()) return New(tensor, kNoNode);
    Storage& storage = found_.all[static_cast<size_t>(current->second)];
    const auto last = last_.find(tensor.id);
    const bool known = last != last_.end() && last->second == current->second;
    const bool fits = storage.born == kNoNode || ExtentOf(tensor) <= storage.bytes;
    const bool alike =
        storage.device == tensor.device && (known || dtype_[current->second] == tensor.dtype);
    if (!fits || !alike) return New(tensor, kNoNode);
    storage.bytes = std::max(storage.bytes, ExtentOf(tensor));
    return last_[tensor.id] = current->second;
  }

  int Made(size_t node, const TraceTensor& tensor) {
    if (tensor.elements == 0) return kNoStorage;
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

  int Grown(int storage, const TraceTensor& tensor) {
    int64_t& bytes = found_.all[static_cast<size_t>(storage)].bytes;
    bytes = std::max(bytes, ExtentOf(tensor));
    return last_[tensor.id] = storage;
  }

  const TraceTree& tree_;
  Storages found_;
  std::unordered_map<int64_t, int> current_;    // by the trace's id of a storage
  std::unordered_map<int64_t, int> last_;       // by the trace's id of a tensor
  std::unordered_map<int, std::string> dtype_;  // by storage: of its first tensor
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

}  // namespace assay::traces
