// Serves a case under load. On CUDA workers share a stream.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/load/latencies.h"
#include "benchmarks/harness/load/load_generator.h"
#include "benchmarks/harness/load/scheduled_generator.h"
#include "benchmarks/harness/load/server.h"
#include "benchmarks/harness/runner/given/workspace.h"
#include "benchmarks/harness/runner/serving/served_case.h"
#include "benchmarks/harness/runner/serving/served_checks.h"
#include "benchmarks/harness/runner/serving/served_subject.h"
#include "benchmarks/harness/runner/serving/serving_lines.h"
#include "benchmarks/harness/runner/serving/serving_settings.h"
#include "benchmarks/harness/runner/serving/thread_team.h"
#include "benchmarks/harness/runner/verdict/run_status.h"

namespace assay::runner {
namespace {

using load::Scenario;

// The rate of --find-peak is found to this.
constexpr double kPeakPrecision = 0.02;

// The folder of the generator's files: the user's, or a new one.
absl::StatusOr<std::string> LogFolder(const std::string& given) {
  if (given.empty()) return NewFolder("load");
  std::error_code error;
  std::filesystem::create_directories(given, error);
  // LoadGen leaves a folder that it cannot write to without a word, and files of an older run in it.
  const std::string log = absl::StrCat(given, "/mlperf_log_detail.txt");
  std::filesystem::remove(log, error);
  if (std::ofstream(log)) return given;
  return UsageError(
      absl::StrCat("--load-logs=", given, ": cannot be written to; give another folder"));
}

// A load that was sent, and its fate.
struct Ran {
  std::string generator;  // its name
  load::LoadResult result;
  load::ServiceReport report;
};

class Serving {
 public:
  Serving(const ServedCase& given, GeneratorOf loadgen)
      : given_(given), settings_(given.settings), loadgen_(std::move(loadgen)) {
    if (given_.threads == 0) given_.threads = std::max(1, given_.cpus / settings_.workers);
    if (given_.max_batch == 0) given_.max_batch = settings_.max_batch;
    if (given_.max_batch == 0) given_.max_batch = std::max<int64_t>(given_.c.measured().batch(), 1);
  }

  absl::Status Serve() {
    absl::StatusOr<std::string> logs = LogFolder(settings_.load.log_folder);
    if (!logs.ok()) return logs.status();
    logs_ = *std::move(logs);
    const absl::Cleanup remove = [this] { RemoveLogs(); };
    if (absl::Status ready = Prepare(); !ready.ok()) return ready;
    absl::Status ran;
    if (settings_.find_peak) {
      ran = FindPeak();
    } else {
      std::vector<double> rates = settings_.rates;
      if (rates.empty()) rates = {0};
      for (const double rate : rates) {
        ran = OneRate(rate).status();
        if (!ran.ok()) break;
      }
    }
    given_.out << CurveLines(curve_) << std::flush;
    if (!ran.ok() || curve_.size() != 1 || settings_.find_peak) return ran;
    return runner::KeepsBound(curve_[0]) ? ran : Missed(curve_[0]);
  }

 private:
  absl::Status Prepare() {
    given_.doing("computing each sample alone");
    absl::StatusOr<std::unique_ptr<ServedSubject>> subject =
        given_.c.benchmark_case().has_generation() ? MakePromptSubject(given_)
                                                   : MakeRowSubject(given_);
    if (given_.interrupted) return Interrupted();
    if (absl::IsInvalidArgument(subject.status())) return UsageError(subject.status().message());
    if (!subject.ok()) return subject.status();
    subject_ = *std::move(subject);
    return absl::OkStatus();
  }

  // A rate that sizes a run; for server the asked one.
  double ExpectedRate(double asked) const {
    const double alone_s = std::max(absl::ToDoubleSeconds(subject_->time_alone()), 1e-6);
    if (settings_.load.scenario == Scenario::kServer) return asked;
    if (probed_rate_ > 0) return probed_rate_;
    return (settings_.load.scenario == Scenario::kOffline ? 1 : 8) / alone_s;
  }

