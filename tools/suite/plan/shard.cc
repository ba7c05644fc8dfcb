#include "tools/suite/plan/shard.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/base/sha256.h"

namespace assay::suite {
namespace {

constexpr int64_t kMostShards = 10000;

}  // namespace

bool Shard::Has(const PlannedRun& configuration) const {
  if (count == 1) return true;
  const std::string digest = base::Sha256Hex(
      absl::StrCat(configuration.label, "\n", absl::StrJoin(configuration.flags, "\n")));
  // 60 bits: 15 of the 64 hexadecimal digits.
  uint64_t number = 0;
  if (!absl::SimpleHexAtoi(digest.substr(0, 15), &number)) return false;
  return number % static_cast<uint64_t>(count) == static_cast<uint64_t>(index);
}

absl::StatusOr<Shard> ParseShard(std::string_view text) {
  const std::pair<std::string_view, std::string_view> parts = absl::StrSplit(text, '/');
  Shard shard;
  if (absl::StrCat(parts.first, "/", parts.second) != text ||
      !absl::SimpleAtoi(parts.first, &shard.index) ||
      !absl::SimpleAtoi(parts.second, &shard.count) || shard.count < 1 ||
      shard.count > kMostShards || shard.index < 0 || shard.index >= shard.count) {
    return absl::InvalidArgumentError(
        absl::StrCat("a part and the number of parts, counted from 0: 0/3, 1/3 and 2/3 are all of "
                     "three; at most ",
                     kMostShards, " parts"));
  }
  return shard;
}

}  // namespace assay::suite
