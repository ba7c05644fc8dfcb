#include "benchmarks/harness/text/nearest_names.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace assay::base {
namespace {

// Levenshtein's distance.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::string> NearestNames(std::string_view name, absl::Span<const std::string> names,
                                      size_t most) {
  // A distance takes time in proportion to both lengths, and no name is near to one this long.
  constexpr size_t kLongestTyped = 1000;
  if (name.size() > kLongestTyped) name = name.substr(0, kLongestTyped);
  std::vector<std::tuple<bool, size_t, std::string>> distances;
  for (const std::string& other : names) {
    const bool holds_it = !name.empty() && other.find(name) != std::string::npos;
    distances.emplace_back(!holds_it, EditDistance(other, name), other);
  }
  std::sort(distances.begin(), distances.end());
  std::vector<std::string> nearest;
  for (const auto& [is_another, distance, other] : distances) {
    if (nearest.size() < most) nearest.push_back(other);
  }
  return nearest;
}

std::string LikelyMeant(std::string_view name, absl::Span<const std::string> names) {
  constexpr size_t kLongestTyped = 100;  // the distance takes time in proportion to both lengths
  std::pair<size_t, std::string_view> best = {name.size() / 3 + 1, ""};
  if (name.size() > kLongestTyped) return "";
  for (const std::string& other : names) best = std::min(best, {EditDistance(other, name), other});
  return std::string(best.second);
}

}  // namespace assay::base
