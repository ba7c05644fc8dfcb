// A decoder under load.
#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
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

class PromptSubject final : public ServedSubject {
 public:
  PromptSubject(const ServedCase& given, models::Generator& model, ServedPrompts prompts)
      : given_(given), model_(model), prompts_(std::move(prompts)) {}

  int64_t samples() const override { return prompts_.count(); }
  absl::Duration time_alone() const override { return prompts_.time_alone(); }

  std::unique_ptr<load::Server> NewServer(load::LoadGenerator& generator) override {
    replies_.clear();
    return std::make_unique<DecoderServer>(given_, prompts_, model_, generator, replies_);
  }

  ReplyVerdict Judge() override {
    ReplyVerdict verdict;
    for (const auto& [id, reply] : replies_) {
      verdict.Add(1, id, reply.sample,
                  prompts_.Compare(reply.sample, reply.tokens, reply.scores, model_));
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
      if (HasBound()) served.set_goodput(static_cast<double>(good) / served.duration_s());
    }
    AddPercentiles(std::move(first), {0.5, 0.9, 0.99}, *served.mutable_first_token());
    AddPercentiles(std::move(each), {0.5, 0.9, 0.99}, *served.mutable_per_token());
    AddPercentiles(std::move(between), {0.5, 0.9, 0.99}, *served.mutable_between_tokens());
    AddAlike(PairsAlike::Among(prompts_.count(),
                               [this](int64_t a, int64_t b) {
                                 return prompts_.at(a).alone == prompts_.at(b).alone;
                               }),
             served);
  }

 private:
  bool HasBound() const { return !Keeps(kNever, kNever, kNever); }

  bool Keeps(int64_t whole, int64_t first, int64_t each) const {
    const ServingSettings& s = given_.settings;
    return absl::Nanoseconds(whole) <= s.load.bound.bound &&
           absl::Nanoseconds(first) <= s.first_token_bound &&
           absl::Nanoseconds(each) <= s.per_token_bound;
  }

  static constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  const ServedCase& given_;
  models::Generator& model_;
  const ServedPrompts prompts_;
  std::map<int64_t, DecoderReply> replies_;  // of the last server, by request
};

}  // namespace

absl::StatusOr<std::unique_ptr<ServedSubject>> MakePromptSubject(const ServedCase& given) {
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
  const auto arrivals = static_cast<int64_t>(given.settings.load.arrivals.size());
  // Generating after a prompt takes long, and as many tell the replies of neighbours apart.
  int64_t count = std::clamp<int64_t>(2 * given.max_batch, 16, 64);
  for (const int64_t asked : {arrivals, given.settings.samples})
    if (asked > 0) count = asked;
  absl::StatusOr<ServedPrompts> prompts = ServedPrompts::Make(given, program->generator(), count);
  if (!prompts.ok()) return prompts.status();
  return std::make_unique<PromptSubject>(given, program->generator(), *std::move(prompts));
}

}  // namespace assay::runner
