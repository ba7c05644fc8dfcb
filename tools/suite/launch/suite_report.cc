#include "tools/suite/launch/suite_report.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/harness/record/headline.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/statistics/describe/quantile.h"
#include "defs/case/case_steps.h"

namespace assay::suite {
namespace {

std::string FirstLine(const std::string& text) {
  return std::string(std::vector<std::string_view>(absl::StrSplit(text, '\n'))[0]);
}

bool IsFlaggedCheck(const Check& check) { return check.status() == CHECK_FLAGGED; }

bool IsFlagged(const Measurement& m) { return absl::c_any_of(m.checks(), IsFlaggedCheck); }

// "FLAGGED", or, where that number is right and others are not, "FLAGGED: throughput, decode".
std::string FlaggedWord(const Record& record, const Measurement& shown) {
  if (IsFlagged(shown)) return " FLAGGED";
  std::vector<std::string> others;
  for (const Measurement& m : record.measurements()) {
    if (!IsFlagged(m)) continue;
    const std::string mode = m.mode() == shown.mode() ? "" : m.mode();
    const std::string step = m.step() == shown.step() ? "" : m.step();
    const std::string name = absl::StrCat(mode, mode.empty() || step.empty() ? "" : "/", step);
    if (!absl::c_linear_search(others, name)) others.push_back(name);
  }
  return others.empty() ? "" : absl::StrCat(" FLAGGED: ", absl::StrJoin(others, ", "));
}

// The median of the first mode of the step by which a case is known, with that step's name, and
// tokens a second.
std::string MedianText(const Record& record) {
  const Measurement* const m = record::HeadlineMeasurement(record);
  if (m == nullptr || m->median_ns() <= 0) return "";
  const bool plain = m->step().empty() || m->step() == steps::kForward;
  std::string text = absl::StrCat(plain ? "" : m->step() + " ", output::TimeText(m->median_ns()));
  if (m->ci_high_ns() > 0) {
    const double percent = 50 * (m->ci_high_ns() - m->ci_low_ns()) / m->median_ns();
    // One call out of a few was interrupted: then the interval says only that nothing is known.
    text += percent > 100 ? " ±100 % or more" : absl::StrFormat(" ±%.1f %%", percent);
  }
  if (m->unit() == "token" && m->units_per_call() > 0) {
    const double rate = 1e9 * m->units_per_call() / m->median_ns();
    absl::StrAppendFormat(&text, rate < 1000 ? ", %.3g tokens/s" : ", %.0f tokens/s", rate);
  }
  return absl::StrCat(text, FlaggedWord(record, *m));
}

// With several processes: the first may read files from the disk, the others find them in the
// cache.
std::string StartText(const Record& record) {
  if (record.starts_s_size() < 2) return "";
  const std::vector<double> later(record.starts_s().begin() + 1, record.starts_s().end());
  return absl::StrCat("    first output ", output::TimeText(1e9 * record.starts_s(0)),
                      " after the start of the first process, ",
                      output::TimeText(1e9 * statistics::MedianOf(later)), " in the median of ",
                      later.size(), " after it\n");
}

// "3 of them FLAGGED (cpu_contention 2, steady 1)", and what to do.
std::string FlaggedText(const SuiteSummary& summary) {
  if (summary.flagged == 0) return "";
  const std::string checks =
      absl::StrJoin(summary.flags, ", ", [](std::string* out, const auto& check) {
        absl::StrAppend(out, check.first, " ", check.second);
      });
  return absl::StrCat(
      "flagged   ", summary.flagged, " have a number that is no evidence (", checks,
      "); on a quiet machine, the same command with --retry-flagged runs these again\n");
}

std::string SecondsText(double seconds) {
  return absl::StrFormat(seconds < 10 ? "%.1f s" : "%.0f s", seconds);
}

}  // namespace

std::set<std::string> FlaggedBy(const Record& record) {
  std::set<std::string> names;
  for (const Measurement& m : record.measurements()) {
    for (const Check& check : m.checks()) {
      if (IsFlaggedCheck(check)) names.insert(check.name());
    }
  }
  return names;
}

std::string ResultLine(const Place& place, const Record& record) {
  const std::string of = absl::StrCat(place.of);
  std::string line = absl::StrFormat("[%*d/%s] %-*s  %-16s", static_cast<int>(of.size()),
                                     place.number, of, static_cast<int>(place.name_width),
                                     place.name, record::OutcomeName(record.outcome()));
  // "±" takes two bytes, which a width would count twice.
  const std::string median = MedianText(record);
  const size_t shown = median.size() - (median.find("±") == std::string::npos ? 0 : 1);
  absl::StrAppend(&line, "  ", median, std::string(shown < 17 ? 17 - shown : 0, ' '), "  ",
                  SecondsText(record.launch().elapsed_s()), "\n");
  if (!record.error().empty()) absl::StrAppend(&line, "    ", FirstLine(record.error()), "\n");
  return absl::StrCat(line, StartText(record));
}

std::string SummaryText(const SuiteSummary& summary) {
  std::string text;
  for (const Failure& failure : summary.failures) {
    absl::StrAppend(&text, "\n", record::OutcomeName(failure.outcome), "  ", failure.name, "\n");
    if (!failure.error.empty()) {
      absl::StrAppend(&text, "    ", absl::StrReplaceAll(failure.error, {{"\n", "\n    "}}), "\n");
    }
    if (!failure.log.empty()) absl::StrAppend(&text, "    all it printed: ", failure.log, "\n");
  }
  for (const Failure& missing : summary.missing) {
    absl::StrAppend(&text, "\nMISSING  ", missing.name, "\n    ", missing.error, "\n");
  }
  std::vector<std::string> parts;
  if (!summary.missing.empty()) parts.push_back(absl::StrCat(summary.missing.size(), " MISSING"));
  for (const auto& [outcome, count] : summary.outcomes) {
    parts.push_back(absl::StrCat(count, " ", outcome));
  }
  const SuiteRun& run = summary.run;
  if (summary.flagged > 0) parts.push_back(absl::StrCat(summary.flagged, " of them FLAGGED"));
  absl::StrAppend(&text, text.empty() ? "" : "\n", run.planned(),
                  " planned: ", parts.empty() ? "nothing was run" : absl::StrJoin(parts, ", "));
  if (run.done_before() > 0) absl::StrAppend(&text, " (", run.done_before(), " done before)");
  absl::StrAppend(&text, "; ", SecondsText(run.duration_s()), "\n");
  for (const auto& [reason, count] : run.dropped()) {
    absl::StrAppend(&text, "left out ", count, ": ", reason, "\n");
  }
  absl::StrAppend(&text, FlaggedText(summary));
  if (!summary.stopped.empty()) absl::StrAppend(&text, "stopped: ", summary.stopped, "\n");
  absl::StrAppend(&text, "results   ", summary.results, "\n");
  return text;
}

}  // namespace assay::suite
