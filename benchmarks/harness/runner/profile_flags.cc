#include "benchmarks/harness/runner/profile_flags.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/configuration/case_flags.h"

namespace assay::runner {
namespace {

using configuration::FlagValues;
using configuration::ValueOf;

// Whether a flag that may name a folder was given. A folder named "true" is written ./true.
bool IsAsked(const FlagValues& values, std::string_view name, std::string& folder) {
  const std::string value = ValueOf(values, name);
  if (value == "false") return false;
  if (value != "true") folder = value;
  return true;
}

}  // namespace

absl::StatusOr<ProfileSettings> ReadProfileFlags(const FlagValues& values) {
  ProfileSettings settings;
  settings.trace = IsAsked(values, "profile", settings.folder);
  const bool nsys = IsAsked(values, "nsys", settings.folder);
  const bool ncu = IsAsked(values, "ncu", settings.folder);
  if (settings.trace + nsys + ncu > 1) {
    return absl::InvalidArgumentError(
        "--profile, --nsys, --ncu: one at a time, since each would see the others at work");
  }
  if (nsys) settings.tool = profile::Tool::kNsys;
  if (ncu) settings.tool = profile::Tool::kNcu;
  settings.only_ranges = ValueOf(values, "only-ranges") == "true";
  settings.calls = static_cast<int>(configuration::ToWholeNumber(ValueOf(values, "profile-calls")));
  if (configuration::IsGiven(values, "profile-calls") && !settings.any() && !settings.only_ranges) {
    return absl::InvalidArgumentError(
        "--profile-calls: it is of --profile, --nsys or --ncu, none of which is given");
  }
  return settings;
}

}  // namespace assay::runner
