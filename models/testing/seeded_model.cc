#include "models/testing/seeded_model.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/record_function.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/generator.h"
#include "models/init.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr uint64_t kSeed = 0;
constexpr uint64_t kInputSeed = 1;  // not the numbers that the weights get

[[noreturn]] void Die(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::abort();
}

// models/init.h's formula, with LibTorch's numbers in place of the suite's.
at::Tensor Values(at::IntArrayRef shape, const Init& init, at::ScalarType dtype,
                  at::Generator generator) {
  at::Tensor u = at::rand(shape, std::move(generator), dtype);
  // In place: a large model's temporary tensors would take longer than its numbers.
  return u.mul_(2 * init.slope).add_(init.offset - init.slope).mul_(init.multiplier);
}

}  // namespace

std::unique_ptr<Model> CreateOrDie(std::string_view implementation, const Parameters& parameters) {
  absl::StatusOr<std::unique_ptr<Model>> model = Create(implementation, parameters);
  if (!model.ok()) Die(model.status().ToString());
  return *std::move(model);
}

void FillInFloat32(Model& model) {
  const at::Generator generator = at::detail::createCPUGenerator(kSeed);
  for (NamedTensor& entry : model.State()) {
    if (!entry.tensor.is_floating_point()) continue;
    entry.tensor.copy_(Values(entry.tensor.sizes(), entry.init, at::kFloat, generator));
  }
}

void FillInFloat64(Model& model) {
  FillInFloat32(model);
  model.To(at::kCPU, at::kDouble);
}

void SetFairseqSum(Model& model, double sum, double taken) {
  const auto fill = [&](std::string_view name, double number) {
    const std::string whole = absl::StrCat("model.encoder.layers.", std::string(name));
    Find(model, whole).select(0, 0).fill_(number);
  };
  // Each half is finite.
  fill("0.self_attn.out_proj.bias", sum / 2);
  fill("0.fc2.bias", sum / 2);
  fill("1.self_attn.out_proj.bias", -taken);
}

bool BecomesInFloat16(const Overflow& overflow, double sum, double becomes) {
  const auto outputs = [&](at::ScalarType dtype, double in, double taken) {
    const std::unique_ptr<Model> model = CreateOrDie(overflow.implementation, overflow.parameters);
    FillInFloat32(*model);
    overflow.set(*model, in, taken);
    model->To(at::kCPU, dtype);
    std::vector<at::Tensor> inputs = overflow.inputs;
    for (at::Tensor& input : inputs) {
      if (input.is_floating_point()) input = input.to(dtype);
    }
    return model->Forward(inputs)[0].to(at::kDouble);
  };
  constexpr double kLeft = 150;
  for (const double taken :
       {becomes - kLeft, becomes + kLeft, -becomes + kLeft, -becomes - kLeft}) {
    const double sign = taken > 0 ? 1 : -1;
    const at::Tensor wanted = outputs(at::kFloat, sign * becomes, taken);
    // The same, but what is left has the other sign.
    const at::Tensor wrong = outputs(at::kFloat, 2 * taken - sign * becomes, taken);
    const at::Tensor error = (outputs(at::kHalf, sign * sum, taken) - wanted).abs().max();
    // NaN is no number below the limit.
    if (!(error.item<double>() < 0.1 * (wrong - wanted).abs().max().item<double>())) return false;
  }
  return true;
}

at::Tensor Find(Model& model, std::string_view name) {
  for (const NamedTensor& entry : model.State()) {
    if (entry.name == name) return entry.tensor;
  }
  Die(absl::StrCat("no tensor \"", std::string(name), "\""));
}

at::Tensor SeededFloats(at::IntArrayRef shape) {
  return Values(shape, {.multiplier = std::sqrt(3.0), .offset = 0, .slope = 1}, at::kDouble,
                at::detail::createCPUGenerator(kInputSeed));
}

at::Tensor SeededIntegers(at::IntArrayRef shape, int64_t limit) {
  return at::randint(limit, shape, at::detail::createCPUGenerator(kInputSeed), at::kLong);
}

double LargestWordGradient(Model& model, std::string_view words, int64_t word,
                           const std::vector<at::Tensor>& others) {
  const at::Tensor table = Find(model, words).requires_grad_(true);
  table.mutable_grad().reset();
  std::vector<at::Tensor> inputs = {at::full({1, 4}, word, at::kLong)};
  inputs.insert(inputs.end(), others.begin(), others.end());
  const int64_t scored = (word + 1) % table.size(0);
  model.Forward(inputs)[0].select(-1, scored).sum().backward();
  return table.grad()[word].abs().max().item<double>();
}

std::set<std::string> OperatorsOf(Model& model, const std::vector<at::Tensor>& inputs) {
  static auto& called = *new std::set<std::string>;  // a callback has no state of its own
  called.clear();
  const at::CallbackHandle handle =
      at::addThreadLocalCallback(at::RecordFunctionCallback([](const at::RecordFunction& function) {
                                   called.insert(function.name());
                                   return std::unique_ptr<at::ObserverContext>();
                                 }).scopes({at::RecordScope::FUNCTION}));
  model.Forward(inputs);
  at::removeCallback(handle);
  return called;
}

std::string RowsApart(Model& model, const std::vector<at::Tensor>& inputs, size_t continued) {
  const at::Tensor& tokens = inputs[continued];
  const at::Tensor whole = model.Forward(inputs)[0];
  auto& generator = dynamic_cast<Generator&>(model);
  const std::vector<at::Tensor> cache = generator.NewCache(inputs, tokens.size(1));
  std::string wrong;
  const auto compare = [&](const at::Tensor& logits, int64_t row, int64_t position) {
    if (!at::allclose(logits, whole[row][position]))
      absl::StrAppend(&wrong, "row ", row, " differs at position ", position, "; ");
  };
  for (at::Tensor tensor : cache) tensor.zero_();
  for (const int64_t row : {0, 1}) {
    const int64_t prompt = 3 + 2 * row;
    std::vector<at::Tensor> of_row, rows;
    for (const at::Tensor& tensor : cache) rows.push_back(tensor.narrow(0, row, 1));
    for (const at::Tensor& input : inputs) {
      of_row.push_back(input.narrow(0, row, 1));
      if (input.sizes() == tokens.sizes()) of_row.back() = of_row.back().narrow(1, 0, prompt);
    }
    compare(generator.Prefill(of_row, rows)[0], row, prompt - 1);
  }
  for (int64_t step = 0; step < 3; ++step) {
    const at::Tensor positions = at::arange(2) * 2 + 3 + step;
    const at::Tensor next = tokens.gather(1, positions.unsqueeze(1));
    const at::Tensor logits = generator.Extend(next, CachePlace(positions), cache);
    for (const int64_t row : {0, 1}) compare(logits[row], row, 3 + 2 * row + step);
  }
  return wrong;
}

}  // namespace assay::models
