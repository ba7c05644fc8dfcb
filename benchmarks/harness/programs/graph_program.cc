#include "benchmarks/harness/programs/graph_program.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <set>

#include "absl/algorithm/container.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"

namespace assay::execution {
namespace {

const void* MemoryOf(const at::Tensor& tensor) {
  return tensor.defined() ? tensor.storage().unsafeGetStorageImpl() : nullptr;
}

// All elements of a tensor's memory, one after another.
at::Tensor AllOf(const at::Tensor& tensor) {
  const auto elements = static_cast<int64_t>(tensor.storage().nbytes() / tensor.itemsize());
  return at::empty({0}, tensor.options()).set_(tensor.storage(), 0, {elements}, {1});
}

bool CoversItsMemory(const at::Tensor& tensor) {
  return tensor.is_contiguous() && tensor.storage_offset() == 0 &&
         tensor.nbytes() == tensor.storage().nbytes();
}

bool AnyWrites(const OperatorGraph& graph) {
  return absl::c_any_of(graph.calls,
                        [](const GraphCall& call) { return !WrittenBy(call).empty(); });
}

}  // namespace

GraphProgram::GraphProgram(OperatorGraph graph, std::vector<int> filled)
    : graph_(std::move(graph)), filled_(std::move(filled)), writes_(AnyWrites(graph_)) {
  FindMemories();
}

StateContract GraphProgram::Contract() const {
  return WritesState() ? StateContract::kResettable : StateContract::kPure;
}

bool GraphProgram::WritesState() const {
  if (!learned_) return writes_;
  return absl::c_any_of(memories_, [](const Memory& memory) { return memory.before.defined(); });
}

void GraphProgram::FindMemories() {
  memories_.clear();
  for (size_t value = 0; value < graph_.constants.size(); ++value) {
    const at::Tensor& leaf = graph_.constants[value];
    if (!leaf.defined()) continue;
    const auto shared = absl::c_find_if(
        memories_, [&](const Memory& memory) { return MemoryOf(memory.all) == MemoryOf(leaf); });
    if (shared == memories_.end()) {
      memories_.push_back(
          {.leaves = {static_cast<int>(value)}, .all = CoversItsMemory(leaf) ? leaf : AllOf(leaf)});
      continue;
    }
    if (shared->leaves.size() == 1) shared->all = AllOf(shared->all);
    shared->leaves.push_back(static_cast<int>(value));
  }
}

std::string GraphProgram::NameOf(const Memory& memory) const {
  return absl::StrCat("leaf.", memory.leaves.front());
}

std::vector<models::NamedTensor> GraphProgram::State() {
  std::vector<models::NamedTensor> state;
  for (const Memory& memory : memories_) {
    const bool given = absl::c_none_of(
        memory.leaves, [&](int leaf) { return absl::c_linear_search(filled_, leaf); });
    state.push_back({.name = NameOf(memory), .tensor = memory.all, .given = given});
  }
  return state;
}

void GraphProgram::To(at::Device device, at::ScalarType dtype) {
  learned_ = false;
  outputs_.clear();
  one_ = nullptr;
  arguments_.clear();
  restored_.clear();
  for (const Memory& memory : memories_) {
    const at::ScalarType own = memory.all.scalar_type();
    const bool cast = memory.all.is_floating_point() && dtype != at::ScalarType::Undefined;
    const at::Tensor moved = memory.all.to(device, cast ? dtype : own);
    if (moved.is_same(memory.all)) continue;  // leaves of other dtypes may lie in it, too
    for (const int value : memory.leaves) {
      at::Tensor& leaf = graph_.constants[static_cast<size_t>(value)];
      TORCH_CHECK(leaf.scalar_type() == own, "leaf.", value, " shares the memory of ",
                  NameOf(memory), " and has another dtype");
      leaf = leaf.is_same(memory.all)
                 ? moved
                 : moved.as_strided(leaf.sizes(), leaf.strides(), leaf.storage_offset());
    }
  }
  FindMemories();
}

void GraphProgram::LearnCall(size_t call, const GraphReplay& replay, TensorsRef given) {
  std::set<const void*> written;
  for (const int value : WrittenBy(graph_.calls[call])) written.insert(MemoryOf(replay[value]));
  for (size_t i = 0; i < given.size(); ++i) {
    if (written.count(MemoryOf(given[i])) > 0) inputs_written_[i] = true;
  }
  for (size_t i = 0; i < memories_.size(); ++i) {
    Memory& memory = memories_[i];
    if (written.count(MemoryOf(memory.all)) == 0) continue;
    written_[call].push_back(i);
    if (!memory.before.defined()) memory.before = memory.all.clone();
  }
}

void GraphProgram::Learn(TensorsRef inputs) {
  if (learned_ || !writes_) return;
  written_.assign(graph_.calls.size(), {});
  inputs_written_.assign(inputs.size(), false);
  Tensors given;
  for (const at::Tensor& input : inputs) given.push_back(input.clone());
  GraphReplay replay(graph_, given);
  for (size_t call = 0; call < graph_.calls.size(); ++call) {
    LearnCall(call, replay, given);
    replay.Make(graph_.calls[call]);
  }
  learned_ = true;
  Reset();
}

void GraphProgram::Reset() {
  for (const Memory& memory : memories_) {
    if (memory.before.defined()) memory.all.copy_(memory.before);
  }
}

std::vector<std::string> GraphProgram::Written(Step step) const {
  const std::optional<size_t> one = OneCall(step);
  std::set<size_t> places;
  for (size_t call = 0; call < written_.size(); ++call) {
    if (!one || call == *one) places.insert(written_[call].begin(), written_[call].end());
  }
  std::vector<std::string> names;
  for (const size_t place : places) names.push_back(NameOf(memories_[place]));
  return names;
}

std::optional<size_t> GraphProgram::OneCall(Step step) const {
  if (step == kReplay) return std::nullopt;
  size_t call = 0;
  TORCH_CHECK(absl::ConsumePrefix(&step, kOneCall) && absl::SimpleAtoi(step, &call) &&
                  call < graph_.calls.size(),
              "a graph's steps are ", kReplay, " and ", kOneCall, "0 to ", kOneCall,
              graph_.calls.size() - 1);
  return call;
}

Tensors GraphProgram::Given(TensorsRef inputs) const {
  Tensors given = inputs.vec();
  for (size_t i = 0; i < inputs_written_.size(); ++i) {
    if (inputs_written_[i]) given[i] = given[i].clone();
  }
  return given;
}

Tensors GraphProgram::Kept(Tensors outputs) const {
  for (at::Tensor& output : outputs) {
    const bool written = absl::c_any_of(memories_, [&](const Memory& memory) {
      return memory.before.defined() && MemoryOf(memory.all) == MemoryOf(output);
    });
    if (written) output = output.clone();
  }
  return outputs;
}

Tensors GraphProgram::Outputs(TensorsRef inputs) {
  Learn(inputs);
  Reset();
  Tensors outputs = Kept(graph_.Call(Given(inputs)));
  Reset();
  return outputs;
}

void GraphProgram::Begin(Step step, TensorsRef inputs) {
  Learn(inputs);
  Reset();
  outputs_.clear();
  restored_.clear();
  one_ = nullptr;
  const std::optional<size_t> number = OneCall(step);
  if (!number) return;
  one_ = &graph_.calls[*number];
  TORCH_CHECK(!ReshapesInPlace(*one_), kOneCall, *number, ", ", one_->handle.schema().name(),
              ", changes the shape of its argument, so that it cannot be called again and again");
  GraphReplay replay(graph_, Given(inputs));
  for (size_t call = 0; call < *number; ++call) replay.Make(graph_.calls[call]);
  arguments_ = replay.ArgumentsOf(*one_);
  for (const int value : WrittenBy(*one_))
    restored_.emplace_back(replay[value], replay[value].clone());
}

void GraphProgram::Prepare(Step /*step*/, TensorsRef /*inputs*/) {
  if (one_ == nullptr) return Reset();
  for (auto& [argument, before] : restored_) argument.copy_(before);
}

Tensors GraphProgram::Call(Step /*step*/, TensorsRef inputs) {
  if (one_ != nullptr) {
    c10::Stack stack = arguments_;
    one_->handle.callBoxed(stack);
    return restored_.empty() ? TensorsOf(stack) : Tensors();
  }
  Tensors outputs = graph_.Call(Given(inputs));
  if (!WritesState()) return outputs;
  outputs_ = std::move(outputs);
  return {};
}

std::vector<VerifiedOutput> GraphProgram::Verified(Step /*step*/, Tensors returned) {
  if (one_ != nullptr) return {};
  return InPlaces(WritesState() ? Kept(outputs_) : std::move(returned), 0);
}

}  // namespace assay::execution
