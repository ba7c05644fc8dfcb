// A decoder under load.
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/programs/generation_program.h"
#include "benchmarks/harness/runner/serving/decoder_server.h"
#include "benchmarks/harness/runner/serving/served_checks.h"
#include "benchmarks/harness/runner/serving/served_prompts.h"
#include "benchmarks/harness/runner/serving/served_samples.h"
#include "benchmarks/harness/runner/serving/served_subject.h"
#include "benchmarks/harness/runner/serving/serving_settings.h"
#include "defs/case/execution_names.h"

namespace assay::runner {
namespace {

void AddTimesOfTokens(std::vector<int64_t> times,
                      google::protobuf::RepeatedPtrField<LatencyPercentile>& to) {
  std::sort(times.begin(), times.end());
  AddPercentiles(times, {0.5, 0.9, 0.99}, to);
}

class PromptSubject final : public ServedSubject {
 public:
  PromptSubject(const ServedCase& given, models::Generator& model, int64_t slots, int threads,
                ServedPrompts prompts)
      : given_(given),
        model_(model),
        slots_(slots),
        threads_(threads),
        prompts_(std::move(prompts)) {}

  int64_t samples() const override { return prompts_.count(); }
  absl::Duration time_alone() const override { return prompts_.time_alone(); }
  int at_once() const override { return 1; }

  std::unique_ptr<load::Server> NewServer(load::LoadGenerator& generator) override {
    replies_.clear();
    return std::make_unique<DecoderServer>(
        prompts_, model_,
        DecoderOptions{.slots = slots_, .threads = threads_, .mistake = given_.mistake}, generator,
        replies_);
  }

  ReplyVerdict Judge() override {
    ReplyVerdict verdict;
    for (const auto& [id, reply] : replies_) {
      const PromptVerdict of = prompts_.Compare(reply.sample, reply.tokens, reply.scores, model_);
      if (of.tokens == TokensAre::kEqual) ++verdict.equal;
      if (of.tokens == TokensAre::kTied) ++verdict.close;
      if (of.tokens != TokensAre::kWrong) continue;
      ++verdict.wrong;
      verdict.NoteWrong(id, reply.sample, of.reason);
    }
    return verdict;
  }

  void AddTo(const load::LoadResult& result, Served& served) const override {
    std::vector<int64_t> first, each, between;
    int64_t tokens = 0, good = 0;
    for (const load::RequestTimes& request : result.requests) {
      const auto found = replies_.find(request.id);
      if (found == replies_.end()) continue;
      const std::vector<int64_t>& at = found->second.at_ns;
      const auto count = static_cast<int64_t>(at.size());
      tokens += count;
      first.push_back(at.front() - request.intended);
      for (size_t i = 1; i < at.size(); ++i) between.push_back(at[i] - at[i - 1]);
      int64_t of_each = 0;
      if (count > 1) each.push_back(of_each = (at.back() - at.front()) / (count - 1));
      if (Keeps(request.done - request.intended, first.back(), of_each)) ++good;
    }
    served.set_tokens(tokens);
    if (served.duration_s() > 0) {
      served.set_tokens_per_s(static_cast<double>(tokens) / served.duration_s());
      if (HasBounds()) served.set_goodput(static_cast<double>(good) / served.duration_s());
    }
    AddTimesOfTokens(std::move(first), *served.mutable_first_token());
    AddTimesOfTokens(std::move(each), *served.mutable_per_token());
    AddTimesOfTokens(std::move(between), *served.mutable_between_tokens());
    PairsAlike alike;
    for (int64_t a = 0; a < prompts_.count(); ++a)
      for (int64_t b = 0; b < a; ++b, ++alike.looked_at)
        if (prompts_.at(a).alone == prompts_.at(b).alone) ++alike.found;
    AddAlike(alike, served);
  }

