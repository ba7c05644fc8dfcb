#include "benchmarks/operators/judge/value_leaves.h"

#include <cmath>

#include "absl/strings/str_cat.h"

namespace assay::operators {
namespace {

void Append(size_t position, const std::string& element, const c10::IValue& value,
            std::vector<Leaf>& leaves) {
  const auto append_all = [&](const auto& items) {
    for (size_t i = 0; i < items.size(); ++i)
      Append(position, absl::StrCat(element, "[", i, "]"), c10::IValue(items[i]), leaves);
  };
  if (value.isTuple()) {
    append_all(value.toTupleRef().elements());
  } else if (value.isList()) {
    append_all(value.toListRef());  // of any type: a list of numbers has them as values, too
  } else {
    leaves.push_back({position, element, value});
  }
}

}  // namespace

std::vector<Leaf> LeavesOf(const torch::jit::Stack& stack) {
  std::vector<Leaf> leaves;
  for (size_t i = 0; i < stack.size(); ++i) Append(i, "", stack[i], leaves);
  return leaves;
}

bool SameValue(const c10::IValue& a, const c10::IValue& b) {
  if (a.isDouble() && b.isDouble() && std::isnan(a.toDouble()) && std::isnan(b.toDouble()))
    return true;
  return a == b;
}

}  // namespace assay::operators
