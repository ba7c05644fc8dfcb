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
  load::LoadResult result;
  load::ServiceReport report;
};

class Serving {
 public:
  explicit Serving(const ServedCase& given)
      : given_(given),
        settings_(given.settings),
        max_batch_(settings_.max_batch > 0 ? settings_.max_batch
                                           : std::max<int64_t>(given.c.measured().batch(), 1)),
        threads_(given.threads > 0 ? given.threads : std::max(1, given.cpus / settings_.workers)) {}
  ~Serving() {
    std::error_code error;
    if (settings_.log_folder.empty() && !logs_.empty()) std::filesystem::remove_all(logs_, error);
  }
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  absl::Status Serve() {
    absl::Status ready = Prepare();
    if (!ready.ok()) return ready;
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
    absl::StatusOr<std::string> logs = LogFolder(settings_.log_folder);
    if (!logs.ok()) return logs.status();
    logs_ = *std::move(logs);
    given_.doing("computing each sample alone");
    absl::StatusOr<std::unique_ptr<ServedSubject>> subject =
        given_.c.benchmark_case().has_generation() ? MakePromptSubject(given_, max_batch_, threads_)
                                                   : MakeRowSubject(given_, max_batch_, threads_);
    if (given_.interrupted) return Interrupted();
    if (absl::IsInvalidArgument(subject.status())) return UsageError(subject.status().message());
    if (!subject.ok()) return subject.status();
    subject_ = *std::move(subject);
    return absl::OkStatus();
  }

  // A rate that sizes a run; for server the asked one.
  double ExpectedRate(double asked) const {
    const double alone_s = std::max(absl::ToDoubleSeconds(subject_->time_alone()), 1e-6);
    if (settings_.scenario == Scenario::kServer) return asked;
    if (probed_rate_ > 0) return probed_rate_;
    return settings_.scenario == Scenario::kOffline ? subject_->at_once() / alone_s : 8 / alone_s;
  }

  absl::StatusOr<Served> OneRate(double rate) {
    if (given_.interrupted) return Interrupted();
    // LoadGen makes the queries of a run beforehand, and a run that needs more of them is INVALID: their
    // number needs a rate that is about right. A short run says it.
    if (settings_.scenario != Scenario::kServer && probed_rate_ == 0) {
      const absl::StatusOr<Ran> probe =
          Send(0, LoadOf(0, std::min(settings_.duration / 10, absl::Seconds(1))));
      if (!probe.ok()) return probe.status();
      if (absl::Status probed = Probed(*probe); !probed.ok()) return probed;
    }
    for (bool again = false;; again = true) {
      const load::Load load = LoadOf(rate, DurationOf(rate));
      if (absl::Status fits = Fits(load); !fits.ok()) return fits;
      const absl::StatusOr<Ran> run = Send(rate, load);
      if (!run.ok()) return run.status();
      // A disturbed probe gave LoadGen too few queries for the duration.
      if (again || !EndedEarly(load, run->result)) return Judged(rate, load, *run);
      if (absl::Status probed = Probed(*run); !probed.ok()) return probed;
    }
  }

  absl::Status Fits(const load::Load& load) const {
    constexpr double kMostQueries = 2e7;  // LoadGen makes all of them beforehand
    if (load.qps * absl::ToDoubleSeconds(load.duration) <= kMostQueries) return absl::OkStatus();
    const bool rated = settings_.scenario == Scenario::kServer;
    return UsageError(absl::StrFormat(
        "%s: %.3g queries a second for %s are more than %.0f million; give a shorter --duration%s",
        rated ? "--qps" : "--duration", load.qps, absl::FormatDuration(load.duration),
        kMostQueries * 1e-6, rated ? " or a lower --qps" : ""));
  }

  bool EndedEarly(const load::Load& load, const load::LoadResult& result) const {
    return settings_.scenario != Scenario::kServer && !result.report.valid && !given_.interrupted &&
           !result.requests.empty() &&
           load::Summarize(settings_.scenario, result.requests).elapsed_s <
               absl::ToDoubleSeconds(load.duration);
  }

  // A rate of --find-peak is judged by as many queries as the percentile needs.
  absl::Duration DurationOf(double rate) const {
    if (!settings_.find_peak) return settings_.duration;
    const auto needed = static_cast<double>(load::QueriesNeeded(settings_.bound->share));
    return std::max(settings_.duration, absl::Seconds(1.2 * needed / rate));
  }

  absl::Status Probed(const Ran& run) {
    if (const std::string wrong = WrongText(subject_->Judge(), run.report); !wrong.empty())
      return Ended(FAIL_ACCURACY, wrong);
    if (run.result.requests.empty()) return absl::OkStatus();  // interrupted
    const load::LoadSummary summary = load::Summarize(settings_.scenario, run.result.requests);
    // A machine that gets quieter answers more than a probe did.
    probed_rate_ = settings_.scenario == Scenario::kOffline ? 1.2 * summary.requests_per_s
                                                            : 2 * summary.queries_per_s;
    return absl::OkStatus();
  }

