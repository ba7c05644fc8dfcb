#include "benchmarks/traces/replay/trace_graph.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"
#include "benchmarks/traces/graph/validation.h"
#include "benchmarks/traces/replay/traced_call.h"

namespace assay::traces {
namespace {

using execution::GraphCall;
using execution::kNoTensor;
using execution::TensorArgument;
using Kind = TraceValue::Kind;

// Whether a value that was last seen as `known` can stand for `tensor`.
bool IsSame(const TraceTensor& known, const TraceTensor& tensor) {
  return known.sizes == tensor.sizes && known.offset == tensor.offset &&
         known.dtype == tensor.dtype &&
         (!known.has_strides || !tensor.has_strides || known.strides == tensor.strides);
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
    const auto handle = OperatorOf(tree.nodes.CallOf(call));
    if (!handle) continue;
    size_t at = 0;
    const bool views = handle->hasTag(at::Tag::inplace_view);  // detach_, as_strided_
    const std::vector<TraceValue>& inputs = tree.nodes.CallOf(call).inputs;
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
    if (!MakesEmpty(tree.nodes.CallOf(call))) continue;
    for (const int storage : storages.outputs[call]) unwritten.insert(storage);
  }
  found.erase(kNoStorage);
  return found;
}

// Calls `take` with each value that the recorder counts as a tensor, in its order.
template <typename Take>
void ForEachCounted(const std::vector<TraceValue>& values, Take&& take) {
  for (const TraceValue& value : values) {
    if (CountsAsTensor(value)) take(value);
    ForEachCounted(value.items, take);
  }
}

class Builder {
 public:
  Builder(const TraceTree& tree, const Storages& storages, const ReplayPlan& plan,
          const GraphValues& values)
      : tree_(tree),
        storages_(storages),
        plan_(plan),
        seed_(values.seed),
        saved_(values.saved),
        constants_(tree, storages, plan.calls, values),
        host_written_(HasSnapshots() ? std::set<int>() : HostWritten(tree, storages, plan.calls)) {}

  absl::StatusOr<TraceGraph> Build() && {
    const absl::Status added =
        base::CatchTorch("making the trace's tensors", [this] { AddCalls(); });
    if (!constants_.status().ok()) return constants_.status();
    if (!added.ok()) return added;
    made_.bytes += constants_.bytes;
    made_.constants = constants_.storages;
    made_.seeded = constants_.seeded;
    made_.host_written += static_cast<int>(host_written_.size());
    made_.random.seed = seed_;
    if (saved_ != nullptr) made_.random.state = saved_->generator;
    ChooseOutputs();
    made_.graph.FindLastUses();
    return std::move(made_);
  }

 private:
  // The next tensor of a node's inputs or outputs, and the place that the recorder gives it.
  struct Places {
    size_t tensor = 0, counted = 0;
  };

  // A tensor of the trace that has a value.
  struct Known {
    int value = kNoTensor;
    TraceTensor tensor = {};
  };

  bool HasSnapshots() const { return saved_ != nullptr && !saved_->snapshots.empty(); }

  // Calls, and before each what the host wrote.
  void AddCalls() {
    const std::set<size_t> calls(plan_.calls.begin(), plan_.calls.end());
    std::vector<bool> within(tree_.nodes.size(), false);  // a call
    for (const size_t node : tree_.order) {
      const size_t parent = tree_.parent[node];
      within[node] = parent != kNoNode && (within[parent] || calls.count(parent) > 0);
      if (HasSnapshots()) TakeSnapshots(node, within[node]);
      if (calls.count(node) > 0) Add(node);
    }
  }

  // A snapshot is the first value of memory that nobody has made; of other memory it is what the host
  // wrote. Within a call it can only be the first value: the call itself may have written there.
  void TakeSnapshots(size_t node, bool within) {
    const TraceNode of = tree_.nodes[node];
    if (of.recorded == nullptr || of.recorded->snapshots.empty()) return;
    size_t place = 0, tensor = 0;
    ForEachCounted(of.inputs, [&](const TraceValue& value) {
      const auto named = of.recorded->snapshots.find(place++);
      const bool placed = of.IsOperator() && value.kind == Kind::kTensor;
      const int storage =
          placed ? storages_.inputs[node][tensor++] : LatestOf(value.tensor.storage);
      if (named == of.recorded->snapshots.end()) return;
      const at::Tensor& bytes = saved_->snapshots.at(named->second);
      if (storage == kNoStorage || memories_.count(storage) == 0) {
        constants_.SetFirst(value.tensor.storage, bytes);
      } else if (!within) {
        AddHostWrite(node, storage, bytes);
      }
    });
  }

  // The storage that has memory under an id of the trace.
  int LatestOf(int64_t id) const {
    const auto found = latest_.find(id);
    return found == latest_.end() ? kNoStorage : found->second;
  }

  void HasMemory(int storage) {
    memories_.insert(storage);
    const int64_t id = storages_.all[static_cast<size_t>(storage)].id;
    latest_[id] = storage;
    constants_.Forget(id);
  }