  absl::StatusOr<Served> OneRate(double rate) {
    if (given_.interrupted) return Interrupted();
    // LoadGen makes the queries of a run beforehand, and a run that needs more of them is INVALID: their
    // number needs a rate that is about right. A short run says it.
    if (settings_.load.scenario != Scenario::kServer && probed_rate_ == 0) {
      const absl::StatusOr<Ran> probe =
          Send(0, LoadOf(0, std::min(settings_.load.duration / 10, absl::Seconds(1)), 1));
      if (!probe.ok()) return probe.status();
      if (absl::Status probed = Probed(*probe); !probed.ok()) return probed;
      if (given_.interrupted) return Interrupted();
    }
    for (bool again = false;; again = true) {
      const load::Load load = LoadOf(rate, DurationOf(rate), 2);
      if (absl::Status fits = Fits(load); !fits.ok()) return fits;
      const absl::StatusOr<Ran> run = Send(rate, load);
      if (!run.ok()) return run.status();
      if (given_.interrupted && run->result.requests.empty()) return Interrupted();
      // A disturbed probe gave LoadGen too few queries for the duration.
      if (again || !EndedEarly(load, run->result)) return Judged(rate, load, *run);
      if (absl::Status probed = Probed(*run); !probed.ok()) return probed;
    }
  }

  absl::Status Fits(const load::Load& load) const {
    constexpr double kMostQueries = 2e7;  // LoadGen makes all of them beforehand
    if (load.qps * absl::ToDoubleSeconds(load.duration) <= kMostQueries) return absl::OkStatus();
    const bool rated = load.scenario == Scenario::kServer;
    return UsageError(absl::StrFormat(
        "%s: %.3g queries a second for %s are more than %.0f million; give a shorter --duration%s",
        rated ? "--qps" : "--duration", load.qps, absl::FormatDuration(load.duration),
        kMostQueries * 1e-6, rated ? " or a lower --qps" : ""));
  }

  bool EndedEarly(const load::Load& load, const load::LoadResult& result) const {
    return load.scenario != Scenario::kServer && !result.report.valid && !given_.interrupted &&
           !result.requests.empty() &&
           load::Summarize(load.scenario, result.requests).elapsed_s <
               absl::ToDoubleSeconds(load.duration);
  }

  // A rate of --find-peak is judged by as many queries as the percentile needs.
  absl::Duration DurationOf(double rate) const {
    const load::Load& load = settings_.load;
    if (!settings_.find_peak) return load.duration;
    const auto needed = static_cast<double>(load::QueriesNeeded(load.bound.share));
    return std::max(load.duration, absl::Seconds(1.2 * needed / rate));
  }

  absl::Status Probed(const Ran& run) {
    if (const std::string wrong = WrongText(subject_->Judge(), run.report); !wrong.empty())
      return Ended(FAIL_ACCURACY, wrong);
    if (given_.interrupted) return absl::OkStatus();
    const Scenario scenario = settings_.load.scenario;
    const load::LoadSummary summary = load::Summarize(scenario, run.result.requests);
    // A machine that gets quieter answers more than a probe did.
    probed_rate_ =
        scenario == Scenario::kOffline ? 1.2 * summary.requests_per_s : 2 * summary.queries_per_s;
    return absl::OkStatus();
  }

  // `rounds`: offline, how often each worker answers a full batch at least. Offline load is whole rounds: a worker
  // that waits for the last batch of another, or answers a part of a batch, would lower the rate.
  load::Load LoadOf(double rate, absl::Duration duration, int64_t rounds) const {
    load::Load load = settings_.load;
    load.qps = ExpectedRate(rate);
    load.duration = duration;
    load.samples = subject_->samples();
    load.log_folder = logs_;
    if (load.scenario != Scenario::kOffline) return load;
    constexpr double kSlack = 1.1;  // LoadGen's
    const double requests = kSlack * load.qps * absl::ToDoubleSeconds(duration);
    const int64_t round = given_.max_batch * settings_.workers;
    const auto whole = static_cast<int64_t>(std::ceil(requests / static_cast<double>(round)));
    load.least = round * std::max(rounds, whole);
    return load;
  }

  // Sends the load and has it answered.
  absl::StatusOr<Ran> Send(double rate, const load::Load& load) {
    const std::unique_ptr<load::LoadGenerator> generator =
        load::SentByLoadGen(load) ? loadgen_(load)
                                  : std::make_unique<load::ScheduledGenerator>(load);
    const std::unique_ptr<load::Server> server = subject_->NewServer(*generator);
    given_.doing("warming up the workers");
    ReleaseThreadTeam();
    if (const absl::Status started = server->Start(); !started.ok()) return started;
    absl::Notification over;
    std::thread watch([&] { Watch(*server, rate, over); });
    absl::StatusOr<load::LoadResult> result = generator->Run(*server);
    over.Notify();
    watch.join();
    load::ServiceReport report = server->Finish();
    if (!report.failed.ok()) {
      return absl::Status(report.failed.code(), absl::StrCat("a worker could not answer requests ",
                                                             absl::StrJoin(report.lost, ", "), ": ",
                                                             report.failed.message()));
    }
    if (!result.ok()) return result.status();
    return Ran{generator->Name(), *std::move(result), std::move(report)};
  }

