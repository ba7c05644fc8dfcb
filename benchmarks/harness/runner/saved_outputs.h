#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_SAVED_OUTPUTS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_SAVED_OUTPUTS_H_

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
#include "defs/record.pb.h"
#include "defs/suite.pb.h"

namespace assay::runner {

// The file that a flag's DIR or FILE.safetensors means: in a folder <case>.safetensors.
std::string OutputsFile(const std::string& path, const ResolvedCase& c);

// InvalidArgument, with the mend, where the folder of `file` is not there.
absl::Status CheckFolderOf(const std::string& file);

// Replaces the file atomically.
absl::Status SaveOutputs(const std::string& file, const ResolvedCase& c,
                         const std::vector<at::Tensor>& outputs, Outcome outcome,
                         const Environment& environment);

struct SavedOutputs {
  std::vector<at::Tensor> outputs;  // as the case lists them
  std::map<std::string, std::string> metadata;

  // "eager, torch 2.11.0, commit 01234567": what made them.
  std::string Origin() const;
};

// InvalidArgument, naming file and output, where it holds no saved outputs, those of another case
// or seed, or of another shape; errors of MappedFile::Open where it cannot be had, and DataLoss
// where it is damaged.
absl::StatusOr<SavedOutputs> ReadSavedOutputs(const std::string& file, const ResolvedCase& c);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_SAVED_OUTPUTS_H_
