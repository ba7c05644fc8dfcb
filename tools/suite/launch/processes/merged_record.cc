#include "tools/suite/launch/processes/merged_record.h"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/record/outcome.h"
#include "benchmarks/harness/statistics/intervals/median_interval.h"
#include "benchmarks/harness/statistics/intervals/summary.h"

namespace assay::suite {
namespace {

// The measurements of one mode and step, one from each process that has it.
using Parts = std::vector<const Measurement*>;

std::vector<Parts> ByMode(const std::vector<Record>& records) {
  std::vector<Parts> modes;
  const auto key = [](const Measurement& m) { return std::tuple(m.mode(), m.step(), m.preset()); };
  for (const Record& record : records) {
    for (const Measurement& m : record.measurements()) {
      const auto same = std::find_if(modes.begin(), modes.end(),
                                     [&](const Parts& p) { return key(*p[0]) == key(m); });
      if (same == modes.end()) {
        modes.push_back({&m});
      } else {
        same->push_back(&m);
      }
    }
  }
  return modes;
}

// Orders a check's results by how bad they are: FLAGGED, NOT_RUN, NOTED, OK.
int Weight(CheckStatus status) {
  switch (status) {
    case CHECK_FLAGGED:
      return 3;
    case CHECK_NOT_RUN:
      return 2;
    case CHECK_NOTED:
      return 1;
    default:
      return 0;
  }
}

void MergeChecks(const Parts& parts, Measurement& merged) {
  merged.clear_checks();
  for (size_t i = 0; i < parts.size(); ++i) {
    for (const Check& check : parts[i]->checks()) {
      Check found = check;
      if (Weight(check.status()) > 0) {
        found.set_detail(absl::StrCat("process ", i + 1, ": ", check.detail()));
      }
      const auto same =
          std::find_if(merged.mutable_checks()->begin(), merged.mutable_checks()->end(),
                       [&](const Check& c) { return c.name() == check.name(); });
      if (same == merged.mutable_checks()->end()) {
        *merged.add_checks() = std::move(found);
      } else if (Weight(found.status()) > Weight(same->status())) {
        *same = std::move(found);
      }
    }
  }
}

// Sets the figures that describe all samples together, whichever process took them.
void SetFigures(Measurement& merged) {
  const absl::StatusOr<statistics::Summary> summary = statistics::Summarize(
      {merged.samples_ns().data(), static_cast<size_t>(merged.samples_ns_size())});
  if (!summary.ok()) return;
  merged.set_minimum_ns(summary->minimum);
  merged.set_mean_ns(summary->mean);
  merged.set_p10_ns(summary->p10.value_or(0));
  merged.set_p90_ns(summary->p90.value_or(0));
  merged.set_p99_ns(summary->p99.value_or(0));
  merged.set_outliers_mild(summary->outliers.low_mild + summary->outliers.high_mild);
  merged.set_outliers_severe(summary->outliers.low_severe + summary->outliers.high_severe);
}

void SetMedian(Measurement& merged) {
  std::vector<double> medians(merged.process_medians_ns().begin(),
                              merged.process_medians_ns().end());
  std::sort(medians.begin(), medians.end());
  const absl::StatusOr<statistics::Summary> summary = statistics::Summarize(medians);
  if (summary.ok()) merged.set_median_ns(summary->median);
  merged.clear_ci_low_ns();
  merged.clear_ci_high_ns();
  const absl::StatusOr<statistics::Interval> interval = statistics::MedianInterval(medians);
  if (interval.ok()) {
    merged.set_ci_low_ns(interval->low);
    merged.set_ci_high_ns(interval->high);
    return;
  }
  Check& check = *merged.add_checks();
  check.set_name("processes");
  check.set_status(CHECK_NOTED);
  check.set_detail(absl::StrCat(medians.size(), " processes; an interval of their median takes ",
                                statistics::SamplesForMedianInterval()));
}

// The energy of all processes' windows together; none where a process has none.
void MergeEnergy(const Parts& parts, Measurement& merged) {
  merged.clear_energy();
  Energy sum;
  double joules = 0;
  for (const Measurement* const part : parts) {
    const Energy& energy = part->energy();
    const bool first = sum.calls() == 0;
    if (!part->has_energy() || (!first && energy.domains_size() != sum.domains_size())) return;
    joules += energy.joules_per_call() * static_cast<double>(energy.calls());
    const double whole_s = sum.window_s() + energy.window_s();
    const double share = energy.window_s() / whole_s;
    const auto mean = [share](double of_others, double own) {
      return of_others + share * (own - of_others);
    };
    for (int i = 0; i < energy.domains_size(); ++i) {
      if (first) *sum.add_domains() = energy.domains(i);
      EnergyDomain& domain = *sum.mutable_domains(i);
      domain.set_watts(mean(domain.watts(), energy.domains(i).watts()));
      domain.set_idle_watts(mean(domain.idle_watts(), energy.domains(i).idle_watts()));
    }
    sum.set_watts(mean(sum.watts(), energy.watts()));
    sum.set_idle_watts(mean(sum.idle_watts(), energy.idle_watts()));
    sum.set_calls(sum.calls() + energy.calls());
    sum.set_window_s(whole_s);
  }
  sum.set_joules_per_call(joules / static_cast<double>(sum.calls()));
  *merged.mutable_energy() = sum;
}

// Takes the median of the processes' ratios, and its interval.
void MergeVaried(const Parts& parts, Measurement& merged) {
  if (!merged.has_varied()) return;
  Varied& varied = *merged.mutable_varied();
  std::vector<double> ratios, alone_ns;
  int64_t decks = 0;
  for (const Measurement* const part : parts) {
    ratios.push_back(part->varied().ratio());
    alone_ns.push_back(part->varied().alone_ns());
    decks += part->varied().decks();
  }
  const absl::StatusOr<statistics::Summary> ratio = statistics::Summarize(ratios);
  const absl::StatusOr<statistics::Summary> alone = statistics::Summarize(alone_ns);
  if (ratio.ok()) varied.set_ratio(ratio->median);
  if (alone.ok()) varied.set_alone_ns(alone->median);
  std::sort(ratios.begin(), ratios.end());
  const absl::StatusOr<statistics::Interval> interval = statistics::MedianInterval(ratios);
  varied.set_ratio_low(interval.ok() ? interval->low : 0);
  varied.set_ratio_high(interval.ok() ? interval->high : 0);
  varied.set_decks(decks);
}

Measurement Merged(const Parts& parts) {
  Measurement merged = *parts[0];
  MergeChecks(parts, merged);
  double cpu_ns = 0, instructions = 0;
  bool counted = true;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Measurement& part = *parts[i];
    if (part.median_ns() > 0) merged.add_process_medians_ns(part.median_ns());
    cpu_ns += part.cpu_ns() / static_cast<double>(parts.size());
    instructions += part.instructions_per_call() / static_cast<double>(parts.size());
    counted &= part.has_instructions_per_call();
    if (!part.instructions_missing().empty())
      merged.set_instructions_missing(part.instructions_missing());
    if (i == 0) continue;
    merged.mutable_samples_ns()->MergeFrom(part.samples_ns());
    merged.mutable_clock_mhz()->MergeFrom(part.clock_mhz());
    merged.set_elapsed_s(merged.elapsed_s() + part.elapsed_s());
    merged.set_steady(merged.steady() && part.steady());
    merged.set_peak_device_bytes(std::max(merged.peak_device_bytes(), part.peak_device_bytes()));
    merged.set_peak_host_bytes(std::max(merged.peak_host_bytes(), part.peak_host_bytes()));
    merged.set_leaked_bytes(std::max(merged.leaked_bytes(), part.leaked_bytes()));
  }
  merged.set_cpu_ns(cpu_ns);
  merged.clear_instructions_per_call();
  if (counted) merged.set_instructions_per_call(instructions);
  MergeEnergy(parts, merged);
  MergeVaried(parts, merged);
  SetFigures(merged);
  SetMedian(merged);
  return merged;
}

int Badness(Outcome outcome) {
  const int code = record::ExitCode(outcome);
  return code == 1 ? 2 : code == 2 ? 1 : 0;
}

}  // namespace