  // Copies bytes of the host into memory that is there.
  void AddHostWrite(size_t node, int storage, const at::Tensor& bytes) {
    static const c10::OperatorHandle copy =
        c10::Dispatcher::singleton().findSchemaOrThrow("aten::copy_", "");
    const auto home = homes_.lower_bound({storage, ""});
    const bool made = home != homes_.end() && home->first.first == storage;
    const at::Tensor base = constants_.Flat(storage);
    if (!made && !base.defined()) return;
    const at::ScalarType dtype = made ? *ScalarTypeOf(home->first.second) : base.scalar_type();
    const auto size = static_cast<int64_t>(c10::elementSize(dtype));
    const int64_t known = storages_.all[static_cast<size_t>(storage)].bytes;
    const int64_t elements = std::min(known, bytes.numel()) / size;
    const int target = made ? AddView(node, home->second, {elements}, {1}, 0)
                            : NewConstant(base.narrow(0, 0, elements));
    at::Tensor content = at::empty({elements * size}, at::kByte);
    content.copy_(bytes.narrow(0, 0, elements * size));
    saved_->Release(bytes);
    GraphCall call = {.handle = copy,
                      .arguments = {at::Tensor(), at::Tensor(), false},
                      .tensors = {{.argument = 0, .values = {target}},
                                  {.argument = 1, .values = {NewConstant(content.view(dtype))}}},
                      .results = {{target}},
                      .result_is_list = {false}};
    AddPutIn(node, std::move(call));
    ++made_.host_written;
    made_.bytes += elements * size;
  }

  int NewConstant(at::Tensor tensor) {
    const int value = made_.graph.NewValue();
    made_.graph.constants[static_cast<size_t>(value)] = std::move(tensor);
    return value;
  }

  // A call that the trace doesn't have, before that of the node.
  void AddPutIn(size_t node, GraphCall call) {
    made_.graph.calls.push_back(std::move(call));
    made_.nodes.push_back(node);
    made_.expected.emplace_back();
  }

  void Add(size_t node) {
    const TraceNode of = tree_.nodes[node];
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
    Places at;
    std::vector<std::pair<int, int>> read;  // storages and values
    for (size_t i = 0; i < of.inputs.size(); ++i)
      AddArgument(node, i, of.inputs[i], at, call, read);
    if (of.recorded != nullptr) AddGenerators(*of.recorded, call);
    made_.random.draws |= DrawsNumbers(call);
    std::vector<ExpectedTensor> expected = AddResults(node, of.outputs, read, call);
    made_.graph.calls.push_back(std::move(call));
    made_.nodes.push_back(node);
    made_.expected.push_back(std::move(expected));
  }

  // Each call has a generator of its own, which begins where the program's was at that call.
  void AddGenerators(const RecordedValues& recorded, GraphCall& call) {
    for (const auto& [argument, digits] : recorded.generator_states) {
      const std::string bytes = absl::HexStringToBytes(digits);
      at::Tensor state = at::empty({static_cast<int64_t>(bytes.size())}, at::kByte);
      std::memcpy(state.mutable_data_ptr(), bytes.data(), bytes.size());
      made_.random.given.emplace_back(at::detail::createCPUGenerator(), std::move(state));
      call.arguments.at(argument) = made_.random.given.back().first;
    }
  }

  void AddArgument(size_t node, size_t i, const TraceValue& value, Places& at, GraphCall& call,
                   std::vector<std::pair<int, int>>& read) {
    TensorArgument argument = {.argument = i, .list = value.kind == Kind::kList, .values = {}};
    const auto take = [&](const TraceValue& one) {
      if (one.kind == Kind::kTensor) {
        const int storage = storages_.inputs[node][at.tensor++];
        argument.values.push_back(Read(node, one.tensor, storage, at.counted++));
        read.emplace_back(storage, argument.values.back());
      } else {
        if (CountsAsTensor(one)) ++at.counted;
        argument.optional |= one.kind == Kind::kNone;
        argument.values.push_back(one.kind == Kind::kNone ? kNoTensor : made_.graph.NewValue());
      }
    };
    if (value.kind == Kind::kTensor) take(value);
    const bool tensors = absl::c_any_of(
        value.items, [](const TraceValue& item) { return item.kind == Kind::kTensor; });
    if (!argument.list ? argument.values.empty() : !tensors) {
      if (argument.values.empty())
        ForEachCounted({value}, [&at](const TraceValue&) { ++at.counted; });
      return;
    }
    for (const TraceValue& item : value.items) take(item);
    // The schema's type decides, as a list without None may be one of optional tensors.
    const c10::TypePtr& type = call.handle.schema().arguments()[i].type();
    argument.optional |= argument.list && absl::StrContains(type->str(), "Tensor?");
    call.tensors.push_back(std::move(argument));
  }

