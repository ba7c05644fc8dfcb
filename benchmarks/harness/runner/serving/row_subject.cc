// A case of one forward pass under load.
#include <ATen/Parallel.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/base/thread_annotations.h"
#include "absl/cleanup/cleanup.h"
#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/execution/backend.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/load/server.h"
#include "benchmarks/harness/programs/program.h"
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

bool IsEager(const ServedCase& given) {
  return BackendName(given.c.benchmark_case().execution()) == "eager";
}

size_t DigestOf(const Tensors& reply) {
  size_t digest = 0;
  for (const at::Tensor& tensor : reply) {
    const std::string_view bytes(static_cast<const char*>(tensor.const_data_ptr()),
                                 tensor.nbytes());
    digest = absl::HashOf(digest, tensor.sizes().vec(), bytes);
  }
  return digest;
}

// Checks every reply against what its sample gives alone. Most samples give few different replies. So workers
// take a digest of each reply, and keep the first reply of each digest; these are compared after the run, or
// when there are some thousand of them.
class ReplyCheck {
 public:
  // `samples` outlive it.
  explicit ReplyCheck(const ServedSamples& samples) : samples_(samples) {}

  // `reply`: as ServedSamples::RowsOf() gives it. From any thread.
  void Take(const load::Request& request, const Tensors& reply) {
    constexpr size_t kMostKept = 4096;
    const std::pair<int64_t, size_t> key = {request.sample, DigestOf(reply)};
    const absl::MutexLock lock(&mutex_);
    const auto [found, is_new] = kept_.try_emplace(key);
    Kept& kept = found->second;
    kept.request = is_new ? request.id : std::min(kept.request, request.id);
    ++kept.times;
    if (!is_new) return;
    // A row may be a view of the whole batch's memory, which ends with the batch.
    for (const at::Tensor& tensor : reply) kept.reply.push_back(tensor.clone());
    if (kept_.size() >= kMostKept) CompareKept();
  }

  ReplyVerdict Judge() {
    const absl::MutexLock lock(&mutex_);
    CompareKept();
    return verdict_;
  }

 private:
  struct Kept {
    Tensors reply;
    int64_t request = 0;  // the first one that got it
    int64_t times = 0;
  };

  void CompareKept() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    for (const auto& [key, kept] : kept_)
      verdict_.Add(kept.times, kept.request, key.first, samples_.Compare(key.first, kept.reply));
    kept_.clear();
  }

  const ServedSamples& samples_;
  absl::Mutex mutex_;
  absl::flat_hash_map<std::pair<int64_t, size_t>, Kept> kept_
      ABSL_GUARDED_BY(mutex_);  // by sample and digest
  ReplyVerdict verdict_ ABSL_GUARDED_BY(mutex_);
};

// All workers of a server share this.
struct Shared {
  const ServedCase& given;
  const ServedSamples samples;
  const bool takes_turns;  // the workers' program takes one call at a time
  absl::Mutex turn = {};
  std::optional<ReplyCheck> check = {};  // of the last server
};

// Answers requests by calls of an executable.
class ModelWorker final : public load::BatchWorker {
 public:
  // Both outlive the worker. No other one has `executable`.
  ModelWorker(Shared& shared, execution::Executable& executable)
      : shared_(shared), executable_(executable) {}

  absl::Status Prepare() override;
  absl::Status Answer(absl::Span<const load::Request> batch,
                      std::vector<int64_t>& answered) override;
  absl::Status Check() override;

 private:
  absl::StatusOr<Tensors> Outputs(const std::vector<int64_t>& samples);
  void MakeMistake(std::vector<int64_t>& ids);

  Shared& shared_;
  execution::Executable& executable_;
  std::vector<load::Request> batch_;  // the last one
  std::vector<Tensors> replies_;      // to these
  Tensors cached_;                    // by mistake
};

