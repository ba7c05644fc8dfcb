// -----------------------------------------------------------------------------
// File: torch_facts.h
// -----------------------------------------------------------------------------
//
// Reads LibTorch's own facts: version, the instruction set it dispatches to, TF32 switches.
//
// Not for setting any of them.
//
//   assay::environment::AddTorchFacts(environment);   // just before measuring: switches may change

#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_TORCH_FACTS_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_TORCH_FACTS_H_

#include "defs/proto/record.pb.h"

namespace assay::environment {

// Sets torch_version, cpu_capability, tf32_matmul, tf32_cudnn, and threads where it is 0.
void AddTorchFacts(Environment& environment);

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_TORCH_FACTS_H_
