#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_TRUTH_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_TRUTH_H_

// ---------------------------------------------------------------------------------------------
// truth.h: the reference of a case, for calls with any batch: the verified call, and later the
// timed calls.
//
// Not for: the other parts of a verdict (verification.h).
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
#include "benchmarks/harness/numerics/reference.h"
#include "benchmarks/harness/programs/program.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// Inputs with their known outputs.
struct KnownCall {
  execution::Tensors inputs = {};
  numerics::ReferenceOutputs reference = {};
  std::vector<int64_t> rows =
      {};  // of the outputs that the reference has (compared_rows.h); empty: all
  int64_t compared_rows = 0;
};

class Truth {
 public:
  // Reads the reference that the case's lock names, or computes it as operator_truth.h says.
  // `reference_path` is empty where the lock has no row for the case; an operator's case needs
  // none. Errors end a run (run_status.h): ARTIFACT_UNAVAILABLE, with how to make one,
  // FAIL_ARTIFACT, and those of the operator's call. `c` must outlive the result.
  static absl::StatusOr<Truth> Of(const ResolvedCase& c, const std::string& reference_path);

  // For outputs that another implementation computed from the user's tensors. `inputs` are those of
  // the verified workload; empty: the seeded ones.
  static Truth Given(const ResolvedCase& c, execution::Tensors inputs,
                     numerics::ReferenceOutputs reference);

  // A call with this workload, the case's verified or measured one, with inputs on `device`.
  absl::StatusOr<KnownCall> For(const Workload& workload, at::Device device) const;

  const numerics::ReferenceOutputs& reference() const { return reference_; }

 private:
  Truth(const ResolvedCase& c, const Workload& known, numerics::ReferenceOutputs reference)
      : case_(&c), known_(&known), reference_(std::move(reference)) {}

  absl::StatusOr<KnownCall> ForOperator(const Workload& workload, at::Device device) const;
  absl::StatusOr<execution::Tensors> InputsOf(const Workload& workload, at::Device device) const;

  const ResolvedCase* case_;
  const Workload* known_;  // a workload of the case: the rows that the reference has
  numerics::ReferenceOutputs reference_;
  execution::Tensors given_ = {};
};

// The outputs that a call with the workload must have. Under autocast an output of the case's dtype
// may also have autocast's.
google::protobuf::RepeatedPtrField<ExpectedOutput> ExpectedOf(
    const BenchmarkCase& c, const Workload& workload, const std::vector<at::Tensor>& outputs);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_TRUTH_H_
