#include "benchmarks/harness/numerics/reference.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/numerics/output_stats.h"
#include "benchmarks/harness/text/shape_text.h"
#include "defs/case/philox.h"
#include "defs/proto/record.pb.h"

namespace assay::numerics {
namespace {

// Another program's sums of 10^9 doubles differ from ours by less, and a wrong file by far more.
constexpr double kSameStats = 1e-9;
// Rounding to float32 moves a value by at most this.
constexpr double kFloat32Rounding = 0x1p-24;

constexpr int64_t kMostRowsSampledEach = 8;

bool IsOfATrainingStep(std::string_view name) {
  const std::vector<std::string_view> parts = absl::StrSplit(name, '.');
  return std::any_of(parts.begin(), parts.end() - 1, [](std::string_view part) {
    return absl::ConsumePrefix(&part, "step") && !part.empty() &&
           std::all_of(part.begin(), part.end(), absl::ascii_isdigit);
  });
}

// Into how many rows the sample is divided evenly.
int64_t SampledRows(std::string_view name, const std::vector<int64_t>& shape) {
  const bool few = !shape.empty() && shape[0] >= 2 && shape[0] <= kMostRowsSampledEach;
  return few && !IsOfATrainingStep(name) ? shape[0] : 1;
}

absl::Status Damaged(const ReferenceOutput& output, std::string_view problem) {
  return absl::DataLossError(absl::StrCat("reference output \"", output.name, "\": ", problem));
}

bool AllFinite(const OutputStats& stats) {
  return std::isfinite(stats.mean) && std::isfinite(stats.std) && std::isfinite(stats.l2_norm) &&
         std::isfinite(stats.max_abs);
}

// Each element of the whole is either among the values or among those that are not finite.
absl::Status ValidateNonfinite(const ReferenceOutput& output, int64_t elements) {
  if (output.sampled || output.indices.size() != output.values.size() ||
      static_cast<int64_t>(output.indices.size() + output.nonfinite.size()) != elements)
    return Damaged(output, "not all of its elements are finite, and it is not whole");
  auto finite = output.indices.begin();
  auto other = output.nonfinite.begin();
  for (int64_t index = 0; index < elements; ++index) {
    if (finite != output.indices.end() && *finite == index) {
      ++finite;
    } else if (other != output.nonfinite.end() && other->index == index &&
               !std::isfinite(other->value)) {
      ++other;
    } else {
      return Damaged(output, absl::StrCat("element ", index, " is not where it should be"));
    }
  }
  const bool all_nan =
      output.values.empty() && std::all_of(output.nonfinite.begin(), output.nonfinite.end(),
                                           [](const auto& e) { return std::isnan(e.value); });
  if (all_nan) return Damaged(output, "all of its elements are NaN: nothing could be compared");
  return absl::OkStatus();
}

absl::Status ValidateIndices(const ReferenceOutput& output, int64_t elements) {
  if (!output.nonfinite.empty()) return ValidateNonfinite(output, elements);
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
  // A smaller sample would verify less than the format says.
  const bool first_rows = output.stats_of_sample;
  const int64_t whole = SampleSize(output.name, output.shape);
  const int64_t fewest = first_rows ? kFewestSampled : whole;
  const bool needless = !first_rows && elements <= whole;
  if (needless || static_cast<int64_t>(output.indices.size()) < fewest) {
    return Damaged(output, absl::StrCat("a sample of ", output.indices.size(), " of ", elements,
                                        " elements; outputs of up to ", whole,
                                        " are kept whole, samples have at least ", fewest));
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

// `elements` are those of the whole output.
absl::Status ValidateStats(const ReferenceOutput& output, int64_t elements) {
  const OutputStats& stats = output.stats;
  const OutputStats kept = StatsOf(output.values);
  const int64_t kept_count = static_cast<int64_t>(output.values.size());
  const auto wrong = [&](std::string_view which, double stored, double computed) {
    return Damaged(output, absl::StrFormat("its %s is given as %.9g, its values say %.9g", which,
                                           stored, computed));
  };
  if (stats.std < 0 || stats.l2_norm < 0 || stats.max_abs < 0) {
    return Damaged(output, "its statistics have impossible signs");
  }
  const double root_mean_square = std::hypot(stats.mean, stats.std);
  const bool of_values = !output.sampled || output.stats_of_sample;
  const double summed = static_cast<double>(of_values ? kept_count : elements);
  const double norm = root_mean_square * std::sqrt(summed);
  if (!(std::abs(norm - stats.l2_norm) <= 1e-6 * stats.l2_norm)) {
    return wrong("L2 norm", stats.l2_norm, norm);
  }
  const double slack = (output.float32 ? kFloat32Rounding : kSameStats) * stats.max_abs;
  if (kept.max_abs > stats.max_abs + slack || std::abs(stats.mean) > stats.max_abs + slack) {
    return wrong("max |x|", stats.max_abs, std::max(kept.max_abs, std::abs(stats.mean)));
  }
  if (!of_values) return absl::OkStatus();
  if (!(std::abs(kept.max_abs - stats.max_abs) <= slack)) {
    return wrong("max |x|", stats.max_abs, kept.max_abs);
  }
  if (!(std::abs(kept.mean - stats.mean) <= slack)) return wrong("mean", stats.mean, kept.mean);
  if (!(std::abs(kept.std - stats.std) <= slack)) {
    return wrong("standard deviation", stats.std, kept.std);
  }
  return absl::OkStatus();
}

// The fix for every way in which a reference has too few rows, or too few elements of them.
constexpr std::string_view kMoreRows =
    "; compare as many rows as the reference has, or let verify.batch of the case's table give it "
    "others, of 2 to 8 rows 256 elements each, and make it anew (tools/bazel run "
    "//tools:generate_artifacts)";

absl::Status TooFew(const ReferenceOutput& output, std::string_view problem) {
  return absl::InvalidArgumentError(
      absl::StrCat("reference output \"", output.name, "\": ", problem, kMoreRows));
}

// Copies the kept elements of row `from` to row `to`.
void AppendRow(const ReferenceOutput& output, int64_t from, int64_t to, int64_t row_elements,
               ReferenceOutput& rows) {
  const int64_t begin = from * row_elements, end = begin + row_elements;
  for (const NonfiniteElement& element : output.nonfinite) {
    if (element.index >= begin && element.index < end)
      rows.nonfinite.push_back({element.index - begin + to * row_elements, element.value});
  }
  if (!output.HasIndices()) {
    rows.values.insert(rows.values.end(), output.values.begin() + begin,
                       output.values.begin() + end);
    return;
  }
  auto at = std::lower_bound(output.indices.begin(), output.indices.end(), begin);
  for (; at != output.indices.end() && *at < end; ++at) {
    rows.indices.push_back(*at - begin + to * row_elements);
    rows.values.push_back(output.values[static_cast<size_t>(at - output.indices.begin())]);
  }
}

absl::StatusOr<ReferenceOutput> RowsOf(const ReferenceOutput& output,
                                       const std::vector<int64_t>& rows) {
  if (output.shape.empty()) return TooFew(output, "it is a scalar and has no rows");
  const int64_t has = output.shape[0];
  for (const int64_t row : rows) {
    if (row < 0 || row >= has)
      return TooFew(output, absl::StrCat("it has ", has, " rows, not ", row + 1));
  }
  if (rows.empty()) return TooFew(output, absl::StrCat("it has ", has, " rows, not 0"));
  std::vector<int64_t> all(static_cast<size_t>(has));
  std::iota(all.begin(), all.end(), 0);
  if (rows == all) return output;
  ReferenceOutput chosen;
  chosen.name = output.name;
  chosen.sampled = output.sampled;
  chosen.float32 = output.float32;
  chosen.shape = output.shape;
  chosen.shape[0] = static_cast<int64_t>(rows.size());
  const absl::StatusOr<int64_t> elements = ElementsOf(chosen.shape);
  if (!elements.ok()) return elements.status();
  const int64_t row_elements = *elements / chosen.shape[0];
  for (size_t i = 0; i < rows.size(); ++i)
    AppendRow(output, rows[i], static_cast<int64_t>(i), row_elements, chosen);
  if (!chosen.HasIndices()) chosen.indices.clear();  // none of these rows' elements is infinite
  if (chosen.sampled && static_cast<int64_t>(chosen.values.size()) < kFewestSampled) {
    return TooFew(output,
                  absl::StrCat("only ", chosen.values.size(), " of its ", output.values.size(),
                               " kept elements lie in ", rows.size(), " of ", has,
                               " rows, and at least ", kFewestSampled, " must be compared"));
  }
  chosen.stats = StatsOf(chosen.values);
  chosen.stats_of_sample = chosen.sampled;
  return chosen;
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

int64_t SampleSize(std::string_view name, const std::vector<int64_t>& shape) {
  constexpr int64_t kOfTrainingSteps = 64, kOfNorms = 256;
  if (IsOfATrainingStep(name)) return name.ends_with("_norms") ? kOfNorms : kOfTrainingSteps;
  if (name == kDetections) return ElementsOf(shape).value_or(0);
  return kFewestSampled * std::max<int64_t>(2, SampledRows(name, shape));
}

absl::StatusOr<std::vector<int64_t>> SampleIndices(std::string_view name,
                                                   const std::vector<int64_t>& shape) {
  const absl::StatusOr<int64_t> elements = ElementsOf(shape);
  if (!elements.ok()) return elements.status();
  const int64_t size = SampleSize(name, shape), rows = SampledRows(name, shape);
  if (*elements <= size || *elements > int64_t{1} << 32) {
    return absl::InvalidArgumentError(absl::StrCat("output \"", name, "\" has ", *elements,
                                                   " elements; samples are taken of ", size + 1,
                                                   " to 2^32"));
  }
  const PhiloxStream stream(0, absl::StrCat("sample:", name));
  std::set<int64_t> chosen;
  std::vector<int64_t> missing(static_cast<size_t>(rows), size / rows);
  for (uint64_t word = 0; static_cast<int64_t>(chosen.size()) < size; ++word) {
    const int64_t index = static_cast<int64_t>(
        PhiloxStream::Integer(stream.Word(word), static_cast<uint64_t>(*elements)));
    int64_t& of_row = missing[static_cast<size_t>(index / (*elements / rows))];
    if (of_row > 0 && chosen.insert(index).second) --of_row;
  }
  return std::vector<int64_t>(chosen.begin(), chosen.end());
}

absl::StatusOr<ReferenceOutputs> Rows(const ReferenceOutputs& reference,
                                      const std::vector<int64_t>& rows,
                                      const std::vector<std::string>& batched) {
  ReferenceOutputs chosen = reference;
  for (ReferenceOutput& output : chosen.outputs) {
    if (std::find(batched.begin(), batched.end(), output.name) == batched.end()) continue;
    // Shape and values must fit together before the shape is used to cut the values.
    if (absl::Status status = Validate(output); !status.ok()) return status;
    absl::StatusOr<ReferenceOutput> of_rows = RowsOf(output, rows);
    if (!of_rows.ok()) return of_rows.status();
    output = *std::move(of_rows);
  }
  return chosen;
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
