#ifndef ASSAY_BENCHMARKS_HARNESS_COSTS_LAYER_TRACE_H_
#define ASSAY_BENCHMARKS_HARNESS_COSTS_LAYER_TRACE_H_

// ---------------------------------------------------------------------------------------------
// layer_trace.h: records the inputs and outputs of each layer of a program in one call.
//
// A model needs no code for this, since its operators are watched from outside:
//
//   - A tensor of the state belongs to the layer that its name without the last part names:
//     features.3.1.norm1.weight to features.3.1.norm1. So does what is computed of one layer's
//     tensors alone: a standardised filter, rows of a table.
//   - An operator that reads a layer's tensors and something that depends on the program's inputs
//     works for that layer. What depends on the inputs goes in, the first result that holds floats
//     comes out. Of several layers it is that of the largest parameter read; if nothing that it reads
//     depends on the inputs, the other layers' tensors go in.
//   - Operators that follow each other and work for one layer, such as a product and then a bias, are
//     one call of it.
//   - A call is named after the layer where a "weight" is read, else after the largest tensor read:
//     class_token, features.1.0.layer_scale. Calls of one name are numbered.
//
// tools/locate/layer_trace.py watches the other implementation by these rules; keep the two alike.
//
// Not for: timing, since all these tensors are copied; operators of other threads, such as those of
// a backward pass on a GPU.
//
// Example:
//   absl::Status traced = TraceLayers(program.State(), executable->Inputs(),
//                                     [&] { return OutputsOf(*executable).status(); },
//                                     [](const LayerCall& call) { return Write(call); });
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "benchmarks/harness/programs/program.h"
#include "models/named_tensor.h"

namespace assay::costs {

// Copies in float64 on the CPU, whatever the tensors' dtype.
struct LayerCall {
  std::string layer = {};
  int64_t number = 0;  // number of the call among those of this name, from 0
  execution::Tensors inputs = {};
  at::Tensor output = {};
};

// Passes each call of a layer to `take` once it is over, so that not all need to be in memory.
// `state` and `inputs` are the program's as `call` uses them. Errors: those of `call` and of
// `take`, and ResourceExhausted where memory does not suffice for the copies.
absl::Status TraceLayers(const std::vector<models::NamedTensor>& state,
                         execution::TensorsRef inputs, absl::FunctionRef<absl::Status()> call,
                         absl::FunctionRef<absl::Status(const LayerCall&)> take);

}  // namespace assay::costs

#endif  // ASSAY_BENCHMARKS_HARNESS_COSTS_LAYER_TRACE_H_
