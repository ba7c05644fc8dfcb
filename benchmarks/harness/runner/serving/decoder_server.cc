#include "benchmarks/harness/runner/serving/decoder_server.h"

#include <ATen/Parallel.h>
#include <ATen/ops/tensor.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <utility>

#include "absl/synchronization/mutex.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/runner/serving/serving_settings.h"

namespace assay::runner {

namespace mistakes = serving_mistakes;

DecoderServer::DecoderServer(const ServedPrompts& prompts, models::Generator& model,
                             DecoderOptions options, load::LoadGenerator& generator,
                             std::map<int64_t, DecoderReply>& replies)
    : Server({.most = 1}, options.slots, /*workers=*/1, generator),
      prompts_(prompts),
      model_(model),
      options_(std::move(options)),
      replies_(replies) {}

absl::Status DecoderServer::Prepare(size_t worker) {
  at::set_num_threads(options_.threads);  // of this thread's calls
  return base::CatchTorch("making the cache", [&] {
    const c10::InferenceMode inference;
    std::vector<at::Tensor> rows;
    for (const at::Tensor& input : prompts_.at(0).inputs) {
      std::vector<int64_t> sizes = input.sizes().vec();
      sizes[0] = options_.slots;
      rows.push_back(input.expand(sizes));
    }
    cache_ = model_.NewCache(rows, prompts_.capacity());
    for (const at::Tensor& tensor : cache_) tensor.zero_();
    // Warms up by a prompt and a step, of which nothing stays.
    Join({.id = -1, .sample = 0});
    Step();
    slots_.clear();
    books_[worker].batches[0] = 0;
  });
}

bool DecoderServer::Turn(size_t worker) {
  if (slots_.empty() && joining_.empty()) {
    if (held_) {
      joining_ = queue_.TakeNow(1);
      if (joining_.empty()) Reply(*std::exchange(held_, std::nullopt));
      return true;
    }
    joining_ = queue_.Take();
    if (joining_.empty()) return false;
  }
  const auto free = options_.slots - static_cast<int64_t>(slots_.size() + joining_.size());
  for (const load::Request& request : queue_.TakeNow(free)) joining_.push_back(request);
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
  if (options_.mistake == mistakes::kOldCache)
    for (const at::Tensor& tensor : row) old.push_back(tensor.clone());
  const at::Tensor logits = model_.Prefill(prompt.inputs, row);
  for (size_t i = 0; i < old.size(); ++i) row[i].copy_(old[i]);
  slots_.push_back(
      {.request = request, .length = prompt.tokens.size(1), .reply = {.sample = request.sample}});
  AddToken(slots_.back(), logits.argmax(1).item<int64_t>(), TopScores(logits).item<double>());
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
  const std::string& mistake = options_.mistake;
  DecoderReply& reply = left.reply;
  // By mistake one reply is held back until the next, and both go to the other's request.
  if (mistake == mistakes::kSwapped) {
    if (!held_) {
      held_ = std::move(left);
      return;
    }
    std::swap(reply.tokens, held_->reply.tokens);
    std::swap(reply.scores, held_->reply.scores);
    Reply(*std::exchange(held_, std::nullopt));
  }
  if (mistake == mistakes::kCached && !replies_.empty()) {
    reply.tokens = replies_.begin()->second.tokens;
    reply.scores = replies_.begin()->second.scores;
  }
  if (mistake == mistakes::kTruncated) reply.tokens.pop_back();
  if (mistake == mistakes::kDropped) {
    {
      absl::MutexLock lock(&mutex_);
      report_.lost.push_back(left.request.id);
    }
    return generator_.Complete({left.request.id}, /*answered=*/false);
  }
  Reply(left);
}

void DecoderServer::Reply(const Slot& slot) {
  const int64_t id = slot.request.id;
  generator_.Complete({id}, /*answered=*/true);
  const int replies = options_.mistake == mistakes::kDoubled ? 2 : 1;
  for (int i = 0; i < replies; ++i) {
    if (replies_.try_emplace(id, slot.reply).second) continue;
    absl::MutexLock lock(&mutex_);
    report_.doubled.push_back(id);
  }
}

}  // namespace assay::runner
