#include "benchmarks/harness/sampling/validity.h"

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace assay::sampling {
namespace {

constexpr double kMillisecond = 1e6;

// Evidence of 100 calls of about 1 ms, with the memory that it points into.
struct Case {
  std::vector<double> samples_ns;
  std::vector<uint32_t> clock_mhz;
  Evidence evidence;

  Case() {
    for (int i = 0; i < 100; ++i)
      samples_ns.push_back(kMillisecond * (1 + 1e-3 * std::sin(1.7 * i)));
    evidence.protocol.clock = Protocol::Clock::kTimer;
    evidence.calls = 100;
    evidence.elapsed_ns = 100'000'000;
    evidence.warmup = WarmupReport{.total_ns = 1'000'000, .calls = 1, .steady = true};
    evidence.tally = ShotTally(evidence.protocol, NullReading{});
    evidence.tally->shots = 100;
    evidence.tally->enqueued_wall_ns = 100;
    evidence.null = NullReading{.duration_ns = 100};
    evidence.cache = CacheProbe{.cold_ns = 2'000, .warm_ns = 1'000};
    evidence.late = LateWork{.window_ns = 1'000'000};
    evidence.fresh = FreshInputs{.pairs = 5};
    evidence.inputs_unchanged = evidence.outputs_unchanged = true;
    evidence.outputs_unchanged_in_warmup = true;
    evidence.input_concern = "";
    evidence.counters_before = evidence.counters_after = {.run_delay_ns = 0, .steal_ns = 0};
    evidence.bytes_touched = 200;
    evidence.cache_bytes = 100;
    evidence.hardware_limits = {.flops_per_call = 0.5e6, .peak_flops_per_s = 1e9};
  }

  std::map<std::string, Check> Judged() {
    evidence.samples_ns = samples_ns;
    evidence.clock_mhz = clock_mhz;
    std::map<std::string, Check> checks;
    for (const Check& check : CheckSamples(evidence)) checks[std::string(check.name)] = check;
    return checks;
  }
};

struct Row {
  const char* check;
  CheckStatus just_under, just_over;
  // Puts the checked figure a little below its limit, or a little above.
  std::function<void(Case&, bool over)> set;
};

constexpr CheckStatus kOk = CheckStatus::kOk, kNoted = CheckStatus::kNoted,
                      kFlagged = CheckStatus::kFlagged, kNotRun = CheckStatus::kNotRun;

// A line from 1 to 1 + change, with more than the noise of the clock on it.
std::function<void(Case&, bool)> Trend(double under, double over) {
  return [=](Case& c, bool is_over) {
    const double change = is_over ? over : under;
    for (int i = 0; i < 100; ++i) {
      c.samples_ns[i] = kMillisecond * (1 + change * (i / 99.0 - 0.5) + 1e-5 * std::sin(1.7 * i));
    }
  };
}

// 100 samples that rise by some per cent, of whose pairs so many are in falling order: each new sample is
// larger than all before, and some of these stand behind it.
void Falling(Case& c, int pairs) {
  constexpr int kPairs = 100 * 99 / 2;
  c.samples_ns.clear();
  for (int i = 0; i < 100; ++i) {
    const int behind = pairs * (i * (i + 1) / 2) / kPairs - pairs * (i * (i - 1) / 2) / kPairs;
    c.samples_ns.insert(c.samples_ns.end() - behind, kMillisecond * (1 + 1.5e-3 * i));
  }
}

// Two groups of samples: the upper one is `apart` above the lower and holds `share` of the samples.
void TwoModes(Case& c, double apart, int share) {
  for (int i = 0; i < 100; ++i) {
    const bool upper = (i * 37) % 100 < share;
    c.samples_ns[i] = kMillisecond * (upper ? 1 + apart : 1) * (1 + 1e-4 * std::sin(1.7 * i));
  }
}

void Clocks(Case& c, int slow, uint32_t slow_mhz = 890) {
  for (int i = 0; i < 1000; ++i) c.clock_mhz.push_back(i < slow ? slow_mhz : 1000);
}

const std::vector<Row>& Rows() {
  static const auto& rows = *new std::vector<Row>{
      {"samples", kNoted, kOk, [](Case& c, bool over) { c.samples_ns.resize(over ? 6 : 5); }},
      {"samples", kNoted, kFlagged, [](Case& c, bool over) { c.samples_ns.resize(over ? 1 : 2); }},
      {"samples", kOk, kNoted, [](Case& c, bool over) { c.evidence.precise = !over; }},
      {"warm", kOk, kNoted, [](Case& c, bool over) { c.evidence.warmup->steady = !over; }},
      {"steady", kOk, kNoted, Trend(0.0195, 0.0205)},
      {"steady", kNoted, kFlagged, Trend(0.099, 0.101)},
      // A trend by chance: Kendall's sum is 1306 or 1308, so p is 1.018e-4 or 0.993e-4.
      {"steady", kOk, kNoted, [](Case& c, bool over) { Falling(c, over ? 1821 : 1822); }},
      {"one_mode", kNoted, kFlagged,
       [](Case& c, bool over) { TwoModes(c, over ? 0.105 : 0.095, 50); }},
      {"one_mode", kNoted, kFlagged, [](Case& c, bool over) { TwoModes(c, 0.2, over ? 20 : 19); }},
      {"all_work_awaited", kOk, kFlagged,
       [](Case& c, bool over) { c.evidence.tally->late = over ? 11 : 10; }},
      {"quiet_after", kOk, kFlagged,
       [](Case& c, bool over) {
         c.evidence.late->longest_ns = 1'000'000;
         c.evidence.late->device_ns = over ? 50'001 : 50'000;
       }},
      {"quiet_after", kOk, kFlagged,
       [](Case& c, bool over) { c.evidence.late->cpu_ns = over ? 500'001 : 500'000; }},
      {"clocks_agree", kOk, kFlagged,
       [](Case& c, bool over) { c.evidence.tally->apart = over ? 11 : 10; }},
      {"launch_bound", kOk, kFlagged,
       [](Case& c, bool over) {
         c.evidence.mode = Mode::kHot;
         c.evidence.tally->enqueue_ns = over ? 80.1 : 80;
       }},
      {"launch_bound", kOk, kNoted,
       [](Case& c, bool over) { c.evidence.tally->enqueue_ns = over ? 80.1 : 80; }},
      {"hold", kOk, kNoted,
       [](Case& c, bool over) {
         c.evidence.protocol.hold = true;
         c.evidence.tally->unheld = over ? 1 : 0;
       }},
      {"hold", kOk, kNoted,
       [](Case& c, bool over) {
         c.evidence.protocol.hold = true;
         c.evidence.hold_ended = over;
       }},
      {"hold", kNotRun, kOk, [](Case& c, bool over) { c.evidence.protocol.hold = over; }},
      {"launch_bound", kFlagged, kOk,
       [](Case& c, bool over) {
         c.evidence.mode = Mode::kHot;
         c.evidence.tally->enqueue_ns = 100;
         c.evidence.protocol.hold = over;
       }},
      {"launch_bound", kFlagged, kOk,
       [](Case& c, bool over) {
         c.evidence.mode = Mode::kHot;
         c.evidence.tally->enqueue_ns = 100;
         c.evidence.protocol.graph = over;
       }},
      {"cache_cold", kOk, kFlagged,
       [](Case& c, bool over) {
         c.evidence.mode = Mode::kCold;
         c.evidence.cache->cold_ns = over ? 1'099 : 1'100;
       }},
      {"null_small", kOk, kFlagged,
       [](Case& c, bool over) {
         c.samples_ns.assign(100, kMillisecond);
         c.evidence.null->duration_ns = over ? 15'001 : 15'000;
       }},
      // A chunk of 20 calls: each has a twentieth of what an empty chunk reads.
      {"null_small", kOk, kFlagged,
       [](Case& c, bool over) {
         c.samples_ns.assign(100, kMillisecond);
         c.evidence.protocol.chunks = true;
         c.evidence.calls = 2'000;
         c.evidence.null->duration_ns = over ? 300'001 : 300'000;
       }},
      // The host's clock holds the driver's wait where the device has a queue.
      {"null_small", kOk, kNoted,
       [](Case& c, bool over) {
         c.samples_ns.assign(100, kMillisecond);
         c.evidence.protocol.clock = Protocol::Clock::kHost;
         c.evidence.null->duration_ns = over ? 15'001 : 15'000;
       }},
      {"null_small", kOk, kFlagged,
       [](Case& c, bool over) {
         c.samples_ns.assign(100, kMillisecond);
         c.evidence.protocol.clock = Protocol::Clock::kHost;
         c.evidence.tally->enqueued_wall_ns = 0;
         c.evidence.null->duration_ns = over ? 15'001 : 15'000;
       }},
      {"not_empty", kOk, kNoted,
       [](Case& c, bool over) {
         c.samples_ns.assign(100, over ? 1500.0 : 1501.0);
         c.evidence.null->duration_ns = 1000;
       }},
      {"beyond_cache", kOk, kNoted,
       [](Case& c, bool over) {
         c.evidence.mode = Mode::kGraph;
         c.evidence.bytes_touched = over ? 199 : 200;
       }},
      {"clock_held", kOk, kNoted, [](Case& c, bool over) { Clocks(c, over ? 11 : 10); }},
      {"clock_held", kNoted, kFlagged, [](Case& c, bool over) { Clocks(c, over ? 101 : 100); }},
      {"clock_held", kOk, kFlagged, [](Case& c, bool over) { Clocks(c, 500, over ? 899 : 900); }},
      {"cpu_contention", kOk, kNoted,
       [](Case& c, bool over) {
         c.evidence.counters_after.run_delay_ns = over ? 5'000'001 : 5'000'000;
       }},
      {"cpu_contention", kNoted, kFlagged,
       [](Case& c, bool over) {
         c.evidence.counters_after.steal_ns = over ? 25'000'001 : 25'000'000;
       }},
      // The hypervisor's share is one of all CPUs' time.
      {"cpu_contention", kOk, kNoted,
       [](Case& c, bool over) {
         c.evidence.cpus = 4;
         c.evidence.counters_after.steal_ns = over ? 20'000'001 : 20'000'000;
       }},
      {"memory_steady", kOk, kFlagged,
       [](Case& c, bool over) { c.evidence.memory_after.device_allocations = over ? 1 : 0; }},
      {"memory_steady", kOk, kNoted,
       [](Case& c, bool over) {
         c.samples_ns.assign(100, kMillisecond);
         c.evidence.counters_after.page_faults = over ? 1'001 : 1'000;
       }},
      {"memory_steady", kNoted, kFlagged,
       [](Case& c, bool over) {
         c.samples_ns.assign(100, kMillisecond);
         c.evidence.counters_after.page_faults = over ? 10'001 : 10'000;
       }},
      {"no_leak", kOk, kNoted,
       [](Case& c, bool over) {
         c.evidence.memory_after.host_live_bytes = over ? 65'536 : 65'535;
       }},
      {"no_leak", kOk, kNoted,
       [](Case& c, bool over) {
         c.evidence.calls = 100'000;
         c.evidence.memory_after.host_live_bytes = over ? 6'400'000 : 6'399'999;
       }},
      {"no_leak", kNoted, kFlagged,
       [](Case& c, bool over) {
         c.evidence.memory_after.device_live_bytes = over ? 1'048'576 : 1'048'575;
       }},
      {"no_leak", kNoted, kFlagged,
       [](Case& c, bool over) {
         c.evidence.calls = 10'000;
         c.evidence.memory_after.host_live_bytes = over ? 10'240'000 : 10'239'999;
       }},
      {"inputs_unchanged", kOk, kFlagged,
       [](Case& c, bool over) { c.evidence.inputs_unchanged = !over; }},
      {"outputs_unchanged", kOk, kFlagged,
       [](Case& c, bool over) { c.evidence.outputs_unchanged = !over; }},
      {"outputs_unchanged", kOk, kNoted,
       [](Case& c, bool over) { c.evidence.outputs_unchanged_in_warmup = !over; }},
      {"inputs_matter", kOk, kFlagged,
       [](Case& c, bool over) { c.evidence.fresh->outputs_differ = !over; }},
      {"not_memoised", kOk, kFlagged,
       [](Case& c, bool over) { c.evidence.fresh->other_over_same = over ? 1.101 : 1.1; }},
      {"not_memoised", kNotRun, kFlagged,
       [](Case& c, bool over) {
         c.evidence.fresh->pairs = over ? 5 : 4;
         c.evidence.fresh->other_over_same = 512;
       }},
      // 64 MiB take two cores 131,072 ns to read from their nearest caches at the most.
      {"not_memoised", kOk, kFlagged,
       [](Case& c, bool over) {
         c.evidence.threads = 2;
         c.evidence.fresh->input_bytes = 64 << 20;
         c.evidence.fresh->same_ns = over ? 131'071 : 131'072;
         c.evidence.fresh->other_over_same = 2.3;
       }},
      // Fetching 80 MiB at 10 GB/s takes 8 * 2^20 ns.
      {"not_memoised", kOk, kFlagged,
       [](Case& c, bool over) {
         c.evidence.fresh->input_bytes = 80 << 20;
         c.evidence.fresh->same_ns = 1 << 20;
         c.evidence.fresh->other_over_same = over ? 9.0001 : 9;
       }},
      {"cpu_within_threads", kNotRun, kOk,
       [](Case& c, bool over) {
         c.evidence.threads = 2;
         if (over) c.evidence.cpu_wall_ns = 1;
       }},
      {"cpu_within_threads", kNotRun, kOk,
       [](Case& c, bool over) {
         c.evidence.cpu_wall_ns = 1'000;
         if (over) c.evidence.threads = 1;
       }},
      // A GPU's caches read four times as fast as its memory: 64 MiB at 4 * 1e12 bytes/s take 16.78 us.
      {"not_memoised", kOk, kFlagged,
       [](Case& c, bool over) {
         c.evidence.hardware_limits.peak_bytes_per_s = 1e12;
         c.evidence.fresh->input_bytes = 64 << 20;
         c.evidence.fresh->same_ns = over ? 16'777 : 16'778;
         c.evidence.fresh->other_over_same = 2.3;
       }},
      // Inputs of no bytes are in no cache.
      {"not_memoised", kOk, kFlagged,
       [](Case& c, bool over) {
         c.evidence.fresh->input_bytes = over ? 0 : 2 << 20;
         c.evidence.fresh->same_ns = 1'000'000;
         c.evidence.fresh->other_over_same = 1.105;
       }},
      {"cpu_within_threads", kOk, kFlagged,
       [](Case& c, bool over) {
         c.evidence.threads = 8;
         c.evidence.cpu_wall_ns = 1'000;
         c.evidence.cpu_ns = over ? 9'001 : 9'000;
       }},
      {"cpu_within_threads", kOk, kFlagged,
       [](Case& c, bool over) {
         c.evidence.threads = 2;
         c.evidence.cpu_wall_ns = 1'000;
         c.evidence.cpu_ns = over ? 2'401 : 2'400;
       }},
      {"not_memoised", kOk, kFlagged,
       [](Case& c, bool over) {
         c.evidence.fresh->same_ns = 10'000;
         c.evidence.fresh->input_bytes = 1'000;  // 15'000 + 20'000 + 1'000 ns
         c.evidence.fresh->first_visits = 2;
         c.evidence.fresh->least_first_visit_ns = over ? 36'001 : 36'000;
       }},
      // If there is one visit only, the machine may have disturbed it.
      {"not_memoised", kOk, kFlagged,
       [](Case& c, bool over) {
         c.evidence.fresh->same_ns = 10'000;
         c.evidence.fresh->input_bytes = 1'000;
         c.evidence.fresh->first_visits = over ? 2 : 1;
         c.evidence.fresh->least_first_visit_ns = 100'000;
       }},
      {"input_values", kOk, kNoted,
       [](Case& c, bool over) { c.evidence.input_concern = over ? "zeros" : ""; }},
      {"possible", kOk, kNoted,
       [](Case& c, bool over) {
         c.samples_ns.assign(100, kMillisecond);
         c.evidence.hardware_limits.flops_per_call = over ? 1.0001e6 : 1e6;
       }},
      {"possible", kNoted, kFlagged,
       [](Case& c, bool over) {
         c.samples_ns.assign(100, kMillisecond);
         c.evidence.hardware_limits.flops_per_call = (over ? 1.0001e6 : 0.9999e6) / 0.95;
       }},
      {"possible", kOk, kFlagged,
       [](Case& c, bool over) {
         c.samples_ns.assign(100, kMillisecond);
         c.evidence.mode = over ? Mode::kCold : Mode::kWall;
         c.evidence.hardware_limits.bytes_per_call = 2e6;
         c.evidence.hardware_limits.peak_bytes_per_s = 1e9;
       }},
  };
  return rows;
}

TEST(CheckSamples, FindsNothingInHealthyEvidence) {
  for (const auto& [name, check] : Case().Judged()) {
    EXPECT_TRUE(check.status == CheckStatus::kOk || check.status == CheckStatus::kNotRun)
        << name << ": " << check.detail;
  }
}

TEST(CheckSamples, ChangesItsMindAtEachThreshold) {
  for (size_t i = 0; i < Rows().size(); ++i) {
    const Row& row = Rows()[i];
    for (const bool over : {false, true}) {
      Case c;
      row.set(c, over);
      const Check check = c.Judged()[row.check];
      EXPECT_EQ(static_cast<int>(check.status),
                static_cast<int>(over ? row.just_over : row.just_under))
          << "row " << i << ", " << row.check << (over ? " over: " : " under: ") << check.detail;
    }
  }
}

TEST(CheckSamples, HasARowForEveryCheck) {
  std::set<std::string> covered;
  for (const Row& row : Rows()) covered.insert(row.check);
  for (const std::string_view name : CheckNames()) {
    EXPECT_EQ(covered.count(std::string(name)), 1) << name;
  }
}

// hot is a default mode on a GPU, and most calls of batch 1 are launched more slowly than they run.
TEST(CheckSamples, SaysWhatToReadInPlaceOfAHotFigureThatIsTheHosts) {
  Case c;
  c.evidence.tally->enqueue_ns = 95;
  EXPECT_EQ(c.Judged()["launch_bound"].detail, "the host spends 95 % of the time queueing");
  c.evidence.mode = Mode::kHot;
  const Check check = c.Judged()["launch_bound"];
  EXPECT_EQ(check.status, CheckStatus::kFlagged);
  for (const char* instead : {"read cold", "--modes=graph"}) {
    EXPECT_NE(check.detail.find(instead), std::string::npos) << check.detail;
  }
}

TEST(CheckSamples, SaysWhyItCouldNotLook) {
  Case c;
  c.evidence = {.calls = 100, .elapsed_ns = 1, .fresh_not_run = "one input set"};
  for (const auto& [name, check] : c.Judged()) {
    EXPECT_FALSE(check.status == CheckStatus::kNotRun && check.detail.empty()) << name;
  }
  EXPECT_EQ(c.Judged()["inputs_matter"].detail, "one input set");
}

TEST(CheckNames, AreThoseOfTheUsersList) {
  std::ostringstream text;
  text << std::ifstream("docs/data/checks.md").rdbuf();
  // A run adds these three (runner/verdict/timed_check.h, runner/measure/memory_pass.h).
  std::vector<std::string> names = {"timed_is_verified", "weights_kept", "tensors_freed"};
  names.insert(names.end(), CheckNames().begin(), CheckNames().end());
  for (const std::string& name : names) {
    EXPECT_NE(text.str().find("\n| `" + name + "` |"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace assay::sampling
