#include "tools/suite/presets/presets.h"

#include <map>
#include <string_view>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tools/suite/presets/dynamo_flags.h"
#include "tools/suite/presets/openxla_flags.h"
#include "tools/suite/presets/xla_flags.h"

namespace assay::suite {
namespace {

const std::map<std::string, std::vector<std::string>>& Named() {
  static const auto& presets = *new std::map<std::string, std::vector<std::string>>{
      {"quick", {"--modes=wall", "--budget=0.1", "--exclude-tag=large"}},
      {"careful", {"--budget=5", "--processes=5"}}};
  return presets;
}

base::Flag PresetFlag(Translation& said) {
  return {.set = [&said](const std::string& name) {
    const auto found = Named().find(name);
    if (found == Named().end()) {
      return absl::InvalidArgumentError(absl::StrCat(
          "one of ", absl::StrJoin(Named(), ", ", [](std::string* out, const auto& preset) {
            out->append(preset.first);
          })));
    }
    if (said.preset == name) return absl::OkStatus();
    said.Say(found->second);
    return said.Use(name);
  }};
}

}  // namespace

base::FlagTable Presets::Flags() {
  base::FlagTable flags = {{"preset", PresetFlag(said_)}};
  base::Flag repeat = base::WholeNumberFlag(said_.repeat, 1, 1000000);
  base::Flag partitions = base::WholeNumberFlag(total_partitions_, 1, 10000);
  base::Flag partition = base::WholeNumberFlag(partition_, 0, 9999);
  repeat.listed = partitions.listed = partition.listed = false;
  flags["repeat"] = flags["n"] = repeat;
  flags["total_partitions"] = partitions;
  flags["partition_id"] = partition;
  for (base::FlagTable table : {XlaFlags(said_), DynamoFlags(said_), OpenXlaFlags(said_)}) {
    flags.merge(table);
  }
  return flags;
}

absl::Status Presets::ReadIntel(absl::Span<const std::string> words) {
  return ReadIntelWords(words, said_);
}

absl::StatusOr<std::vector<std::string>> Presets::Words(DeviceType device) const {
  Translation said = said_;
  if (said.preset == kXla) {
    AddXlaDefaults(said);
  } else if (said.preset == kDynamo) {
    const absl::Status complete = CheckDynamo(said);
    if (!complete.ok()) return complete;
    const bool on_cuda = absl::c_linear_search(said.words, "--device=cuda");
    const bool on_cpu = absl::c_linear_search(said.words, "--device=cpu");
    AddAmp(said, on_cuda ? CUDA : on_cpu ? CPU : device);
    AddDynamoDefaults(said);
  } else if (said.preset == kOpenXla) {
    AddOpenXlaDefaults(said);
  } else if (said.repeat > 0 && said.preset != "intel") {
    return absl::InvalidArgumentError(
        "--repeat and -n belong to PyTorch/XLA's flags (with --suite-name) and TorchDynamo's (with "
        "--performance); here it is --exec-mode=discrete --iterations=N");
  }
  if (total_partitions_ > 0) {
    said.Say({absl::StrCat("--shard=", partition_ < 0 ? 0 : partition_, "/", total_partitions_)});
  } else if (partition_ >= 0) {
    return absl::InvalidArgumentError("--partition-id needs --total-partitions");
  }
  return said.words;
}

}  // namespace assay::suite
