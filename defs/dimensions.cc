#include "defs/dimensions.h"

#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

namespace assay {
namespace {

constexpr std::string_view kBatch = "batch";
constexpr std::string_view kOperators = "+-*";

// The text up to the next operator, which is cut off.
std::string_view NextFactor(std::string_view& text) {
  const size_t end = std::min(text.find_first_of(kOperators), text.size());
  const std::string_view factor = text.substr(0, end);
  text.remove_prefix(end);
  return factor;
}

}  // namespace

std::optional<int64_t> Evaluate(
    std::string_view dimension,
    const google::protobuf::Map<std::string, ParameterValue>& parameters, int64_t batch) {
  const auto value_of = [&](std::string_view factor) -> std::optional<int64_t> {
    int64_t number;
    if (absl::SimpleAtoi(factor, &number)) return number;
    if (factor == kBatch) return batch;
    const auto found = parameters.find(std::string(factor));
    if (found == parameters.end() || !found->second.has_integer()) return std::nullopt;
    return found->second.integer();
  };
  int64_t sum = 0;
  int64_t product = 1;  // of the term that is being read, with its sign
  std::string_view rest = dimension;
  if (int64_t number; absl::SimpleAtoi(rest, &number)) return number;  // also a negative one
  while (true) {
    const std::optional<int64_t> factor = value_of(NextFactor(rest));
    if (!factor || __builtin_mul_overflow(product, *factor, &product)) return std::nullopt;
    const char next = rest.empty() ? '+' : rest.front();
    if (next != '*') {
      if (__builtin_add_overflow(sum, product, &sum)) return std::nullopt;
      product = next == '-' ? -1 : 1;
    }
    if (rest.empty()) return sum;
    rest.remove_prefix(1);
  }
}

}  // namespace assay
