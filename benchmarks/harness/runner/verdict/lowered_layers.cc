#include "benchmarks/harness/runner/verdict/lowered_layers.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
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

constexpr double kMostOfAnElement = 4;

// How far a layer is in its limits: 1 at the limit. NaN is beyond.
double ShareOf(const LayerError& error) {
  if (std::isnan(error.rms) || std::isnan(error.worst) || error.wrong > 0) return HUGE_VAL;
  return std::max(error.rms, error.worst / kMostOfAnElement);
}

bool OfFloats(const LayerError& error) { return error.integers == 0; }

std::string Counted(size_t count, std::string_view noun) {
  return absl::StrCat(count, " ", noun, count == 1 ? "" : "s");
}

// Empty if there are none.
std::string FloatsText(const std::vector<LayerError>& calls) {
  const LayerError* worst = nullptr;
  for (const LayerError& error : calls) {
    if (OfFloats(error) && (worst == nullptr || ShareOf(*worst) < ShareOf(error))) worst = &error;
  }
  if (worst == nullptr) return "";
  return absl::StrFormat(
      "%s of lowered layers against float64 products of the rounded values; the worst is %s, rms "
      "%.2g of what rounding explains (limit 1), an element %.2g (limit %g)",
      Counted(absl::c_count_if(calls, OfFloats), "call"), worst->layer, worst->rms, worst->worst,
      kMostOfAnElement);
}

std::string IntegersText(const JudgedLayers& judged) {
  LayerError all;
  for (const std::vector<LayerError>* errors : {&judged.weights, &judged.errors}) {
    for (const LayerError& error : *errors) {
      if (all.wrong == 0) all.layer = error.layer;
      all.integers += error.integers;
      all.at_ties += error.at_ties;
      all.wrong += error.wrong;
    }
  }
  if (all.integers == 0) return "";
  return absl::StrFormat(
      "%s and %s of lowered layers against the integers that float64 makes of the same inputs; of "
      "%d integers %d are wrong (limit 0)%s, %d are a step off where float64 lies between two; "
      "LibTorch's engine is %s",
      Counted(judged.errors.size() - absl::c_count_if(judged.errors, OfFloats), "call"),
      Counted(judged.weights.size(), "weight"), all.integers, all.wrong,
      all.wrong > 0 ? ", first in " + all.layer : "", all.at_ties, judged.engine);
}

std::string LayersText(const JudgedLayers& judged) {
  std::vector<std::string> texts;
  for (std::string text : {FloatsText(judged.errors), IntegersText(judged)}) {
    if (!text.empty()) texts.push_back(std::move(text));
  }
  if (!judged.kept.empty()) {
    texts.push_back(absl::StrCat(
        "linear layers that stay as they are, since the kernel does not take their sizes: ",
        absl::StrJoin(judged.kept, ", ")));
  }
  return absl::StrJoin(texts, "; ");
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

JudgementOfLayers JudgementOf(const JudgedLayers& judged) {
  if (judged.errors.empty()) return {false, "the call reached no lowered layer"};
  const auto right = [](const LayerError& error) { return ShareOf(error) <= 1; };
  return {absl::c_all_of(judged.errors, right) && absl::c_all_of(judged.weights, right),
          LayersText(judged)};
}

bool RoundsWeights(const BenchmarkCase& c) {
  const lowerings::Row* const row = lowerings::Find(c.execution().lowering());
  return row != nullptr && row->rounds;
}

absl::Status CheckLoweredLayers(const ResolvedCase& c, at::Device device,
                                const execution::Tensors& inputs, const execution::Tensors& outputs,
                                Verdict& verdict) {
  const BenchmarkCase& b = c.benchmark_case();
  AddQuality(verdict);
  JudgedLayers judged;
  judged.rows = c.referenced().batch();  // these have calibrated, if anything has
  auto copy = execution::SeededProgram(c, c.verified());
  if (!copy.ok()) return copy.status();
  if (absl::Status placed = execution::Place(**copy, device, b, c.referenced(), &judged);
      !placed.ok())
    return placed;
  const auto executable = execution::LoadEager(b.execution(), **copy);
  const absl::StatusOr<execution::Tensors> again = execution::OutputsOf(*executable, inputs);
  if (!again.ok()) return again.status();
  const VerifyParameters& limits = c.has_unlowered_verify() ? c.unlowered_verify() : b.verify();
  const OutputDifference difference =
      DifferenceOf(ExpectedOf(b, c.verified(), outputs), outputs, *again, limits);
  const bool to_the_bit =
      BackendName(b.execution()) == kEager && !execution::RepeatabilityOf(b, device).MayDiffer();
  const bool same = to_the_bit ? difference.bit_equal : difference.within_limits;
  auto [right, detail] = JudgementOf(judged);
  if (!same) {
    absl::StrAppend(&detail,
                    "; the case's outputs are not those of these layers: ", difference.text);
  }
  AddCheck("lowered_layers", right && same, std::move(detail), "", verdict);
  return absl::OkStatus();
}

}  // namespace assay::runner
