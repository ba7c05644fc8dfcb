#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVED_SAMPLES_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVED_SAMPLES_H_

// ---------------------------------------------------------------------------------------------
// served_samples.h: the inputs that a case under load is sent, each of one row, and what each gives
// when it is computed alone.
//
// They are the first rows of the case's seeded inputs. So the first ones are those of the reference,
// with which the verdict has compared them before any load.
//
// Example:
//   absl::StatusOr<ServedSamples> samples = ServedSamples::Make(given, *executable, 32);
//   Tensors inputs = samples->Batch({3, 17});                 // rows 3 and 17
//   OutputDifference off = samples->Compare(17, reply);       // with what sample 17 gives alone
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/numerics/comparison.h"
#include "benchmarks/harness/runner/serving/served_case.h"
#include "benchmarks/harness/runner/serving/served_checks.h"
#include "benchmarks/harness/runner/verdict/output_difference.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// InvalidArgument, with the number that fits, if so many of what the flag counts take more than memory has: the
// kernel would end this process without a message. `each`: bytes of one.
absl::Status CheckFits(std::string_view flag, int64_t count, double each, const ServedCase& given);

// Bytes of the inputs of one row.
double RowBytes(const ResolvedCase& c);

// The median time of a sample alone, which `compute` computes. Says how long all take, where that is long.
absl::StatusOr<absl::Duration> ComputeAlone(
    const ServedCase& given, int64_t count,
    absl::FunctionRef<absl::Status(int64_t sample)> compute);

// The case's workload with so many rows.
absl::StatusOr<Workload> OfBatch(const ResolvedCase& c, int64_t batch, at::Device device);

class ServedSamples {
 public:
  // Draws `count` samples and computes each alone. InvalidArgument for a case that cannot be served, with the
  // reason: no output has a row for each row of the batch, or calls change the state.
  static absl::StatusOr<ServedSamples> Make(const ServedCase& given,
                                            execution::Executable& executable, int64_t count);

  int64_t count() const { return static_cast<int64_t>(alone_.size()); }
  // Median time of a sample alone.
  absl::Duration time_alone() const { return time_alone_; }

  // The inputs of a batch of these samples. Lets c10::Error through.
  execution::Tensors Batch(const std::vector<int64_t>& samples) const;

  // The rows of a sample's reply in the outputs of a batch: one tensor for each output that has rows,
  // (1, ...), on the CPU, contiguous. Lets c10::Error through.
  execution::Tensors RowsOf(const execution::Tensors& outputs, int64_t row) const;

  OutputDifference Compare(int64_t sample, const execution::Tensors& reply) const;

  PairsAlike LookForPairsAlike() const;

 private:
  ServedSamples() = default;

  Workload all_;                    // of every sample
  Workload one_;                    // of a sample
  execution::Tensors inputs_;       // of all_
  numerics::ExpectedOutputs rows_;  // what a reply has
  std::vector<size_t> places_;      // of these among the outputs
  std::vector<execution::Tensors> alone_;
  VerifyParameters limits_;
  absl::Duration time_alone_;
};

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SERVING_SERVED_SAMPLES_H_
