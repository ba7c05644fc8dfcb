// -----------------------------------------------------------------------------
// File: presets.h
// -----------------------------------------------------------------------------
//
// Sets of flags under one name, and other suites' flags translated into ours, of which one may be
// used at a time. presets.textproto says what each means.
//
//   preset           stands for
//   quick, careful   --preset=quick
//   PyTorch/XLA      --suite-name, --accelerator, --repeat ...
//   TorchDynamo      --performance --inference --bfloat16 ...
//   OpenXLA          --target_device, --benchmark_ids, -name ...
//   intel            SUITE DT MODE SCENARIO DEVICE CARD SHAPE NUM_SHARDS SHARD_ID MODEL_ONLY
//
// Not for what a flag does: a preset only gives flags, which run_suite's own parser then reads.
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
#include "benchmarks/harness/base/flags.h"
#include "defs/proto/suite.pb.h"

namespace assay::suite {

class Presets {
 public:
  Presets() = default;
  Presets(const Presets&) = delete;  // flags point to it
  Presets& operator=(const Presets&) = delete;

  // The flags of all presets; the table must not outlive this object.
  base::FlagTable Flags();

  // Reads the words after `intel`. InvalidArgument, with all words that are unknown or without a
  // meaning here, what is allowed and the reason. Words that are missing have the script's defaults.
  absl::Status ReadIntel(absl::Span<const std::string> words);

  // The preset in use; empty: none.
  const std::string& name() const { return said_.preset; }

  // The preset's meaning as run_suite's own flags. InvalidArgument if a part of it is missing.
  // `device`: on which it runs, where the preset itself does not say.
  absl::StatusOr<std::vector<std::string>> Words(DeviceType device) const;

  struct Said {
    std::string preset;              // empty: none
    std::vector<std::string> words;  // "--modes=wall", and notes ("amp=yes"), which are no flags
  };

 private:
  Said said_;
  int repeat_ = 0;            // --repeat, which each suite implements differently; 0: not given
  int total_partitions_ = 0;  // 0: not given
  int partition_ = -1;        // -1: not given
};

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PRESETS_PRESETS_H_
