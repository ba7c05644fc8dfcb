#include "benchmarks/harness/runner/profile_flags.h"

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

ProfileSettings ReadProfileFlags(const FlagValues& values) {
  ProfileSettings settings;
  settings.trace = IsAsked(values, "profile", settings.folder);
  if (IsAsked(values, "nsys", settings.folder)) settings.tool = profile::Tool::kNsys;
  if (IsAsked(values, "ncu", settings.folder)) settings.tool = profile::Tool::kNcu;
  settings.capture = IsAsked(values, "capture-trace", settings.capture_folder);
  settings.capture_values = ValueOf(values, "trace-values") == "true";
  settings.capture_observer = ValueOf(values, "observer") == "true";
  settings.timeline_path = ValueOf(values, "memory-timeline");
  settings.only_ranges = ValueOf(values, "only-ranges") == "true";
  settings.calls = static_cast<int>(configuration::ToWholeNumber(ValueOf(values, "profile-calls")));
  return settings;
}

}  // namespace assay::runner
