#include "benchmarks/harness/runner/verdict/lowered_layers.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/dtype.h"
#include "benchmarks/harness/execution/eager_backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/execution/repeatability.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/verdict/added_check.h"
#include "benchmarks/harness/runner/verdict/output_difference.h"
#include "benchmarks/harness/runner/verdict/truth.h"
#include "defs/case/execution_names.h"
#include "defs/case/lowerings.h"

namespace assay::runner {
namespace {

double RmsLimit(const LayerError& error, Dtype dtype) {
  const double roundoff = dtype == BF16 ? 0x1p-8 : dtype == FP16 ? 0x1p-11 : 0x1p-24;
  return roundoff + std::sqrt(static_cast<double>(error.in)) * 0x1p-24;
}

// How far a layer is in its limits: 1 at the limit. NaN is beyond.
double ShareOf(const LayerError& error, Dtype dtype) {
  const double limit = RmsLimit(error, dtype);
  const double share = std::max(error.rms / limit, error.worst / (4 * limit));
  return std::isnan(error.rms) || std::isnan(error.worst) ? HUGE_VAL : share;
}

std::string QualityText(const Verdict& verdict) {
  std::vector<std::string> texts;
  for (const OutputVerdict& output : verdict.outputs()) {
    if (!(output.rms_error() > 0)) continue;
    texts.push_back(absl::StrFormat("%s SQNR %.1f dB, cosine %.6f", output.name(),
                                    -20 * std::log10(output.rms_error()), output.cosine()));
  }
  return absl::StrJoin(texts, "; ");
}

void AddQuality(Verdict& verdict) {
  const std::string quality = QualityText(verdict);
  if (quality.empty()) return;
  Check& check = *verdict.add_checks();
  check.set_name("quality");
  check.set_status(CHECK_NOTED);
  check.set_detail(absl::StrCat("against the model before its lowering: ", quality));
}

}  // namespace

bool RoundsWeights(const BenchmarkCase& c) {
  const lowerings::Row* const row = lowerings::Find(c.execution().lowering());
  return row != nullptr && row->rounds;
}

absl::Status CheckLoweredLayers(const ResolvedCase& c, at::Device device,
                                const execution::Tensors& inputs, const execution::Tensors& outputs,
                                Verdict& verdict) {
  const BenchmarkCase& b = c.benchmark_case();
  AddQuality(verdict);
  std::vector<LayerError> errors;
  auto copy = execution::SeededProgram(c, c.verified());
  if (!copy.ok()) return copy.status();
  if (absl::Status placed = execution::Place(**copy, device, b, &errors); !placed.ok())
    return placed;
  const auto executable = execution::LoadEager(b.execution(), **copy);
  const absl::StatusOr<execution::Tensors> again = execution::OutputsOf(*executable, inputs);
  if (!again.ok()) return again.status();
  const OutputDifference difference =
      DifferenceOf(ExpectedOf(b, c.verified(), outputs), outputs, *again, b.verify());
  const bool to_the_bit =
      BackendName(b.execution()) == kEager && !execution::RepeatabilityOf(b, device).MayDiffer();
  const bool same = to_the_bit ? difference.bit_equal : difference.within_limits;
  const auto worst =
      std::max_element(errors.begin(), errors.end(), [&](const LayerError& x, const LayerError& y) {
        return ShareOf(x, b.dtype()) < ShareOf(y, b.dtype());
      });
  const bool right = worst != errors.end() && ShareOf(*worst, b.dtype()) <= 1;
  std::string detail =
      worst == errors.end()
          ? "the call reached no lowered layer"
          : absl::StrFormat(
                "%d calls of lowered layers against float64 products of the rounded values; the "
                "worst is %s, rms %.1e of std (limit %.1e), an element %.1e (limit %.1e)",
                errors.size(), worst->layer, worst->rms, RmsLimit(*worst, b.dtype()), worst->worst,
                4 * RmsLimit(*worst, b.dtype()));
  if (!same) {
    absl::StrAppend(&detail,
                    "; the case's outputs are not those of these layers: ", difference.text);
  }
  AddCheck("lowered_layers", right && same, std::move(detail), "", verdict);
  return absl::OkStatus();
}

}  // namespace assay::runner
