#include "tools/kernel/kernel_report.h"

#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/operators/kernel/sizes_text.h"
#include "tools/kernel/verdicts.h"

namespace assay::kernel {
namespace {

std::string SpeedupText(const KernelTimes& times) {
  if (times.candidate_ns().empty()) return "-";
  const double half = times.speedup() > 0 ? (times.high() - times.low()) / 2 / times.speedup() : 0;
  return absl::StrFormat("%s [%.3g, %.3g]", output::FigureText(times.speedup(), half), times.low(),
                         times.high());
}

std::string RateText(double amount, double ns) {
  return amount > 0 && ns > 0 ? absl::StrFormat("%.3g", amount / ns) : "-";
}

const std::vector<std::string> kHead = {"size",    "dtype", "hot",  "ATen hot",
                                        "speedup", "is",    "cold", "ATen cold",
                                        "speedup", "is",    "GB/s", "GFLOP/s"};

std::vector<std::string> RowOf(const KernelSize& size) {
  const double hot = MedianOf(size.hot().candidate_ns()),
               cold = MedianOf(size.cold().candidate_ns());
  return {
      SizesText(size.sizes()),     size.dtype(),
      output::TimeText(hot),       output::TimeText(MedianOf(size.hot().aten_ns())),
      SpeedupText(size.hot()),     size.flagged().empty() ? size.hot().conclusion() : "FLAGGED",
      output::TimeText(cold),      output::TimeText(MedianOf(size.cold().aten_ns())),
      SpeedupText(size.cold()),    size.flagged().empty() ? size.cold().conclusion() : "FLAGGED",
      RateText(size.bytes(), hot), RateText(size.flops(), hot)};
}

bool IsMeasured(const KernelCandidate& candidate) {
  return !candidate.sizes().empty() && !candidate.sizes(0).hot().candidate_ns().empty();
}

std::string NameOf(const KernelCandidate& candidate) {
  return candidate.operator_name().empty() ? candidate.file() : candidate.operator_name();
}

// ", fp32, 2 threads".
std::string HowText(const KernelCandidate& candidate) {
  std::string text;
  if (!candidate.sizes().empty()) absl::StrAppend(&text, ", ", candidate.sizes(0).dtype());
  if (candidate.threads() > 0)
    absl::StrAppend(&text, ", ", candidate.threads(),
                    candidate.threads() == 1 ? " thread" : " threads");
  return text;
}

std::string VerdictLines(const KernelReport& report, const KernelCandidate& candidate) {
  if (candidate.verdict() == "RIGHT") {
    double share = 0;
    for (const KernelSize& size : candidate.sizes()) share = std::max(share, size.error_share());
    return absl::StrFormat(
        "verdict   RIGHT: %d checks agree with float64; largest error %.2g %% of its limit\n",
        candidate.verified_calls(), 100 * share);
  }
  std::string text = absl::StrCat("verdict   ", candidate.verdict(), ": ");
  const KernelFailure& failure = candidate.failure();
  if (failure.kind().empty()) return absl::StrCat(text, candidate.reason(), "\n");
  absl::StrAppend(&text, failure.kind(), " at ", failure.where(), "\n          ", failure.text(),
                  "\n");
  if (!failure.first().empty() && failure.first() != failure.where())
    absl::StrAppend(&text, "          first seen at ", failure.first(), "\n");
  absl::StrAppend(&text, "          ", candidate.verified_calls(), " of ",
                  candidate.planned_calls(), " checks before it were right; --seed=", report.seed(),
                  " repeats this\n");
  return text;
}

std::string MeanText(const KernelReport& report, const KernelCandidate& candidate) {
  return absl::StrFormat(
      "mean      %.3g times as fast as ATen (hot, geometric mean of %d sizes); fast_%g: %.0f %% of "
      "the sizes\n",
      candidate.mean_speedup(), candidate.sizes_size(), report.fast_p_threshold(),
      100 * FastShare(candidate, report.fast_p_threshold()));
}

// On a machine that is never quiet, threads of one call wait for each other.
std::string WaitedText(const KernelCandidate& candidate) {
  constexpr double kMuch = 0.25;
  double waited = 0;
  for (const KernelSize& size : candidate.sizes()) waited = std::max(waited, size.waited());
  if (waited < kMuch) return "";
  return absl::StrFormat(
      "NOTED     calls waited for a CPU in up to %.0f %% of the time, since other programs ran; "
      "calls "
      "of several threads suffer most: --threads=1 compares what is left\n",
      100 * waited);
}

}  // namespace

std::string TextOf(const KernelReport& report) {
  std::string text;
  for (const KernelCandidate& candidate : report.candidates()) {
    absl::StrAppend(&text, text.empty() ? "" : "\n", "kernel    ", NameOf(candidate), " (",
                    candidate.file(), ") like ", report.like(), HowText(candidate), ", seed ",
                    report.seed(), "\n");
    absl::StrAppend(&text, VerdictLines(report, candidate));
    for (const std::string& warning : candidate.warnings())
      absl::StrAppend(&text, "NOTED     ", warning, "\n");
    if (!IsMeasured(candidate)) continue;
    std::vector<std::vector<std::string>> rows = {kHead};
    for (const KernelSize& size : candidate.sizes()) rows.push_back(RowOf(size));
    absl::StrAppend(&text, output::TextTable(rows, {0, 1, 5, 9}));
    for (const KernelSize& size : candidate.sizes()) {
      if (!size.flagged().empty())
        absl::StrAppend(&text, "FLAGGED   ", SizesText(size.sizes()), ": ", size.flagged(), "\n");
    }
    absl::StrAppend(&text, WaitedText(candidate), MeanText(report, candidate));
  }
  return text;
}

std::string CsvOf(const KernelReport& report) {
  std::string text =
      "candidate,file,verdict,size,dtype,hot_ns,aten_hot_ns,hot_speedup,hot_low,hot_high,hot_"
      "conclusion,cold_ns,aten_cold_ns,cold_speedup,cold_low,cold_high,cold_conclusion,bytes,flops,"
      "flagged\n";
  for (const KernelCandidate& candidate : report.candidates()) {
    for (const KernelSize& size : candidate.sizes()) {
      absl::StrAppend(&text, output::CsvField(NameOf(candidate)), ",",
                      output::CsvField(candidate.file()), ",", candidate.verdict(), ",",
                      SizesText(size.sizes()), ",", size.dtype());
      for (const KernelTimes* times : {&size.hot(), &size.cold()})
        absl::StrAppend(&text, ",", MedianOf(times->candidate_ns()), ",",
                        MedianOf(times->aten_ns()), ",", times->speedup(), ",", times->low(), ",",
                        times->high(), ",", times->conclusion());
      absl::StrAppend(&text, ",", size.bytes(), ",", size.flops(), ",",
                      output::CsvField(size.flagged()), "\n");
    }
  }
  return text;
}

std::string MarkdownOf(const KernelReport& report) {
  std::string text;
  for (const KernelCandidate& candidate : report.candidates()) {
    absl::StrAppend(&text, text.empty() ? "" : "\n", "**", NameOf(candidate), "** like ",
                    report.like(), ": ", candidate.verdict());
    const KernelFailure& failure = candidate.failure();
    if (!failure.kind().empty())
      absl::StrAppend(&text, ", ", failure.kind(), " at ", failure.where(), ": ", failure.text());
    absl::StrAppend(&text, "\n\n");
    if (!IsMeasured(candidate)) continue;
    absl::StrAppend(&text, "| ", absl::StrJoin(kHead, " | "), " |\n|",
                    absl::StrJoin(std::vector<std::string>(kHead.size(), "---"), "|"), "|\n");
    for (const KernelSize& size : candidate.sizes())
      absl::StrAppend(&text, "| ", absl::StrJoin(RowOf(size), " | "), " |\n");
    absl::StrAppend(&text, "\n", MeanText(report, candidate));
  }
  return text;
}

std::string JsonOf(const KernelReport& report) {
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = true;
  options.preserve_proto_field_names = true;
  options.always_print_primitive_fields = true;
  std::string text;
  const auto status = google::protobuf::util::MessageToJsonString(report, &text, options);
  return status.ok() ? text : absl::StrCat("{\"error\": \"", status.ToString(), "\"}\n");
}

}  // namespace assay::kernel
