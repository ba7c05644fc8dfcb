// A case of one forward pass under load.
#include <ATen/Parallel.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/load/batch_server.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/runner/serving/reply_check.h"
#include "benchmarks/harness/runner/serving/served_checks.h"
#include "benchmarks/harness/runner/serving/served_samples.h"
#include "benchmarks/harness/runner/serving/served_subject.h"
#include "benchmarks/harness/runner/serving/serving_settings.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "defs/case/execution_names.h"
#include "defs/case/written_inputs.h"

namespace assay::runner {
namespace {

using execution::Tensors;

struct WorkerOptions {
  int threads = 1;                // of LibTorch
  int64_t max_batch = 1;          // requests of a batch
  bool warms_every_size = false;  // a back end makes something for each size of a batch
  std::string mistake = {};       // serving_settings.h; empty: none
  // Held during calls, where workers share what takes one call at a time; nullptr: they do not.
  absl::Mutex* one_at_a_time = nullptr;
};

// Answers requests by calls of an executable.
class ModelWorker final : public load::BatchWorker {
 public:
  // All that is passed in outlives the worker. No other worker has `executable` and `check`.
  ModelWorker(const ServedSamples& samples, execution::Executable& executable, ReplyCheck& check,
              WorkerOptions options)
      : samples_(samples), executable_(executable), check_(check), options_(std::move(options)) {}

  absl::Status Prepare() override;
  absl::Status Answer(absl::Span<const load::Request> batch,
                      std::vector<int64_t>& answered) override;
  absl::Status Check() override;

 private:
  absl::StatusOr<Tensors> Outputs(const std::vector<int64_t>& samples);
  void MakeMistake(std::vector<int64_t>& ids);

