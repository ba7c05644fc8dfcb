#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_FILES_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_FILES_H_

// ---------------------------------------------------------------------------------------------
// given_files.h: what --weights, --inputs and --reference name, read and checked against the case
// before anything is built.
//
// With weights or inputs of the user's own, the suite's reference says nothing: the verdict is
// against --reference, or NOT_VERIFIED.
//
// Not for: the seeded tensors of a case (execution/seeded_program.h), nor for its locked reference
// (verification.h).
//
// Example:
//   absl::StatusOr<GivenFiles> given = ReadGivenFiles({.weights = "resnet18.safetensors"}, c);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/program.h"
#include "benchmarks/harness/numerics/reference.h"
#include "benchmarks/harness/tensor_files/checkpoint.h"
#include "defs/record.pb.h"
#include "defs/suite.pb.h"

namespace assay::runner {

// Paths; empty where the user gave none.
struct GivenPaths {
  std::string weights = {};
  std::string weights_prefix = {};  // in front of the model's names; empty: found
  std::string inputs = {};
  std::string reference = {};

  // Whether the case's own reference does not apply.
  bool replaces_tensors() const { return !weights.empty() || !inputs.empty(); }
};

struct GivenReference {
  ReferenceArtifact artifact;  // for the record: file name, digest, size, whose
  numerics::ReferenceOutputs outputs;
};

struct GivenFiles {
  std::optional<tensor_files::Checkpoint> weights;
  std::vector<at::Tensor> inputs;  // of the verified call, in the case's dtypes; empty: seeded
  GivenFile inputs_identity;
  std::optional<GivenReference> reference;
};

// Reads them all. InvalidArgument, FailedPrecondition, DataLoss or OutOfRange, naming file and
// tensor, where a file does not fit the case; Unreadable() statuses where one cannot be had.
// Weights are only opened here: ProgramWithWeights sees whether they fit.
absl::StatusOr<GivenFiles> ReadGivenFiles(const GivenPaths& paths, const ResolvedCase& c);

struct LoadedProgram {
  std::unique_ptr<execution::Program> program;  // on the CPU, in the case's dtype
  GivenFile weights;                            // for the record
};

// The measured workload's program with these weights, whose names have `prefix` in front; empty:
// what is found. InvalidArgument, with the lists of LoadCheckpoint, where they do not fit.
absl::StatusOr<LoadedProgram> ProgramWithWeights(const tensor_files::Checkpoint& checkpoint,
                                                 const std::string& prefix, const ResolvedCase& c);

// NOT_VERIFIED, since nothing says what these tensors should give. `what`: "weights" or "inputs".
Verdict NotComparable(std::string_view what, const GivenFile& given);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_FILES_H_
