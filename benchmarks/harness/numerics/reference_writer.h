#ifndef ASSAY_BENCHMARKS_HARNESS_NUMERICS_REFERENCE_WRITER_H_
#define ASSAY_BENCHMARKS_HARNESS_NUMERICS_REFERENCE_WRITER_H_

// ---------------------------------------------------------------------------------------------
// reference_writer.h: makes a reference from outputs of this suite's own float64 run, for families
// that no independent implementation covers.
//
// Not for: references of other implementations; tools/artifacts/generate writes those.
//
// Example:
//   absl::StatusOr<std::string> sha256 =
//       WriteReference(path, {{"logits", logits}}, {{"provenance", "own C++, float64"}});
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ATen/core/Tensor.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/numerics/reference.h"

namespace assay::numerics {

struct NamedOutput {
  std::string name;
  at::Tensor tensor;
};

// Whole up to `whole_limit` elements, a sample beyond it, with statistics. An output that holds NaN or infinity is always
// whole. Without a limit it is made for a blob: whole up to SampleSize, and of finite numbers alone. InvalidArgument where
// it is empty, holds nothing but NaN, or integers that float64 cannot.
absl::StatusOr<ReferenceOutput> MakeReferenceOutput(const NamedOutput& output,
                                                    std::optional<int64_t> whole_limit = {});

// Writes the blob atomically and returns its sha256. Same outputs, same bytes.
absl::StatusOr<std::string> WriteReference(const std::string& path,
                                           const std::vector<NamedOutput>& outputs,
                                           const std::map<std::string, std::string>& metadata);

}  // namespace assay::numerics

#endif  // ASSAY_BENCHMARKS_HARNESS_NUMERICS_REFERENCE_WRITER_H_
