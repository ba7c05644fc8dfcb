#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_SAVED_OUTPUTS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_SAVED_OUTPUTS_H_

// ---------------------------------------------------------------------------------------------
// saved_outputs.h: the outputs of a verified call in a safetensors file, bit for bit, so that a
// later build can be compared with this one.
//
// The file's metadata say what they are: "format", "case", "seed", "execution", "outcome" of their
// own verdict, "torch", "git_commit" (with -dirty where the tree was changed).
//
// Not for: references, which are float64 and pinned by digest (numerics/reference.h).
//
// Example:
//   absl::Status status = SaveOutputs("before.safetensors", c, outputs, PASS, environment);
//   absl::StatusOr<SavedOutputs> before = ReadSavedOutputs("before.safetensors", c);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// The file that a flag's DIR or FILE.safetensors means: for a folder, <case>.safetensors in it.
std::string OutputsFile(const std::string& path, const std::string& case_name);

// InvalidArgument, with the fix, where the folder of `file` does not exist.
absl::Status CheckFolderOf(const std::string& file);

// Replaces the file atomically.
absl::Status SaveOutputs(const std::string& file, const ResolvedCase& c,
                         const std::vector<at::Tensor>& outputs, Outcome outcome,
                         const Environment& environment);

struct SavedOutputs {
  std::vector<at::Tensor> outputs;  // in the case's order
  std::map<std::string, std::string> metadata;

  // Says what computed them: "eager, torch 2.11.0, commit 01234567".
  std::string Origin() const;
};

// InvalidArgument, naming file and output, where the file holds no saved outputs or those of
// another case, seed or shape; errors of MappedFile::Open where it cannot be read, and DataLoss
// where it is damaged.
absl::StatusOr<SavedOutputs> ReadSavedOutputs(const std::string& file, const ResolvedCase& c);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_SAVED_OUTPUTS_H_
