#include "benchmarks/harness/runner/serving/row_subject.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/load/batch_server.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/runner/serving/model_worker.h"
#include "benchmarks/harness/runner/serving/reply_check.h"
#include "benchmarks/harness/runner/serving/served_checks.h"
#include "benchmarks/harness/runner/serving/served_samples.h"
#include "defs/case/execution_names.h"
#include "defs/case/written_inputs.h"

namespace assay::runner {
namespace {

class RowSubject final : public ServedSubject {
 public:
  RowSubject(const ServedCase& given, int64_t max_batch, int threads, ServedSamples samples,
             std::vector<std::unique_ptr<execution::Executable>> loaded)
      : given_(given),
        max_batch_(max_batch),
        threads_(threads),
        samples_(std::move(samples)),
        loaded_(std::move(loaded)),
        alike_(samples_.LookForPairsAlike()),
        eager_(BackendName(given.c.benchmark_case().execution()) == "eager"),
        serialised_(given.settings.workers > 1 && eager_ &&
                    !given.executable.program().TakesCallsAtOnce()) {}

  int64_t samples() const override { return samples_.count(); }
  absl::Duration time_alone() const override { return samples_.time_alone(); }
  int at_once() const override { return serialised_ ? 1 : given_.settings.workers; }

  std::unique_ptr<load::Server> NewServer(load::LoadGenerator& generator) override {
    const auto count = static_cast<size_t>(given_.settings.workers);
    checks_.assign(count, ReplyCheck(samples_));
    std::vector<std::unique_ptr<load::BatchWorker>> workers;
    for (size_t i = 0; i < count; ++i) {
      // The verified one is the first worker's where it has its number of threads.
      execution::Executable& executable =
          i + loaded_.size() < count ? given_.executable : *loaded_[i + loaded_.size() - count];
      workers.push_back(std::make_unique<ModelWorker>(
          samples_, executable, checks_[i],
          WorkerOptions{.threads = threads_,
                        .max_batch = max_batch_,
                        .warms_every_size = !eager_,
                        .mistake = given_.mistake,
                        .one_at_a_time = serialised_ ? &one_at_a_time_ : nullptr}));
    }
    return std::make_unique<load::BatchServer>(
        load::Batching{.most = max_batch_, .wait = given_.settings.max_wait}, std::move(workers),
        generator, AnswersAtOnce() ? load::AnsweredIn::kSubmission : load::AnsweredIn::kThreads);
  }

  ReplyVerdict Judge() const override { return runner::Judge(checks_); }

  void AddTo(const load::LoadResult& /*result*/, Served& served) const override {
    if (serialised_) {
      AddServedCheck("serialised", CHECK_NOTED,
                     "this case's program takes one call at a time, so the workers take turns",
                     served);
    }
    if (const int64_t lengths = ArrivalsWithLengths(); lengths > 0) {
      AddServedCheck("lengths_unused", CHECK_NOTED,
                     absl::StrCat(lengths, lengths == 1 ? " arrival has" : " arrivals have",
                                  " an input_length or output_length; this case generates no "
                                  "tokens, so only the timestamps were used"),
                     served);
    }
    if (alike_.found == 0) return;
    AddServedCheck("samples_differ", CHECK_FLAGGED,
                   absl::StrCat(alike_.found, " of ", alike_.looked_at,
                                " pairs of samples give the same within the case's limits: a reply "
                                "to the wrong one of these would not show"),
                   served);
  }

 private:
  // A single stream's client does nothing while it waits. A thread between the two would only add the
  // time in which it wakes up.
  bool AnswersAtOnce() const {
    return given_.settings.scenario == load::Scenario::kSingleStream &&
           given_.settings.workers == 1;
  }

  int64_t ArrivalsWithLengths() const {
    const std::vector<load::RecordedArrival>& arrivals = given_.settings.arrivals;
    return std::count_if(arrivals.begin(), arrivals.end(), [](const load::RecordedArrival& a) {
      return a.prompt_tokens > 0 || a.reply_tokens > 0;
    });
  }

  const ServedCase& given_;
  const int64_t max_batch_;
  const int threads_;
  const ServedSamples samples_;
  const std::vector<std::unique_ptr<execution::Executable>> loaded_;  // of the last workers
  const PairsAlike alike_;
  const bool eager_;
  const bool serialised_;
  absl::Mutex one_at_a_time_;
  std::vector<ReplyCheck> checks_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<ServedSubject>> MakeRowSubject(const ServedCase& given,
                                                              int64_t max_batch, int threads) {
  const ServingSettings& settings = given.settings;
  if (settings.first_token_bound || settings.per_token_bound ||
      given.mistake == serving_mistakes::kOldCache) {
    return absl::InvalidArgumentError(
        "--ttft-bound, --tpot-bound and --mistake=old_cache are of decoders, and this "
        "case is "
        "none; leave them out");
  }
  if (!WrittenInputs(given.c.measured()).empty()) {
    return absl::InvalidArgumentError(
        "--scenario: calls of this case write to their inputs, which all requests share");
  }
  // With two batches of samples the replies of one batch can be told apart.
  const int64_t count =
      settings.samples_given ? settings.samples : std::max(settings.samples, 2 * max_batch);
  if (absl::Status fit = CheckSamplesFit(given.c, count, "--samples", given.memory_bytes);
      !fit.ok())
    return fit;
  // Other back ends than eager take as many threads of their own as the thread has that loads them.
  const int before = at::get_num_threads();
  const bool anew =
      before != threads && BackendName(given.c.benchmark_case().execution()) != "eager";
  at::set_num_threads(threads);
  const absl::Cleanup put_back = [before] { at::set_num_threads(before); };
  std::vector<std::unique_ptr<execution::Executable>> own;
  for (int i = anew ? 0 : 1; i < settings.workers; ++i) {
    absl::StatusOr<std::unique_ptr<execution::Executable>> loaded =
        execution::Load(given.request, given.executable.program());
    if (!loaded.ok()) return loaded.status();
    own.push_back(*std::move(loaded));
  }
  // By an executable with a worker's threads, since the time of a sample alone is taken, too.
  absl::StatusOr<ServedSamples> samples = ServedSamples::Make(
      given.c, anew ? *own[0] : given.executable, given.request.device, count, max_batch);
  if (!samples.ok()) return samples.status();
  return std::make_unique<RowSubject>(given, max_batch, threads, *std::move(samples),
                                      std::move(own));
}

}  // namespace assay::runner
