#include "benchmarks/harness/runner/serving/decoder_server.h"

#include <ATen/Parallel.h>
#include <ATen/ops/tensor.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <utility>

#include "absl/time/clock.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/runner/serving/serving_settings.h"

namespace assay::runner {

namespace mistakes = serving_mistakes;

DecoderServer::DecoderServer(const ServedCase& given, const ServedPrompts& prompts,
                             models::Generator& model, load::LoadGenerator& generator,
                             std::map<int64_t, DecoderReply>& replies)
    : Server({.most = given.max_batch}, /*workers=*/1, generator),
      given_(given),
      prompts_(prompts),
      model_(model),
      replies_(replies) {}

absl::Status DecoderServer::Prepare(size_t worker) {
  at::set_num_threads(given_.threads);  // of this thread's calls
  return base::CatchTorch("making the cache", [&] {
    const c10::InferenceMode inference;
    cache_ = prompts_.NewCache(model_, given_.max_batch);
    for (const at::Tensor& tensor : cache_) tensor.zero_();
    // Warms up by a prompt and a step, of which nothing stays.
    Join({.id = -1, .sample = 0});
    Step();
    slots_.clear();
    books_[worker].batches[0] = 0;
  });
}

bool DecoderServer::Turn(size_t worker) {
  const auto used = static_cast<int64_t>(slots_.size() + joining_.size());
  const std::vector<load::Request> next =
      used == 0 ? queue_.Take() : queue_.TakeNow(given_.max_batch - used);
  if (used == 0 && next.empty()) return false;
  joining_.insert(joining_.end(), next.begin(), next.end());
  Books& books = books_[worker];
  Begin(books, Taken());
  absl::Status answered;
  if (stopped_) {  // the generator waits for each request
    generator_.Complete(books.asked, /*answered=*/false);
    slots_.clear();
    joining_.clear();
  } else {
    answered = base::CatchTorch("answering a prompt", [&] {
      const c10::InferenceMode inference;
      for (; !joining_.empty(); joining_.erase(joining_.begin())) Join(joining_.front());
      LeaveWhoAreDone();
      if (!slots_.empty()) Step();
      LeaveWhoAreDone();
    });
  }
  End(books);
  if (!answered.ok()) Fail(answered, Taken());
  return true;
}

std::vector<load::Request> DecoderServer::Taken() const {
  std::vector<load::Request> taken = joining_;
  for (const Slot& slot : slots_) taken.push_back(slot.request);
  return taken;
}

std::vector<at::Tensor> DecoderServer::Rows(size_t first, size_t count) const {
  std::vector<at::Tensor> rows;
  for (const at::Tensor& tensor : cache_)
    rows.push_back(tensor.narrow(0, static_cast<int64_t>(first), static_cast<int64_t>(count)));
  return rows;
}

void DecoderServer::AddToken(Slot& slot, int64_t token, double score) const {
  slot.reply.tokens.push_back(token);
  slot.reply.scores.push_back(score);
  slot.reply.at_ns.push_back(absl::GetCurrentTimeNanos());
}

void DecoderServer::Join(const load::Request& request) {
  const std::vector<at::Tensor> row = Rows(slots_.size(), 1);
  const ServedPrompt& prompt = prompts_.at(request.sample);
  // By mistake the keys and values of the slot's last request stay.
  std::vector<at::Tensor> old;
  if (given_.mistake == mistakes::kOldCache)
    for (const at::Tensor& tensor : row) old.push_back(tensor.clone());
  const at::Tensor logits = model_.Prefill(prompt.inputs, row);
  for (size_t i = 0; i < old.size(); ++i) row[i].copy_(old[i]);
  slots_.push_back({.request = request, .length = prompt.tokens.size(1)});
  AddToken(slots_.back(), logits.argmax(1).item<int64_t>(), TopScores(logits).item<double>());
  if (given_.mistake == mistakes::kSwapped && slots_.size() > 1)
    std::swap(slots_.back().request, slots_[slots_.size() - 2].request);
}

void DecoderServer::Step() {
  std::vector<int64_t> last, positions;
  for (const Slot& slot : slots_) {
    last.push_back(slot.reply.tokens.back());
    positions.push_back(slot.length);
  }
  const at::TensorOptions options = prompts_.at(0).tokens.options();
  const at::Tensor logits =
      model_.Extend(at::tensor(last, options).unsqueeze(1),
                    models::CachePlace(at::tensor(positions, options)), Rows(0, slots_.size()));
  const at::Tensor next = logits.argmax(1).cpu(), scores = TopScores(logits);
  for (size_t i = 0; i < slots_.size(); ++i) {
    ++slots_[i].length;
    AddToken(slots_[i], next.const_data_ptr<int64_t>()[i], scores.const_data_ptr<double>()[i]);
  }
  ++books_[0].batches[slots_.size() - 1];
}

void DecoderServer::LeaveWhoAreDone() {
  for (size_t i = slots_.size(); i-- > 0;) {
    const size_t tokens = prompts_.at(slots_[i].request.sample).alone.size();
    if (slots_[i].reply.tokens.size() >= tokens) Leave(i);
  }
}

void DecoderServer::Leave(size_t slot) {
  Slot left = std::move(slots_[slot]);
  if (const size_t last = slots_.size() - 1; slot != last) {
    const std::vector<at::Tensor> to = Rows(slot, 1), from = Rows(last, 1);
    for (size_t i = 0; i < to.size(); ++i) to[i].copy_(from[i]);
    slots_[slot] = std::move(slots_[last]);
  }
  slots_.pop_back();
  DecoderReply& reply = left.reply;
  reply.sample = left.request.sample;
  if (given_.mistake == mistakes::kCached && !replies_.empty()) {
    reply.tokens = replies_.begin()->second.tokens;
    reply.scores = replies_.begin()->second.scores;
  }
  if (given_.mistake == mistakes::kTruncated) reply.tokens.pop_back();
  const int64_t id = left.request.id;
  std::vector<int64_t> answered = {id};
  if (given_.mistake == mistakes::kDropped) answered.clear();
  if (given_.mistake == mistakes::kDoubled) answered.push_back(id);
  Settle({id}, answered);
  if (!answered.empty()) replies_.try_emplace(id, std::move(reply));
}

}  // namespace assay::runner
