#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_TRUTH_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_TRUTH_H_

// ---------------------------------------------------------------------------------------------
// truth.h: what a case's outputs are held against, for calls of whatever batch: the verified call,
// and later the calls that were timed.
//
// Not for: what a verdict asks beside the comparison (verification.h).
//
// Example:
//   absl::StatusOr<Truth> truth = Truth::Of(c, reference_path);
//   absl::StatusOr<KnownCall> call = truth->For(c.measured(), device);
//   Verdict verdict = call->Compare(outputs);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/program.h"
#include "benchmarks/harness/numerics/reference.h"
#include "defs/record.pb.h"
#include "defs/suite.pb.h"

namespace assay::runner {

// Inputs of which it is known what comes of them.
struct KnownCall {
  execution::Tensors inputs = {};
  numerics::ReferenceOutputs reference = {};
  std::vector<int64_t> rows =
      {};  // of the outputs that the reference has (compared_rows.h); empty: all
  int64_t compared_rows = 0;
};

class Truth {
 public:
  // The reference that the case's lock names, or what operator_truth.h computes. `reference_path`
  // is empty where the lock has no row for the case; an operator's case needs none. Errors end a
  // run (run_status.h): ARTIFACT_UNAVAILABLE, with how to make one, FAIL_ARTIFACT, and those of the
  // operator's call. `c` must outlive the result.
  static absl::StatusOr<Truth> Of(const ResolvedCase& c, const std::string& reference_path);

  // What another implementation computed from tensors that the user gave, `inputs` (empty: the
  // seeded ones) of the verified workload.
  static Truth Given(const ResolvedCase& c, execution::Tensors inputs,
                     numerics::ReferenceOutputs reference);

  // A call of this workload, the case's verified or measured one, with inputs on `device`.
  absl::StatusOr<KnownCall> For(const Workload& workload, at::Device device) const;

  const numerics::ReferenceOutputs& reference() const { return reference_; }

 private:
  Truth(const ResolvedCase& c, const Workload& known, numerics::ReferenceOutputs reference)
      : case_(&c), known_(&known), reference_(std::move(reference)) {}

  absl::StatusOr<KnownCall> ForOperator(const Workload& workload, at::Device device) const;
  absl::StatusOr<execution::Tensors> InputsOf(const Workload& workload, at::Device device) const;

  const ResolvedCase* case_;
  const Workload* known_;  // of the case: the rows that the reference has
  numerics::ReferenceOutputs reference_;
  execution::Tensors given_ = {};
};

// What the outputs of a call of the workload must be. Under autocast an output of the case's dtype
// may also have autocast's.
google::protobuf::RepeatedPtrField<ExpectedOutput> ExpectedOf(
    const ResolvedCase& c, const Workload& workload, const std::vector<at::Tensor>& outputs);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_TRUTH_H_
