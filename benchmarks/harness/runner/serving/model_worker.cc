#include "benchmarks/harness/runner/serving/model_worker.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <utility>

#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/runner/serving/serving_settings.h"

namespace assay::runner {

using execution::Tensors;

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

}  // namespace assay::runner
