#include "benchmarks/harness/costs/operator_bytes.h"

#include <ATen/core/enum_tag.h>
#include <ATen/ops/_unique.h>
#include <ATen/record_function.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/strip.h"

namespace assay::costs {
namespace {

using Inputs = c10::ArrayRef<const c10::IValue>;
using ByteKind = OperatorBytes::Kind;
using NameSet = std::set<std::string, std::less<>>;

bool IsWritten(const c10::Argument& argument) {
  return argument.alias_info() != nullptr && argument.alias_info()->isWrite();
}

bool HoldsTensors(const c10::Argument& argument) {
  return absl::StrContains(argument.type()->str(), "Tensor");
}

// Whether an operator writes to no argument and returns only views of its arguments or no tensor.
bool MovesNothing(const c10::FunctionSchema& schema) {
  // Operators that return views, though their schemas do not say so.
  static const auto* const views =
      new NameSet{"aten::_unsafe_view", "aten::unsafe_split", "aten::unsafe_split_with_sizes",
                  "aten::unsafe_chunk"};
  if (views->contains(schema.name())) return true;
  for (const c10::Argument& argument : schema.arguments()) {
    if (IsWritten(argument)) return false;
  }
  return std::all_of(schema.returns().begin(), schema.returns().end(), [](const auto& result) {
    return result.alias_info() != nullptr || !HoldsTensors(result);
  });
}

// Calls `visit` with every tensor of an argument.
template <typename Visit>
void ForTensors(const c10::IValue& value, Visit visit) {
  if (value.isTensor()) {
    visit(value.toTensor());
  } else if (value.isList()) {
    for (const c10::IValue& element : value.toListRef()) {
      if (element.isTensor()) visit(element.toTensor());
    }
  }
}

// Whether the operator is composed of other operators for tensors on this device.
bool IsComposite(const c10::OperatorHandle& op, Inputs inputs) {
  if (!op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd)) return false;
  bool cuda = false;
  for (const c10::IValue& input : inputs)
    ForTensors(input, [&](const at::Tensor& tensor) { cuda |= tensor.is_cuda(); });
  return !op.hasKernelForDispatchKey(cuda ? c10::DispatchKey::CUDA : c10::DispatchKey::CPU);
}

// Number of elements in memory: a dimension of stride 0 counts as one element.
int64_t ElementsOf(const at::Tensor& tensor) {
  int64_t elements = 1;
  for (int64_t d = 0; d < tensor.dim(); ++d) {
    if (tensor.stride(d) != 0 || tensor.size(d) == 0) elements *= tensor.size(d);
  }
  return elements;
}

MemoryPart PartOf(const at::Tensor& tensor) {
  const auto storage_bytes = static_cast<int64_t>(tensor.storage().nbytes());
  const int64_t bytes = ElementsOf(tensor) * static_cast<int64_t>(tensor.itemsize());
  return {.storage = tensor.storage().getWeakStorageImpl(),
          .storage_bytes = storage_bytes,
          .offset = tensor.storage_offset(),
          .bytes = std::min(bytes, storage_bytes)};
}

bool IsStrided(const at::Tensor& tensor) {
  return !tensor.is_nested() && tensor.layout() == at::kStrided;
}

// Numbers that were wrapped into tensors for a call are not memory of the program.
bool HasMemory(const at::Tensor& tensor) {
  return tensor.defined() && tensor.has_storage() &&
         !tensor.unsafeGetTensorImpl()->is_wrapped_number();
}

int64_t Distinct(const at::Tensor& index) {
  const at::DisableRecordFunctionGuard unseen;
  const c10::AutoGradMode without_gradients(false);
  return std::get<0>(at::_unique(index, /*sorted=*/false)).numel();
}

// The bytes of the rows of `table`, along `dim`, that `index` names.
int64_t RowBytes(const at::Tensor& table, int64_t dim, const at::Tensor& index) {
  const int64_t rows = table.size(dim);
  if (rows == 0) return 0;
  return PartOf(table).bytes / rows * std::min(Distinct(index), rows);
}

// How much of argument 0 a call reads at most.
struct Lookup {
  enum class By { kRows, kElements, kResults } by;
  size_t index = 0;  // the argument that names rows, or that has as many elements as are read
  int64_t dim = 0;
};

// For index: a list of indices, one or none for each of the first dimensions.
Lookup LookupOfIndex(Inputs inputs) {
  const c10::List<c10::IValue> indices = inputs[1].toList();
  int64_t given = 0;
  Lookup lookup = {.by = Lookup::By::kResults};
  for (size_t d = 0; d < indices.size(); ++d) {
    const c10::IValue index = indices.get(d);
    if (!index.isTensor() || !index.toTensor().defined()) continue;
    ++given;
    const at::ScalarType type = index.toTensor().scalar_type();
    if (type == at::kLong || type == at::kInt)
      lookup = {.by = Lookup::By::kRows, .index = 1, .dim = static_cast<int64_t>(d)};
  }
  return given == 1 ? lookup : Lookup{.by = Lookup::By::kResults};
}

std::optional<Lookup> LookupOf(const c10::OperatorHandle& op, std::string_view operation,
                               Inputs inputs) {
  static const auto* const lookups = new std::map<std::string, Lookup, std::less<>>{
      {"embedding", {.by = Lookup::By::kRows, .index = 1}},
      {"_embedding_bag", {.by = Lookup::By::kRows, .index = 1}},
      {"_embedding_bag_forward_only", {.by = Lookup::By::kRows, .index = 1}},
      {"gather", {.by = Lookup::By::kElements, .index = 2}},
      {"take", {.by = Lookup::By::kElements, .index = 1}},
      {"nll_loss_forward", {.by = Lookup::By::kElements, .index = 1}},
      {"nll_loss2d_forward", {.by = Lookup::By::kElements, .index = 1}},
      {"masked_select", {.by = Lookup::By::kResults}},
  };
  if (const auto found = lookups->find(operation); found != lookups->end()) return found->second;
  if (operation == "index_select")
    return Lookup{.by = Lookup::By::kRows, .index = 2, .dim = inputs[1].toInt()};
  if (operation == "index" || operation == "_unsafe_index") return LookupOfIndex(inputs);
  if (op.hasTag(at::Tag::view_copy)) return Lookup{.by = Lookup::By::kResults};
  return std::nullopt;
}

// The index tensor of a lookup by rows.
at::Tensor IndexOf(const Lookup& lookup, Inputs inputs) {
  const c10::IValue& value = inputs[lookup.index];
  return value.isTensor() ? value.toTensor()
                          : value.toListRef()[static_cast<size_t>(lookup.dim)].toTensor();
}

void ReadTable(const Lookup& lookup, Inputs inputs, OperatorBytes& bytes) {
  const at::Tensor& table = inputs[0].toTensor();
  MemoryPart part = PartOf(table);
  switch (lookup.by) {
    case Lookup::By::kResults:
      bytes.read_as_returned.push_back(part);
      return;
    case Lookup::By::kElements:
      part.bytes = std::min(part.bytes, inputs[lookup.index].toTensor().numel() *
                                            static_cast<int64_t>(table.itemsize()));
      break;
    case Lookup::By::kRows:
      if (table.dim() > 0)
        part.bytes = RowBytes(table, lookup.dim < 0 ? lookup.dim + table.dim() : lookup.dim,
                              IndexOf(lookup, inputs));
      break;
  }
  bytes.read.push_back(part);
}

// Operators that write to their first argument without reading it.
bool OverwritesWhole(std::string_view operation) {
  static const auto* const names =
      new NameSet{"copy_",          "fill_",          "zero_",   "normal_",    "uniform_",
                  "bernoulli_",     "exponential_",   "random_", "geometric_", "log_normal_",
                  "_foreach_copy_", "_foreach_zero_", "cauchy_"};
  return names->contains(operation);
}

// Operators that write to some elements of their first argument, as many as another argument has.
bool WritesPart(std::string_view operation) {
  static const auto* const names = new NameSet{"index_put_",   "_index_put_impl_", "index_add_",
                                               "index_copy_",  "index_reduce_",    "scatter_",
                                               "scatter_add_", "scatter_reduce_",  "put_"};
  return names->contains(operation);
}

// A fused optimizer divides the gradients by their scale in place. Its schema says that it writes to
// them, but without a scale it does not.
bool LeavesAlone(std::string_view operation, const c10::FunctionSchema& schema, size_t argument,
                 Inputs inputs) {
  if (!absl::StartsWith(operation, "_fused_") || schema.arguments()[argument].name() != "grads")
    return false;
  const std::optional<int> scale = schema.argumentIndexWithName("grad_scale");
  return scale && static_cast<size_t>(*scale) < inputs.size() &&
         inputs[static_cast<size_t>(*scale)].isNone();
}

// The largest number of elements among the tensors after the first argument.
int64_t MostElements(Inputs inputs) {
  int64_t most = 0;
  for (const c10::IValue& input : inputs.slice(1)) {
    ForTensors(input, [&](const at::Tensor& tensor) {
      if (tensor.defined()) most = std::max(most, tensor.numel());
    });
  }
  return most;
}

void Append(std::vector<MemoryPart>& to, const std::vector<MemoryPart>& parts) {
  to.insert(to.end(), parts.begin(), parts.end());
}

}  // namespace