bool IsWorse(Outcome a, Outcome b) { return Badness(a) > Badness(b); }

Record MergedRecord(const std::vector<Record>& records, int planned) {
  size_t worst = 0;
  for (size_t i = 1; i < records.size(); ++i) {
    if (IsWorse(records[i].outcome(), records[worst].outcome())) worst = i;
  }
  Record merged = records[worst];
  merged.clear_measurements();
  merged.clear_repetition();
  merged.set_started_utc(records[0].started_utc());
  merged.clear_starts_s();
  for (const Record& record : records) merged.mutable_starts_s()->MergeFrom(record.starts_s());
  for (const Parts& parts : ByMode(records)) *merged.add_measurements() = Merged(parts);
  double duration_s = 0, elapsed_s = 0;
  int64_t peak_bytes = 0;
  for (const Record& record : records) {
    duration_s += record.duration_s();
    elapsed_s += record.launch().elapsed_s();
    peak_bytes = std::max(peak_bytes, record.launch().peak_bytes());
  }
  merged.set_duration_s(duration_s);
  merged.mutable_launch()->set_elapsed_s(elapsed_s);
  merged.mutable_launch()->set_peak_bytes(peak_bytes);
  if (record::ExitCode(merged.outcome()) != 0) {
    merged.set_error(absl::StrCat("process ", worst + 1, " of ", planned, ": ", merged.error()));
  }
  return merged;
}

}  // namespace assay::suite