  const ServedSamples& samples_;
  execution::Executable& executable_;
  ReplyCheck& check_;
  const WorkerOptions options_;
  std::vector<load::Request> batch_;  // the last one
  std::vector<Tensors> replies_;      // to these
  Tensors cached_;                    // by mistake
};

absl::Status ModelWorker::Prepare() {
  at::set_num_threads(options_.threads);  // of this thread's calls
  // A back end may make something for each size, of the program that all workers share.
  static absl::Mutex one_after_another(absl::kConstInit);
  const absl::MutexLock lock(&one_after_another);
  for (int64_t size = 1; size <= options_.max_batch; ++size) {
    if (!options_.warms_every_size && size > 1 && size < options_.max_batch) continue;
    std::vector<int64_t> samples;
    for (int64_t i = 0; i < size; ++i) samples.push_back(i % samples_.count());
    const absl::Status called = Outputs(samples).status();
    if (!called.ok()) return called;
  }
  return absl::OkStatus();
}

absl::StatusOr<Tensors> ModelWorker::Outputs(const std::vector<int64_t>& samples) {
  Tensors inputs;
  const absl::Status made =
      base::CatchTorch("putting requests into a batch", [&] { inputs = samples_.Batch(samples); });
  if (!made.ok()) return made;
  absl::StatusOr<Tensors> outputs = [&] {
    const absl::MutexLockMaybe lock(options_.one_at_a_time);
    return execution::OutputsOf(executable_, std::move(inputs));
  }();
  if (!outputs.ok()) return outputs;
  // A reply is in the host's memory; on a device this waits for it.
  const absl::Status moved = base::CatchTorch("reading the outputs", [&] {
    for (at::Tensor& output : *outputs) output = output.cpu();
  });
  if (!moved.ok()) return moved;
  return outputs;
}

absl::Status ModelWorker::Answer(absl::Span<const load::Request> batch,
                                 std::vector<int64_t>& answered) {
  std::vector<int64_t> samples;
  for (const load::Request& request : batch) {
    samples.push_back(request.sample);
    answered.push_back(request.id);
  }
  const absl::StatusOr<Tensors> outputs = Outputs(samples);
  if (!outputs.ok()) return outputs.status();
  batch_.assign(batch.begin(), batch.end());
  replies_.clear();
  return base::CatchTorch("taking replies out of a batch", [&] {
    for (size_t row = 0; row < batch.size(); ++row)
      replies_.push_back(samples_.RowsOf(*outputs, static_cast<int64_t>(row)));
    MakeMistake(answered);
  });
}

void ModelWorker::MakeMistake(std::vector<int64_t>& ids) {
  namespace mistakes = serving_mistakes;
  const std::string& mistake = options_.mistake;
  if (mistake == mistakes::kSwapped && replies_.size() > 1) std::swap(replies_[0], replies_[1]);
  if (mistake == mistakes::kCached) {
    if (cached_.empty()) cached_ = replies_[0];
    replies_[0] = cached_;
  }
  if (mistake == mistakes::kTruncated) {
    for (at::Tensor& tensor : replies_[0])
      if (tensor.dim() > 1) tensor = tensor.narrow(-1, 0, tensor.size(-1) - 1).contiguous();
  }
  if (mistake == mistakes::kDropped) ids.pop_back();
  if (mistake == mistakes::kDoubled) ids.push_back(ids.back());
}

absl::Status ModelWorker::Check() {
  return base::CatchTorch("checking replies", [&] {
    for (size_t i = 0; i < batch_.size(); ++i)
      check_.Take(batch_[i].id, batch_[i].sample, std::move(replies_[i]));
    batch_.clear();
    replies_.clear();
  });
}

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
      // The verified one is eager's first worker's.
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
    AddAlike(alike_, served);
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

// A back end that reads files needs one for each batch.
absl::Status NotLoaded(const absl::Status& error, const execution::BackendRequest& request) {
  if (absl::IsInternal(error) || absl::IsResourceExhausted(error)) return error;
  const std::string text = absl::StrCat("a worker calls batches of 1 to ", request.workloads.size(),
                                        " (--max-batch): ", error.message());
  return request.module_path.empty() ? Ended(ARTIFACT_UNAVAILABLE, text)
                                     : UsageError(absl::StrCat("--module: ", text));
}

}  // namespace

absl::StatusOr<std::unique_ptr<ServedSubject>> MakeRowSubject(const ServedCase& given,
                                                              int64_t max_batch, int threads) {
  const ServingSettings& settings = given.settings;
  if (settings.first_token_bound || settings.per_token_bound ||
      given.mistake == serving_mistakes::kOldCache) {
    return absl::InvalidArgumentError(
        "--ttft-bound, --tpot-bound and --mistake=old_cache are of decoders, and this case is "
        "none; "
        "leave them out");
  }
  if (!WrittenInputs(given.c.measured()).empty()) {
    return absl::InvalidArgumentError(
        "--scenario: calls of this case write to their inputs, which all requests share");
  }
  // With two batches of samples the replies of one batch can be told apart.
  const int64_t count =
      settings.samples_given ? settings.samples : std::max(settings.samples, 2 * max_batch);
  const int64_t in_flight = settings.workers * max_batch;
  const bool by_batch = !settings.samples_given || count <= in_flight;
  if (absl::Status fit = CheckRowsFit(given.c, std::max(count, max_batch + 1) + in_flight,
                                      by_batch ? "--max-batch" : "--samples", given.memory_bytes);
      !fit.ok())
    return fit;
  absl::StatusOr<std::vector<Workload>> batches =
      BatchesUpTo(given.c, max_batch, given.request.device);
  if (!batches.ok()) return batches.status();
  // Other back ends than eager take as many threads of their own as the thread has that loads them.
  const bool eager = BackendName(given.c.benchmark_case().execution()) == "eager";
  const int before = at::get_num_threads();
  at::set_num_threads(threads);
  const absl::Cleanup put_back = [before] { at::set_num_threads(before); };
  execution::BackendRequest request = given.request;
  request.workloads.clear();
  for (const Workload& batch : *batches) request.workloads.push_back(&batch);
  std::vector<std::unique_ptr<execution::Executable>> own;
  for (int i = eager ? 1 : 0; i < settings.workers; ++i) {
    absl::StatusOr<std::unique_ptr<execution::Executable>> loaded =
        execution::Load(request, given.executable.program());
    if (!loaded.ok()) return NotLoaded(loaded.status(), request);
    own.push_back(*std::move(loaded));
  }
  absl::StatusOr<ServedSamples> samples =
      ServedSamples::Make(given.c, eager ? given.executable : *own[0], given.request.device, count,
                          *std::move(batches), given.interrupted);
  if (!samples.ok()) return samples.status();
  return std::make_unique<RowSubject>(given, max_batch, threads, *std::move(samples),
                                      std::move(own));
}

}  // namespace assay::runner
