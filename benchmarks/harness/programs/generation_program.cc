#include "benchmarks/harness/programs/generation_program.h"

#include <ATen/ops/stack.h>

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "defs/case/case_steps.h"

namespace assay::execution {
namespace {

constexpr std::string_view kStalePosition = "stale_position";
constexpr std::string_view kLostKey = "lost_key";

// The places of the outputs of defs/case/generation_outputs.h.
enum Place { kFirst, kBetween, kLast };

// Without the continuation, which comes last.
TensorsRef OfModel(TensorsRef inputs) { return inputs.slice(0, inputs.size() - 1); }

Tensors AsOutputs(const Tensors& logits) {
  const Tensors between(logits.begin() + 1, logits.end() - 1);
  return {logits.front(), at::stack(between, 1), logits.back()};
}

}  // namespace

size_t PlaceOfPrompt(const ModelImplementation& implementation, const Workload& workload) {
  const auto& inputs = workload.inputs();
  const auto prompt = absl::c_find_if(
      inputs, [&](const TensorSpec& input) { return input.name() == implementation.continued(); });
  return prompt == inputs.end() ? 0 : prompt - inputs.begin();
}

absl::StatusOr<std::unique_ptr<Program>> GenerationProgram::Make(
    std::unique_ptr<models::Model> model, const ModelImplementation& implementation,
    const Workload& workload, const Generation& generation) {
  auto* generator = dynamic_cast<models::Generator*>(model.get());
  if (generator == nullptr) {
    return absl::UnimplementedError(
        absl::StrCat("implementation ", implementation.name(),
                     " does not generate: its code has no models::Generator"));
  }
  return std::unique_ptr<Program>(new GenerationProgram(std::move(model), *generator,
                                                        PlaceOfPrompt(implementation, workload),
                                                        generation.new_tokens()));
}

void GenerationProgram::To(at::Device device, at::ScalarType dtype) {
  cache_.clear();
  model_.To(device, dtype);
}

void GenerationProgram::MakeCache(TensorsRef inputs) {
  std::vector<std::vector<int64_t>> shapes;
  for (const at::Tensor& input : inputs) shapes.push_back(input.sizes().vec());
  if (!cache_.empty() && shapes == shapes_) return;
  const int64_t capacity = PromptTokens(inputs) + inputs.back().size(1);
  cache_ = generator_.NewCache(OfModel(inputs), capacity);
  shapes_ = std::move(shapes);
}

at::Tensor GenerationProgram::Prefill(TensorsRef inputs) {
  at::Tensor logits = generator_.Prefill(OfModel(inputs), cache_);
  if (mistake_ == kLostKey) {
    for (const at::Tensor& tensor : cache_) tensor.select(1, PromptTokens(inputs) - 1).zero_();
  }
  return logits;
}

at::Tensor GenerationProgram::Decode(const at::Tensor& token, int64_t prompt, int64_t number) {
  const bool stale = mistake_ == kStalePosition && number == new_tokens_ - 1;
  return generator_.Extend(token, prompt + number - 1 - (stale ? 1 : 0), cache_);
}

Tensors GenerationProgram::Forced(TensorsRef inputs, int64_t count) {
  Tensors logits = {Prefill(inputs)};
  for (int64_t number = 1; number < count; ++number)
    logits.push_back(Decode(inputs.back().narrow(1, number - 1, 1), PromptTokens(inputs), number));
  return logits;
}

Tensors GenerationProgram::Likeliest(TensorsRef inputs) {
  at::Tensor logits = Prefill(inputs);
  Tensors tokens = {logits.argmax(1)};
  for (int64_t number = 1; number < new_tokens_; ++number) {
    logits = Decode(tokens.back().unsqueeze(1), PromptTokens(inputs), number);
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

bool GenerationProgram::VerifiesAsTimed(Step step) const { return step == steps::kPrefill; }

void GenerationProgram::BeginVerified(Step step, TensorsRef inputs) {
  Begin(step, inputs);
  forced_ = true;
}

Tensors GenerationProgram::Call(Step step, TensorsRef inputs) {
  if (step == steps::kPrefill) return {Prefill(inputs)};
  if (step == steps::kDecode)
    return {
        Decode(inputs.back().narrow(1, new_tokens_ - 2, 1), PromptTokens(inputs), new_tokens_ - 1)};
  return forced_ ? AsOutputs(Forced(inputs, new_tokens_)) : Likeliest(inputs);
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
