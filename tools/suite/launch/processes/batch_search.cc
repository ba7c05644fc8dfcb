#include "tools/suite/launch/processes/batch_search.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace assay::suite {
namespace {

constexpr int64_t kMost = int64_t{1} << 20;  // the most rows that a runner accepts
constexpr std::string_view kSearch = "--batch=search";

}  // namespace

absl::StatusOr<int64_t> LargestBatch(int64_t first,
                                     absl::FunctionRef<absl::StatusOr<bool>(int64_t batch)> fits) {
  int64_t fitting = 0, too_large = kMost + 1;
  int64_t batch = std::clamp<int64_t>(first, 1, kMost);
  while (batch > fitting && batch < too_large) {
    const absl::StatusOr<bool> fit = fits(batch);
    if (!fit.ok()) return fit.status();
    (*fit ? fitting : too_large) = batch;
    const int64_t gap = too_large - fitting;
    if (fitting == 0) {
      batch = too_large / 2;
    } else if (too_large > kMost) {
      batch = std::min(2 * fitting, kMost);
    } else if (gap > std::max<int64_t>(1, fitting / 16)) {
      batch = fitting + gap / 2;
    } else {
      break;
    }
  }
  if (fitting > 0) return fitting;
  return absl::NotFoundError("not even a batch of 1 fits");
}

bool AsksForBatchSearch(absl::Span<const std::string> flags) {
  return std::find(flags.begin(), flags.end(), kSearch) != flags.end();
}

std::vector<std::string> WithBatch(absl::Span<const std::string> flags, int64_t batch) {
  std::vector<std::string> with(flags.begin(), flags.end());
  std::replace(with.begin(), with.end(), std::string(kSearch), absl::StrCat("--batch=", batch));
  return with;
}

std::vector<std::string> TryFlags(absl::Span<const std::string> flags, int64_t batch) {
  std::vector<std::string> tried = WithBatch(flags, batch);
  const bool has_action = std::any_of(flags.begin(), flags.end(), [](const std::string& flag) {
    return absl::StartsWith(flag, "--action=");
  });
  if (!has_action) tried.insert(tried.end(), {"--verify=off", "--budget=0.01"});
  return tried;
}

}  // namespace assay::suite
