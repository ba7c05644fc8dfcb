#include "benchmarks/harness/runner/serving/decoder_server.h"

#include <ATen/Parallel.h>
#include <ATen/ops/tensor.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/runner/serving/serving_settings.h"

namespace assay::runner {

namespace mistakes = serving_mistakes;

DecoderServer::DecoderServer(const ServedPrompts& prompts, models::Generator& model,
                             DecoderOptions options, load::LoadGenerator& generator,
                             std::map<int64_t, DecoderReply>& replies)
    : prompts_(prompts),
      model_(model),
      options_(std::move(options)),
      generator_(generator),
      replies_(replies),
      queue_({.most = 1}) {
  absl::MutexLock lock(&mutex_);
  report_.batches.resize(static_cast<size_t>(options_.slots));
}

DecoderServer::~DecoderServer() { Finish(); }

absl::Status DecoderServer::Start() {
  absl::Notification ready;
  absl::Status made;
  thread_ = std::thread([&] {
    at::set_num_threads(options_.threads);  // of this thread's calls
    made = base::CatchTorch("making the cache", [&] {
      const c10::InferenceMode inference;
      const at::Tensor rows = prompts_.at(0).tokens.expand({options_.slots, -1});
      cache_ = model_.NewCache({rows}, prompts_.capacity());
      for (const at::Tensor& tensor : cache_) tensor.zero_();
      // Warms up by a prompt and a step, of which nothing stays.
      Join({.id = -1, .sample = 0});
      Step();
      slots_.clear();
      absl::MutexLock lock(&mutex_);
      report_.batches[0] = 0;
    });
    const bool serves = made.ok();
    ready.Notify();
    if (serves) Serve();
  });
  ready.WaitForNotification();
  return made;
}

void DecoderServer::Serve() {
  while (Turn()) {
  }
}

bool DecoderServer::Turn() {
  const auto free = static_cast<int64_t>(options_.slots - static_cast<int64_t>(slots_.size()));
  std::vector<load::Request> joining =
      slots_.empty() ? queue_.Take() : queue_.TakeNow(stopped_ ? 0 : free);
  if (slots_.empty() && joining.empty()) return false;
  if (stopped_) {  // the generator waits for each request
    for (const Slot& slot : slots_) joining.push_back(slot.request);
    slots_.clear();
    std::vector<int64_t> ids;
    for (const load::Request& request : joining) ids.push_back(request.id);
    generator_.Complete(ids, /*answered=*/false);
    return true;
  }
  const absl::Time start = absl::Now();
  const absl::Status answered = base::CatchTorch("answering a prompt", [&] {
    const c10::InferenceMode inference;
    for (const load::Request& request : joining) Join(request);
    NoteInFlight();
    LeaveWhoAreDone();
    if (!slots_.empty()) Step();
    LeaveWhoAreDone();
  });
  NoteInFlight();
  {
    absl::MutexLock lock(&mutex_);
    report_.busy_s += absl::ToDoubleSeconds(absl::Now() - start);
  }
  if (!answered.ok()) Fail(answered);
  return true;
}

std::vector<at::Tensor> DecoderServer::Rows(size_t first, size_t count) const {
  std::vector<at::Tensor> rows;
  for (const at::Tensor& tensor : cache_)
    rows.push_back(tensor.narrow(0, static_cast<int64_t>(first), static_cast<int64_t>(count)));
  return rows;
}

void DecoderServer::AddToken(Slot& slot, int64_t token) const {
  slot.reply.tokens.push_back(token);
  slot.reply.at_ns.push_back(absl::GetCurrentTimeNanos());
}

void DecoderServer::Join(const load::Request& request) {
  const std::vector<at::Tensor> row = Rows(slots_.size(), 1);
  const at::Tensor& tokens = prompts_.at(request.sample).tokens;
  // By mistake the slot's last occupant stays where the prompt's last token should be.
  std::vector<at::Tensor> old;
  const auto last = [&](const at::Tensor& tensor) {
    return tensor.narrow(1, tokens.size(1) - 1, 1);
  };
  if (options_.mistake == mistakes::kOldCache)
    for (const at::Tensor& tensor : row) old.push_back(last(tensor).clone());
  const at::Tensor logits = model_.Prefill({tokens}, row);
  for (size_t i = 0; i < old.size(); ++i) last(row[i]).copy_(old[i]);
  slots_.push_back(
      {.request = request, .length = tokens.size(1), .reply = {.sample = request.sample}});
  AddToken(slots_.back(), logits.argmax(1).item<int64_t>());
}

void DecoderServer::Step() {
  std::vector<int64_t> last, positions;
  for (const Slot& slot : slots_) {
    last.push_back(slot.reply.tokens.back());
    positions.push_back(slot.length);
  }
  const at::TensorOptions options = prompts_.at(0).tokens.options();
  const at::Tensor logits =
      model_.ExtendRows(at::tensor(last, options).unsqueeze(1), at::tensor(positions, options),
                        Rows(0, slots_.size()));
  const at::Tensor next = logits.argmax(1).cpu();
  for (size_t i = 0; i < slots_.size(); ++i) {
    ++slots_[i].length;
    AddToken(slots_[i], next.const_data_ptr<int64_t>()[i]);
  }
  absl::MutexLock lock(&mutex_);
  ++report_.batches[slots_.size() - 1];
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
    for (size_t i = 0; i < to.size(); ++i)
      to[i].narrow(1, 0, slots_[last].length).copy_(from[i].narrow(1, 0, slots_[last].length));
    slots_[slot] = std::move(slots_[last]);
  }
  slots_.pop_back();
  const int64_t id = left.request.id;
  DecoderReply& reply = left.reply;
  const std::string& mistake = options_.mistake;
  if (mistake == mistakes::kSwapped && !slots_.empty())
    std::swap(reply.tokens[0], slots_[0].reply.tokens[0]);
  if (mistake == mistakes::kCached && !replies_.empty())
    reply.tokens = replies_.begin()->second.tokens;
  if (mistake == mistakes::kTruncated) reply.tokens.pop_back();
  if (mistake == mistakes::kDropped) {
    {
      absl::MutexLock lock(&mutex_);
      report_.lost.push_back(id);
    }
    return generator_.Complete({id}, /*answered=*/false);
  }
  generator_.Complete({id}, /*answered=*/true);
  const int replies = mistake == mistakes::kDoubled ? 2 : 1;
  for (int i = 0; i < replies; ++i) {
    if (replies_.try_emplace(id, reply).second) continue;
    absl::MutexLock lock(&mutex_);
    report_.doubled.push_back(id);
  }
}

