#include "tools/suite/presets/openxla_flags.h"

#include <string>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace assay::suite {

base::FlagTable OpenXlaFlags(Translation& said) {
  const auto ids = [&said](const std::string& value) {
    for (const std::string_view id : absl::StrSplit(value, ',', absl::SkipEmpty())) {
      said.Say({absl::StrCat("--only=", id)});
    }
    return said.Use(kOpenXla);
  };
  const base::Flag name = MeansValue(said, kOpenXla, {"--filter=^(%)$"});
  const base::Flag warmup = MeansValue(said, kOpenXla, {"--warmup=%"});
  const base::Flag iterations = MeansValue(said, kOpenXla, {"--iterations=%"});
  const base::Flag output = Refuses("results are a folder here: --out=FOLDER", false);
  const base::Flag compiler = Refuses("XLA is not here; --backend=aoti compiles", false);
  return {
      {"target_device", MeansValue(said, kOpenXla, {"--device=%"})},
      {"benchmark_ids", {.set = ids, .listed = false}},
      {"name", name},
      {"benchmark_name", name},
      {"w", warmup},
      {"warmup_iterations", warmup},
      {"iter", iterations},
      {"run_in_process", Means(said, kOpenXla, {"--in-process"})},
      {"o", output},
      {"c", compiler},
      {"hlo_tool", compiler},
      {"root_dir",
       Refuses("references lie in artifacts/ and a bucket (artifacts/README.md)", false)},
      {"no_download", Refuses("nothing is downloaded while cases run; Bazel fetches before")},
      {"generate_artifacts", Refuses("tools/bazel run //tools:generate_artifacts does")},
  };
}

void AddOpenXlaDefaults(Translation& said) {
  const auto says = [&](std::string_view flag) {
    return absl::c_any_of(said.words,
                          [&](const std::string& word) { return absl::StartsWith(word, flag); });
  };
  said.Say({"--exec-mode=discrete"});
  if (!says("--warmup=")) said.Say({"--warmup=5"});
  if (!says("--iterations=")) said.Say({"--iterations=100"});
}

}  // namespace assay::suite
