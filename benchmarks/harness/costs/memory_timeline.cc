#include "benchmarks/harness/costs/memory_timeline.h"

#include <ATen/record_function.h>
#include <c10/core/StorageImpl.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <memory>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "benchmarks/harness/base/steady_time.h"
#include "benchmarks/harness/base/tensor_memory.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/costs/operator_watch.h"
#include "defs/case/case_steps.h"

namespace assay::costs {
namespace {

constexpr int kUnrecordedCalls = 2;

// The operators that run on a thread.
struct Running {
  std::vector<std::string> names = {};  // operators and autograd's nodes, outermost first
  int operators = 0, nodes = 0;         // how many of each
  std::string outermost = "";           // operator
  int64_t call = 0;                     // its number
};
thread_local Running running;
std::atomic<int64_t> calls_of_operators = 0;

// A node of autograd, or its engine at work on one.
bool IsNode(const at::RecordFunction& function) {
  return function.scope() == at::RecordScope::BACKWARD_FUNCTION ||
         absl::StartsWith(function.name(), "autograd::engine::");
}

std::unique_ptr<at::ObserverContext> OnRunStart(const at::RecordFunction& function) {
  if (IsNode(function)) {
    ++running.nodes;
  } else if (running.operators++ == 0) {
    running.outermost = function.name();
    running.call = ++calls_of_operators;
  }
  running.names.emplace_back(function.name());
  return nullptr;
}

void OnRunEnd(const at::RecordFunction& function, at::ObserverContext* /*context*/) {
  --(IsNode(function) ? running.nodes : running.operators);
  running.names.pop_back();
}

// Notes what is allocated and freed while it exists.
class Recorder {
 public:
  // From here on it is the call's, and the memory that was freed before is forgotten.
  void BeginCall(execution::Executable& executable) {
    std::vector<Noted> alive;
    for (Noted& noted : noted_) {
      if (noted.alive) alive.push_back(std::move(noted));
    }
    noted_ = std::move(alive);
    places_.clear();
    for (size_t i = 0; i < noted_.size(); ++i) places_[noted_[i].block.address] = i;
    execution::Program& program = executable.program();
    Tensors state;
    for (const models::NamedTensor& entry : program.State()) state.push_back(entry.tensor);
    Mark(state, MemoryUse::kParameters, /*add=*/true);
    Mark(executable.Inputs(), MemoryUse::kInputs, /*add=*/true);
    MarkMade(program, /*add=*/true);
    timeline_.before = noted_.size();
    changes_.clear();
    start_ = base::SteadyNow();
  }

  MemoryTimeline EndCall(execution::Program& program, execution::Step step,
                         execution::TensorsRef outputs) {
    MarkMade(program, /*add=*/false);
    if (step == steps::kBackward) Mark(outputs, MemoryUse::kGradients, /*add=*/false);
    // An update follows the last backward pass.
    size_t end_of_forward = step == steps::kOptimizer ? 0 : noted_.size();
    for (size_t i = timeline_.before; i < noted_.size(); ++i) {
      if (noted_[i].in_backward) end_of_forward = i;
    }
    for (size_t i = 0; i < noted_.size(); ++i) {
      Noted& noted = noted_[i];
      const bool forward = !noted.in_backward && (i < timeline_.before || i < end_of_forward);
      if (!noted.is_marked && forward && !noted.within_operator)
        noted.block.use = MemoryUse::kActivations;
      timeline_.blocks.push_back(std::move(noted.block));
    }
    timeline_.changes = std::move(changes_);
    return std::move(timeline_);
  }

 private:
  using Tensors = execution::Tensors;

  struct Noted {
    MemoryBlock block = {};
    bool alive = true;
    int64_t call = 0;  // of the outermost operator that ran; 0: none did
    bool in_backward = false;
    bool within_operator = false;  // freed by the same call
    bool is_marked = false;        // its use is known
  };

  // Called for one change at a time.
  void Note(const void* address, int64_t bytes) {
    const auto key = reinterpret_cast<uint64_t>(address);
    const bool in_operator = running.operators > 0;
    const int64_t call = in_operator ? running.call : 0;
    size_t place = noted_.size();
    if (bytes > 0) {
      noted_.push_back({.block = {.bytes = bytes,
                                  .address = key,
                                  .allocated_by = in_operator ? running.outermost : "",
                                  .running = running.names},
                        .call = call,
                        .in_backward = running.nodes > 0});
      places_[key] = place;
    } else {
      place = places_.at(key);
      places_.erase(key);
      noted_[place].alive = false;
      noted_[place].within_operator = call != 0 && call == noted_[place].call;
    }
    changes_.push_back({.block = place,
                        .allocates = bytes > 0,
                        .ns = absl::ToInt64Nanoseconds(base::SteadyNow() - start_)});
  }

