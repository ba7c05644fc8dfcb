#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_GIVEN_FILES_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_GIVEN_FILES_H_

// ---------------------------------------------------------------------------------------------
// given_files.h: reads the files that --weights, --inputs, --prompt-ids and --reference name, and
// checks them against the case before anything is built.
//
// The suite's reference does not apply to the user's own weights or inputs: the verdict then
// compares with --reference, or is NOT_VERIFIED.
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
#include "benchmarks/harness/numerics/reference.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/tensor_files/checkpoint.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// Paths; empty where the user gave none.
struct GivenPaths {
  std::string weights = {};
  std::string weights_prefix = {};  // prefix of the model's names in the file; empty: detected
  std::string inputs = {};
  std::string reference = {};
  std::vector<std::string> weights_ignore =
      {};                       // first parts of the file's names that are left out
  std::string prompt_ids = {};  // in the place of inputs
  std::string model = {};       // a file that is the program (benchmark_program.h), not a case's
  std::vector<std::string> config_ignore = {};  // keys of config.json that are not read
  bool by_python = false;  // whether the case's implementation in Python computes the reference
  std::vector<std::string> notes = {};  // of the weights: what config.json has changed

  // Whether the case's own reference does not apply.
  bool replaces_tensors() const { return !weights.empty() || replaces_inputs() || !model.empty(); }
  bool replaces_inputs() const { return !inputs.empty() || !prompt_ids.empty(); }
};

struct GivenReference {
  ReferenceArtifact artifact;  // for the record: file name, digest, size, origin
  numerics::ReferenceOutputs outputs;
};

struct GivenFiles {
  std::optional<tensor_files::Checkpoint> weights;
  std::vector<at::Tensor> inputs;  // of the verified call, in the case's dtypes; empty: seeded
  GivenFile inputs_identity;
  std::optional<GivenReference> reference;
  GivenFile model;
};

// Reads them all. InvalidArgument, FailedPrecondition, DataLoss or OutOfRange, naming file and
// tensor, where a file does not fit the case; Unreadable() statuses where a file cannot be read.
// Weights are only opened here: ProgramWithWeights checks whether they fit.
absl::StatusOr<GivenFiles> ReadGivenFiles(const GivenPaths& paths, const ResolvedCase& c);

// The case with the sizes of the config.json in the folder of the weights, if there is one; `paths`
// then has the notes. InvalidArgument where the code does not compute what it says
// (checkpoint_config.h).
absl::StatusOr<ResolvedCase> WithConfigBeside(GivenPaths& paths, ResolvedCase c);

struct LoadedProgram {
  std::unique_ptr<execution::Program> program = {};  // on the CPU, in the case's dtype
  GivenFile weights = {};                            // for the record
  // The outputs of a program that is brought, where they are known; --reference goes before them.
  std::optional<GivenReference> reference = {};
};

// Makes the measured workload's program with these weights, whose names `paths` may say more of.
// InvalidArgument, with the lists of LoadCheckpoint, where they do not fit.
absl::StatusOr<LoadedProgram> ProgramWithWeights(const tensor_files::Checkpoint& checkpoint,
                                                 const GivenPaths& paths, const ResolvedCase& c);

// NOT_VERIFIED: there is no reference for these tensors. `what`: "weights from", before the name.
// `by_python`: whether --verify-with=python would make one.
Verdict NotComparable(std::string_view what, const GivenFile& given, bool by_python = false);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_GIVEN_FILES_H_