std::optional<std::vector<MemoryPart>> PartsOf(const c10::IValue& value) {
  std::vector<MemoryPart> parts;
  bool strided = true;
  ForTensors(value, [&](const at::Tensor& tensor) {
    if (tensor.defined() && !IsStrided(tensor)) {
      strided = false;
    } else if (HasMemory(tensor)) {
      parts.push_back(PartOf(tensor));
    }
  });
  if (!strided) return std::nullopt;
  return parts;
}

OperatorBytes JudgeBytes(const c10::OperatorHandle& op, Inputs inputs) {
  const c10::FunctionSchema& schema = op.schema();
  std::string_view operation = schema.name();
  const bool of_aten = absl::ConsumePrefix(&operation, "aten::");
  if (!of_aten) {
    const std::string_view space = operation.substr(0, operation.find("::"));
    const bool harmless = space == "prim" || space == "prims" || space == "profiler";
    return {.kind = harmless ? ByteKind::kNothing : ByteKind::kUnknown};
  }
  if (IsComposite(op, inputs)) return {.kind = ByteKind::kInside};
  if (op.hasTag(at::Tag::inplace_view) || MovesNothing(schema)) return {};

  OperatorBytes bytes = {.kind = ByteKind::kCounted};
  bytes.writes_results = !absl::StartsWith(absl::StripPrefix(operation, "new_"), "empty") &&
                         !absl::StartsWith(operation, "_empty");
  // ones_like(x) uses only the shape of x.
  const bool reads = !absl::EndsWith(operation, "_like") && !absl::StartsWith(operation, "new_");
  const std::optional<Lookup> lookup = LookupOf(op, operation, inputs);
  for (size_t i = 0; i < inputs.size() && i < schema.arguments().size(); ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    std::optional<std::vector<MemoryPart>> parts = PartsOf(inputs[i]);
    if (!parts) return {.kind = ByteKind::kUnknown};
    if (i == 0 && lookup && !parts->empty()) {
      ReadTable(*lookup, inputs, bytes);
      continue;
    }
    const bool written = IsWritten(argument) && !LeavesAlone(operation, schema, i, inputs);
    if (written && i == 0 && !parts->empty() && WritesPart(operation)) {
      const auto itemsize = static_cast<int64_t>(inputs[0].toTensor().itemsize());
      parts->front().bytes = std::min(parts->front().bytes, MostElements(inputs) * itemsize);
    }
    if (written) Append(bytes.written, *parts);
    const bool adds = absl::StrContains(operation, "add") || absl::StrContains(operation, "reduce");
    const bool overwritten = written && (argument.kwarg_only() || OverwritesWhole(operation) ||
                                         (WritesPart(operation) && !adds));
    if (reads && !overwritten) Append(bytes.read, *parts);
  }
  return bytes;
}

}  // namespace assay::costs