  // `add`: also memory that was there before the recorder.
  void Mark(execution::TensorsRef tensors, MemoryUse use, bool add) {
    for (const at::Tensor& tensor : tensors) {
      if (!tensor.defined() || !tensor.has_storage() || tensor.storage().nbytes() == 0) continue;
      const auto address = reinterpret_cast<uint64_t>(tensor.storage().data());
      auto found = places_.find(address);
      if (found == places_.end()) {
        if (!add) continue;
        found = places_.emplace(address, noted_.size()).first;
        noted_.push_back({.block = {.bytes = static_cast<int64_t>(tensor.storage().nbytes()),
                                    .address = address}});
      }
      Noted& noted = noted_[found->second];
      if (std::exchange(noted.is_marked, true)) continue;
      noted.block.use = use;
    }
  }

  // Marks what calls make: gradients, and what a program keeps.
  void MarkMade(execution::Program& program, bool add) {
    Mark(program.Kept(), program.Differentiates() ? MemoryUse::kOptimizer : MemoryUse::kCache, add);
    Tensors gradients;
    for (const models::NamedTensor& entry : program.State())
      gradients.push_back(entry.tensor.grad());
    Mark(gradients, MemoryUse::kGradients, add);
  }

  absl::Duration start_ = base::SteadyNow();
  MemoryTimeline timeline_;
  std::vector<Noted> noted_;
  std::vector<MemoryChange> changes_;
  std::unordered_map<uint64_t, size_t> places_;  // of living memory, by address
  const OperatorWatch watch_{at::RecordFunctionCallback(OnRunStart, OnRunEnd),
                             {at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}};
  // Last: it reports until it ends.
  const base::TensorMemory memory_{
      [this](const void* address, int64_t bytes) { Note(address, bytes); }};
};

}  // namespace

std::string_view MemoryUseName(MemoryUse use) {
  constexpr std::string_view kNames[] = {"parameters", "optimizer",   "cache",      "inputs",
                                         "gradients",  "activations", "temporaries"};
  static_assert(std::size(kNames) == kMemoryUses);
  return kNames[static_cast<size_t>(use)];
}

std::vector<BytesByUse> AliveOver(const MemoryTimeline& timeline) {
  BytesByUse alive = {};
  const auto add = [&](size_t block, int sign) {
    const MemoryBlock& of = timeline.blocks[block];
    alive[static_cast<size_t>(of.use)] += sign * of.bytes;
  };
  for (size_t block = 0; block < timeline.before; ++block) add(block, 1);
  std::vector<BytesByUse> over = {alive};
  for (const MemoryChange& change : timeline.changes) {
    add(change.block, change.allocates ? 1 : -1);
    over.push_back(alive);
  }
  return over;
}

int64_t Sum(const BytesByUse& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), int64_t{0});
}

MemoryPeak PeakOf(const MemoryTimeline& timeline) {
  const std::vector<BytesByUse> over = AliveOver(timeline);
  const auto highest =
      std::max_element(over.begin(), over.end(),
                       [](const BytesByUse& a, const BytesByUse& b) { return Sum(a) < Sum(b); });
  MemoryPeak peak = {.after = static_cast<size_t>(highest - over.begin())};
  std::vector<bool> alive(timeline.blocks.size());
  std::fill_n(alive.begin(), timeline.before, true);
  for (size_t i = 0; i < peak.after; ++i)
    alive[timeline.changes[i].block] = timeline.changes[i].allocates;
  for (size_t block = 0; block < alive.size(); ++block) {
    if (alive[block]) peak.blocks.push_back(block);
  }
  std::stable_sort(peak.blocks.begin(), peak.blocks.end(), [&](size_t a, size_t b) {
    return timeline.blocks[a].bytes > timeline.blocks[b].bytes;
  });
  return peak;
}

absl::StatusOr<MemoryTimeline> RecordTimeline(execution::Executable& executable,
                                              const StepSpec& step, Calls calls) {
  MemoryTimeline timeline;
  const std::string& name = step.name();
  absl::Status status = base::CatchTorch(absl::StrCat("recording the memory of step ", name), [&] {
    Recorder recorder;
    executable.Begin(name);
    execution::Tensors outputs;  // live until the next call, as in a timed step
    const auto prepare = [&] {
      outputs.clear();
      if (step.prepared()) executable.Prepare(name);
    };
    for (int call = 0; call < kUnrecordedCalls && calls == Calls::kSteady; ++call) {
      prepare();
      outputs = executable.Call(name);
    }
    prepare();
    recorder.BeginCall(executable);
    outputs = executable.Call(name);
    timeline = recorder.EndCall(executable.program(), name, outputs);
  });
  timeline.step = name;
  if (executable.program().Contract() == execution::StateContract::kResettable)
    status.Update(base::CatchTorch("resetting the program", [&] { executable.program().Reset(); }));
  if (!status.ok()) return status;
  return timeline;
}

}  // namespace assay::costs
