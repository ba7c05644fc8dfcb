#include "models/testing/seeded_model.h"

#include <ATen/ATen.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/numerics/philox.h"
#include "benchmarks/harness/numerics/seeded_tensor.h"
#include "models/init.h"
#include "models/registry.h"

namespace assay::models {
namespace {

constexpr uint64_t kSeed = 0;
constexpr std::string_view kInput = "input:x";  // a stream that no weight has

[[noreturn]] void Die(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::abort();
}

void FillOrDie(const at::Tensor& tensor, std::string_view name, const Init& init) {
  const absl::Status filled = numerics::Fill(tensor, kSeed, name, init);
  if (!filled.ok()) Die(filled.ToString());
}

}  // namespace

std::unique_ptr<Model> CreateOrDie(std::string_view implementation, const Parameters& parameters) {
  absl::StatusOr<std::unique_ptr<Model>> model = Create(implementation, parameters);
  if (!model.ok()) Die(model.status().ToString());
  return *std::move(model);
}

void FillInFloat64(Model& model) {
  for (NamedTensor& entry : model.State()) {
    if (entry.tensor.is_floating_point()) FillOrDie(entry.tensor, entry.name, entry.init);
  }
  model.To(at::kCPU, at::kDouble);
}

at::Tensor Find(Model& model, std::string_view name) {
  for (const NamedTensor& entry : model.State()) {
    if (entry.name == name) return entry.tensor;
  }
  Die(absl::StrCat("no tensor \"", std::string(name), "\""));
}

at::Tensor SeededFloats(at::IntArrayRef shape) {
  at::Tensor values = at::empty(shape, at::kDouble);
  FillOrDie(values, kInput, {.multiplier = std::sqrt(3.0), .offset = 0, .slope = 1});
  return values;
}

at::Tensor SeededIntegers(at::IntArrayRef shape, int64_t limit) {
  at::Tensor integers = at::empty(shape, at::kLong);
  const numerics::PhiloxStream stream(kSeed, kInput);
  int64_t* const values = integers.mutable_data_ptr<int64_t>();
  for (int64_t i = 0; i < integers.numel(); ++i) {
    const uint32_t word = stream.Word(static_cast<uint64_t>(i));
    values[i] =
        static_cast<int64_t>(numerics::PhiloxStream::Integer(word, static_cast<uint64_t>(limit)));
  }
  return integers;
}

}  // namespace assay::models