  // The number of the value that stands for a tensor that the node reads.
  int Read(size_t node, const TraceTensor& tensor, int storage, size_t place) {
    const auto known = known_.find({tensor.id, storage});
    if (known != known_.end() && IsSame(known->second.tensor, tensor)) return known->second.value;
    int value = kNoTensor;
    const auto home = homes_.find({storage, tensor.dtype});
    if (storage == kNoStorage || constants_.Has(storage, tensor.dtype) || home == homes_.end()) {
      value = NewConstant(constants_.Of(node, tensor, storage, place));
      if (storage != kNoStorage) HasMemory(storage);
    } else {
      value = AddView(node, home->second, tensor.sizes, StridesOf(tensor), tensor.offset);
      ++made_.views;
    }
    known_[{tensor.id, storage}] = {value, tensor};
    return value;
  }

  int AddView(size_t node, int of, const std::vector<int64_t>& sizes,
              const std::vector<int64_t>& strides, int64_t offset) {
    static const c10::OperatorHandle as_strided =
        c10::Dispatcher::singleton().findSchemaOrThrow("aten::as_strided", "");
    const int value = made_.graph.NewValue();
    AddPutIn(node, {.handle = as_strided,
                    .arguments = {at::Tensor(), sizes, strides, offset},
                    .tensors = {{.argument = 0, .values = {of}}},
                    .results = {{value}},
                    .result_is_list = {false}});
    return value;
  }

  std::vector<ExpectedTensor> AddResults(size_t node, const std::vector<TraceValue>& results,
                                         const std::vector<std::pair<int, int>>& read,
                                         GraphCall& call) {
    std::vector<ExpectedTensor> expected;
    Places at;
    for (const TraceValue& value : results) {
      const bool list = value.kind == Kind::kList;
      std::vector<int> result;
      const auto take = [&](const TraceTensor& tensor) {
        const int storage = storages_.outputs[node][at.tensor++];
        ExpectedTensor one = {.tensor = tensor,
                              .result = call.results.size(),
                              .place = at.counted++,
                              .item = list ? static_cast<int>(result.size()) : -1};
        for (const auto& [memory, argument] : read) {
          if (memory == storage && storage != kNoStorage) one.shares = argument;
        }
        result.push_back(ValueOf(tensor, storage, read));
        expected.push_back(std::move(one));
      };
      if (value.kind == Kind::kTensor) {
        take(value.tensor);
      } else if (CountsAsTensor(value)) {
        ++at.counted;
      }
      for (const TraceValue& item : value.items) {
        if (item.kind == Kind::kTensor) {
          take(item.tensor);
        } else if (CountsAsTensor(item)) {
          ++at.counted;
        }
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
    if (storage != kNoStorage) {
      homes_[{storage, tensor.dtype}] = known.value;
      HasMemory(storage);
    }
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
        if (MakesEmpty(tree_.nodes.CallOf(made_.nodes[call]))) continue;
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
  const SavedValues* const saved_;
  TraceConstants constants_;
  const std::set<int> host_written_;
  std::map<std::pair<int64_t, int>, Known> known_;    // by the trace's tensor and storage
  std::map<std::pair<int, std::string>, int> homes_;  // a value in memory that a call made
  std::set<int> memories_;                            // storages that a constant or a call has made
  std::map<int64_t, int> latest_;                     // of those, by the trace's id
  TraceGraph made_;
};

}  // namespace

bool MakesEmpty(const TraceNode& node) {
  return absl::StartsWith(node.name, "aten::empty") ||
         absl::StartsWith(node.name, "aten::new_empty");
}

at::Tensor ResultOf(const c10::Stack& results, const ExpectedTensor& want) {
  const c10::IValue& result = results.at(want.result);
  if (want.item < 0) return result.toTensor();
  return result.toTensorVector().at(static_cast<size_t>(want.item));
}

std::map<int, at::Tensor> ArgumentsOf(const GraphCall& call, const execution::GraphReplay& replay) {
  std::map<int, at::Tensor> tensors;
  for (const TensorArgument& argument : call.tensors) {
    for (const int value : argument.values) {
      if (value != kNoTensor) tensors[value] = replay[value];
    }
  }
  return tensors;
}

std::string ResultText(const TraceNode& node, const ExpectedTensor& want) {
  return absl::StrCat(NodeText(node), ": result ", want.result,
                      want.item < 0 ? "" : absl::StrCat("[", want.item, "]"));
}

absl::StatusOr<TraceGraph> BuildGraph(const TraceTree& tree, const Storages& storages,
                                      const ReplayPlan& plan, const GraphValues& values) {
  return Builder(tree, storages, plan, values).Build();
}

namespace {

void SetState(at::Generator generator, const at::Tensor& state) {
  const std::lock_guard lock(generator.mutex());
  generator.set_state(state);
}

}  // namespace

void RandomStart::Restore() const {
  for (const auto& [generator, at_call] : given) SetState(generator, at_call);
  if (!draws) return;
  if (!state.defined()) return at::manual_seed(seed);
  SetState(at::detail::getDefaultCPUGenerator(), state);
}

}  // namespace assay::traces
