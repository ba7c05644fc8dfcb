#include "benchmarks/harness/numerics/reference_writer.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ATen/core/Tensor.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/numerics/output_stats.h"
#include "benchmarks/harness/numerics/reference.h"
#include "benchmarks/harness/numerics/tensor_values.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"

namespace assay::numerics {
namespace {

// Below it, no two integers share a float64.
constexpr double kExactIntegers = 0x1p53;

absl::Status Refused(const NamedOutput& output, std::string_view problem) {
  return absl::InvalidArgumentError(
      absl::StrCat("making the reference of output \"", output.name, "\": ", problem));
}

// `finite`: as a blob's must be.
absl::Status Check(const NamedOutput& output, const TensorValues& values, bool finite) {
  if (values.elements() == 0) return Refused(output, "it is empty, nothing could be compared");
  if (values.nonfinite() > 0 && finite) {
    return Refused(output, absl::StrCat(values.nonfinite(), " of ", values.elements(),
                                        " elements are NaN or infinite, the first at flat index ",
                                        values.first_nonfinite()));
  }
  if (!output.tensor.is_floating_point() && values.stats().max_abs >= kExactIntegers) {
    return Refused(output, "it holds integers of 2^53 or beyond, which float64 cannot tell apart");
  }
  return absl::OkStatus();
}

// Moves the elements that are not finite out of all values.
void SetApart(ReferenceOutput& reference) {
  std::vector<double> finite;
  for (size_t i = 0; i < reference.values.size(); ++i) {
    const double value = reference.values[i];
    if (std::isfinite(value)) {
      reference.indices.push_back(static_cast<int64_t>(i));
      finite.push_back(value);
    } else {
      reference.nonfinite.push_back({static_cast<int64_t>(i), value});
    }
  }
  reference.values = std::move(finite);
  reference.stats = StatsOf(reference.values);
}

}  // namespace

absl::StatusOr<ReferenceOutput> MakeReferenceOutput(const NamedOutput& output,
                                                    std::optional<int64_t> whole_limit) {
  if (!output.tensor.defined()) return Refused(output, "it is undefined");
  if (output.tensor.layout() != at::kStrided || output.tensor.is_complex()) {
    return Refused(output, "only dense real tensors can be kept");
  }
  const absl::StatusOr<TensorValues> values = ValuesOf(output.tensor);
  if (!values.ok()) return values.status();
  const bool for_blob = !whole_limit.has_value();
  if (absl::Status status = Check(output, *values, for_blob); !status.ok()) return status;

  ReferenceOutput reference;
  reference.name = output.name;
  reference.shape = output.tensor.sizes().vec();
  reference.stats = values->stats();
  reference.sampled =
      values->nonfinite() == 0 &&
      values->elements() > whole_limit.value_or(SampleSize(output.name, reference.shape));
  if (reference.sampled) {
    absl::StatusOr<std::vector<int64_t>> indices = SampleIndices(output.name, reference.shape);
    if (!indices.ok()) return indices.status();
    reference.indices = *std::move(indices);
  }
  const absl::Status status = base::CatchTorch("reading a tensor", [&] {
    reference.values = reference.sampled ? values->At(reference.indices) : values->All();
  });
  if (!status.ok()) return status;
  if (values->nonfinite() == 0) return reference;
  SetApart(reference);
  if (absl::Status valid = Validate(reference); !valid.ok())
    return absl::InvalidArgumentError(valid.message());
  return reference;
}

absl::StatusOr<std::string> WriteReference(const std::string& path,
                                           const std::vector<NamedOutput>& outputs,
                                           const std::map<std::string, std::string>& metadata) {
  ReferenceOutputs reference;
  reference.metadata = metadata;
  for (const NamedOutput& output : outputs) {
    absl::StatusOr<ReferenceOutput> made = MakeReferenceOutput(output);
    if (!made.ok()) return made.status();
    reference.outputs.push_back(*std::move(made));
  }
  const absl::StatusOr<std::string> bytes = SerializeReference(reference);
  if (!bytes.ok()) return bytes.status();
  if (absl::Status status = tensor_files::WriteFileAtomically(path, *bytes); !status.ok())
    return status;
  return base::Sha256Hex(*bytes);
}

}  // namespace assay::numerics
