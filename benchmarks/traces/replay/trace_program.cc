#include "benchmarks/traces/replay/trace_program.h"

#include <c10/core/InferenceMode.h>

#include <utility>

namespace assay::traces {

using execution::kReplay;
using execution::Step;
using execution::Tensors;
using execution::TensorsRef;

TraceProgram::TraceProgram(execution::OperatorGraph graph, RandomStart random)
    : replay_(std::move(graph)), random_(std::move(random)) {
  Learn();
}

void TraceProgram::Learn() {
  const c10::InferenceMode inference;
  replay_.Begin(kReplay, {});
}

bool TraceProgram::NeedsPreparing() const {
  return random_.draws || !random_.given.empty() ||
         replay_.Contract() == execution::StateContract::kResettable;
}

execution::StateContract TraceProgram::Contract() const { return replay_.Contract(); }

void TraceProgram::To(at::Device device, at::ScalarType /*dtype*/) {
  replay_.To(device, at::ScalarType::Undefined);
  Learn();
}

Tensors TraceProgram::Outputs(TensorsRef inputs) {
  random_.Restore();
  return replay_.Outputs(inputs);
}

void TraceProgram::Begin(Step /*step*/, TensorsRef inputs) {
  replay_.Begin(kReplay, inputs);
  random_.Restore();
}

void TraceProgram::Prepare(Step /*step*/, TensorsRef inputs) {
  replay_.Prepare(kReplay, inputs);
  random_.Restore();
}

Tensors TraceProgram::Call(Step /*step*/, TensorsRef inputs) {
  return replay_.Call(kReplay, inputs);
}

std::vector<execution::VerifiedOutput> TraceProgram::Verified(Step /*step*/, Tensors returned) {
  return replay_.Verified(kReplay, std::move(returned));
}

}  // namespace assay::traces