 private:
  bool HasBounds() const {
    const ServingSettings& s = given_.settings;
    return s.bound || s.first_token_bound || s.per_token_bound;
  }

  bool Keeps(int64_t whole, int64_t first, int64_t each) const {
    const ServingSettings& s = given_.settings;
    constexpr absl::Duration kNone = absl::InfiniteDuration();
    return absl::Nanoseconds(whole) <= (s.bound ? s.bound->bound : kNone) &&
           absl::Nanoseconds(first) <= s.first_token_bound.value_or(kNone) &&
           absl::Nanoseconds(each) <= s.per_token_bound.value_or(kNone);
  }

  const ServedCase& given_;
  models::Generator& model_;
  const int64_t slots_;
  const int threads_;
  const ServedPrompts prompts_;
  std::map<int64_t, DecoderReply> replies_;  // of the last server, by request
};

// Bytes of a slot's cache.
absl::StatusOr<double> SlotBytes(const ResolvedCase& c, models::Generator& model) {
  double bytes = 0;
  const absl::Status made = base::CatchTorch("making a cache of one slot", [&] {
    std::vector<at::Tensor> row;
    for (int i = 0; i < c.implementation().inputs_size(); ++i) {
      const auto& shape = c.measured().inputs(i).shape();
      std::vector<int64_t> sizes(shape.begin(), shape.end());
      sizes[0] = 1;
      row.push_back(at::zeros(sizes, at::kLong));
    }
    const int64_t capacity =
        row[execution::PlaceOfPrompt(c.implementation(), c.measured())].size(1) +
        c.benchmark_case().generation().new_tokens();
    for (const at::Tensor& tensor : model.NewCache(row, capacity))
      bytes += static_cast<double>(tensor.nbytes());
  });
  if (!made.ok()) return made;
  return bytes;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ServedSubject>> MakePromptSubject(const ServedCase& given,
                                                                 int64_t slots, int threads) {
  const Execution& execution = given.c.benchmark_case().execution();
  auto* const program = dynamic_cast<execution::GenerationProgram*>(&given.executable.program());
  if (program == nullptr || BackendName(execution) != "eager" ||
      execution.autocast() != DTYPE_UNSPECIFIED) {
    return absl::InvalidArgumentError(
        "--scenario: decoders are served by the back end eager without autocast; leave --backend "
        "and --autocast out");
  }
  if (given.settings.max_wait > absl::ZeroDuration()) {
    return absl::InvalidArgumentError(
        "--max-wait: a prompt joins the others as soon as a slot is free; leave it out");
  }
  if (given.settings.workers > 1) {
    return absl::InvalidArgumentError(
        "--workers: a decoder has one table of slots, and one worker; give --threads and "
        "--max-batch");
  }
  // Generating after a prompt takes long, and as many tell the replies of neighbours apart.
  constexpr int64_t kMostDrawn = 64;
  const ServingSettings& settings = given.settings;
  const auto& arrivals = settings.arrivals;
  const int64_t count = !arrivals.empty()        ? static_cast<int64_t>(arrivals.size())
                        : settings.samples_given ? settings.samples
                                                 : std::clamp<int64_t>(2 * slots, 16, kMostDrawn);
  const absl::StatusOr<double> slot_bytes = SlotBytes(given.c, program->generator());
  if (!slot_bytes.ok()) return slot_bytes.status();
  absl::Status fits = CheckFits("--max-batch", slots, *slot_bytes, given);
  if (fits.ok())
    fits =
        CheckFits(arrivals.empty() ? "--samples" : "--arrivals", count, RowBytes(given.c), given);
  if (!fits.ok()) return fits;
  absl::StatusOr<ServedPrompts> prompts = ServedPrompts::Make(given, program->generator(), count);
  if (!prompts.ok()) return prompts.status();
  return std::make_unique<PromptSubject>(given, program->generator(), slots, threads,
                                         *std::move(prompts));
}

}  // namespace assay::runner
