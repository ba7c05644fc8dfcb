#include "benchmarks/harness/runner/profile_flags.h"

#include "absl/flags/flag.h"
#include "absl/strings/str_cat.h"

ABSL_FLAG(assay::runner::OptionalFolder, profile, {},
          "after measuring, profile each step and write trace and operator table to this folder; "
          "without a folder to <case>.profile");
ABSL_FLAG(assay::runner::OptionalFolder, nsys, {},
          "after measuring, run the steps in a child under Nsight Systems; its report goes to this "
          "folder");
ABSL_FLAG(assay::runner::OptionalFolder, ncu, {},
          "after measuring, run the steps in a child under Nsight Compute; its report goes to this "
          "folder (CUDA)");
ABSL_FLAG(std::optional<int>, profile_calls, std::nullopt,
          "calls of each step that are profiled, 1 to 1000; default 3");
ABSL_FLAG(bool, only_ranges, false, "set for the child of --nsys and --ncu");

namespace assay::runner {

bool AbslParseFlag(std::string_view text, OptionalFolder* folder, std::string* error) {
  if (text.empty()) {
    *error = "an empty name is no folder";
    return false;
  }
  // A flag without a value is read as "true", one with "no" in front as "false". A folder of such a
  // name is written ./true.
  if (text == "false") {
    *folder = {};
  } else {
    *folder = {.asked = true, .path = text == "true" ? "" : std::string(text)};
  }
  return true;
}

std::string AbslUnparseFlag(const OptionalFolder& folder) {
  if (!folder.asked) return "false";
  return folder.path.empty() ? "true" : folder.path;
}

absl::StatusOr<ProfileSettings> ReadProfileFlags() {
  ProfileSettings settings;
  const OptionalFolder trace = absl::GetFlag(FLAGS_profile);
  const OptionalFolder nsys = absl::GetFlag(FLAGS_nsys);
  const OptionalFolder ncu = absl::GetFlag(FLAGS_ncu);
  if (trace.asked + nsys.asked + ncu.asked > 1) {
    return absl::InvalidArgumentError(
        "--profile, --nsys, --ncu: one at a time, since each would see the others at work");
  }
  settings.trace = trace.asked;
  if (nsys.asked) settings.tool = profile::Tool::kNsys;
  if (ncu.asked) settings.tool = profile::Tool::kNcu;
  settings.folder = absl::StrCat(trace.path, nsys.path, ncu.path);
  settings.only_ranges = absl::GetFlag(FLAGS_only_ranges);
  const std::optional<int> calls = absl::GetFlag(FLAGS_profile_calls);
  if (!calls.has_value()) return settings;
  if (!settings.any() && !settings.only_ranges) {
    return absl::InvalidArgumentError(
        "--profile-calls: it is of --profile, --nsys or --ncu, none of which is given");
  }
  if (*calls < 1 || *calls > 1000) {
    return absl::InvalidArgumentError(absl::StrCat("--profile-calls=", *calls, ": 1 to 1000"));
  }
  settings.calls = *calls;
  return settings;
}

}  // namespace assay::runner
