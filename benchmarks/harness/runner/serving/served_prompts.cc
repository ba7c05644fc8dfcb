#include "benchmarks/harness/runner/serving/served_prompts.h"

#include <ATen/ops/full.h>
#include <ATen/ops/topk.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/steady_time.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/configuration/with_call_flags.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/programs/seeded_program.h"
#include "defs/case/philox.h"

namespace assay::runner {
namespace {

// A quarter to all of `most`, one at least.
int64_t Length(const PhiloxStream& stream, uint64_t number, int64_t most) {
  const int64_t least = std::max<int64_t>(1, most / 4);
  return least + static_cast<int64_t>(PhiloxStream::Integer(
                     stream.Word(number), static_cast<uint64_t>(most - least + 1)));
}

void Keep(const at::Tensor& logits, ServedPrompt& prompt) {
  const auto [best, places] = at::topk(logits[0].to(at::kDouble), 2);
  const double std = logits.to(at::kDouble).std(/*unbiased=*/false).item<double>();
  prompt.alone.push_back(places[0].item<int64_t>());
  prompt.margins.push_back((best[0] - best[1]).item<double>() / std);
}

void Generate(models::Generator& model, int64_t new_tokens, ServedPrompt& prompt) {
  const int64_t length = prompt.tokens.size(1);
  const execution::Tensors cache = model.NewCache({prompt.tokens}, length + new_tokens);
  Keep(model.Prefill({prompt.tokens}, cache), prompt);
  for (int64_t i = 1; i < new_tokens; ++i) {
    const at::Tensor last = at::full({1, 1}, prompt.alone.back(), prompt.tokens.options());
    Keep(model.Extend(last, length + i - 1, cache), prompt);
  }
}

}  // namespace

absl::StatusOr<ServedPrompts> ServedPrompts::Make(const ResolvedCase& c, models::Generator& model,
                                                  at::Device device, int64_t count, uint64_t seed) {
  const BenchmarkCase& b = c.benchmark_case();
  if (!model.ExtendsRows() || c.implementation().inputs_size() != 1) {
    return absl::InvalidArgumentError(
        "--scenario: the rows of this case's model stand at one position, so requests cannot join "
        "and leave one by one. The decoders of the families llama and gpt2 can be served");
  }
  const absl::StatusOr<ResolvedCase> all = configuration::WithCallFlags(
      c, {.batch = count}, configuration::Comparison::kNone, device.is_cuda() ? CUDA : CPU);
  if (!all.ok()) return all.status();
  const absl::StatusOr<execution::Tensors> inputs =
      execution::SeededInputs(all->measured(), b.dtype(), b.seed(), device);
  if (!inputs.ok()) return inputs.status();
  ServedPrompts served;
  const at::Tensor& tokens = inputs->at(0);
  const int64_t most = tokens.size(1), new_tokens = b.generation().new_tokens();
  served.capacity_ = most + new_tokens;
  served.tie_ = 2 * b.verify().max_limit();
  const PhiloxStream lengths(seed, "prompt lengths"), replies(seed, "reply lengths");
  std::vector<absl::Duration> times;
  for (int64_t i = 0; i < count; ++i) {
    ServedPrompt prompt;
    const auto number = static_cast<uint64_t>(i);
    const absl::Duration start = base::SteadyNow();
    const absl::Status generated = base::CatchTorch("generating after a prompt alone", [&] {
      const c10::InferenceMode inference;
      prompt.tokens =
          tokens.narrow(0, i, 1).narrow(1, 0, Length(lengths, number, most)).contiguous();
      Generate(model, Length(replies, number, new_tokens), prompt);
    });
    if (!generated.ok()) return generated;
    times.push_back(base::SteadyNow() - start);
    served.prompts_.push_back(std::move(prompt));
  }
  std::nth_element(times.begin(), times.begin() + static_cast<int64_t>(times.size() / 2),
                   times.end());
  served.time_alone_ = times[times.size() / 2];
  return served;
}

PromptVerdict ServedPrompts::Compare(int64_t sample, const std::vector<int64_t>& tokens) const {
  const ServedPrompt& prompt = at(sample);
  if (tokens.size() != prompt.alone.size()) {
    return {TokensAre::kWrong,
            absl::StrCat("has ", tokens.size(), " tokens and not ", prompt.alone.size())};
  }
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i] == prompt.alone[i]) continue;
    if (prompt.margins[i] <= tie_) return {TokensAre::kTied};
    return {TokensAre::kWrong,
            absl::StrCat("has token ", tokens[i], " at place ", i, ", and alone it is ",
                         prompt.alone[i], ", ahead of the next likeliest by ", prompt.margins[i],
                         " standard deviations")};
  }
  return {};
}

}  // namespace assay::runner
