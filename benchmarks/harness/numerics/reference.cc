#include "benchmarks/harness/numerics/reference.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/base/shape_text.h"
#include "benchmarks/harness/numerics/output_stats.h"
#include "benchmarks/harness/numerics/philox.h"
#include "defs/record.pb.h"

namespace assay::numerics {
namespace {

// Another program's sums of 10^9 doubles differ from ours by less, and a wrong file by far more.
constexpr double kSameStats = 1e-9;

absl::Status Damaged(const ReferenceOutput& output, std::string_view problem) {
  return absl::DataLossError(absl::StrCat("reference output \"", output.name, "\": ", problem));
}

bool AllFinite(const OutputStats& stats) {
  return std::isfinite(stats.mean) && std::isfinite(stats.std) && std::isfinite(stats.l2_norm) &&
         std::isfinite(stats.max_abs);
}

absl::Status ValidateIndices(const ReferenceOutput& output, int64_t elements) {
  if (!output.sampled) {
    if (!output.indices.empty()) return Damaged(output, "it is whole and has indices");
    if (static_cast<int64_t>(output.values.size()) == elements) return absl::OkStatus();
    return Damaged(output,
                   absl::StrCat(output.values.size(), " values for ", elements, " elements"));
  }
  if (output.indices.size() != output.values.size()) {
    return Damaged(output, absl::StrCat(output.indices.size(), " indices for ",
                                        output.values.size(), " values"));
  }
  // A smaller sample would verify less than the format promises.
  if (elements <= kWholeLimit || static_cast<int64_t>(output.indices.size()) < kSampleSize) {
    return Damaged(output, absl::StrCat("a sample of ", output.indices.size(), " of ", elements,
                                        " elements; outputs of up to ", kWholeLimit,
                                        " are kept whole, samples have at least ", kSampleSize));
  }
  int64_t previous = -1;
  for (const int64_t index : output.indices) {
    if (index <= previous || index >= elements) {
      return Damaged(output,
                     absl::StrCat("index ", index, " after ", previous,
                                  ": not sorted, twice, or beyond the ", elements, " elements"));
    }
    previous = index;
  }
  return absl::OkStatus();
}

absl::Status ValidateFinite(const ReferenceOutput& output) {
  const auto bad = std::find_if_not(output.values.begin(), output.values.end(),
                                    [](double value) { return std::isfinite(value); });
  if (bad != output.values.end()) {
    return Damaged(output,
                   absl::StrFormat("value %d of %d is %g; a reference must be finite",
                                   bad - output.values.begin(), output.values.size(), *bad));
  }
  if (!AllFinite(output.stats)) return Damaged(output, "its statistics are not finite");
  return absl::OkStatus();
}

absl::Status ValidateStats(const ReferenceOutput& output, int64_t elements) {
  const OutputStats& stats = output.stats;
  const OutputStats kept = StatsOf(output.values);
  const auto wrong = [&](std::string_view which, double stored, double computed) {
    return Damaged(output, absl::StrFormat("its %s is given as %.9g, its values say %.9g", which,
                                           stored, computed));
  };
  if (stats.std < 0 || stats.l2_norm < 0 || stats.max_abs < 0) {
    return Damaged(output, "its statistics have impossible signs");
  }
  const double root_mean_square = std::hypot(stats.mean, stats.std);
  const double norm = root_mean_square * std::sqrt(static_cast<double>(elements));
  if (!(std::abs(norm - stats.l2_norm) <= 1e-6 * stats.l2_norm)) {
    return wrong("L2 norm", stats.l2_norm, norm);
  }
  const double slack = kSameStats * stats.max_abs;
  if (kept.max_abs > stats.max_abs + slack || std::abs(stats.mean) > stats.max_abs + slack) {
    return wrong("max |x|", stats.max_abs, std::max(kept.max_abs, std::abs(stats.mean)));
  }
  if (output.sampled) return absl::OkStatus();
  if (!(std::abs(kept.max_abs - stats.max_abs) <= slack)) {
    return wrong("max |x|", stats.max_abs, kept.max_abs);
  }
  if (!(std::abs(kept.mean - stats.mean) <= slack)) return wrong("mean", stats.mean, kept.mean);
  if (!(std::abs(kept.std - stats.std) <= slack)) {
    return wrong("standard deviation", stats.std, kept.std);
  }
  return absl::OkStatus();
}

}  // namespace

const ReferenceOutput* ReferenceOutputs::Find(std::string_view name) const {
  for (const ReferenceOutput& output : outputs) {
    if (output.name == name) return &output;
  }
  return nullptr;
}

absl::StatusOr<int64_t> ElementsOf(const std::vector<int64_t>& shape) {
  int64_t elements = 1;
  for (const int64_t size : shape) {
    if (size < 0 || (size > 0 && elements > std::numeric_limits<int64_t>::max() / size)) {
      return absl::DataLossError(
          absl::StrCat("shape ", base::ShapeText(shape), " is negative or too large"));
    }
    elements *= size;
  }
  return elements;
}

absl::StatusOr<std::vector<int64_t>> SampleIndices(std::string_view name, int64_t elements) {
  if (elements <= kWholeLimit || elements > int64_t{1} << 32) {
    return absl::InvalidArgumentError(absl::StrCat("output \"", name, "\" has ", elements,
                                                   " elements; samples are taken of ",
                                                   kWholeLimit + 1, " to 2^32"));
  }
  const PhiloxStream stream(0, absl::StrCat("sample:", name));
  std::set<int64_t> chosen;
  for (uint64_t word = 0; static_cast<int64_t>(chosen.size()) < kSampleSize; ++word) {
    chosen.insert(static_cast<int64_t>(
        PhiloxStream::Integer(stream.Word(word), static_cast<uint64_t>(elements))));
  }
  return std::vector<int64_t>(chosen.begin(), chosen.end());
}

absl::Status Validate(const ReferenceOutput& output) {
  const absl::StatusOr<int64_t> elements = ElementsOf(output.shape);
  if (!elements.ok()) return Damaged(output, elements.status().message());
  if (*elements == 0) return Damaged(output, "it is empty: nothing could be compared");
  if (absl::Status status = ValidateIndices(output, *elements); !status.ok()) return status;
  if (absl::Status status = ValidateFinite(output); !status.ok()) return status;
  return ValidateStats(output, *elements);
}

Outcome ReferenceOutcome(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return Outcome::PASS;
    case absl::StatusCode::kDataLoss:
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kOutOfRange:
      return Outcome::FAIL_ARTIFACT;
    default:
      return Outcome::ARTIFACT_UNAVAILABLE;
  }
}

}  // namespace assay::numerics