  absl::StatusOr<Served> Judged(double rate, const load::Load& load, const Ran& run) {
    const auto& [generator, result, report] = run;
    Served served;
    served.set_scenario(std::string(load::ScenarioName(load.scenario)));
    served.set_generator(generator);
    served.set_asked_qps(rate);
    served.set_workers(settings_.workers);
    served.set_max_batch(given_.max_batch);
    served.set_max_wait_s(absl::ToDoubleSeconds(settings_.max_wait));
    served.set_samples(load.samples);
    served.set_seed(load.seed);
    *served.mutable_batches() = {report.batches.begin(), report.batches.end()};
    while (!served.batches().empty() && *served.batches().rbegin() == 0)
      served.mutable_batches()->RemoveLast();
    if (!result.requests.empty()) AddTimes(load, result, subject_->time_alone(), served);
    if (served.duration_s() > 0)
      served.set_busy_share(report.busy_s / served.duration_s() / settings_.workers);
    if (given_.interrupted)
      AddServedCheck("whole", CHECK_FLAGGED, "interrupted: the run is only a part", served);
    subject_->AddTo(result, served);
    const ReplyVerdict verdict = subject_->Judge();
    served.set_equal_replies(verdict.equal);
    served.set_close_replies(verdict.close);
    served.set_wrong_replies(verdict.wrong);
    served.set_lost_replies(static_cast<int64_t>(report.lost.size()));
    served.set_doubled_replies(static_cast<int64_t>(report.doubled.size()));
    given_.out << ServedLines(served, given_.threads) << std::flush;
    given_.done(served);
    curve_.push_back(served);
    if (const std::string wrong = WrongText(verdict, report); !wrong.empty())
      return Ended(FAIL_ACCURACY, wrong);
    if (given_.interrupted) return Interrupted();
    if (result.requests.empty() && report.lost.empty()) {
      return UsageError(
          "--burstiness: no request arrived within --duration; give a longer --duration or a "
          "higher --qps");
    }
    if (result.requests.empty()) return absl::InternalError("no request was answered");
    if (!given_.mistake.empty()) {
      return UsageError(
          absl::StrCat("--mistake=", given_.mistake,
                       ": no request gave the opportunity (a swap needs batches of two); "
                       "nothing wrong was found"));
    }
    return served;
  }

  absl::Status Interrupted() const {
    return Ended(INTERRUPTED, curve_.empty() ? "interrupted before anything was served"
                                             : "what was served until then is kept");
  }

  static std::string WrongText(const ReplyVerdict& verdict, const load::ServiceReport& report) {
    std::vector<std::string> texts;
    const auto add = [&](const std::vector<int64_t>& ids, std::string_view what) {
      if (ids.empty()) return;
      texts.push_back(absl::StrCat(ids.size(), ids.size() == 1 ? " request" : " requests", " got ",
                                   what, ", the first is number ", ids.front()));
    };
    add(report.lost, "no reply");
    add(report.doubled, "more than one reply");
    if (verdict.wrong > 0) texts.push_back(absl::StrCat(verdict.wrong, " wrong: ", verdict.reason));
    return absl::StrJoin(texts, "; ");
  }

  static bool KeptUp(const Served& served) {
    for (const Check& check : served.checks())
      if (check.name() == "rate_reached" && check.status() == CHECK_FLAGGED) return false;
    return true;
  }

  absl::Status Missed(const Served& served) const {
    const std::string never = TooShort();
    return Ended(
        FAIL_LATENCY,
        absl::StrFormat("every reply is right, but %.4g %% of the queries kept the bound of "
                        "%.4g ms, and %.4g %% must%s%s",
                        100 * served.within_bound(), served.bound_ns() * 1e-6,
                        100 * served.bound_share(), never.empty() ? "" : "; ", never));
  }

