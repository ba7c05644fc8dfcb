#include "benchmarks/harness/numerics/detections.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

namespace assay::numerics {
namespace {

using Row = absl::Span<const double>;

constexpr std::size_t kLabel = 0, kScore = 1, kCorners = 2;

// The rows of an image that hold boxes, by descending score.
std::vector<std::size_t> BoxesOf(absl::Span<const double> image) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < image.size(); row += kDetectionNumbers) {
    if (image[row + kLabel] >= 0) rows.push_back(row);
  }
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return image[a + kScore] > image[b + kScore];
  });
  return rows;
}

// The largest distance of the corners and that of the scores.
std::pair<double, double> Distance(Row a, Row b) {
  double corner = 0;
  for (std::size_t i = kCorners; i < kDetectionNumbers; ++i)
    corner = std::max(corner, std::abs(a[i] - b[i]));
  return {corner, std::abs(a[kScore] - b[kScore])};
}

}  // namespace

DetectionMatch MatchDetections(absl::Span<const double> got, absl::Span<const double> want,
                               std::size_t images, const DetectionLimits& limits) {
  DetectionMatch match;
  int64_t matched = 0;
  bool all_wanted = true;
  const std::size_t of_image = want.size() / std::max<std::size_t>(images, 1);
  for (std::size_t begin = 0; begin < want.size(); begin += of_image) {
    const auto of_got = got.subspan(begin, of_image), of_want = want.subspan(begin, of_image);
    std::vector<std::size_t> left = BoxesOf(of_got);
    const std::vector<std::size_t> wanted = BoxesOf(of_want);
    match.boxes += static_cast<int64_t>(std::max(left.size(), wanted.size()));
    for (const std::size_t row : wanted) {
      const Row box = of_want.subspan(row, kDetectionNumbers);
      auto nearest = left.end();
      std::pair<double, double> distance;
      for (auto it = left.begin(); it != left.end(); ++it) {
        const Row other = of_got.subspan(*it, kDetectionNumbers);
        const std::pair<double, double> off = Distance(other, box);
        if (other[kLabel] != box[kLabel] || off.first > limits.corner || off.second > limits.score)
          continue;
        if (nearest != left.end() && !(off < distance)) continue;
        nearest = it;
        distance = off;
      }
      if (nearest == left.end()) {
        if (std::exchange(all_wanted, false)) match.worst = begin + row;
        continue;
      }
      left.erase(nearest);
      ++matched;
      if (all_wanted && distance.first > match.corner_error) match.worst = begin + row;
      match.corner_error = std::max(match.corner_error, distance.first);
      match.score_error = std::max(match.score_error, distance.second);
    }
  }
  match.unmatched = match.boxes - matched;
  if (match.boxes > 0)
    match.share = static_cast<double>(matched) / static_cast<double>(match.boxes);
  return match;
}

}  // namespace assay::numerics
