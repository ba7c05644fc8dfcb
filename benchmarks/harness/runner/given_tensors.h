#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_TENSORS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_TENSORS_H_

// ---------------------------------------------------------------------------------------------
// given_tensors.h: the inputs or outputs of a case out of what people keep them in:
//
//   FILE.safetensors   by name
//   FILE.npz           by name
//   FOLDER             STEM_0.npy, STEM_1.npy, ... by position: OpenXLA's inputs_npy, outputs_npy
//
// Not for: weights (numerics/tensor_files/checkpoint.h), nor for whether shapes and dtypes fit
// (given_files.h).
//
// Example:
//   absl::StatusOr<std::vector<at::Tensor>> inputs =
//       ReadGivenTensors("inputs.npz", {"input_ids", "attention_mask"}, "input");
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "defs/record.pb.h"

namespace assay::runner {

// One tensor for each of `names`, in their order. The file holds these and no others:
// InvalidArgument, naming what is missing or unexpected, otherwise. DataLoss where a file is
// malformed; NotFound, PermissionDenied and so on where it cannot be read.
absl::StatusOr<std::vector<at::Tensor>> ReadGivenTensors(const std::string& path,
                                                         const std::vector<std::string>& names,
                                                         std::string_view stem);

// Name, digest and size of a file, or of a folder's *.npy. Errors of MappedFile::Open.
absl::StatusOr<GivenFile> IdentityOf(const std::string& path);

// FailedPrecondition where the file is another one by now: then what was read in between is not
// what `identity` says.
absl::Status CheckUnchanged(const std::string& path, const GivenFile& identity);

// Whether a file that the user named could not be had, as opposed to: was had and is no good.
bool Unreadable(const absl::Status& status);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_TENSORS_H_