absl::Status ModelWorker::Prepare() {
  at::set_num_threads(shared_.given.threads);  // of this thread's calls
  // A back end may make something for each size, of the program that all workers share.
  static absl::Mutex one_after_another(absl::kConstInit);
  const absl::MutexLock lock(&one_after_another);
  const int64_t most = shared_.given.max_batch;
  for (int64_t size = 1; size <= most; ++size) {
    if (IsEager(shared_.given) && size > 1 && size < most) continue;
    std::vector<int64_t> samples;
    for (int64_t i = 0; i < size; ++i) samples.push_back(i % shared_.samples.count());
    const absl::Status called = Outputs(samples).status();
    if (!called.ok()) return called;
  }
  return absl::OkStatus();
}

absl::StatusOr<Tensors> ModelWorker::Outputs(const std::vector<int64_t>& samples) {
  absl::StatusOr<Tensors> outputs;
  const absl::Status called = base::CatchTorch("answering a batch", [&] {
    Tensors inputs = shared_.samples.Batch(samples);
    const absl::MutexLockMaybe lock(shared_.takes_turns ? &shared_.turn : nullptr);
    outputs = execution::OutputsOf(executable_, std::move(inputs));
    if (!outputs.ok()) return;
    // A reply is in the host's memory; on a device this waits for it.
    for (at::Tensor& output : *outputs) output = output.cpu();
  });
  return called.ok() ? std::move(outputs) : called;
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
      replies_.push_back(shared_.samples.RowsOf(*outputs, static_cast<int64_t>(row)));
    MakeMistake(answered);
  });
}

void ModelWorker::MakeMistake(std::vector<int64_t>& ids) {
  namespace mistakes = serving_mistakes;
  const std::string& mistake = shared_.given.mistake;
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
    for (size_t i = 0; i < batch_.size(); ++i) shared_.check->Take(batch_[i], replies_[i]);
    batch_.clear();
    replies_.clear();
  });
}

class RowSubject final : public ServedSubject {
 public:
  RowSubject(const ServedCase& given, ServedSamples samples,
             std::vector<std::unique_ptr<execution::Executable>> loaded)
      : settings_(given.settings),
        shared_{.given = given,
                .samples = std::move(samples),
                .takes_turns = settings_.workers > 1 && IsEager(given) &&
                               !given.executable.program().TakesCallsAtOnce()},
        loaded_(std::move(loaded)),
        alike_(shared_.samples.LookForPairsAlike()) {}

  int64_t samples() const override { return shared_.samples.count(); }
  absl::Duration time_alone() const override { return shared_.samples.time_alone(); }

  std::unique_ptr<load::Server> NewServer(load::LoadGenerator& generator) override {
    const auto count = static_cast<size_t>(settings_.workers);
    shared_.check.emplace(shared_.samples);
    std::vector<std::unique_ptr<load::BatchWorker>> workers;
    for (size_t i = 0; i < count; ++i) {
      // The verified one is eager's first worker's.
      execution::Executable& executable = i + loaded_.size() < count
                                              ? shared_.given.executable
                                              : *loaded_[i + loaded_.size() - count];
      workers.push_back(std::make_unique<ModelWorker>(shared_, executable));
    }
    // A single stream's client does nothing while it waits. A thread between the two would only add the
    // time in which it wakes up.
    const bool at_once = settings_.load.scenario == load::Scenario::kSingleStream && count == 1;
    return std::make_unique<load::BatchServer>(
        load::Batching{.most = shared_.given.max_batch, .wait = settings_.max_wait},
        std::move(workers), generator,
        at_once ? load::AnsweredIn::kSubmission : load::AnsweredIn::kThreads);
  }

  ReplyVerdict Judge() override { return shared_.check->Judge(); }

  void AddTo(const load::LoadResult& /*result*/, Served& served) const override {
    if (shared_.takes_turns) {
      AddServedCheck("serialised", CHECK_NOTED,
                     "this case's program takes one call at a time, so the workers take turns",
                     served);
    }
    const auto lengths =
        absl::c_count_if(settings_.load.arrivals, [](const load::Arrival& arrival) {
          return arrival.prompt_tokens > 0 || arrival.reply_tokens > 0;
        });
    if (lengths > 0) {
      AddServedCheck("lengths_unused", CHECK_NOTED,
                     absl::StrCat(lengths, lengths == 1 ? " arrival has" : " arrivals have",
                                  " an input_length or output_length; this case generates no "
                                  "tokens, so only the timestamps were used"),
                     served);
    }
    AddAlike(alike_, served);
  }

