#include "models/testing/golden.h"

#include <ATen/ATen.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "models/init.h"
#include "models/registry.h"

namespace assay::models {
namespace {

[[noreturn]] void Die(const std::string& message) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::abort();
}

// The random words of one tensor.
class Words {
 public:
  explicit Words(std::string_view name) {
    for (const char c : name) start_ = (start_ ^ static_cast<uint8_t>(c)) * 16777619u;
  }

  uint32_t operator[](int64_t i) const {
    uint32_t w = static_cast<uint32_t>(i + 1) * 2654435761u + start_;
    w = (w ^ (w >> 15)) * 2246822519u;
    w = (w ^ (w >> 13)) * 3266489917u;
    return w ^ (w >> 16);
  }

 private:
  uint32_t start_ = 2166136261u;
};

void Fill(at::Tensor& tensor, std::string_view name, const Init& init) {
  const Words words(name);
  float* const values = tensor.mutable_data_ptr<float>();
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    const double u = (static_cast<int64_t>(words[i] >> 8) - (1 << 23)) / 8388608.0;
    values[i] = static_cast<float>(init.multiplier * (init.offset + init.slope * u));
  }
}

std::string DtypeName(at::ScalarType dtype) {
  if (dtype == at::kFloat) return "float32";
  if (dtype == at::kLong) return "int64";
  return at::toString(dtype);
}

}  // namespace

std::unique_ptr<Model> CreateOrDie(std::string_view implementation, const Parameters& parameters) {
  absl::StatusOr<std::unique_ptr<Model>> model = Create(implementation, parameters);
  if (!model.ok()) Die(model.status().ToString());
  return *std::move(model);
}

std::vector<std::string> ReadGolden(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  std::string line;
  if (!std::getline(file, line)) Die("cannot read " + path + "; run from the workspace's root");
  while (std::getline(file, line)) lines.push_back(line);
  return lines;
}

std::vector<double> ReadNumbers(const std::string& path) {
  std::vector<double> numbers;
  for (const std::string& line : ReadGolden(path)) numbers.push_back(std::stod(line));
  return numbers;
}

std::vector<std::string> StateLines(Model& model) {
  std::vector<std::string> lines;
  for (const NamedTensor& entry : model.State()) {
    const at::Tensor& tensor = entry.tensor;
    lines.push_back(
        absl::StrCat(entry.name, " ", DtypeName(tensor.scalar_type()), " ",
                     tensor.dim() == 0 ? "scalar" : absl::StrJoin(tensor.sizes(), "x")));
  }
  return lines;
}

int64_t ParameterCount(Model& model) {
  int64_t count = 0;
  for (const NamedTensor& entry : model.State()) {
    if (entry.trainable) count += entry.tensor.numel();
  }
  return count;
}

void FillInFloat64(Model& model) {
  for (NamedTensor& entry : model.State()) {
    if (entry.tensor.is_floating_point()) Fill(entry.tensor, entry.name, entry.init);
  }
  model.To(at::kCPU, at::kDouble);
}

at::Tensor Find(Model& model, std::string_view name) {
  for (const NamedTensor& entry : model.State()) {
    if (entry.name == name) return entry.tensor;
  }
  Die(absl::StrCat("no tensor \"", std::string(name), "\""));
}

at::Tensor SeededImage(at::IntArrayRef shape) {
  at::Tensor image = at::empty(shape, at::kFloat);
  Fill(image, "input:x", {std::sqrt(3.0), 0, 1});
  return image.to(at::kDouble);
}

at::Tensor SeededTokens(int64_t rows, int64_t length, int64_t limit) {
  const Words words("input:input_ids");
  at::Tensor tokens = at::empty({rows, length}, at::kLong);
  int64_t* const values = tokens.mutable_data_ptr<int64_t>();
  for (int64_t i = 0; i < tokens.numel(); ++i) {
    values[i] = static_cast<int64_t>((static_cast<uint64_t>(words[i]) * limit) >> 32);
  }
  return tokens;
}

at::Tensor PrefixMask(int64_t rows, int64_t length) {
  at::Tensor mask = at::zeros({rows, length}, at::kLong);
  for (int64_t row = 0; row < rows; ++row) {
    mask[row].narrow(0, 0, length - (row + 1) % 4 * (length / 8)).fill_(1);
  }
  return mask;
}

at::Tensor Segments(int64_t rows, int64_t length) {
  at::Tensor segments = at::zeros({rows, length}, at::kLong);
  segments.narrow(1, length / 2, length - length / 2).fill_(1);
  return segments;
}

double WorstError(const std::vector<at::Tensor>& got, const std::vector<double>& want) {
  std::vector<at::Tensor> flat;
  for (const at::Tensor& tensor : got) flat.push_back(tensor.detach().flatten());
  const at::Tensor all = at::cat(flat);
  const at::Tensor expected = at::tensor(want, at::kDouble);
  if (all.numel() != expected.numel()) return std::numeric_limits<double>::infinity();
  return ((all - expected).abs().max() / expected.std()).item<double>();
}

}  // namespace assay::models
