#include "benchmarks/traces/replay/trace_program.h"

#include <ATen/Context.h>
#include <c10/core/InferenceMode.h>

#include <utility>

namespace assay::traces {

using execution::kReplay;
using execution::Step;
using execution::Tensors;
using execution::TensorsRef;

TraceProgram::TraceProgram(execution::OperatorGraph graph, bool random, uint64_t seed)
    : replay_(std::move(graph)), random_(random), seed_(seed) {
  Learn();
}

void TraceProgram::Learn() {
  const c10::InferenceMode inference;
  replay_.Begin(kReplay, {});
}

bool TraceProgram::NeedsPreparing() const {
  return random_ || replay_.Contract() == execution::StateContract::kResettable;
}

execution::StateContract TraceProgram::Contract() const { return replay_.Contract(); }

void TraceProgram::Seed() const {
  if (random_) at::manual_seed(seed_);
}

void TraceProgram::To(at::Device device, at::ScalarType /*dtype*/) {
  replay_.To(device, at::ScalarType::Undefined);
  Learn();
}

Tensors TraceProgram::Outputs(TensorsRef inputs) {
  Seed();
  return replay_.Outputs(inputs);
}

void TraceProgram::Begin(Step /*step*/, TensorsRef inputs) {
  replay_.Begin(kReplay, inputs);
  Seed();
}

void TraceProgram::Prepare(Step /*step*/, TensorsRef inputs) {
  replay_.Prepare(kReplay, inputs);
  Seed();
}

Tensors TraceProgram::Call(Step /*step*/, TensorsRef inputs) {
  return replay_.Call(kReplay, inputs);
}

std::vector<execution::VerifiedOutput> TraceProgram::Verified(Step /*step*/, Tensors returned) {
  return replay_.Verified(kReplay, std::move(returned));
}

}  // namespace assay::traces
