// -----------------------------------------------------------------------------
// File: presets.h
// -----------------------------------------------------------------------------
//
// Sets of flags under one name: --preset=quick, and the flags of other suites, of which one may be
// used at a time.
//
//   preset           stands for
//   quick            --modes=wall --budget=0.1 --exclude-tag=large
//   careful          --budget=5 --processes=5
//   PyTorch/XLA      --suite-name, --accelerator, --repeat ... (xla_flags.h)
//   TorchDynamo      --performance --inference --bfloat16 ... (dynamo_flags.h)
//   OpenXLA          --target_device, --benchmark_ids, -name ... (openxla_flags.h)
//   intel            SUITE DT MODE SCENARIO DEVICE CARD SHAPE NUM_SHARDS SHARD_ID MODEL_ONLY
//
// Not for what a flag does: a preset only gives flags (translation.h).
//
//   Presets presets;
//   base::FlagTable table = presets.Flags();
//   absl::StatusOr<std::vector<std::string>> words = presets.Words();   // {"--modes=wall", ...}

#ifndef ASSAY_TOOLS_SUITE_PRESETS_PRESETS_H_
#define ASSAY_TOOLS_SUITE_PRESETS_PRESETS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "defs/suite.pb.h"
#include "tools/suite/presets/translation.h"

namespace assay::suite {

class Presets {
 public:
  Presets() = default;
  Presets(const Presets&) = delete;  // flags point to it
  Presets& operator=(const Presets&) = delete;

  // The flags of all presets; the table must not outlive this object.
  base::FlagTable Flags();

  // Reads the words after `intel`.
  absl::Status ReadIntel(absl::Span<const std::string> words);

  // The preset in use; empty: none.
  const std::string& name() const { return said_.preset; }

  // The preset's meaning as run_suite's own flags. InvalidArgument if a part of it is missing.
  // `device`: on which it runs, where the preset itself does not say.
  absl::StatusOr<std::vector<std::string>> Words(DeviceType device) const;

 private:
  Translation said_;
  int total_partitions_ = 0;  // 0: not given
  int partition_ = -1;        // -1: not given
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PRESETS_PRESETS_H_
