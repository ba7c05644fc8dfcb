#include "benchmarks/traces/replay/trace_graph.h"

#include <ATen/ops/empty_strided.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "benchmarks/harness/text/byte_text.h"
#include "benchmarks/traces/replay/seeded_storage.h"
#include "benchmarks/traces/replay/traced_call.h"

namespace assay::traces {
namespace {

using execution::GraphCall;
using execution::kNoTensor;
using execution::TensorArgument;
using Kind = TraceValue::Kind;

std::vector<int64_t> StridesOf(const TraceTensor& tensor) {
  if (tensor.has_strides) return tensor.strides;
  std::vector<int64_t> strides(tensor.sizes.size(), 1);
  for (size_t i = strides.size(); i-- > 1;)
    strides[i - 1] = strides[i] * std::max<int64_t>(tensor.sizes[i], 1);
  return strides;
}

// Whether a value that was last seen as `known` can stand for `tensor`.
bool IsSame(const TraceTensor& known, const TraceTensor& tensor) {
  return known.sizes == tensor.sizes && known.offset == tensor.offset &&
         known.dtype == tensor.dtype &&
         (!known.has_strides || !tensor.has_strides || known.strides == tensor.strides);
}

bool MakesEmpty(const TraceNode& node) {
  return absl::StartsWith(node.name, "aten::empty") ||
         absl::StartsWith(node.name, "aten::new_empty");
}

// Whether a call draws random numbers: a dropout does not where it is switched off.
bool DrawsNumbers(const GraphCall& call) {
  if (!call.handle.hasTag(at::Tag::nondeterministic_seeded)) return false;
  for (const char* name : {"train", "training", "dropout_p"}) {
    const std::optional<int> at = call.handle.schema().argumentIndexWithName(name);
    if (!at) continue;
    const c10::IValue& value = call.arguments[static_cast<size_t>(*at)];
    if ((value.isBool() && !value.toBool()) || (value.isDouble() && value.toDouble() == 0))
      return false;
  }
  return true;
}

// Storages that aten::empty made and that are read before an operator writes to them. A view is no
// reading.
std::set<int> HostWritten(const TraceTree& tree, const Storages& storages,
                          const std::vector<size_t>& calls) {
  std::set<int> unwritten, found;
  for (const size_t call : calls) {
    const auto handle = OperatorOf(tree.nodes[call]);
    if (!handle) continue;
    size_t at = 0;
    const bool views = handle->hasTag(at::Tag::inplace_view);  // detach_, as_strided_
    const std::vector<TraceValue>& inputs = tree.nodes[call].inputs;
    const std::vector<c10::Argument>& declared = handle->schema().arguments();
    for (size_t i = 0; i < std::min(inputs.size(), declared.size()); ++i) {
      const c10::AliasInfo* alias = declared[i].alias_info();
      ForEachTensor({inputs[i]}, [&](const TraceTensor&) {
        const int storage = storages.inputs[call][at++];
        if (unwritten.count(storage) == 0 || views || (alias != nullptr && !alias->isWrite()))
          return;
        if (alias == nullptr) found.insert(storage);
        unwritten.erase(storage);
      });
    }
    if (!MakesEmpty(tree.nodes[call])) continue;
    for (const int storage : storages.outputs[call]) unwritten.insert(storage);
  }
  found.erase(kNoStorage);
  return found;
}

class Builder {
 public:
  Builder(const TraceTree& tree, const Storages& storages, const ReplayPlan& plan, uint64_t seed)
      : tree_(tree),
        storages_(storages),
        plan_(plan),
        seed_(seed),
        needed_(NeededValues(tree, storages, plan.calls)),
        host_written_(HostWritten(tree, storages, plan.calls)) {}

  absl::StatusOr<TraceGraph> Build() && {
    const absl::Status added = base::CatchTorch("making the trace's tensors", [this] {
      for (const size_t node : plan_.calls) Add(node);
    });
    if (!status_.ok()) return status_;
    if (!added.ok()) return added;
    made_.host_written = static_cast<int>(host_written_.size());
    ChooseOutputs();
    made_.graph.FindLastUses();
    return std::move(made_);
  }

 private:
  // A tensor of the trace that has a value.
  struct Known {
    int value = kNoTensor;
    TraceTensor tensor = {};
  };

  void Add(size_t node) {
    if (!status_.ok()) return;
    const TraceNode& of = tree_.nodes[node];
    absl::StatusOr<execution::BoundOperator> bound = BindTraced(of);
    if (!bound.ok()) {
      made_.refused[node] = std::string(bound.status().message());
      return;
    }
    if (MakesEmpty(of) && absl::c_any_of(storages_.outputs[node], [&](int storage) {
          return host_written_.count(storage) > 0;
        }))
      return;
    GraphCall call = {.handle = bound->handle, .arguments = std::move(bound->arguments)};
    size_t at = 0;
    std::vector<std::pair<int, int>> read;  // storages and values
    for (size_t i = 0; i < of.inputs.size(); ++i) AddArgument(node, i, at, call, read);
    made_.random |= DrawsNumbers(call);
    std::vector<ExpectedTensor> expected = AddResults(node, read, call);
    made_.graph.calls.push_back(std::move(call));
    made_.nodes.push_back(node);
    made_.expected.push_back(std::move(expected));
  }

