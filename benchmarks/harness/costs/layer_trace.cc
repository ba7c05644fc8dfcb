#include "benchmarks/harness/costs/layer_trace.h"

#include <ATen/core/ivalue.h>
#include <ATen/record_function.h>
#include <c10/core/GradMode.h>
#include <c10/core/StorageImpl.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/costs/operator_watch.h"

namespace assay::costs {
namespace {

using models::NamedTensor;
using Entries = std::set<size_t>;  // indices into the state
using Take = absl::FunctionRef<absl::Status(const LayerCall&)>;

// The origin of a tensor. Neither field set: it is a constant.
struct Origin {
  bool inputs = false;  // the program's inputs or a layer's output
  Entries state = {};   // tensors of one layer only
};

// The inputs of one operator, by origin.
struct Reading {
  execution::Tensors of_inputs = {};
  std::map<std::string, std::pair<Entries, execution::Tensors>> of_layers = {};
};

// "a.b" of "a.b.weight"; empty at the root.
std::string LayerOf(const std::string& name) {
  const size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(0, dot);
}

template <typename Values>
execution::Tensors TensorsIn(const Values& values) {
  execution::Tensors tensors;
  const auto add = [&tensors](const c10::IValue& value) {
    if (value.isTensor() && value.toTensor().defined() && value.toTensor().has_storage())
      tensors.push_back(value.toTensor());
  };
  for (const c10::IValue& value : values) {
    add(value);
    if (!value.isList()) continue;
    for (const c10::IValue& element : value.toListRef()) add(element);
  }
  return tensors;
}

at::Tensor Copy(const at::Tensor& tensor) {
  const c10::NoGradGuard no_grad;
  return tensor.detach().to(at::kCPU, at::kDouble, /*non_blocking=*/false, /*copy=*/true);
}

class Tracer {
 public:
  Tracer(const std::vector<NamedTensor>& state, execution::TensorsRef inputs, Take take)
      : state_(state), take_(take) {
    for (size_t i = 0; i < state.size(); ++i) {
      const c10::StorageImpl* storage = StorageOf(state[i].tensor);
      if (own_.insert(storage).second) Mark(state[i].tensor, {.state = {i}});
    }
    for (const at::Tensor& input : inputs) Mark(input, {.inputs = true});
  }

  // Facts that are noted before an operator runs; the operator may overwrite its arguments.
  struct Started : at::ObserverContext {
    Origin result = {};
    bool works = false;  // the layer that it works for
    std::string layer = {};
    Entries read = {};
    execution::Tensors inputs = {};  // copies; empty if it continues the layer's last call
  };

  std::unique_ptr<Started> Start(at::ArrayRef<const c10::IValue> arguments) const {
    auto started = std::make_unique<Started>();
    const Reading reading = Read(TensorsIn(arguments));
    const bool of_inputs = !reading.of_inputs.empty();
    started->works = !reading.of_layers.empty() && (of_inputs || reading.of_layers.size() > 1);
    started->result.inputs = of_inputs || started->works;
    if (!started->result.inputs && !reading.of_layers.empty())
      started->result.state = reading.of_layers.begin()->second.first;
    if (!started->works) return started;
    started->layer = Chosen(reading);
    started->read = reading.of_layers.at(started->layer).first;
    if (GoesOn(started->layer)) return started;
    execution::Tensors given = reading.of_inputs;
    for (const auto& [layer, tensors] : reading.of_layers) {
      if (!of_inputs && layer != started->layer)
        given.insert(given.end(), tensors.second.begin(), tensors.second.end());
    }
    for (const at::Tensor& tensor : given) started->inputs.push_back(Copy(tensor));
    return started;
  }

  void End(Started& started, const std::vector<c10::IValue>& values) {
    const execution::Tensors results = TensorsIn(values);
    for (const at::Tensor& result : results) {
      if (!own_.contains(StorageOf(result))) Mark(result, started.result);
    }
    if (!started.works) return;
    const auto output = std::find_if(results.begin(), results.end(), [](const at::Tensor& result) {
      return result.is_floating_point();
    });
    if (output == results.end()) return;
    if (!GoesOn(started.layer)) {
      Finish();
      layer_ = started.layer;
      call_.emplace().inputs = std::move(started.inputs);
    }
    call_->output = Copy(*output);
    read_.insert(started.read.begin(), started.read.end());
  }

  // Ends the open call.
  void Finish() {
    if (!call_) return;
    call_->layer = NameOf(layer_, read_);
    call_->number = numbers_[call_->layer]++;
    status.Update(take_(*call_));
    call_.reset();
    read_.clear();
  }

