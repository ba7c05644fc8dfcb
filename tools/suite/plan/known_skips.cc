#include "tools/suite/plan/known_skips.h"

#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"

namespace assay::suite {

bool KnownSkipTable::Fits(const Entry& entry, const BenchmarkCase& c) {
  const KnownSkip& skip = entry.skip;
  return (skip.dtype() == DTYPE_UNSPECIFIED || skip.dtype() == c.dtype()) &&
         (skip.test() == MODE_UNSPECIFIED || skip.test() == c.mode()) &&
         (skip.cases().empty() || std::regex_match(c.name(), entry.cases));
}

absl::Status KnownSkipTable::Add(const KnownSkips& skips, const DataLines& lines,
                                 const Registry& registry) {
  for (int i = 0; i < skips.skips_size(); ++i) {
    const std::string where = absl::StrCat(lines.where, ":", lines.lines.at(i), ": ");
    Entry entry = {.skip = skips.skips(i), .cases = {}};
    if (entry.skip.reason().empty()) {
      return absl::InvalidArgumentError(absl::StrCat(where, "a skip needs a reason"));
    }
    try {
      entry.cases = std::regex(entry.skip.cases());
      if (absl::c_none_of(registry.cases(),
                          [&](const ResolvedCase& c) { return Fits(entry, c.benchmark_case()); })) {
        return absl::InvalidArgumentError(absl::StrCat(
            where, "no case of the registry fits cases: \"", entry.skip.cases(),
            "\" with that dtype and test; it is matched with whole names of cases, such as ",
            registry.cases_size() == 0 ? "" : registry.cases(0).benchmark_case().name()));
      }
    } catch (const std::regex_error& error) {
      return absl::InvalidArgumentError(absl::StrCat(
          where, "cases: \"", entry.skip.cases(), "\" is no regular expression: ", error.what()));
    }
    entries_.push_back(std::move(entry));
  }
  return absl::OkStatus();
}

std::vector<const KnownSkip*> KnownSkipTable::Fitting(const BenchmarkCase& c) const {
  std::vector<const KnownSkip*> fitting;
  for (const Entry& entry : entries_) {
    if (Fits(entry, c)) fitting.push_back(&entry.skip);
  }
  return fitting;
}

std::string KnownSkipTable::ReasonFor(absl::Span<const KnownSkip* const> fitting, DeviceType device,
                                      const std::vector<std::string>& flags) {
  for (const KnownSkip* skip : fitting) {
    const bool device_fits = skip->device() == DEVICE_TYPE_UNSPECIFIED || skip->device() == device;
    const bool flags_fit = absl::c_all_of(
        skip->flags(), [&](const std::string& flag) { return absl::c_linear_search(flags, flag); });
    if (device_fits && flags_fit) return skip->reason();
  }
  return "";
}

}  // namespace assay::suite
