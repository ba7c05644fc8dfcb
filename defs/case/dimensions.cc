#include "defs/case/dimensions.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "defs/case/distributions.h"

namespace assay {
namespace {

constexpr std::string_view kBatch = "batch";
constexpr std::string_view kOperators = "+-*";
constexpr std::string_view kSum = "sum:";

// The text up to the next operator, which is cut off.
std::string_view NextFactor(std::string_view& text) {
  const size_t end = std::min(text.find_first_of(kOperators), text.size());
  const std::string_view factor = text.substr(0, end);
  text.remove_prefix(end);
  return factor;
}

std::optional<int64_t> SumOfBags(std::string_view input, const Workload& workload, uint64_t seed) {
  for (const TensorSpec& spec : workload.inputs()) {
    if (spec.name() == input) return ElementsOfBags(spec, seed);
  }
  return std::nullopt;
}

}  // namespace

std::string_view SummedInput(std::string_view dimension) {
  const bool alone = dimension.find_first_of(kOperators) == std::string_view::npos;
  return alone && absl::ConsumePrefix(&dimension, kSum) ? dimension : "";
}

std::vector<int> BagsLast(const google::protobuf::RepeatedPtrField<InputSpec>& inputs) {
  std::vector<int> places(static_cast<size_t>(inputs.size()));
  std::iota(places.begin(), places.end(), 0);
  std::stable_partition(places.begin(), places.end(), [&inputs](int i) {
    const InputSpec& input = inputs.at(i);
    return input.shape_size() == 0 || SummedInput(input.shape(0)).empty();
  });
  return places;
}

bool DescribesBags(const Workload& workload, const TensorSpec& input) {
  return std::any_of(workload.inputs().begin(), workload.inputs().end(),
                     [&input](const TensorSpec& other) { return other.bags() == input.name(); });
}

std::optional<int64_t> Evaluate(std::string_view dimension, const Workload& workload,
                                uint64_t seed) {
  const auto value_of = [&](std::string_view factor) -> std::optional<int64_t> {
    int64_t number;
    if (absl::SimpleAtoi(factor, &number)) return number;
    if (factor == kBatch) return workload.batch();
    if (const std::string_view input = SummedInput(factor); !input.empty()) {
      return SumOfBags(input, workload, seed);
    }
    const auto found = workload.parameters().find(std::string(factor));
    if (found == workload.parameters().end() ||
        found->second.value_case() != ParameterValue::kInteger)
      return std::nullopt;
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
