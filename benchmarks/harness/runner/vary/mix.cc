#include "benchmarks/harness/runner/vary/mix.h"

#include <algorithm>
#include <random>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace assay::runner {
namespace {

constexpr size_t kMostSizes = 64;
constexpr int64_t kMostCalls = 1000;  // of a deck

absl::Status NoMix(std::string_view text, std::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat("--vary=", text, ": ", problem));
}

// Each value of one parameter as a size of its own.
absl::StatusOr<std::vector<MixSize>> ParseParameter(std::string_view text, std::string_view part) {
  const std::pair<std::string, std::string_view> named =
      absl::StrSplit(part, absl::MaxSplits('=', 1));
  if (named.first.empty() || named.second.empty())
    return NoMix(text, absl::StrCat("'", part, "' is no NAME=SIZE,SIZE, as sequence_length=32,64"));
  std::vector<MixSize> sizes;
  for (const std::string_view word : absl::StrSplit(named.second, ',')) {
    const std::vector<std::string_view> split = absl::StrSplit(word, absl::MaxSplits(':', 1));
    int64_t value = 0, weight = 1;
    if (!absl::SimpleAtoi(split[0], &value) || value < 1)
      return NoMix(text, absl::StrCat("'", split[0], "' is no size of ", named.first,
                                      ": a whole number from 1"));
    if (split.size() > 1 &&
        (!absl::SimpleAtoi(split[1], &weight) || weight < 1 || weight > kMostCalls)) {
      return NoMix(text, absl::StrCat("'", split[1], "' is no weight of ", named.first, "=", value,
                                      ": a whole number from 1 to ", kMostCalls));
    }
    const auto same = [&](const MixSize& size) { return size.values[0].second == value; };
    if (absl::c_any_of(sizes, same))
      return NoMix(text,
                   absl::StrCat(named.first, "=", value,
                                " is there twice; a weight says how often, as ", value, ":2"));
    sizes.push_back({.values = {{named.first, value}}, .weight = weight});
  }
  return sizes;
}

}  // namespace

std::string MixSize::Name() const { return absl::StrJoin(values, ",", absl::PairFormatter("=")); }

absl::StatusOr<Mix> ParseMix(std::string_view text, uint64_t seed) {
  std::vector<MixSize> sizes = {{}};
  for (const std::string_view part : absl::StrSplit(text, ';')) {
    const absl::StatusOr<std::vector<MixSize>> of_parameter = ParseParameter(text, part);
    if (!of_parameter.ok()) return of_parameter.status();
    const std::string& name = of_parameter->at(0).values[0].first;
    for (const auto& value : sizes[0].values) {
      if (value.first == name)
        return NoMix(text, absl::StrCat(name, " is there twice; give all its sizes at once"));
    }
    std::vector<MixSize> products;
    for (const MixSize& size : sizes) {
      for (const MixSize& other : *of_parameter) {
        MixSize& product = products.emplace_back(size);
        product.values.push_back(other.values[0]);
        product.weight *= other.weight;
      }
    }
    if (products.size() > kMostSizes)
      return NoMix(text, absl::StrCat(products.size(), " sizes; at most ", kMostSizes));
    int64_t calls = 0;
    for (const MixSize& size : products) calls += size.weight;
    if (calls > kMostCalls) {
      return NoMix(text,
                   absl::StrCat("the weights add up to ", calls, " calls; at most ", kMostCalls));
    }
    sizes = std::move(products);
  }
  if (sizes.size() == 1)
    return NoMix(text, "one size does not vary; name two or more, as sequence_length=32,64");
  return Mix{.sizes = std::move(sizes), .seed = seed};
}

std::vector<size_t> Mix::Deck(int64_t number) const {
  std::vector<size_t> deck;
  for (size_t i = 0; i < sizes.size(); ++i)
    deck.insert(deck.end(), static_cast<size_t>(sizes[i].weight), i);
  // The library's shuffle() differs between implementations; this one, by Fisher and Yates, does not.
  std::mt19937_64 random(seed ^ (0x9E3779B97F4A7C15 * (static_cast<uint64_t>(number) + 1)));
  for (size_t i = deck.size(); i > 1; --i) std::swap(deck[i - 1], deck[random() % i]);
  return deck;
}

}  // namespace assay::runner
