#include "benchmarks/operators/sweep/sample_values.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/NamedTensorUtils.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/complex.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/full.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/quantize_per_channel.h>
#include <ATen/ops/quantize_per_tensor.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/sort.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/tril.h>
#include <ATen/ops/zeros.h>

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace assay::sweep {
namespace {

constexpr int64_t kDefaultLimit = 4;

absl::Status Malformed(std::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat("'", text, "' is no sample value"));
}

bool ParseIntegers(std::string_view text, std::vector<int64_t>& integers) {
  for (const std::string_view word : absl::StrSplit(text, ',', absl::SkipEmpty())) {
    if (!absl::SimpleAtoi(word, &integers.emplace_back())) return false;
  }
  return true;
}

// "f[2,3]<10": kind, shape, limit.
struct TensorText {
  std::string kind;
  std::vector<int64_t> shape;
  int64_t limit = kDefaultLimit;
};

bool ParseTensor(std::string_view text, TensorText& parsed) {
  const size_t open = text.find('['), close = text.find(']');
  if (open == 0 || open == text.npos || close == text.npos || close < open) return false;
  parsed.kind = std::string(text.substr(0, open));
  const std::string_view rest = text.substr(close + 1);
  if (!rest.empty() && (rest[0] != '<' || !absl::SimpleAtoi(rest.substr(1), &parsed.limit)))
    return false;
  return ParseIntegers(text.substr(open + 1, close - open - 1), parsed.shape);
}

at::Tensor Uniform(const std::vector<int64_t>& shape, double low, double high, uint64_t seed) {
  return at::rand(shape, at::make_generator<at::CPUGeneratorImpl>(seed), at::kFloat) *
             (high - low) +
         low;
}

at::Tensor Named(at::Tensor tensor) {
  std::vector<at::Dimname> names;
  for (int64_t i = 0; i < tensor.dim(); ++i) {
    names.push_back(
        at::Dimname::fromSymbol(at::Symbol::dimname(std::string(1, static_cast<char>('A' + i)))));
  }
  at::internal_set_names_inplace(tensor, names);
  return tensor;
}

// An undefined tensor if the kind is unknown.
at::Tensor MakeFloats(const TensorText& text, at::ScalarType floats, uint64_t seed) {
  const std::vector<int64_t>& shape = text.shape;
  const std::string& kind = text.kind;
  if (kind == "zeros") return at::zeros(shape, floats);
  if (kind == "ones") return at::ones(shape, floats);
  if (kind == "p") return Uniform(shape, 0.1, 0.9, seed).to(floats);
  if (kind == "m") return Uniform(shape, -0.9, 0.9, seed).to(floats);
  if (kind == "g") return Uniform(shape, 1.1, 1.9, seed).to(floats);
  const at::Tensor signed_floats = Uniform(shape, -1, 1, seed).to(floats);
  if (kind == "f") return signed_floats;
  if (kind == "n") return Named(signed_floats);
  if (kind == "sp") return signed_floats.to_sparse();
  if (kind == "csp") return signed_floats.to_sparse().coalesce();
  if (kind == "csr") return signed_floats.to_sparse_csr();
  if (kind == "csc") return signed_floats.to_sparse_csc();
  if (kind == "mk") return signed_floats.to_mkldnn();
  if (kind == "sorted") return std::get<0>(at::sort(signed_floats));
  const at::Tensor positive = Uniform(shape, 0, 1, seed).to(floats);
  if (kind == "c") return at::complex(positive, Uniform(shape, 0, 1, seed + 1).to(floats));
  if (kind == "q") return at::quantize_per_tensor(positive.to(at::kFloat), 0.1, 0, at::kQUInt8);
  if (shape.empty()) return {};
  const int64_t rows = shape.front(), last = shape.back();
  if (kind == "qc") {
    return at::quantize_per_channel(positive.to(at::kFloat), at::full({rows}, 0.1, at::kDouble),
                                    at::zeros({rows}, at::kLong), 0, at::kQUInt8);
  }
  if (kind == "spd")
    return at::matmul(positive, positive.mT()) + at::eye(last, floats) * static_cast<double>(last);
  if (kind == "tri") return at::tril(positive) + at::eye(last, floats) * 2;
  return {};
}

at::Tensor MakeTensor(const TensorText& text, at::ScalarType floats, uint64_t seed) {
  const auto integers = [&](at::ScalarType dtype) {
    return at::randint(0, text.limit, text.shape, at::make_generator<at::CPUGeneratorImpl>(seed),
                       at::kLong)
        .to(dtype);
  };
  if (text.kind == "i") return integers(at::kLong);
  if (text.kind == "i32") return integers(at::kInt);
  if (text.kind == "i8") return integers(at::kChar);
  if (text.kind == "u8") return integers(at::kByte);
  if (text.kind == "b") return Uniform(text.shape, -1, 1, seed) < 0;
  return MakeFloats(text, floats, seed);
}

// "t:1,2/3,4".
absl::StatusOr<c10::IValue> GivenIntegers(std::string_view text, at::ScalarType dtype) {
  std::vector<int64_t> values;
  int64_t rows = 0;
  for (const std::string_view row : absl::StrSplit(text, '/')) {
    if (!ParseIntegers(row, values)) return Malformed(text);
    ++rows;
  }
  const at::Tensor flat = at::tensor(values, at::kLong).to(dtype);
  return c10::IValue(rows == 1 ? flat : flat.reshape({rows, -1}));
}

// The parts of a list, each a value.
absl::StatusOr<c10::IValue> List(std::string_view body, char separator, at::ScalarType floats,
                                 uint64_t seed) {
  std::vector<c10::IValue> items;
  for (const std::string_view part : absl::StrSplit(body, separator, absl::SkipEmpty())) {
    absl::StatusOr<c10::IValue> item = SampleValue(part, floats, ++seed);
    if (!item.ok()) return item;
    items.push_back(*std::move(item));
  }
  return c10::IValue(c10::ivalue::Tuple::create(std::move(items)));
}

}  // namespace

absl::StatusOr<c10::IValue> SampleValue(std::string_view text, at::ScalarType floats,
                                        uint64_t seed) {
  if (text == "none") return c10::IValue();
  if (text == "floats") return c10::IValue(static_cast<int64_t>(floats));
  if (text == "true" || text == "false") return c10::IValue(text == "true");
  if (int64_t integer = 0; absl::SimpleAtoi(text, &integer)) return c10::IValue(integer);
  if (double number = 0; absl::SimpleAtod(text, &number)) return c10::IValue(number);
  if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'')
    return c10::IValue(std::string(text.substr(1, text.size() - 2)));
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']')
    return List(text.substr(1, text.size() - 2), ',', floats, seed);
  if (text.size() >= 2 && text.front() == '{' && text.back() == '}')
    return List(text.substr(1, text.size() - 2), ';', floats, seed);
  if (absl::ConsumePrefix(&text, "t:")) return GivenIntegers(text, at::kLong);
  if (absl::ConsumePrefix(&text, "t32:")) return GivenIntegers(text, at::kInt);
  if (absl::ConsumePrefix(&text, "t0:")) {
    absl::StatusOr<c10::IValue> one = GivenIntegers(text, at::kLong);
    return one.ok() ? c10::IValue(one->toTensor().reshape({})) : one;
  }
  TensorText parsed;
  if (!ParseTensor(text, parsed)) return Malformed(text);
  const at::Tensor tensor = MakeTensor(parsed, floats, seed);
  if (!tensor.defined()) return Malformed(text);
  return c10::IValue(tensor);
}

}  // namespace assay::sweep
