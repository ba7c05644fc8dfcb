// -----------------------------------------------------------------------------
// File: known_skips.h
// -----------------------------------------------------------------------------
//
// Cases that are known not to be worth starting on a device, in a dtype or a mode, with the reason:
// a file of KnownSkips (suite_data.proto), so that a deny list is data with reasons, not code.
//
// Not for what a case can never do: its own table says that.
//
//   KnownSkipTable table;
//   absl::Status added = table.Add(skips, lines, registry);
//   const std::string reason = table.ReasonFor(table.Fitting(c), CPU, {"--autocast=fp16"});

#ifndef ASSAY_TOOLS_SUITE_PLAN_KNOWN_SKIPS_H_
#define ASSAY_TOOLS_SUITE_PLAN_KNOWN_SKIPS_H_

#include <regex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "defs/proto/suite.pb.h"
#include "tools/suite/plan/data_text.h"
#include "tools/suite/plan/suite_data.pb.h"

namespace assay::suite {

class KnownSkipTable {
 public:
  // Adds entries. InvalidArgument, with the entry's line, for an entry without a reason, one that
  // fits no case of the registry, and one whose regular expression is malformed.
  absl::Status Add(const KnownSkips& skips, const DataLines& lines, const Registry& registry);

  // The entries that fit a case, whatever the device and the flags.
  std::vector<const KnownSkip*> Fitting(const BenchmarkCase& c) const;

  // The reason of the first of `fitting` that also fits device and flags; empty if none does.
  static std::string ReasonFor(absl::Span<const KnownSkip* const> fitting, DeviceType device,
                               const std::vector<std::string>& flags);

 private:
  struct Entry {
    KnownSkip skip;
    std::regex cases;
  };
  static bool Fits(const Entry& entry, const BenchmarkCase& c);

  std::vector<Entry> entries_;
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PLAN_KNOWN_SKIPS_H_