  absl::Status status;  // an error within a callback, where exceptions are lost

 private:
  struct Known {
    // Keeps the address from being used again, but not the memory from being freed.
    c10::weak_intrusive_ptr<c10::StorageImpl> storage;
    Origin origin;
  };

  static const c10::StorageImpl* StorageOf(const at::Tensor& tensor) {
    return tensor.storage().unsafeGetStorageImpl();
  }

  void Mark(const at::Tensor& tensor, const Origin& origin) {
    known_.insert_or_assign(
        StorageOf(tensor),
        Known{c10::weak_intrusive_ptr<c10::StorageImpl>(tensor.storage().getWeakStorageImpl()),
              origin});
  }

  Reading Read(const execution::Tensors& arguments) const {
    Reading reading;
    for (const at::Tensor& argument : arguments) {
      const auto found = known_.find(StorageOf(argument));
      if (found == known_.end()) continue;
      const Origin& origin = found->second.origin;
      if (origin.inputs) reading.of_inputs.push_back(argument);
      if (origin.state.empty()) continue;
      auto& [entries, tensors] = reading.of_layers[LayerOf(state_[*origin.state.begin()].name)];
      entries.insert(origin.state.begin(), origin.state.end());
      tensors.push_back(argument);
    }
    return reading;
  }

  // The largest of them; parameters come before buffers, and the first of several wins.
  size_t Largest(const Entries& entries) const {
    return *std::max_element(entries.begin(), entries.end(), [this](size_t a, size_t b) {
      return std::tuple(state_[a].trainable, state_[a].tensor.numel(), b) <
             std::tuple(state_[b].trainable, state_[b].tensor.numel(), a);
    });
  }

  std::string Chosen(const Reading& reading) const {
    Entries all;
    for (const auto& [layer, read] : reading.of_layers)
      all.insert(read.first.begin(), read.first.end());
    return LayerOf(state_[Largest(all)].name);
  }

  bool GoesOn(const std::string& layer) const { return call_ && layer_ == layer; }

  std::string NameOf(const std::string& layer, const Entries& read) const {
    const bool weight = std::any_of(read.begin(), read.end(), [this](size_t i) {
      return absl::EndsWith(state_[i].name, ".weight");
    });
    return weight ? layer : state_[Largest(read)].name;
  }

  const std::vector<NamedTensor>& state_;
  std::map<const c10::StorageImpl*, Known> known_;
  std::set<const c10::StorageImpl*> own_;   // tensors of the state itself
  std::map<std::string, int64_t> numbers_;  // number of calls by name
  std::optional<LayerCall> call_;           // the call that may continue
  std::string layer_;                       // its layer
  Entries read_;                            // its results
  const Take take_;
};

// Callbacks are plain functions. Those of other threads find no tracer.
thread_local Tracer* tracer = nullptr;
thread_local int depth = 0;  // depth of operators: what an operator calls itself is part of it

// Lets a callback call LibTorch, and keeps its exceptions.
template <typename Look>
void LookAtCall(Look look) {
  const at::DisableRecordFunctionGuard unwatched;
  if (!tracer->status.ok()) return;
  tracer->status.Update(base::CatchTorch("copying what goes into a layer and comes out", look));
}

std::unique_ptr<at::ObserverContext> OnLayerStart(const at::RecordFunction& function) {
  if (tracer == nullptr || !function.operator_name()) return nullptr;
  auto started = std::make_unique<Tracer::Started>();
  if (depth++ == 0) LookAtCall([&] { started = tracer->Start(function.inputs()); });
  return started;
}

void OnLayerEnd(const at::RecordFunction& function, at::ObserverContext* context) {
  if (context == nullptr || --depth > 0) return;
  LookAtCall([&] { tracer->End(*static_cast<Tracer::Started*>(context), function.outputs()); });
}

}  // namespace

absl::Status TraceLayers(const std::vector<NamedTensor>& state, execution::TensorsRef inputs,
                         absl::FunctionRef<absl::Status()> call, Take take) {
  Tracer traced(state, inputs, take);
  absl::Status status;
  {
    const OperatorWatch watch(
        at::RecordFunctionCallback(OnLayerStart, OnLayerEnd).needsInputs(true).needsOutputs(true));
    tracer = &traced;
    depth = 0;
    status = call();
    tracer = nullptr;
  }
  if (status.ok() && traced.status.ok()) traced.Finish();
  status.Update(traced.status);
  return status;
}

}  // namespace assay::costs
