#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_GIVEN_TENSORS_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_GIVEN_TENSORS_H_

// ---------------------------------------------------------------------------------------------
// given_tensors.h: reads the inputs or outputs of a case from the files in which people keep them:
//
//   FILE.safetensors   by name
//   FILE.npz           by name
//   FOLDER             STEM_0.npy, STEM_1.npy, ... by position: OpenXLA's inputs_npy, outputs_npy
//
// Not for: weights (tensor_files/checkpoint.h), nor for whether shapes and dtypes fit
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
#include "defs/proto/record.pb.h"

namespace assay::runner {

// One tensor for each of `names`, in their order. The file must hold these and no others.
// InvalidArgument that names what is missing or unexpected; DataLoss where a file is malformed;
// NotFound, PermissionDenied and so on where it cannot be read.
absl::StatusOr<std::vector<at::Tensor>> ReadGivenTensors(const std::string& path,
                                                         const std::vector<std::string>& names,
                                                         std::string_view stem);

// Name, digest and size of a file, or of a folder's *.npy. Errors of MappedFile::Open.
absl::StatusOr<GivenFile> IdentityOf(const std::string& path);
// The same of a file, and of others that belong to it. With others, the digest is that of all digests:
// sha256sum FILE OTHER... | cut -c-64 | sha256sum
absl::StatusOr<GivenFile> IdentityOf(const std::string& path,
                                     const std::vector<std::string>& others);

// FailedPrecondition where the file has changed since `identity` was taken: the tensors read in
// between may then be others than those that `identity` names.
absl::Status CheckUnchanged(const std::string& path, const GivenFile& identity);

// Whether a file could not be read at all, as opposed to read and found wrong.
bool Unreadable(const absl::Status& status);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_GIVEN_GIVEN_TENSORS_H_
