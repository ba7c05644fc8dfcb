#include "benchmarks/operators/judge/argument_memory.h"

#include <ATen/core/Tensor.h>
#include <c10/core/GradMode.h>

#include <cstdint>
#include <optional>
#include <sstream>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/text/shape_text.h"
#include "benchmarks/operators/judge/value_leaves.h"

namespace assay::operators {
namespace {

bool IsDefinedTensor(const c10::IValue& value) {
  return value.isTensor() && value.toTensor().defined();
}

// The tensors with ordinary memory that a tensor consists of: itself or, for a sparse one, indices
// and values. Empty for formats that LibTorch cannot look into.
std::vector<at::Tensor> Parts(const at::Tensor& tensor) {
  const at::NoGradGuard no_grad;
  switch (tensor.layout()) {
    case at::kStrided:
      return {tensor};
    case at::kSparse:
      return {tensor._indices(), tensor._values()};
    case at::kSparseCsr:
    case at::kSparseBsr:
      return {tensor.crow_indices(), tensor.col_indices(), tensor.values()};
    case at::kSparseCsc:
    case at::kSparseBsc:
      return {tensor.ccol_indices(), tensor.row_indices(), tensor.values()};
    default:
      return {};
  }
}

std::string Memory(const at::Tensor& tensor) {
  std::vector<at::Tensor> parts = Parts(tensor);
  if (parts.empty()) parts.push_back(tensor.to_dense());
  std::string memory;
  for (const at::Tensor& part : parts) {
    const at::Tensor on_host = part.cpu();  // itself, on the CPU
    const at::Storage& storage = on_host.storage();
    if (storage.data() != nullptr)
      memory.append(static_cast<const char*>(storage.data()), storage.nbytes());
  }
  return memory;
}

std::string Metadata(const at::Tensor& tensor) {
  std::ostringstream text;
  text << tensor.layout() << ' ' << tensor.dtype() << ' ' << base::ShapeText(tensor.sizes()) << ' '
       << tensor.is_conj() << tensor.is_neg();
  if (tensor.layout() == at::kStrided)
    text << ' ' << base::ShapeText(tensor.strides()) << ' ' << tensor.storage_offset();
  if (tensor.has_names()) text << ' ' << tensor.names();
  return text.str();
}

// The address ranges of a tensor's storages.
std::vector<std::pair<uintptr_t, uintptr_t>> Ranges(const at::Tensor& tensor) {
  std::vector<std::pair<uintptr_t, uintptr_t>> ranges;
  for (const at::Tensor& part : Parts(tensor)) {
    if (part.numel() == 0) continue;
    const auto begin = reinterpret_cast<uintptr_t>(part.storage().data());
    ranges.emplace_back(begin, begin + part.storage().nbytes());
  }
  return ranges;
}

bool Overlap(const at::Tensor& a, const at::Tensor& b) {
  if (a.is_same(b)) return true;
  for (const auto& [a_begin, a_end] : Ranges(a)) {
    for (const auto& [b_begin, b_end] : Ranges(b)) {
      if (a_begin < b_end && b_begin < a_end) return true;
    }
  }
  return false;
}

std::string ArgumentName(const Callable& call, const Leaf& leaf) {
  return absl::StrCat("argument '", call.names[leaf.position], "'", leaf.element);
}

std::string ResultName(const Leaf& leaf) {
  return absl::StrCat("result ", leaf.position, leaf.element);
}

// "result 0 lies in the memory of", and the other's name.
std::string Shared(const c10::Stack& results, const c10::Stack& others,
                   absl::FunctionRef<std::string(const Leaf&)> name_of_other) {
  for (const Leaf& result : LeavesOf(results)) {
    if (!IsDefinedTensor(result.value)) continue;
    for (const Leaf& other : LeavesOf(others)) {
      if (IsDefinedTensor(other.value) && Overlap(result.value.toTensor(), other.value.toTensor()))
        return absl::StrCat(ResultName(result), " lies in the memory of ", name_of_other(other));
    }
  }
  return "";
}

}  // namespace

bool ArgumentState::Argument::operator==(const Argument& other) const {
  return metadata == other.metadata && memory == other.memory && SameValue(value, other.value);
}

std::vector<ArgumentState::Argument> ArgumentState::ArgumentsOf(const Callable& call) {
  std::vector<Argument> arguments;
  for (const Leaf& leaf : LeavesOf(call.arguments)) {
    Argument& argument = arguments.emplace_back();
    if (!leaf.value.isTensor()) {
      argument.value = leaf.value;
    } else if (leaf.value.toTensor().defined()) {
      argument.metadata = Metadata(leaf.value.toTensor());
      argument.memory = Memory(leaf.value.toTensor());
    }
  }
  return arguments;
}

ArgumentState::ArgumentState(const Callable& call) : arguments_(ArgumentsOf(call)) {}

std::string ArgumentState::Change(const Callable& call) const {
  const std::vector<Argument> now = ArgumentsOf(call);
  const std::vector<Leaf> leaves = LeavesOf(call.arguments);
  if (now.size() != arguments_.size())
    return "a list of arguments has another length after the call";
  for (size_t i = 0; i < now.size(); ++i) {
    if (now[i] == arguments_[i]) continue;
    return absl::StrCat(ArgumentName(call, leaves[i]),
                        now[i].metadata == arguments_[i].metadata
                            ? " holds other numbers after the call"
                            : " has another shape, stride or dtype after the call");
  }
  return "";
}

std::string SharedMemory(const c10::Stack& results, const Callable& call) {
  return Shared(results, call.arguments,
                [&](const Leaf& argument) { return ArgumentName(call, argument); });
}

std::string SharedMemory(const c10::Stack& results, const c10::Stack& results_of_another_call) {
  return Shared(results, results_of_another_call, [](const Leaf& other) {
    return absl::StrCat(ResultName(other), " of another call");
  });
}

}  // namespace assay::operators
