#include "ci/certify/process_goals.h"

#include <algorithm>
#include <atomic>
#include <boost/math/distributions/fisher_f.hpp>
#include <cmath>
#include <filesystem>
#include <thread>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "benchmarks/harness/processes/child_process.h"
#include "benchmarks/harness/statistics/describe/quantile.h"

namespace assay::certify {
namespace {

using processes::ChildEnd;

constexpr int kCarefulProcesses = 5;  // of each result
constexpr absl::Duration kTimeout = absl::Minutes(5);

absl::StatusOr<ChildEnd> Start(std::vector<std::string> arguments,
                               absl::Duration timeout = kTimeout) {
  return processes::RunChild({.arguments = std::move(arguments), .timeout = timeout}, nullptr);
}

// The number that a process prints last; NaN where it fails.
double NumberFrom(const std::vector<std::string>& arguments) {
  const absl::StatusOr<ChildEnd> end = Start(arguments);
  double number = NAN;
  if (!end.ok() || !end->Exited(0) || !absl::SimpleAtod(end->output, &number)) return NAN;
  return number;
}

// Standard deviation over mean, in %.
double Variation(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  const double n = static_cast<double>(values.size());
  for (const double value : values) sum += value;
  for (const double value : values) squares += (value - sum / n) * (value - sum / n);
  return 100 * std::sqrt(squares / (n - 1)) / (sum / n);
}

// Median seconds from start to end of a process; NaN where one fails.
double StartSeconds(const std::vector<std::string>& arguments, int starts) {
  std::vector<double> seconds;
  for (int i = 0; i < starts; ++i) {
    const absl::StatusOr<ChildEnd> end = Start(arguments);
    if (!end.ok() || !end->Exited(0)) return NAN;
    seconds.push_back(absl::ToDoubleSeconds(end->elapsed));
  }
  return statistics::MedianOf(seconds);
}

Goal StartGoal(std::string what, double seconds, double wanted, int starts) {
  return {.id = "G11",
          .what = std::move(what),
          .measured = seconds,
          .wanted = wanted,
          .unit = "s",
          .detail = absl::StrFormat("median of %d starts", starts)};
}

// NaN where one of them is.
double MedianOfAll(const std::vector<double>& values) {
  const bool failed =
      std::any_of(values.begin(), values.end(), [](double v) { return std::isnan(v); });
  return failed ? NAN : statistics::MedianOf(values);
}

struct Spread {
  std::vector<double> ours, google, python;
};

// Results of each side, interleaved: the median over fresh processes, as run_suite's --processes has
// it, of what each of them reports.
Spread TakeSpread(const Programs& programs, const std::string& op, int results, int processes) {
  Spread spread;
  for (int result = 0; result < results; ++result) {
    Spread reported;
    for (int process = 0; process < processes; ++process) {
      reported.ours.push_back(NumberFrom({programs.subject, "ours", op}));
      reported.google.push_back(NumberFrom({programs.subject, "google", op}));
      if (!programs.python_subject.empty()) {
        reported.python.push_back(NumberFrom({programs.python_subject, op}));
      }
    }
    spread.ours.push_back(MedianOfAll(reported.ours));
    spread.google.push_back(MedianOfAll(reported.google));
    if (!reported.python.empty()) spread.python.push_back(MedianOfAll(reported.python));
  }
  return spread;
}

// The ratio of two standard deviations that chance exceeds once in 20 where both sides spread alike
// (F test, `results` of each side). A smaller bound would depend on luck: 10 results give a ratio
// to a factor of 2, and whole processes land on levels that every harness shares.
double RatioByChance(int results) {
  const boost::math::fisher_f ratio_of_variances(results - 1, results - 1);
  return std::sqrt(quantile(complement(ratio_of_variances, 0.05)));
}

Goal SpreadGoal(const Programs& programs, const std::string& op, int results, int processes) {
  const Spread spread = TakeSpread(programs, op, results, processes);
  const double ours = Variation(spread.ours), google = Variation(spread.google);
  const double python = spread.python.empty() ? NAN : Variation(spread.python);
  const double ratio = ours / std::fmin(google, python), by_chance = RatioByChance(results);
  Goal goal = {
      .id = "G4",
      .what = absl::StrCat(op, ": spread of our medians against the better peer's"),
      .measured = ratio,
      .wanted = by_chance,
      .unit = "times",
      .peer = absl::StrFormat("sd %.3g %%, Google Benchmark %.3g %%", ours, google),
      .detail = absl::StrFormat("90 %% interval %.2f .. %.2f; %d results of %d processes each; "
                                "medians %.4g us, %.4g us",
                                ratio / by_chance, ratio * by_chance, results, processes,
                                statistics::MedianOf(spread.ours) / 1e3,
                                statistics::MedianOf(spread.google) / 1e3)};
  if (spread.python.empty()) {
    absl::StrAppend(&goal.detail, "; torch.utils.benchmark NOT RUN: //ci/certify:with_python");
  } else {
    absl::StrAppendFormat(&goal.peer, ", torch.utils.benchmark %.3g %%", python);
    absl::StrAppendFormat(&goal.detail, ", %.4g us", statistics::MedianOf(spread.python) / 1e3);
  }
  return goal;
}

// Exit code of a gated A/A comparison, -1 where it did not run.
int CompareWithItself(const Programs& programs, int seed) {
  const std::string side = absl::StrJoin(programs.measured_case, " ");
  const absl::StatusOr<ChildEnd> end =
      Start({programs.compare, "--baseline=" + side, "--candidate=" + side, "--gate",
             "--flagged=keep", "--pairs=12", "--budget=0.1", absl::StrCat("--seed=", seed)},
            absl::Minutes(10));
  return end.ok() && end->ending == processes::Ending::kExited ? end->code : -1;
}

// The measured case with flags of its own.
std::vector<std::string> CaseWith(const Programs& programs, const std::vector<std::string>& flags) {
  std::vector<std::string> arguments = programs.measured_case;
  arguments.insert(arguments.end(), flags.begin(), flags.end());
  return arguments;
}

// A kernel that cheats, the size that it is given, and how //tools:kernel ends for it.
struct KernelCheat {
  const char *name, *size;
  int code;
  const char* said;
  const char* budget = "0.005";
};
constexpr char kSmall[] = "r=5,c=40", kLarge[] = "r=64,c=1024";
constexpr char kWhileTimed[] = "wrong while it was timed", kDiffers[] = "WRONG: differs";
constexpr KernelCheat kKernelCheats[] = {
    {"batched", kSmall, 1, kWhileTimed},
    {"batched_by_sample", kSmall, 1, kWhileTimed},
    {"by_address", kSmall, 1, kWhileTimed},
    {"by_first_values", kSmall, 1, kWhileTimed},
    {"constant", kSmall, 1, kDiffers},
    {"fits_known_sizes", kSmall, 1, kDiffers},
    {"idle_after_1000", kSmall, 1, kWhileTimed, "0.2"},
    {"idle_after_3", kSmall, 1, kWhileTimed},
    {"idle_when_timed", kSmall, 1, kWhileTimed},
    {"later_thread", kSmall, 1, "result ["},  // unwritten, or written between two equal calls
    {"later_thread_when_timed", kSmall, 1, kWhileTimed},
    {"less_precision", kSmall, 1, kDiffers},
    {"more_threads", kLarge, 0, "of other threads, and it has one thread"},
    {"previous_output", kSmall, 1, "in the second of two equal calls"},
    {"replaces_clock", kSmall, 0, "the system's clock and the processor's counter differ"},
    {"right_at_pages", kSmall, 1, "was not written to"},
    {"writes_and_restores", kSmall, 1, "it writes to input 'self'"},
    {"zeroes_input_when_timed", kSmall, 1, "it writes to input 'self'"},
};

// How //tools:kernel ends for one of the library's kernels.
absl::StatusOr<ChildEnd> Judge(const Programs& programs, const KernelCheat& cheat,
                               const std::string& ending) {
  // It looks there for its own files.
  const std::string runfiles = std::filesystem::current_path().parent_path().string();
  return processes::RunChild(
      {.arguments = {programs.kernel, programs.cheats, "--like=relu",
                     absl::StrCat("--op=cheats::", cheat.name, ending),
                     absl::StrCat("--at=", cheat.size), "--threads=1", "--processes=2",
                     absl::StrCat("--budget=", cheat.budget)},
       .environment = {"RUNFILES_DIR=" + runfiles},
       .timeout = kTimeout},
      nullptr);
}

std::string Shown(const absl::StatusOr<ChildEnd>& end) {
  return end.ok() ? absl::StrCat(Describe(*end), ": ", end->output, end->errors)
                  : std::string(end.status().message());
}

}  // namespace

Goal AllocationGoal(const Programs& programs) {
  const absl::StatusOr<ChildEnd> end = Start({programs.allocation_test});
  return {.id = "G1",
          .what = "heap allocations from the first sample to the last: failures of the test",
          .measured = end.ok() && end->Exited(0) ? 0.0 : 1.0,
          .wanted = 0,
          .detail = programs.allocation_test};
}

std::vector<Goal> NullReadingGoals(const Programs& programs, bool quick) {
  const int processes = quick ? 5 : 20;
  double worst = 0;
  for (int i = 0; i < processes; ++i) {
    const double reading = std::abs(NumberFrom({programs.self, "--null-reading"}));
    if (!(reading <= worst)) worst = reading;
  }
  return {{.id = "G2",
           .what = "an empty function after subtraction of the null reading: furthest from 0",
           .measured = worst,
           .wanted = 20,
           .unit = "ns",
           .detail = absl::StrFormat("%d processes", processes)}};
}

std::vector<Goal> SpreadGoals(const Programs& programs, bool quick) {
  std::vector<Goal> goals;
  for (const std::string op : {"matmul", "softmax", "copy"}) {
    goals.push_back(SpreadGoal(programs, op, quick ? 4 : 10, quick ? 1 : kCarefulProcesses));
  }
  return goals;
}

std::vector<Goal> RealComparisonGoals(const Programs& programs, int comparisons) {
  const std::string what = "real A/A comparisons that called a difference";
  if (comparisons == 0) return {NotRun("G6", what, "takes ten minutes; ask with --real")};
  int alarms = 0, unsure = 0, failed = 0;
  for (int seed = 1; seed <= comparisons; ++seed) {
    const int code = CompareWithItself(programs, seed);
    alarms += code == 1;
    unsure += code == 4;
    failed += code != 0 && code != 1 && code != 4;
  }
  if (failed > 0) {
    return {NotRun("G6", what, absl::StrFormat("%d of %d did not run", failed, comparisons))};
  }
  // Each comparison may give at most 5 % false alarms.
  const double limit = std::max(1.0, std::floor(0.05 * comparisons));
  return {{.id = "G6",
           .what = what,
           .measured = static_cast<double>(alarms),
           .wanted = limit,
           .detail = absl::StrFormat("of %d; %d inconclusive; flagged samples kept", comparisons,
                                     unsure)}};
}

std::vector<Goal> KernelCheatGoals(const Programs& programs) {
  std::vector<Goal> goals;
  int unclean = 0;
  std::string doubted;
  for (const KernelCheat& cheat : kKernelCheats) {
    const absl::StatusOr<ChildEnd> end = Judge(programs, cheat, "");
    const bool caught =
        end.ok() && end->Exited(cheat.code) && absl::StrContains(end->output, cheat.said);
    goals.push_back({.id = "G9",
                     .what = absl::StrCat("caught by //tools:kernel: ", cheat.name),
                     .measured = caught ? 1.0 : 0.0,
                     .bound = Bound::kAtLeast,
                     .wanted = 1,
                     .detail = caught ? "" : Shown(end)});
    const absl::StatusOr<ChildEnd> twin = Judge(programs, cheat, "_twin");
    if (twin.ok() && twin->Exited(0) && !absl::StrContains(twin->output, "FLAGGED")) continue;
    ++unclean;
    absl::StrAppend(&doubted, cheat.name, ": ", Shown(twin), "; ");
  }
  goals.push_back({.id = "G9",
                   .what = "honest twins of these kernels that are doubted",
                   .measured = static_cast<double>(unclean),
                   .wanted = 0,
                   .detail = doubted});
  return goals;
}

std::vector<Goal> StartGoals(const Programs& programs, bool quick) {
  const int starts = quick ? 5 : 20;
  return {
      StartGoal("list of all cases", StartSeconds({programs.list}, starts), 0.05, starts),
      StartGoal("a runner's --benchmark_list_tests, LibTorch loaded",
                StartSeconds(CaseWith(programs, {"--benchmark_list_tests"}), starts), 1, starts),
      StartGoal("a case from start to record",
                StartSeconds(CaseWith(programs, {"--modes=wall", "--budget=0.01"}), starts), 1.5,
                starts),
  };
}

std::vector<Goal> FlakeGoals(const Programs& programs, int repetitions) {
  std::atomic<bool> done = false;
  std::thread busy([&] {
    while (!done.load(std::memory_order_relaxed)) {
    }
  });
  int failures = 0;
  std::string names;
  for (const std::string& test : programs.tests) {
    for (int i = 0; i < repetitions; ++i) {
      const absl::StatusOr<ChildEnd> end = Start({test});
      if (end.ok() && end->Exited(0)) continue;
      ++failures;
      absl::StrAppend(&names, test, " ");
    }
  }
  done = true;
  busy.join();
  return {{.id = "G16",
           .what = "failures of the engine's tests beside a busy loop",
           .measured = static_cast<double>(failures),
           .wanted = 0,
           .detail = absl::StrFormat("%d programs, %d times each %s", programs.tests.size(),
                                     repetitions, names)}};
}

}  // namespace assay::certify