  load::Load LoadOf(double rate, absl::Duration duration) const {
    return {.scenario = settings_.scenario,
            .qps = ExpectedRate(rate),
            .closed_loop = settings_.concurrency > 0,
            .duration = duration,
            .share = settings_.bound ? settings_.bound->share : 0.99,
            .bound = settings_.bound ? settings_.bound->bound : absl::ZeroDuration(),
            .samples = subject_->samples(),
            .seed = settings_.seed,
            .log_folder = logs_};
  }

  // Sends the load and has it answered.
  absl::StatusOr<Ran> Send(double rate, const load::Load& load) {
    std::unique_ptr<load::LoadGenerator> scheduled;
    if (!NeedsLoadGen(settings_)) scheduled = Scheduled(load);
    load::LoadGenerator& generator = scheduled ? *scheduled : *load::LinkedGenerator();
    generator_name_ = generator.Name();
    const std::unique_ptr<load::Server> server = subject_->NewServer(generator);
    given_.doing("warming up the workers");
    ReleaseThreadTeam();
    if (const absl::Status started = server->Start(); !started.ok()) return started;
    absl::StatusOr<load::LoadResult> result;
    {
      const Watch watch(given_, *server, HeadOf(rate), subject_->time_alone());
      result = generator.Run(load, *server);
    }
    load::ServiceReport report = server->Finish();
    if (!report.failed.ok()) {
      return absl::Status(report.failed.code(), absl::StrCat("a worker could not answer requests ",
                                                             absl::StrJoin(report.lost, ", "), ": ",
                                                             report.failed.message()));
    }
    if (!result.ok()) return result.status();
    return Ran{*std::move(result), std::move(report)};
  }

  std::unique_ptr<load::LoadGenerator> Scheduled(const load::Load& load) const {
    if (settings_.concurrency > 0)
      return std::make_unique<load::ScheduledGenerator>(settings_.concurrency);
    if (settings_.arrivals.empty()) {
      return std::make_unique<load::ScheduledGenerator>(load::GammaArrivals(
          load.qps, settings_.burstiness, load.duration, load.samples, load.seed));
    }
    return std::make_unique<load::ScheduledGenerator>(settings_.arrivals);
  }

  absl::StatusOr<Served> Judged(double rate, const load::Load& load, const Ran& run) {
    const auto& [result, report] = run;
    Served served;
    served.set_scenario(std::string(load::ScenarioName(settings_.scenario)));
    served.set_generator(generator_name_);
    served.set_asked_qps(rate);
    served.set_workers(settings_.workers);
    served.set_max_batch(max_batch_);
    served.set_max_wait_s(absl::ToDoubleSeconds(settings_.max_wait));
    served.set_samples(subject_->samples());
    served.set_seed(settings_.seed);
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
    given_.out << ServedLines(served, threads_) << std::flush;
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
    const absl::Duration alone = subject_->time_alone(), bound = settings_.bound->bound;
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
      if (low == 0 && rate * absl::ToDoubleSeconds(settings_.duration) < 1)
        return Ended(FAIL_LATENCY,
                     "no rate with a query within --duration keeps the bound; give a longer "
                     "--latency-bound or --duration");
    }
    curve_[*peak].set_peak(true);
    given_.done(curve_[*peak]);
    given_.out << absl::StrFormat(
        "peak      %.4g queries a second keep p%g within %.4g ms; %.4g do not\n", low,
        100 * settings_.bound->share, absl::ToDoubleMilliseconds(settings_.bound->bound), high);
    return absl::OkStatus();
  }

  std::string HeadOf(double rate) const {
    return absl::StrCat("--scenario=", load::ScenarioName(settings_.scenario),
                        rate > 0 ? absl::StrCat(" at ", rate, " queries a second") : "");
  }

  // Looks at the workers from time to time.
  class Watch {
   public:
    Watch(const ServedCase& given, load::Server& server, std::string head, absl::Duration usual)
        : thread_([this, &given, &server, head = std::move(head), usual] {
            constexpr absl::Duration kEvery = absl::Milliseconds(100);
            absl::Duration idle;  // since the interruption
            while (!over_.WaitForNotificationWithTimeout(kEvery)) {
              if (given.interrupted) server.Stop();
              const load::InFlight unanswered = server.Unanswered();
              const std::string& text = unanswered.text;
              given.doing(text.empty() ? head : absl::StrCat(head, "; ", text));
              if (unanswered.longest > std::max(given.hung_after, 100 * usual))
                given.give_up(TIMEOUT, absl::StrCat("no answer: ", text));
              // LoadGen cannot be stopped while it makes its queries.
              if (given.interrupted && text.empty() && (idle += kEvery) > given.stops_within)
                given.give_up(INTERRUPTED, "the generator did not stop; other rates are kept");
            }
          }) {}
    ~Watch() {
      over_.Notify();
      thread_.join();
    }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    absl::Notification over_;
    std::thread thread_;
  };

  const ServedCase& given_;
  const ServingSettings& settings_;
  const int64_t max_batch_;
  const int threads_;
  std::string logs_;
  std::unique_ptr<ServedSubject> subject_;
  std::string generator_name_;
  double probed_rate_ = 0;  // 0: not known yet
  std::vector<Served> curve_;
};

}  // namespace

absl::Status ServeCase(const ServedCase& given) { return Serving(given).Serve(); }

}  // namespace assay::runner
