#ifndef ASSAY_BENCHMARKS_HARNESS_PROGRAMS_TIMED_INPUTS_H_
#define ASSAY_BENCHMARKS_HARNESS_PROGRAMS_TIMED_INPUTS_H_

// ---------------------------------------------------------------------------------------------
// timed_inputs.h: the inputs of calls that are timed, or counted beside them: seeded numbers, and
// given values in the place of some.
//
// A user gives inputs for the verdict. Calls that are timed get others, so that a call which keeps
// its result is found. But nobody knows which of the other values a model takes: an index may mean
// "none" by a number that is no row of the table, offsets rise, and a mask of -inf decides what is
// computed. So seeded numbers stand for finite floating-point ones alone.
//
// Not for: the verified call's inputs (runner/verdict/truth.h).
//
// Example:
//   const Tensors as_given = TimedAsGiven(given);      // {undefined, indices}
//   auto inputs = TimedInputs(c.measured(), c.benchmark_case(), at::kCPU, as_given);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/programs/program.h"
#include "defs/proto/suite.pb.h"

namespace assay::execution {

// For each given input the tensor, if timed calls get it as it is. They do so with whole numbers, with
// booleans, and with floating-point numbers that include NaN or infinities. Undefined if they get seeded numbers.
// Lets c10::Error through.
Tensors TimedAsGiven(TensorsRef given);

// Set 0 of the inputs has the case's seed, like the verified call; set k has the seed + k. A defined
// tensor of `as_given` stands, as a copy, in the place of the seeded one of its position; empty: all
// are seeded. Errors of SeededInputs.
absl::StatusOr<Tensors> TimedInputs(const Workload& workload, const BenchmarkCase& b,
                                    at::Device device, TensorsRef as_given, int set = 0);

// Sets 0 to count - 1. Where inputs are given, a set may equal the first one to the bit: all are given,
// or those that are drawn can have one value only. Such a set is left out: it would show nothing.
absl::StatusOr<std::vector<Tensors>> TimedInputSets(const Workload& workload,
                                                    const BenchmarkCase& b, at::Device device,
                                                    TensorsRef as_given, int count);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_PROGRAMS_TIMED_INPUTS_H_
