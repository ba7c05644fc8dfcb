#include "benchmarks/harness/runner/serving/served_prompts.h"

#include <ATen/ops/full.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/programs/generation_program.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "benchmarks/harness/runner/serving/served_samples.h"
#include "benchmarks/harness/runner/serving/serving_settings.h"
#include "defs/case/philox.h"

namespace assay::runner {
namespace {

// A quarter to all of `most`, one at least.
int64_t Length(const PhiloxStream& stream, uint64_t number, int64_t most) {
  const int64_t least = std::max<int64_t>(1, most / 4);
  return least + static_cast<int64_t>(PhiloxStream::Integer(
                     stream.Word(number), static_cast<uint64_t>(most - least + 1)));
}

// Calls `next` with the logits of each new token, (words), to learn which one follows; nothing ends it.
template <typename Next>
void Follow(models::Generator& model, const ServedPrompt& prompt, int64_t new_tokens, Next next) {
  const int64_t length = prompt.tokens.size(1);
  const execution::Tensors cache = model.NewCache(prompt.inputs, length + new_tokens);
  at::Tensor logits = model.Prefill(prompt.inputs, cache);
  for (int64_t i = 0; i < new_tokens; ++i) {
    const std::optional<int64_t> token = next(logits[0]);
    if (!token) return;
    if (i + 1 < new_tokens)
      logits = model.Extend(at::full({1, 1}, *token, prompt.tokens.options()), length + i, cache);
  }
}

void Generate(models::Generator& model, int64_t new_tokens, ServedPrompt& prompt) {
  Follow(model, prompt, new_tokens, [&prompt](const at::Tensor& logits) {
    prompt.alone.push_back(logits.argmax().item<int64_t>());
    prompt.scores.push_back(TopScores(logits.unsqueeze(0)).item<double>());
    return prompt.alone.back();
  });
}

}  // namespace

at::Tensor TopScores(const at::Tensor& logits) {
  const at::Tensor wide = logits.to(at::kDouble);
  return ((wide.amax(1) - wide.mean(1)) / wide.std(1, /*unbiased=*/false)).cpu();
}

absl::StatusOr<ServedPrompts> ServedPrompts::Make(const ServedCase& given, models::Generator& model,
                                                  int64_t count) {
  const BenchmarkCase& b = given.c.benchmark_case();
  const absl::StatusOr<Workload> all = OfBatch(given.c, count, given.request.device);
  if (!all.ok()) return all.status();
  absl::StatusOr<execution::Tensors> inputs =
      execution::SeededInputs(*all, b.dtype(), b.seed(), given.request.device);
  if (!inputs.ok()) return inputs.status();
  inputs->pop_back();  // the continuation
  const bool whole = inputs->size() > 1;
  ServedPrompts served;
  const size_t place = execution::PlaceOfPrompt(given.c.implementation(), given.c.measured());
  const int64_t most = inputs->at(place).size(1), new_tokens = b.generation().new_tokens();
  served.capacity_ = most + new_tokens;
  served.tie_ = 2 * b.verify().max_limit();
  const uint64_t seed = given.settings.seed;
  const PhiloxStream drawn(seed, "prompt lengths"), drawn_replies(seed, "reply lengths");
  const absl::StatusOr<absl::Duration> alone = ComputeAlone(given, count, [&](int64_t i) {
    const auto number = static_cast<uint64_t>(i);
    const std::vector<load::Arrival>& arrivals = given.settings.arrivals;
    const load::Arrival asked = arrivals.empty() ? load::Arrival() : arrivals.at(number);
    int64_t length = asked.prompt_tokens, reply = asked.reply_tokens;
    for (const auto& [what, tokens, held] :
         {std::tuple{"a prompt", length, most}, {"a reply", reply, new_tokens}}) {
      if (tokens <= held) continue;
      return absl::InvalidArgumentError(absl::StrCat("--arrivals: request ", i, " has ", what,
                                                     " of ", tokens, " tokens, and the case holds ",
                                                     held, "; take a case with more"));
    }
    if (whole && length != 0 && length != most) {
      return absl::InvalidArgumentError(
          absl::StrCat("--arrivals: request ", i, " has a prompt of ", length,
                       " tokens, and each of this case has ", most,
                       ", since it has other inputs beside it; leave input_length out"));
    }
    if (length == 0) length = whole ? most : Length(drawn, number, most);
    if (reply == 0) reply = Length(drawn_replies, number, new_tokens);
    ServedPrompt& prompt = served.prompts_.emplace_back();
    return base::CatchTorch("generating after a prompt alone", [&] {
      const c10::InferenceMode inference;
      for (const at::Tensor& input : *inputs)
        prompt.inputs.push_back(input.narrow(0, i, 1).contiguous());
      at::Tensor& cut = prompt.inputs[place];
      prompt.tokens = cut = cut.narrow(1, 0, length).contiguous();
      Generate(model, reply, prompt);
    });
  });
  if (!alone.ok()) return alone.status();
  served.time_alone_ = *alone;
  return served;
}

PromptVerdict ServedPrompts::Compare(int64_t sample, const std::vector<int64_t>& tokens,
                                     const std::vector<double>& scores,
                                     models::Generator& model) const {
  const ServedPrompt& prompt = at(sample);
  if (tokens.size() != prompt.alone.size() || scores.size() != tokens.size()) {
    return {TokensAre::kWrong,
            absl::StrCat("has ", tokens.size(), " tokens and not ", prompt.alone.size())};
  }
  const auto scored = [&](size_t place, double alone) -> PromptVerdict {
    if (std::abs(scores[place] - alone) <= tie_) return {};
    return {TokensAre::kWrong,
            absl::StrCat("has token ", tokens[place], " at place ", place, " with a score of ",
                         scores[place], ", and alone it is ", alone, ", limit ", tie_)};
  };
  PromptVerdict verdict;
  if (tokens == prompt.alone) {
    for (size_t i = 0; i < tokens.size() && verdict.tokens == TokensAre::kEqual; ++i)
      verdict = scored(i, prompt.scores[i]);
    return verdict;
  }
  verdict.tokens = TokensAre::kTied;
  size_t place = 0;
  const absl::Status followed = base::CatchTorch("following a reply", [&] {
    const c10::InferenceMode inference;
    const auto count = static_cast<int64_t>(tokens.size());
    Follow(model, prompt, count, [&](const at::Tensor& logits) -> std::optional<int64_t> {
      const at::Tensor wide = logits.to(at::kDouble);
      const int64_t token = tokens[place];
      const bool known = token >= 0 && token < wide.size(0);
      const double behind = known ? (wide.max() - wide[token]).item<double>() /
                                        wide.std(/*unbiased=*/false).item<double>()
                                  : std::numeric_limits<double>::infinity();
      const PromptVerdict of = scored(place, TopScores(logits.unsqueeze(0)).item<double>());
      if (of.tokens == TokensAre::kWrong) verdict = of;
      if (behind > tie_) {
        verdict = {TokensAre::kWrong,
                   absl::StrCat("has token ", token, " at place ", place,
                                ", which is behind the likeliest by ", behind,
                                " standard deviations of the logits, limit ", tie_)};
      }
      ++place;
      if (verdict.tokens == TokensAre::kWrong) return std::nullopt;
      return token;
    });
  });
  if (!followed.ok()) return {TokensAre::kWrong, std::string(followed.message())};
  return verdict;
}

}  // namespace assay::runner