  void AddArgument(size_t node, size_t i, size_t& at, GraphCall& call,
                   std::vector<std::pair<int, int>>& read) {
    const TraceValue& value = tree_.nodes[node].inputs[i];
    TensorArgument argument = {.argument = i, .list = value.kind == Kind::kList, .values = {}};
    const auto take = [&](const TraceValue& one) {
      if (one.kind == Kind::kTensor) {
        const int storage = storages_.inputs[node][at++];
        argument.values.push_back(Read(node, one.tensor, storage));
        read.emplace_back(storage, argument.values.back());
      } else {
        argument.optional |= one.kind == Kind::kNone;
        argument.values.push_back(one.kind == Kind::kNone ? kNoTensor : made_.graph.NewValue());
      }
    };
    if (value.kind == Kind::kTensor) take(value);
    const bool tensors = absl::c_any_of(
        value.items, [](const TraceValue& item) { return item.kind == Kind::kTensor; });
    if (!argument.list ? argument.values.empty() : !tensors) return;
    for (const TraceValue& item : value.items) take(item);
    // The schema's type decides, as a list without None may be one of optional tensors.
    const c10::TypePtr& type = call.handle.schema().arguments()[i].type();
    argument.optional |= argument.list && absl::StrContains(type->str(), "Tensor?");
    call.tensors.push_back(std::move(argument));
  }

  // The number of the value that stands for a tensor that the node reads.
  int Read(size_t node, const TraceTensor& tensor, int storage) {
    const auto known = known_.find({tensor.id, storage});
    if (known != known_.end() && IsSame(known->second.tensor, tensor)) return known->second.value;
    int value = kNoTensor;
    const auto base = bases_.find({storage, tensor.dtype});
    const auto home = homes_.find({storage, tensor.dtype});
    if (storage == kNoStorage || base != bases_.end() || home == homes_.end()) {
      value = made_.graph.NewValue();
      made_.graph.constants[static_cast<size_t>(value)] = ConstantOf(node, tensor, storage);
    } else {
      value = PutViewIn(node, tensor, home->second);
    }
    known_[{tensor.id, storage}] = {value, tensor};
    return value;
  }

  at::Tensor ConstantOf(size_t node, const TraceTensor& tensor, int storage) {
    const at::ScalarType dtype = *ScalarTypeOf(tensor.dtype);
    if (storage == kNoStorage) return at::empty_strided(tensor.sizes, StridesOf(tensor), dtype);
    at::Tensor& base = bases_[{storage, tensor.dtype}];
    if (!base.defined()) base = NewBase(node, tensor, dtype, storage);
    if (base.unsafeGetTensorImpl()->is_wrapped_number()) return base;
    const bool whole = tensor.offset == 0 && tensor.elements == base.numel() &&
                       base.dim() == static_cast<int64_t>(tensor.sizes.size());
    return whole ? base : base.as_strided(tensor.sizes, StridesOf(tensor), tensor.offset);
  }

  at::Tensor NewBase(size_t node, const TraceTensor& tensor, at::ScalarType dtype, int storage) {
    const auto size = static_cast<int64_t>(c10::elementSize(dtype));
    const int64_t elements = (storages_.all[static_cast<size_t>(storage)].bytes + size - 1) / size;
    made_.bytes += elements * size;
    ++made_.constants;
    const int64_t memory = sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    if (made_.bytes > memory || made_.bytes < 0) {
      status_ = absl::ResourceExhaustedError(
          absl::StrCat("the trace's tensors need more memory than the ", base::ByteText(memory),
                       " of this machine; tensor ", tensor.id, " alone has a storage of ",
                       base::ByteText(elements * size)));
      TORCH_CHECK(false, status_.message());
    }
    SeededValues values = {.seed = seed_, .name = absl::StrCat("storage.", storage)};
    const auto needed = needed_.find(storage);
    if (needed != needed_.end()) {
      values.limit = needed->second.limit;
      values.indexes = needed->second.indexes;
      values.positive = needed->second.positive;
    }
    const bool number = tensor.sizes.empty() && elements == 1;
    values.positive |= number;
    at::Tensor base = SeededStorage(dtype, elements, values);
    if (!number) return base;
    // A count or a factor, rather than an index.
    if (!at::isFloatingType(dtype) && !values.indexes) base.fill_(1);
    base = base.reshape({});
    if (IsWrapped(node, tensor)) base.unsafeGetTensorImpl()->set_wrapped_number(true);
    return base;
  }

