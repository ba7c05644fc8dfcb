#include "benchmarks/harness/runner/serving/served_prompts.h"

#include <ATen/ops/full.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
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

// The length that the arrival of a request asks for, or where it asks for none, one that is drawn: `least` or a
// quarter of `most`, to `most`.
absl::StatusOr<int64_t> LengthOf(std::string_view what, int64_t request, int64_t asked,
                                 int64_t least, int64_t most, const PhiloxStream& drawn) {
  if (asked == 0) {
    const int64_t low = std::max(least, most / 4);
    return low +
           static_cast<int64_t>(PhiloxStream::Integer(drawn.Word(static_cast<uint64_t>(request)),
                                                      static_cast<uint64_t>(most - low + 1)));
  }
  if (asked >= least && asked <= most) return asked;
  return absl::InvalidArgumentError(absl::StrCat(
      "--arrivals: request ", request, " has ", what, " of ", asked, " tokens; this case takes ",
      least == most ? "exactly " : "1 to ", most, "; take another case, or leave the length out"));
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
  const std::vector<load::Arrival>& arrivals = given.settings.load.arrivals;
  absl::Status fits =
      CheckFits(arrivals.empty() ? "--samples" : "--arrivals", count, RowBytes(given.c), given);
  if (!fits.ok()) return fits;
  const absl::StatusOr<Workload> all = OfBatch(given.c, count, given.request.device);
  if (!all.ok()) return all.status();
  absl::StatusOr<execution::Tensors> inputs =
      execution::SeededInputs(*all, b.dtype(), b.seed(), given.request.device);
  if (!inputs.ok()) return inputs.status();
  inputs->pop_back();  // the continuation
  const size_t place = execution::PlaceOfPrompt(given.c.implementation(), given.c.measured());
  const int64_t most = inputs->at(place).size(1), new_tokens = b.generation().new_tokens();
  const int64_t least = inputs->size() > 1 ? most : 1;
  ServedPrompts served;
  served.capacity_ = most + new_tokens;
  served.tie_ = 2 * b.verify().max_limit();
  for (const at::Tensor& input : *inputs) served.widest_.push_back(input.narrow(0, 0, 1));
  double slot_bytes = 0;
  const absl::Status made = base::CatchTorch("making a cache of one slot", [&] {
    for (const at::Tensor& tensor : served.NewCache(model, 1))
      slot_bytes += static_cast<double>(tensor.nbytes());
  });
  if (!made.ok()) return made;
  fits = CheckFits("--max-batch", given.max_batch, slot_bytes, given);
  if (!fits.ok()) return fits;
  const uint64_t seed = given.settings.load.seed;
  const PhiloxStream drawn(seed, "prompt lengths"), drawn_replies(seed, "reply lengths");
  const absl::StatusOr<absl::Duration> alone = ComputeAlone(given, count, [&](int64_t i) {
    const load::Arrival asked =
        arrivals.empty() ? load::Arrival() : arrivals.at(static_cast<size_t>(i));
    const absl::StatusOr<int64_t> length =
        LengthOf("a prompt", i, asked.prompt_tokens, least, most, drawn);
    const absl::StatusOr<int64_t> reply =
        LengthOf("a reply", i, asked.reply_tokens, 1, new_tokens, drawn_replies);
    if (!length.ok() || !reply.ok()) return length.ok() ? reply.status() : length.status();
    ServedPrompt& prompt = served.prompts_.emplace_back();
    return base::CatchTorch("generating after a prompt alone", [&] {
      const c10::InferenceMode inference;
      for (const at::Tensor& input : *inputs)
        prompt.inputs.push_back(input.narrow(0, i, 1).contiguous());
      at::Tensor& cut = prompt.inputs[place];
      prompt.tokens = cut = cut.narrow(1, 0, *length).contiguous();
      Generate(model, *reply, prompt);
    });
  });
  if (!alone.ok()) return alone.status();
  served.time_alone_ = *alone;
  return served;
}

std::vector<at::Tensor> ServedPrompts::NewCache(models::Generator& model, int64_t rows) const {
  execution::Tensors inputs;
  for (const at::Tensor& input : widest_) {
    std::vector<int64_t> sizes = input.sizes().vec();
    sizes[0] = rows;
    inputs.push_back(input.expand(sizes));
  }
  return model.NewCache(inputs, capacity_);
}

OutputDifference ServedPrompts::Compare(int64_t sample, const std::vector<int64_t>& tokens,
                                        const std::vector<double>& scores,
                                        models::Generator& model) const {
  const ServedPrompt& prompt = at(sample);
  OutputDifference off;
  const auto wrong = [&off](std::string why) {
    off.bit_equal = off.within_limits = false;
    off.text = std::move(why);
  };
  if (tokens.size() != prompt.alone.size() || scores.size() != tokens.size()) {
    wrong(absl::StrCat(tokens.size(), " tokens and not ", prompt.alone.size()));
    return off;
  }
  const auto compare_score = [&](size_t place, double alone) {
    if (off.within_limits && std::abs(scores[place] - alone) > tie_) {
      wrong(absl::StrCat("token ", tokens[place], " at place ", place, " with a score of ",
                         scores[place], ", and alone it is ", alone, ", limit ", tie_));
    }
  };
  if (tokens == prompt.alone) {
    for (size_t i = 0; i < tokens.size(); ++i) compare_score(i, prompt.scores[i]);
    return off;
  }
  off.bit_equal = false;
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
      compare_score(place, TopScores(logits.unsqueeze(0)).item<double>());
      if (behind > tie_) {
        wrong(absl::StrCat("token ", token, " at place ", place,
                           ", which is behind the likeliest by ", behind,
                           " standard deviations of the logits, limit ", tie_));
      }
      ++place;
      return off.within_limits ? std::optional<int64_t>(token) : std::nullopt;
    });
  });
  if (!followed.ok()) wrong(std::string(followed.message()));
  return off;
}

}  // namespace assay::runner
