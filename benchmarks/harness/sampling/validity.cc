#include "benchmarks/harness/sampling/validity.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/statistics/describe/modality.h"
#include "benchmarks/harness/statistics/describe/quantile.h"
#include "benchmarks/harness/statistics/describe/steadiness.h"
#include "benchmarks/harness/statistics/intervals/median_interval.h"

namespace assay::sampling {
namespace {

constexpr std::string_view kNames[] = {"samples",
                                       "warm",
                                       "steady",
                                       "one_mode",
                                       "all_work_awaited",
                                       "quiet_after",
                                       "clocks_agree",
                                       "launch_bound",
                                       "hold",
                                       "cache_cold",
                                       "null_small",
                                       "not_empty",
                                       "beyond_cache",
                                       "clock_held",
                                       "cpu_contention",
                                       "cpu_within_threads",
                                       "memory_steady",
                                       "no_leak",
                                       "inputs_unchanged",
                                       "outputs_unchanged",
                                       "inputs_matter",
                                       "not_memoised",
                                       "input_values",
                                       "possible"};

constexpr double kUs = 1e3;
constexpr double kMostBadShots = 0.10;    // one such sample is normal on any machine
constexpr double kPageFaultNs = 1 * kUs;  // cost of a minor fault, with zeroing the page

Check Ok(std::string detail = "") {
  return {.status = CheckStatus::kOk, .detail = std::move(detail)};
}
Check Noted(std::string detail) {
  return {.status = CheckStatus::kNoted, .detail = std::move(detail)};
}
Check Flagged(std::string detail) {
  return {.status = CheckStatus::kFlagged, .detail = std::move(detail)};
}
Check NotRun(std::string reason) {
  return {.status = CheckStatus::kNotRun, .detail = std::move(reason)};
}

// FLAGGED above the second limit, NOTED above the first.
Check Graded(double share, double noted, double flagged, std::string detail) {
  if (share > flagged) return Flagged(std::move(detail));
  return share > noted ? Noted(std::move(detail)) : Ok(std::move(detail));
}

std::string Percent(double share) { return absl::StrFormat("%.3g %%", 100 * share); }

// "3.2 us"
std::string Time(double ns) {
  if (std::abs(ns) < 1e3) return absl::StrFormat("%.3g ns", ns);
  if (std::abs(ns) < 1e6) return absl::StrFormat("%.3g us", ns / 1e3);
  if (std::abs(ns) < 1e9) return absl::StrFormat("%.3g ms", ns / 1e6);
  return absl::StrFormat("%.3g s", ns / 1e9);
}

std::string Bytes(double bytes) {
  if (bytes < 1024) return absl::StrFormat("%.0f B", bytes);
  if (bytes < 1048576) return absl::StrFormat("%.1f KiB", bytes / 1024);
  return absl::StrFormat("%.1f MiB", bytes / 1048576);
}

Check Samples(const Evidence& e) {
  const int64_t n = static_cast<int64_t>(e.samples_ns.size());
  if (n == 1) return Flagged("one sample says nothing about its own error; raise --budget");
  const int64_t least = statistics::SamplesForMedianInterval();
  if (n < least)
    return Noted(absl::StrFormat("%d samples; an interval of the median needs %d", n, least));
  if (!e.precise) return Noted("the budget ended before the median was known to 0.25 %");
  return Ok(absl::StrFormat("%d samples", n));
}

Check Warm(const Evidence& e) {
  if (!e.warmup) return NotRun("no warm-up was asked for");
  const std::string took =
      absl::StrCat(Time(static_cast<double>(e.warmup->total_ns)), ", ", e.warmup->calls, " calls");
  return e.warmup->steady ? Ok(took) : Noted(absl::StrCat("not steady after ", took));
}

Check Steady(const Evidence& e) {
  const absl::StatusOr<statistics::Steadiness> found = statistics::AssessSteadiness(e.samples_ns);
  if (!found.ok()) return NotRun(std::string(found.status().message()));
  const std::string change =
      absl::StrFormat("%+.2g %% from first to last sample", 100 * found->slope_share);
  if (found->trend_p_value > 1e-4) return Ok(change);
  return Graded(std::abs(found->slope_share), 0.02, 0.10, change);
}

Check OneMode(absl::Span<const double> sorted) {
  const absl::StatusOr<statistics::Modality> found = statistics::AssessModality(sorted);
  if (!found.ok()) return NotRun(std::string(found.status().message()));
  if (!found->bimodal) return Ok();
  const std::string text =
      absl::StrCat(Percent(found->low_share), " of the samples near ", Time(found->low_mode), ", ",
                   Percent(found->high_share), " near ", Time(found->high_mode),
                   ": one number cannot stand for both");
  const bool both_large = std::min(found->low_share, found->high_share) >= 0.20;
  return found->separation > 0.10 && both_large ? Flagged(text) : Noted(text);
}

Check AllWorkAwaited(const Evidence& e) {
  if (e.protocol.clock != Protocol::Clock::kTimer) {
    return e.protocol.clock == Protocol::Clock::kHost
               ? Ok("every stream is awaited in each sample")
               : NotRun("enqueue awaits nothing by definition");
  }
  if (!e.tally) return NotRun("not observed");
  const double share = static_cast<double>(e.tally->late) / static_cast<double>(e.tally->shots);
  if (share <= kMostBadShots) return Ok();
  return Flagged(absl::StrCat("after the timer had stopped the device was busy for up to ",
                              Time(static_cast<double>(e.tally->worst_late_ns)),
                              ": work on another stream is not in the figure"));
}

Check QuietAfter(const Evidence& e) {
  if (!e.late) return NotRun("no time left in the budget");
  if (e.late->device_ns > kIdleWaitNs) {
    return Flagged(absl::StrCat("the device had work for ",
                                Time(static_cast<double>(e.late->device_ns)),
                                " after everything had been awaited: a thread goes on queueing"));
  }
  if (e.late->window_ns == 0) return NotRun("no time left in the budget to look at threads");
  if (e.late->cpu_ns > e.late->window_ns / 2) {
    return Flagged(absl::StrCat("the process used ", Time(static_cast<double>(e.late->cpu_ns)),
                                " of CPU time in ", Time(static_cast<double>(e.late->window_ns)),
                                " in which nothing was called: threads go on working"));
  }
  if (e.late->longest_ns <= kIdleWaitNs) return Ok();
  return Ok(absl::StrCat("one wait for the idle device took ",
                         Time(static_cast<double>(e.late->longest_ns)), ", and no other did"));
}

Check ClocksAgree(const Evidence& e) {
  if (e.protocol.clock != Protocol::Clock::kTimer)
    return NotRun("the host's clock is the only one that this mode reads");
  if (!e.tally) return NotRun("not observed");
  const double share = static_cast<double>(e.tally->apart) / static_cast<double>(e.tally->shots);
  const std::string worst = Time(static_cast<double>(e.tally->worst_apart_ns));
  if (share <= kMostBadShots) return Ok(absl::StrCat("at most ", worst, " apart"));
  return Flagged(absl::StrCat("the device's timer and another clock are up to ", worst, " apart"));
}

bool HasQueue(const Evidence& e) { return e.tally && e.tally->enqueued_wall_ns > 0; }

Check LaunchBound(const Evidence& e) {
  if (!HasQueue(e)) return NotRun("the device has no queue");
  if (e.protocol.hold || e.protocol.graph) return Ok("launches are not in the figure");
  const double share = e.tally->enqueue_ns / e.tally->enqueued_wall_ns;
  const std::string text =
      absl::StrCat("the host spends ", Percent(share), " of the time queueing");
  if (share <= 0.8) return Ok(text);
  if (e.mode != Mode::kHot) return Noted(text);
  return Flagged(
      absl::StrCat(text,
                   ", so this is the host's pace, not the device's: read cold in place of it, "
                   "or give --modes=graph, which times the device without launches"));
}

Check Hold(const Evidence& e) {
  const bool ended = e.hold_ended || (e.tally && e.tally->unheld > 0);
  if (!ended) return e.protocol.hold ? Ok() : NotRun("the mode or the device holds no queue");
  return Noted(
      "a call waits for the device, or fills its queue, so the queue cannot be held meanwhile; "
      "samples hold launch gaps");
}

// The reason why a probe of probes.h was not made.
Check NotProbed(const Evidence& e) {
  return NotRun(e.protocol.flush ? "flushes take too large a part of the budget" : "not observed");
}

Check CacheCold(const Evidence& e) {
  if (!e.cache) return NotProbed(e);
  const double ratio = static_cast<double>(e.cache->cold_ns) /
                       static_cast<double>(std::max<int64_t>(e.cache->warm_ns, 1));
  const std::string text =
      absl::StrFormat("a small buffer takes %.2f times as long after a flush", ratio);
  return ratio >= 1.1 ? Ok(text) : Flagged(absl::StrCat(text, ": the flush does not work"));
}

Check NullSmall(const Evidence& e, double median) {
  if (!e.null) return NotProbed(e);
  // The probe's sample is one call, so its reading is what a whole chunk holds once.
  const double calls = static_cast<double>(e.calls) / static_cast<double>(e.samples_ns.size());
  const double reads = static_cast<double>(e.null->duration_ns);
  std::string text = absl::StrCat("an empty function reads ", Time(reads));
  if (e.protocol.chunks) {
    absl::StrAppend(&text, ", ", Time(reads / calls), " for each of the ", calls,
                    " calls of a sample");
  }
  if (reads / calls <= 5 * kUs + 0.01 * median) return Ok(text);
  const bool driver_waits = e.protocol.clock == Protocol::Clock::kHost && HasQueue(e);
  return driver_waits
             ? Noted(absl::StrCat(text, ": the driver takes that long to find the device idle"))
             : Flagged(text);
}

Check NotEmpty(const Evidence& e, double median) {
  if (!e.null) return NotProbed(e);
  if (e.protocol.chunks) return NotRun("a call is a part of a chunk");
  if (median > 1.5 * static_cast<double>(e.null->duration_ns)) return Ok();
  return Noted(absl::StrCat("a call takes ", Time(median), " and an empty function ",
                            Time(static_cast<double>(e.null->duration_ns)),
                            ": perhaps the compiler left nothing of it"));
}

Check BeyondCache(const Evidence& e) {
  const std::string text =
      absl::StrCat("a replay reads ", Bytes(static_cast<double>(e.bytes_touched)),
                   " of inputs; the cache has ", Bytes(static_cast<double>(e.cache_bytes)));
  if (e.cache_bytes <= 0 || e.bytes_touched <= 0) return NotRun("sizes are not known");
  return e.bytes_touched >= 2 * e.cache_bytes ? Ok(text) : Noted(absl::StrCat(text, ": cache-hot"));
}

Check ClockHeld(const Evidence& e) {
  std::vector<double> known;
  for (const uint32_t mhz : e.clock_mhz) {
    if (mhz > 0) known.push_back(mhz);
  }
  if (known.empty()) return NotRun("the device does not show its clock");
  std::vector<double> sorted = known;
  std::sort(sorted.begin(), sorted.end());
  const double high = statistics::Quantile(sorted, 0.9);
  const double low = static_cast<double>(
      std::lower_bound(sorted.begin(), sorted.end(), 0.9 * high) - sorted.begin());
  const double share = low / static_cast<double>(sorted.size());
  return Graded(
      share, 0.01, 0.10,
      absl::StrFormat("%.0f MHz; %s of the samples below 90 %% of it", high, Percent(share)));
}

Check CpuContention(const Evidence& e) {
  const int64_t delay = e.counters_after.run_delay_ns - e.counters_before.run_delay_ns;
  const int64_t steal = e.counters_after.steal_ns - e.counters_before.steal_ns;
  if (e.counters_before.run_delay_ns < 0) return NotRun("the kernel keeps no schedstat");
  const double elapsed = static_cast<double>(std::max<int64_t>(e.elapsed_ns, 1));
  const double waited = static_cast<double>(std::max<int64_t>(delay, 0)) / elapsed;
  const double stolen = e.counters_before.steal_ns < 0
                            ? 0
                            : static_cast<double>(std::max<int64_t>(steal, 0)) / elapsed / e.cpus;
  return Graded(std::max(waited, stolen), 0.05, 0.25,
                absl::StrCat("threads waited for a CPU ", Percent(waited),
                             " of the time; the hypervisor took ", Percent(stolen)));
}

// One thread of the process beside those that compute may be awake now and then: a watchdog's or a
// driver's. On a device with a queue the driver's threads spin, so this check is not made there.
Check CpuWithinThreads(const Evidence& e) {
  if (e.threads <= 0) return NotRun("the number of threads is not known");
  if (e.cpu_wall_ns <= 0) return NotRun("nobody read the CPU's time");
  const double busy = static_cast<double>(e.cpu_ns) / static_cast<double>(e.cpu_wall_ns);
  const std::string text =
      absl::StrFormat("%.3g threads' worth of CPU time; %d were given", busy, e.threads);
  return busy > 1.1 * e.threads + 0.2 ? Flagged(text) : Ok(text);
}

Check MemorySteady(const Evidence& e, double median) {
  const int64_t driver = e.memory_after.device_allocations - e.memory_before.device_allocations;
  if (driver > 0) {
    return Flagged(absl::StrFormat("the allocator asked the driver for memory %d times", driver));
  }
  const int64_t faults = e.counters_after.page_faults - e.counters_before.page_faults;
  const double per_call = static_cast<double>(faults) / static_cast<double>(e.calls);
  const double share = per_call * kPageFaultNs / std::max(median, 1.0);
  return Graded(share, 0.01, 0.10, absl::StrFormat("%.2g page faults a call", per_call));
}

Check NoLeak(const Evidence& e) {
  const double grown =
      static_cast<double>(e.memory_after.host_live_bytes - e.memory_before.host_live_bytes +
                          e.memory_after.device_live_bytes - e.memory_before.device_live_bytes);
  const double per_call = grown / static_cast<double>(e.calls);
  const std::string text =
      absl::StrCat("live memory grew by ", Bytes(grown), ", ", Bytes(per_call), " a call");
  if (grown >= 1048576 && per_call >= 1024) return Flagged(text);
  if (grown >= 65536 && per_call >= 64) return Noted(text);
  return Ok();
}

Check Unchanged(const std::optional<bool>& unchanged, std::string_view what) {
  if (!unchanged) return NotRun("no fingerprint of them, or no time for a call");
  return *unchanged ? Ok() : Flagged(std::string(what));
}

Check OutputsUnchanged(const Evidence& e) {
  const Check timing = Unchanged(e.outputs_unchanged,
                                 "the same inputs give other outputs after the timing than before");
  if (timing.status != CheckStatus::kOk || e.outputs_unchanged_in_warmup.value_or(true)) {
    return timing;
  }
  return Noted(
      "the first call gave other outputs than later ones on the same inputs: another algorithm was "
      "chosen, or what was verified is not what is timed");
}

Check InputsMatter(const Evidence& e) {
  if (!e.fresh) return NotRun(e.fresh_not_run);
  return e.fresh->outputs_differ ? Ok() : Flagged("other inputs give the same outputs");
}

// Whether caches explain that other inputs take longer. They do if a call on the same inputs takes
// at least as long as reading them from a near cache, and a call on other inputs at most as much
// longer as fetching them at 10 GB/s. A call that returns a remembered output does not read its
// inputs.
bool CachesExplain(const Evidence& e) {
  const auto bytes = static_cast<double>(e.fresh->input_bytes);
  constexpr double kOfACore = 256;  // bytes/ns: two vectors of 64 a cycle, at 2 GHz
  constexpr double kOfL2 = 4;       // the ratio of a GPU's cache bandwidth to its memory's
  const double fastest = e.hardware_limits.peak_bytes_per_s > 0
                             ? kOfL2 * e.hardware_limits.peak_bytes_per_s * 1e-9
                             : kOfACore * std::max(e.threads, 1);
  return bytes > 0 && e.fresh->same_ns >= bytes / fastest &&
         (e.fresh->other_over_same - 1) * e.fresh->same_ns <= bytes / 10;
}

Check NotMemoised(const Evidence& e) {
  if (!e.fresh) return NotRun(e.fresh_not_run);
  if (e.fresh->pairs == 0) return NotRun("no time left in the budget");
  const std::string text =
      absl::StrFormat("other inputs take %.3f times as long as the same again (%d pairs)",
                      e.fresh->other_over_same, e.fresh->pairs);
  // With fewer pairs, one that the machine disturbed would decide. There are fewer where a call
  // takes more than a hundredth of the budget; no call that returns a remembered output is that
  // slow.
  constexpr int64_t kFewestPairs = 5;
  if (e.fresh->pairs < kFewestPairs) return NotRun(absl::StrCat(text, ": too few to tell"));
  if (e.fresh->other_over_same > 1.1 && !CachesExplain(e)) return Flagged(text);
  // A call that remembers every input is slow only on its first visit. So is a call whose inputs
  // are in no cache; the time to read them at 1 GB/s is allowed for that.
  const double cold_ns = 20 * kUs + static_cast<double>(e.fresh->input_bytes);
  if (e.fresh->first_visits < 2 || e.fresh->input_bytes == 0 ||
      e.fresh->least_first_visit_ns <= 1.5 * e.fresh->same_ns + cold_ns) {
    return Ok(text);
  }
  return Flagged(absl::StrCat("inputs take ", Time(e.fresh->least_first_visit_ns),
                              " or more for the first time, ", Time(e.fresh->same_ns),
                              " later: answers are remembered"));
}

Check InputValues(const Evidence& e) {
  if (!e.input_concern) return NotRun("the work does not show its inputs' values");
  return e.input_concern->empty() ? Ok() : Noted(*e.input_concern);
}

Check Possible(const Evidence& e, double median) {
  const HardwareLimits& p = e.hardware_limits;
  double least_ns = 0;
  if (p.peak_flops_per_s > 0) least_ns = 1e9 * p.flops_per_call / p.peak_flops_per_s;
  if (p.peak_bytes_per_s > 0 && e.mode == Mode::kCold)
    least_ns = std::max(least_ns, 1e9 * p.bytes_per_call / p.peak_bytes_per_s);
  if (least_ns <= 0) return NotRun("the hardware's peak or the work of a call is not known");
  const std::string text =
      absl::StrFormat("%.3g %% of the hardware's peak", 100 * least_ns / median);
  if (median >= least_ns) return Ok(text);
  // The peak itself is known only to a few per cent.
  if (median >= 0.95 * least_ns) return Noted(text);
  return Flagged(absl::StrCat(text, ": work is missing"));
}

}  // namespace

std::vector<Check> CheckSamples(const Evidence& e) {
  if (e.samples_ns.empty()) return {};
  std::vector<double> sorted(e.samples_ns.begin(), e.samples_ns.end());
  std::sort(sorted.begin(), sorted.end());
  const double median = statistics::Median(sorted);
  std::vector<Check> checks = {
      Samples(e),
      Warm(e),
      Steady(e),
      OneMode(sorted),
      AllWorkAwaited(e),
      QuietAfter(e),
      ClocksAgree(e),
      LaunchBound(e),
      Hold(e),
      e.mode == Mode::kCold ? CacheCold(e) : NotRun("mode cold only"),
      NullSmall(e, median),
      NotEmpty(e, median),
      e.mode == Mode::kGraph ? BeyondCache(e) : NotRun("mode graph only"),
      ClockHeld(e),
      CpuContention(e),
      CpuWithinThreads(e),
      MemorySteady(e, median),
      NoLeak(e),
      Unchanged(e.inputs_unchanged, "a call changed its inputs or weights"),
      OutputsUnchanged(e),
      InputsMatter(e),
      NotMemoised(e),
      InputValues(e),
      Possible(e, median)};
  for (size_t i = 0; i < checks.size(); ++i) checks[i].name = kNames[i];
  return checks;
}

absl::Span<const std::string_view> CheckNames() { return kNames; }

}  // namespace assay::sampling
