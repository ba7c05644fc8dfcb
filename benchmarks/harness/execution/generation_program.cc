#include "benchmarks/harness/execution/generation_program.h"

#include <ATen/ops/stack.h>

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "defs/case_steps.h"

namespace assay::execution {
namespace {

constexpr std::string_view kStalePosition = "stale_position";
constexpr std::string_view kLostKey = "lost_key";

// The places of the outputs of defs/generation_outputs.h.
enum Place { kFirst, kBetween, kLast };

Tensors AsOutputs(const Tensors& logits) {
  const Tensors between(logits.begin() + 1, logits.end() - 1);
  return {logits.front(), at::stack(between, 1), logits.back()};
}

}  // namespace

absl::StatusOr<std::unique_ptr<Program>> GenerationProgram::Make(
    std::unique_ptr<models::Model> model, const ResolvedCase& c) {
  auto* generator = dynamic_cast<models::Generator*>(model.get());
  if (generator == nullptr) {
    return absl::UnimplementedError(
        absl::StrCat("implementation ", c.implementation().name(),
                     " does not generate: its code has no models::Generator"));
  }
  return std::unique_ptr<Program>(new GenerationProgram(
      std::move(model), *generator, c.benchmark_case().generation().new_tokens()));
}

void GenerationProgram::To(at::Device device, at::ScalarType dtype) {
  cache_.clear();
  model_.To(device, dtype);
}

void GenerationProgram::MakeCache(TensorsRef inputs) {
  const int64_t rows = inputs[0].size(0), capacity = inputs[0].size(1) + inputs[1].size(1);
  if (cache_.empty() || cache_[0].size(0) != rows || cache_[0].size(1) != capacity)
    cache_ = generator_.NewCache(rows, capacity);
}

at::Tensor GenerationProgram::Prefill(const at::Tensor& prompt) {
  at::Tensor logits = generator_.Extend(prompt, 0, cache_);
  if (mistake_ == kLostKey) {
    for (const at::Tensor& tensor : cache_) tensor.select(1, prompt.size(1) / 2).zero_();
  }
  return logits;
}

at::Tensor GenerationProgram::Decode(const at::Tensor& token, int64_t prompt, int64_t number) {
  const bool stale = mistake_ == kStalePosition && number == new_tokens_ - 1;
  return generator_.Extend(token, prompt + number - 1 - (stale ? 1 : 0), cache_);
}

Tensors GenerationProgram::Forced(TensorsRef inputs, int64_t count) {
  Tensors logits = {Prefill(inputs[0])};
  for (int64_t number = 1; number < count; ++number)
    logits.push_back(Decode(inputs[1].narrow(1, number - 1, 1), inputs[0].size(1), number));
  return logits;
}

Tensors GenerationProgram::Likeliest(const at::Tensor& prompt) {
  at::Tensor logits = Prefill(prompt);
  Tensors tokens = {logits.argmax(1)};
  for (int64_t number = 1; number < new_tokens_; ++number) {
    logits = Decode(tokens.back().unsqueeze(1), prompt.size(1), number);
    tokens.push_back(logits.argmax(1));
  }
  return {at::stack(tokens, 1), logits};
}

Tensors GenerationProgram::Outputs(TensorsRef inputs) {
  MakeCache(inputs);
  return AsOutputs(Forced(inputs, new_tokens_));
}

void GenerationProgram::Begin(Step step, TensorsRef inputs) {
  forced_ = false;
  MakeCache(inputs);
  if (step == steps::kDecode) Forced(inputs, new_tokens_ - 1);
}

void GenerationProgram::BeginVerified(Step step, TensorsRef inputs) {
  Begin(step, inputs);
  forced_ = true;
}

Tensors GenerationProgram::Call(Step step, TensorsRef inputs) {
  if (step == steps::kPrefill) return {Prefill(inputs[0])};
  if (step == steps::kDecode)
    return {Decode(inputs[1].narrow(1, new_tokens_ - 2, 1), inputs[0].size(1), new_tokens_ - 1)};
  return forced_ ? AsOutputs(Forced(inputs, new_tokens_)) : Likeliest(inputs[0]);
}

std::vector<VerifiedOutput> GenerationProgram::Verified(Step step, Tensors returned) {
  return InPlaces(std::move(returned), step == steps::kDecode ? kLast : kFirst);
}

std::vector<std::string> GenerationProgram::Mistakes() const {
  std::vector<std::string> mistakes = model_.Mistakes();
  mistakes.emplace_back(kStalePosition);
  mistakes.emplace_back(kLostKey);
  return mistakes;
}

void GenerationProgram::MakeMistake(std::string_view mistake) {
  if (mistake == kStalePosition || mistake == kLostKey) {
    mistake_ = mistake;
  } else {
    model_.MakeMistake(mistake);
  }
}

}  // namespace assay::execution