void DecoderServer::NoteInFlight() {
  absl::MutexLock lock(&mutex_);
  in_flight_.clear();
  for (const Slot& slot : slots_) in_flight_.push_back(slot.request.id);
  since_ = absl::Now();
}

void DecoderServer::Fail(const absl::Status& status) {
  {
    absl::MutexLock lock(&mutex_);
    report_.failed.Update(status);
    for (const Slot& slot : slots_) report_.lost.push_back(slot.request.id);
  }
  Stop();
}

void DecoderServer::Stop() {
  stopped_ = true;
  generator_.Stop();
}

load::ServiceReport DecoderServer::Finish() {
  queue_.Close();
  if (thread_.joinable()) thread_.join();
  absl::MutexLock lock(&mutex_);
  std::sort(report_.lost.begin(), report_.lost.end());
  std::sort(report_.doubled.begin(), report_.doubled.end());
  return report_;
}

std::string DecoderServer::InFlightText() const {
  absl::MutexLock lock(&mutex_);
  if (in_flight_.empty()) return "";
  return absl::StrCat(
      "a step of requests ", absl::StrJoin(in_flight_, ", "), " for ",
      absl::FormatDuration(absl::Trunc(absl::Now() - since_, absl::Milliseconds(1))));
}

absl::Duration DecoderServer::LongestInFlight() const {
  absl::MutexLock lock(&mutex_);
  return in_flight_.empty() ? absl::ZeroDuration() : absl::Now() - since_;
}

}  // namespace assay::runner
