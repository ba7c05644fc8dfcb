#include "benchmarks/traces/replay/recorded_results.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/numerics/rules.h"
#include "benchmarks/harness/numerics/tensor_values.h"
#include "benchmarks/harness/trace/output_digest.h"

namespace assay::traces {
namespace {

// The largest error of one element, in standard deviations: the limits of defs/tolerances.bzl.
double LimitOf(at::ScalarType dtype) {
  switch (dtype) {
    case at::kDouble:
      return 1e-10;
    case at::kFloat:
      return 1e-4;
    case at::kHalf:
      return 5e-2;
    case at::kBFloat16:
      return 3e-1;
    default:
      return 0;
  }
}

double ElementOf(const at::Tensor& flat, int64_t place) {
  const at::Scalar element = flat[place].item();
  return element.isComplex() ? std::nan("") : element.toDouble();
}

}  // namespace

std::string CompareRecorded(const RecordedValues& recorded, size_t place, const at::Tensor& got,
                            ResultCounts& counts) {
  if (place >= recorded.output_digests.size()) return "";
  const std::string& want = recorded.output_digests[place];
  if (want.empty()) {
    counts.unwritten += got.numel() > 0 ? 1 : 0;
    return "";
  }
  const at::Tensor row_major = got.contiguous();
  if (trace::OutputDigest(row_major) == want) {
    ++counts.equal;
    return "";
  }
  const at::Tensor flat = row_major.view({-1});
  const double limit = LimitOf(got.scalar_type());
  const auto values = numerics::ValuesOf(got);
  const double scale = values.ok() ? numerics::ScaleOf(values->stats()).value : 1;
  static const std::vector<std::pair<int64_t, double>> none;
  const auto& samples =
      place < recorded.output_samples.size() ? recorded.output_samples[place] : none;
  double farthest = 0;
  for (const auto& [at, recorded_value] : samples) {
    if (at < 0 || at >= flat.numel()) return "has fewer elements than the trace has samples of";
    const double element = ElementOf(flat, at);
    if (element == recorded_value || (std::isnan(element) && std::isnan(recorded_value))) continue;
    const double error = std::abs(element - recorded_value) / scale;
    if (!(error <= limit)) {
      return absl::StrFormat("element %d is %.9g, in the trace %.9g", at, element, recorded_value);
    }
    farthest = std::max(farthest, error);
  }
  if (limit == 0 || samples.empty())
    return "has another digest than in the trace, and its samples are equal";
  ++counts.near;
  counts.farthest = std::max(counts.farthest, farthest);
  return "";
}

}  // namespace assay::traces