 private:
  const ServingSettings& settings_;
  Shared shared_;
  const std::vector<std::unique_ptr<execution::Executable>> loaded_;  // of the last workers
  const PairsAlike alike_;
};

// A back end that reads files needs one for each batch.
absl::Status NotLoaded(const absl::Status& error, const execution::BackendRequest& request,
                       int64_t max_batch) {
  if (absl::IsInternal(error) || absl::IsResourceExhausted(error)) return error;
  const std::string text = absl::StrCat("a worker calls batches of 1 to ", max_batch,
                                        " (--max-batch): ", error.message());
  return request.module_path.empty() ? Ended(ARTIFACT_UNAVAILABLE, text)
                                     : UsageError(absl::StrCat("--module: ", text));
}

// The programs of the last workers: of all, or with eager of all but the first, which has the verified one.
absl::StatusOr<std::vector<std::unique_ptr<execution::Executable>>> LoadWorkers(
    const ServedCase& given) {
  std::vector<Workload> batches;
  for (int64_t n = 1; n <= given.max_batch && !IsEager(given); ++n) {
    absl::StatusOr<Workload> batch = OfBatch(given.c, n, given.request.device);
    if (!batch.ok()) return batch.status();
    batches.push_back(*std::move(batch));
  }
  execution::BackendRequest request = given.request;
  request.workloads.clear();
  for (const Workload& batch : batches) request.workloads.push_back(&batch);
  // Other back ends than eager take as many threads of their own as the thread has that loads them.
  const int before = at::get_num_threads();
  at::set_num_threads(given.threads);
  const absl::Cleanup put_back = [before] { at::set_num_threads(before); };
  std::vector<std::unique_ptr<execution::Executable>> loaded;
  for (int i = IsEager(given) ? 1 : 0; i < given.settings.workers; ++i) {
    absl::StatusOr<std::unique_ptr<execution::Executable>> one =
        execution::Load(request, given.executable.program());
    if (!one.ok()) return NotLoaded(one.status(), request, given.max_batch);
    loaded.push_back(*std::move(one));
  }
  return loaded;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ServedSubject>> MakeRowSubject(const ServedCase& given) {
  const ServingSettings& settings = given.settings;
  if (settings.first_token_bound < absl::InfiniteDuration() ||
      settings.per_token_bound < absl::InfiniteDuration() ||
      given.mistake == serving_mistakes::kOldCache) {
    return absl::InvalidArgumentError(
        "--ttft-bound, --tpot-bound and --mistake=old_cache are of decoders, and this case is "
        "none; leave them out");
  }
  if (!WrittenInputs(given.c.measured()).empty()) {
    return absl::InvalidArgumentError(
        "--scenario: calls of this case write to their inputs, which all requests share");
  }
  // With two batches of samples the replies of one batch can be told apart.
  const bool asked = settings.samples > 0;
  const int64_t count = asked ? settings.samples : std::max<int64_t>(32, 2 * given.max_batch);
  // In memory are the samples, and the batches of all workers.
  const auto batches = static_cast<double>(settings.workers + (asked ? 0 : 2));
  absl::Status fits = CheckFits("--max-batch", given.max_batch, batches * RowBytes(given.c), given);
  if (fits.ok()) fits = CheckFits("--samples", count, RowBytes(given.c), given);
  if (!fits.ok()) return fits;
  absl::StatusOr<std::vector<std::unique_ptr<execution::Executable>>> loaded = LoadWorkers(given);
  if (!loaded.ok()) return loaded.status();
  absl::StatusOr<ServedSamples> samples =
      ServedSamples::Make(given, IsEager(given) ? given.executable : *loaded->front(), count);
  if (!samples.ok()) return samples.status();
  return std::make_unique<RowSubject>(given, *std::move(samples), *std::move(loaded));
}

}  // namespace assay::runner
