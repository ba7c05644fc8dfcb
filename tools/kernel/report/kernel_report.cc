#include "tools/kernel/report/kernel_report.h"

#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/harness/text/byte_text.h"
#include "benchmarks/operators/kernel/sizes_text.h"
#include "tools/kernel/report/verdicts.h"

namespace assay::kernel {
namespace {

using Row = std::vector<std::string>;

std::string SpeedupText(const KernelTimes& times) {
  const double half = times.speedup() > 0 ? (times.high() - times.low()) / 2 / times.speedup() : 0;
  return absl::StrFormat("%s [%.3g, %.3g]", output::FigureText(times.speedup(), half), times.low(),
                         times.high());
}

std::string RateText(double amount, double ns) {
  return amount > 0 && ns > 0 ? absl::StrFormat("%.3g", amount / ns) : "-";
}

struct ShownNs {
  double candidate, aten;
};

// The quotient of the times that a row shows is its speedup, as in compare's table: medians of each side
// alone may come from different processes. Their geometric mean is that of the medians.
ShownNs ShownTimes(const KernelTimes& times) {
  const double candidate = MedianOf(times.candidate_ns()), aten = MedianOf(times.aten_ns());
  if (times.speedup() <= 0) return {candidate, aten};
  const double middle = std::sqrt(candidate * aten), half = std::sqrt(times.speedup());
  return {middle / half, middle * half};
}

std::string MemoryText(bool known, double bytes) {
  return known ? base::ByteText(static_cast<int64_t>(bytes)) : "-";
}

const Row kHead = {"cache",      "size", "kernel",  "time",    "ATen",   "speedup",
                   "conclusion", "GB/s", "GFLOP/s", "of peak", "memory", "ATen memory"};

Row RowOf(const KernelReport& report, const KernelCandidate& candidate, const KernelSize& size,
          bool cold) {
  const KernelTimes& times = cold ? size.cold() : size.hot();
  const ShownNs shown = ShownTimes(times);
  const double ns = shown.candidate;
  return {cold ? "cold" : "hot",
          absl::StrCat(SizesText(size.sizes()), ", ", size.dtype()),
          report.candidates_size() > 1 ? LabelOf(report, candidate) : "-",
          output::TimeText(ns),
          output::TimeText(shown.aten),
          SpeedupText(times),
          size.flagged().empty() ? times.conclusion() : "FLAGGED",
          RateText(size.bytes(), ns),
          RateText(size.flops(), ns),
          times.has_peak_share() ? absl::StrFormat("%.3g %%", 100 * times.peak_share()) : "-",
          MemoryText(size.has_memory_bytes(), size.memory_bytes()),
          MemoryText(size.has_aten_memory_bytes(), size.aten_memory_bytes())};
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

bool IsMeasured(const KernelCandidate& candidate) {
  return !candidate.sizes().empty() && !candidate.sizes(0).hot().candidate_ns().empty();
}

double Largest(const KernelCandidate& candidate, double (KernelSize::*figure)() const) {
  double largest = 0;
  for (const KernelSize& size : candidate.sizes()) largest = std::max(largest, (size.*figure)());
  return largest;
}

std::string VerdictText(const KernelReport& report, const KernelCandidate& candidate) {
  if (candidate.verdict() == "RIGHT")
    return absl::StrFormat(
        "RIGHT: %d checks agree with float64; the largest error is %.2g %% of what is allowed",
        candidate.verified_calls(), 100 * Largest(candidate, &KernelSize::error_share));
  const KernelFailure& failure = candidate.failure();
  if (failure.kind().empty()) return absl::StrCat(candidate.verdict(), ": ", candidate.reason());
  return absl::StrCat(
      candidate.verdict(), ": ", failure.kind(), failure.where().empty() ? "" : " at ",
      failure.where(), "\n", failure.text(),
      failure.first().empty() || failure.first() == failure.where()
          ? ""
          : absl::StrCat("\nfirst seen at ", failure.first()),
      candidate.planned_calls() == 0
          ? ""
          : absl::StrCat("\n", candidate.verified_calls(), " of ", candidate.planned_calls(),
                         " checks had passed before; --seed=", report.seed(), " repeats this run"));
}

std::string MeanText(const KernelReport& report, const KernelCandidate& candidate) {
  const auto valid = absl::c_count_if(
      candidate.sizes(), [](const KernelSize& size) { return size.flagged().empty(); });
  if (valid == 0) return "none: the times of all sizes are FLAGGED, so they are not valid";
  return absl::StrFormat(
      "%.3g times as fast as ATen (hot, geometric mean of %d %s); fast_%g: %.0f %% of "
      "the sizes are at least %g times as fast",
      candidate.mean_speedup(), valid, valid == 1 ? "size" : "sizes", report.fast_p_threshold(),
      100 * FastShare(candidate, report.fast_p_threshold()), report.fast_p_threshold());
}

// On a machine that is never quiet, threads of one call wait for each other. `waited` is the sum of its threads.
std::string WaitedText(double waited, int threads) {
  if (threads == 1) {
    return absl::StrFormat(
        "calls waited for a CPU up to %.0f %% of the time, because other programs ran",
        100 * waited);
  }
  return absl::StrFormat(
      "calls waited for a CPU up to %.0f %% of the time (the waiting of their %d threads is added "
      "up), because other programs ran. Calls of several threads wait most: --threads=1 measures "
      "calls of one thread",
      100 * waited, threads);
}

}  // namespace

std::string LabelOf(const KernelReport& report, const KernelCandidate& candidate) {
  const auto is_shared = [&](auto name_of) {
    return absl::c_any_of(report.candidates(), [&](const KernelCandidate& other) {
      return other.file() != candidate.file() && name_of(other) == name_of(candidate);
    });
  };
  const auto file_name = [](const KernelCandidate& each) {
    return std::filesystem::path(each.file()).filename().string();
  };
  if (!candidate.operator_name().empty() &&
      !is_shared([](const auto& c) { return c.operator_name(); }))
    return candidate.operator_name();
  return is_shared(file_name) ? candidate.file() : file_name(candidate);
}

std::vector<std::pair<std::string, std::string>> LinesOf(const KernelReport& report,
                                                         const KernelCandidate& candidate) {
  constexpr double kMuchWaiting = 0.25, kMostShare = 1.05;
  std::vector<std::pair<std::string, std::string>> lines = {
      {"kernel",
       absl::StrCat(candidate.operator_name(), candidate.operator_name().empty() ? "" : " ", "(",
                    candidate.file(), ") like ", report.like(), HowText(candidate), ", seed ",
                    report.seed())}};
  lines.emplace_back("verdict", VerdictText(report, candidate));
  for (const std::string& warning : candidate.warnings()) lines.emplace_back("NOTED", warning);
  for (const KernelSize& size : candidate.sizes()) {
    if (!size.flagged().empty())
      lines.emplace_back("FLAGGED", absl::StrCat(SizesText(size.sizes()), ": ", size.flagged()));
  }
  if (const double waited = Largest(candidate, &KernelSize::waited); waited >= kMuchWaiting)
    lines.emplace_back("NOTED", WaitedText(waited, candidate.threads()));
  if (!IsMeasured(candidate)) return lines;
  if (candidate.has_peaks()) lines.emplace_back("peaks", candidate.peaks().text());
  if (absl::c_any_of(candidate.sizes(), [](const KernelSize& size) {
        return std::max(size.hot().peak_share(), size.cold().peak_share()) > kMostShare;
      }))
    lines.emplace_back("NOTED",
                       "it is faster than the peaks, which were measured on a machine that was "
                       "busy: --peaks measures them again");
  lines.emplace_back("mean", MeanText(report, candidate));
  return lines;
}

std::vector<Row> TableOf(const KernelReport& report) {
  std::vector<Row> rows = {kHead};
  int sizes = 0;
  for (const KernelCandidate& candidate : report.candidates())
    sizes = std::max(sizes, candidate.sizes_size());
  for (const bool cold : {false, true}) {
    for (int i = 0; i < sizes; ++i) {
      for (const KernelCandidate& candidate : report.candidates()) {
        if (IsMeasured(candidate) && i < candidate.sizes_size())
          rows.push_back(RowOf(report, candidate, candidate.sizes(i), cold));
      }
    }
  }
  if (rows.size() == 1) return {};
  for (size_t column = kHead.size(); column-- > 0;) {
    if (!std::all_of(rows.begin() + 1, rows.end(),
                     [&](const Row& row) { return row[column] == "-"; }))
      continue;
    for (Row& row : rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
  }
  return rows;
}

bool HoldsWords(const std::string& head) {
  return head == "cache" || head == "size" || head == "kernel" || head == "conclusion";
}

std::string TextOf(const KernelReport& report) {
  std::string text;
  for (const KernelCandidate& candidate : report.candidates()) {
    if (!text.empty()) text += "\n";
    for (const auto& [label, line] : LinesOf(report, candidate))
      absl::StrAppend(&text, absl::StrFormat("%-10s", label),
                      absl::StrReplaceAll(line, {{"\n", "\n          "}}), "\n");
  }
  const std::vector<Row> rows = TableOf(report);
  if (rows.empty()) return text;
  std::set<size_t> left;
  for (size_t i = 0; i < rows[0].size(); ++i) {
    if (HoldsWords(rows[0][i])) left.insert(i);
  }
  return absl::StrCat(text, report.candidates_size() > 1 ? "\n" : "",
                      output::TextTable(rows, left));
}

std::string CsvOf(const KernelReport& report) {
  std::string text =
      "candidate,file,verdict,size,dtype,hot_ns,aten_hot_ns,hot_speedup,hot_low,hot_high,hot_"
      "conclusion,cold_ns,aten_cold_ns,cold_speedup,cold_low,cold_high,cold_conclusion,bytes,flops,"
      "flagged,hot_peak_share,cold_peak_share,memory_bytes,aten_memory_bytes\n";
  const auto known = [](bool is_known, double value) {
    return is_known ? absl::StrCat(value) : std::string();
  };
  for (const KernelCandidate& candidate : report.candidates()) {
    for (const KernelSize& size : candidate.sizes()) {
      Row row = {LabelOf(report, candidate), candidate.file(), candidate.verdict(),
                 SizesText(size.sizes()), size.dtype()};
      for (const KernelTimes* times : {&size.hot(), &size.cold()}) {
        for (const double figure : {MedianOf(times->candidate_ns()), MedianOf(times->aten_ns()),
                                    times->speedup(), times->low(), times->high()})
          row.push_back(known(!times->candidate_ns().empty(), figure));
        row.push_back(times->conclusion());
      }
      for (const double figure : {size.bytes(), size.flops()})
        row.push_back(known(figure > 0, figure));
      row.push_back(size.flagged());
      for (const KernelTimes* times : {&size.hot(), &size.cold()})
        row.push_back(known(times->has_peak_share(), times->peak_share()));
      row.push_back(known(size.has_memory_bytes(), size.memory_bytes()));
      row.push_back(known(size.has_aten_memory_bytes(), size.aten_memory_bytes()));
      for (std::string& field : row) field = output::CsvField(field);
      absl::StrAppend(&text, absl::StrJoin(row, ","), "\n");
    }
  }
  return text;
}

std::string MarkdownOf(const KernelReport& report) {
  std::string text;
  for (const KernelCandidate& candidate : report.candidates()) {
    for (const auto& [label, line] : LinesOf(report, candidate))
      absl::StrAppend(&text, "- **", label, "** ", absl::StrReplaceAll(line, {{"\n", "  \n  "}}),
                      "\n");
  }
  std::vector<Row> rows = TableOf(report);
  if (rows.empty()) return text;
  rows.insert(rows.begin() + 1, Row());
  for (const std::string& head : rows[0]) rows[1].push_back(HoldsWords(head) ? "---" : "---:");
  text += "\n";
  for (const Row& row : rows) absl::StrAppend(&text, "| ", absl::StrJoin(row, " | "), " |\n");
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