  // Whether a tensor without dimensions stands for a number, as of x + 1, which has no say in the
  // dtype of the result. The trace does not say so; a result of another dtype does.
  bool IsWrapped(size_t node, const TraceTensor& tensor) const {
    if (tensor.dtype != "double" && tensor.dtype != "long int") return false;
    bool makes = false, any = false;
    ForEachTensor(tree_.nodes[node].outputs, [&](const TraceTensor& made) {
      any = true;
      makes |= made.dtype == tensor.dtype;
    });
    return any && !makes;
  }

  int PutViewIn(size_t node, const TraceTensor& tensor, int of) {
    static const c10::OperatorHandle as_strided =
        c10::Dispatcher::singleton().findSchemaOrThrow("aten::as_strided", "");
    const int value = made_.graph.NewValue();
    GraphCall call = {.handle = as_strided,
                      .arguments = {at::Tensor(), tensor.sizes, StridesOf(tensor), tensor.offset},
                      .tensors = {{.argument = 0, .values = {of}}},
                      .results = {{value}},
                      .result_is_list = {false}};
    made_.graph.calls.push_back(std::move(call));
    made_.nodes.push_back(node);
    made_.expected.emplace_back();
    ++made_.views;
    return value;
  }

  std::vector<ExpectedTensor> AddResults(size_t node, const std::vector<std::pair<int, int>>& read,
                                         GraphCall& call) {
    std::vector<ExpectedTensor> expected;
    size_t at = 0;
    for (const TraceValue& value : tree_.nodes[node].outputs) {
      const bool list = value.kind == Kind::kList;
      std::vector<int> result;
      const auto take = [&](const TraceTensor& tensor) {
        const int storage = storages_.outputs[node][at++];
        ExpectedTensor one = {.tensor = tensor,
                              .result = call.results.size(),
                              .item = list ? static_cast<int>(result.size()) : -1};
        for (const auto& [memory, argument] : read) {
          if (memory == storage && storage != kNoStorage) one.shares = argument;
        }
        result.push_back(ValueOf(tensor, storage, read));
        expected.push_back(std::move(one));
      };
      if (value.kind == Kind::kTensor) take(value.tensor);
      for (const TraceValue& item : value.items) {
        if (item.kind == Kind::kTensor) take(item.tensor);
        if (item.kind == Kind::kUndefinedTensor) result.push_back(made_.graph.NewValue());
      }
      call.results.push_back(std::move(result));
      call.result_is_list.push_back(list && !call.results.back().empty());
    }
    return expected;
  }

  // The number of a result: of an argument that is returned, its own.
  int ValueOf(const TraceTensor& tensor, int storage,
              const std::vector<std::pair<int, int>>& read) {
    Known& known = known_[{tensor.id, storage}];
    const bool returned = absl::c_any_of(read, [&](const std::pair<int, int>& argument) {
      return argument.second == known.value && known.value != kNoTensor;
    });
    if (!returned) known.value = made_.graph.NewValue();
    known.tensor = tensor;
    if (storage != kNoStorage) homes_[{storage, tensor.dtype}] = known.value;
    return known.value;
  }

  // The last results that nobody reads.
  void ChooseOutputs() {
    constexpr size_t kMost = 8;
    std::set<int> read;
    for (const GraphCall& call : made_.graph.calls) {
      for (const TensorArgument& argument : call.tensors)
        read.insert(argument.values.begin(), argument.values.end());
    }
    for (const bool unread : {true, false}) {
      for (size_t call = made_.graph.calls.size(); call-- > 0;) {
        if (MakesEmpty(tree_.nodes[made_.nodes[call]])) continue;
        for (const ExpectedTensor& one : made_.expected[call]) {
          const int value = made_.graph.calls[call]
                                .results[one.result][static_cast<size_t>(std::max(one.item, 0))];
          if (made_.outputs.size() == kMost || (unread && read.count(value) > 0) ||
              absl::c_linear_search(made_.graph.outputs, value) || one.tensor.elements == 0 ||
              one.tensor.dtype == "unsigned char")  // what a kernel keeps for its backward pass
            continue;
          made_.graph.outputs.push_back(value);
          made_.outputs.push_back(one.tensor);
        }
      }
      if (!made_.outputs.empty()) return;
    }
  }

  const TraceTree& tree_;
  const Storages& storages_;
  const ReplayPlan& plan_;
  const uint64_t seed_;
  const std::map<int, SeededValues> needed_;
  const std::set<int> host_written_;
  std::map<std::pair<int64_t, int>, Known> known_;           // by the trace's tensor and storage
  std::map<std::pair<int, std::string>, at::Tensor> bases_;  // constants: by storage and dtype
  std::map<std::pair<int, std::string>, int> homes_;         // a value in memory that a call made
  TraceGraph made_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<TraceGraph> BuildGraph(const TraceTree& tree, const Storages& storages,
                                      const ReplayPlan& plan, uint64_t seed) {
  return Builder(tree, storages, plan, seed).Build();
}

}  // namespace assay::traces