  // Why no rate can keep the bound; empty: one may.
  std::string TooShort() const {
    const absl::Duration alone = subject_->time_alone(), bound = settings_.load.bound.bound;
    if (alone <= bound) return "";
    return absl::StrFormat(
        "no rate keeps the bound: a sample alone takes %.3g ms, and the bound is %.3g ms; give a "
        "longer --latency-bound",
        absl::ToDoubleMilliseconds(alone), absl::ToDoubleMilliseconds(bound));
  }

  // A short disturbance of the machine is enough to miss the bound: such a rate has a second try.
  absl::StatusOr<bool> KeepsBound(double rate) {
    for (int tries = 0; tries < 2; ++tries) {
      const absl::StatusOr<Served> served = OneRate(rate);
      if (!served.ok()) return served.status();
      if (runner::KeepsBound(*served) && KeptUp(*served)) return true;
    }
    return false;
  }

  // Halves the range of rates, on a logarithmic scale, between one that keeps the bound and one that
  // does not.
  absl::Status FindPeak() {
    const double call_s = std::max(absl::ToDoubleSeconds(subject_->time_alone()), 1e-6);
    if (const std::string never = TooShort(); !never.empty()) return Ended(FAIL_LATENCY, never);
    std::optional<size_t> peak;
    double low = 0, high = 0;  // the highest rate that kept the bound, the lowest that did not
    double rate = 0.5 * settings_.workers / call_s;
    while (high == 0 || low == 0 || high / low > 1 + kPeakPrecision) {
      const absl::StatusOr<bool> kept = KeepsBound(rate);
      if (!kept.ok()) return kept.status();
      if (*kept) {
        low = rate;
        peak = curve_.size() - 1;
      } else {
        high = rate;
      }
      rate = high == 0 ? 2 * low : low == 0 ? high / 2 : std::sqrt(low * high);
      if (low == 0 && rate * absl::ToDoubleSeconds(settings_.load.duration) < 1)
        return Ended(FAIL_LATENCY,
                     "no rate with a query within --duration keeps the bound; give a longer "
                     "--latency-bound or --duration");
    }
    curve_[*peak].set_peak(true);
    given_.done(curve_[*peak]);
    given_.out << absl::StrFormat(
        "peak      %.4g queries a second keep p%g within %.4g ms; %.4g do not\n", low,
        100 * settings_.load.bound.share, absl::ToDoubleMilliseconds(settings_.load.bound.bound),
        high);
    return absl::OkStatus();
  }

  // Looks at the workers from time to time.
  void Watch(load::Server& server, double rate, const absl::Notification& over) {
    constexpr absl::Duration kEvery = absl::Milliseconds(100);
    const std::string head =
        absl::StrCat("--scenario=", load::ScenarioName(settings_.load.scenario),
                     rate > 0 ? absl::StrCat(" at ", rate, " queries a second") : "");
    absl::Duration idle;  // since the interruption
    while (!over.WaitForNotificationWithTimeout(kEvery)) {
      if (given_.interrupted) server.Stop();
      const load::InFlight unanswered = server.Unanswered();
      const std::string& text = unanswered.text;
      given_.doing(text.empty() ? head : absl::StrCat(head, "; ", text));
      if (unanswered.longest > std::max(given_.hung_after, 100 * subject_->time_alone()))
        GiveUp(TIMEOUT, absl::StrCat("no answer: ", text));
      // LoadGen cannot be stopped while it makes its queries, nor while it waits for the time of the next one.
      if (given_.interrupted && !server.begun())
        GiveUp(INTERRUPTED, "before a request of this load was sent; other rates are kept");
      if (given_.interrupted && text.empty() && (idle += kEvery) > given_.stops_within)
        GiveUp(INTERRUPTED, "the generator did not stop; other rates are kept");
    }
  }

  // Ends the process.
  void GiveUp(Outcome outcome, const std::string& why) {
    RemoveLogs();
    given_.give_up(outcome, why);
  }

  void RemoveLogs() {
    std::error_code error;
    if (settings_.load.log_folder.empty()) std::filesystem::remove_all(logs_, error);
  }

  ServedCase given_;
  const ServingSettings& settings_;
  const GeneratorOf loadgen_;
  std::string logs_;
  std::unique_ptr<ServedSubject> subject_;
  double probed_rate_ = 0;  // 0: not known yet
  std::vector<Served> curve_;
};

}  // namespace

absl::Status ServeCase(const ServedCase& given, GeneratorOf loadgen) {
  return Serving(given, std::move(loadgen)).Serve();
}

}  // namespace assay::runner
