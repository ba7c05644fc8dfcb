// -----------------------------------------------------------------------------
// File: dynamo_flags.h
// -----------------------------------------------------------------------------
//
// The flags of TorchDynamo's benchmarks (pytorch/benchmarks/dynamo/common.py), and the ten words of
// Intel's inductor_xpu_test.sh, which calls them.
//
//   Translation said;
//   base::FlagTable flags = DynamoFlags(said);   // "performance", "inference", "bfloat16", ...
//   absl::Status read = ReadIntelWords({"huggingface", "bfloat16", ...}, said);

#ifndef ASSAY_TOOLS_SUITE_PRESETS_DYNAMO_FLAGS_H_
#define ASSAY_TOOLS_SUITE_PRESETS_DYNAMO_FLAGS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "defs/suite.pb.h"
#include "tools/suite/presets/translation.h"

namespace assay::suite {

base::FlagTable DynamoFlags(Translation& said);

// Requires one of --accuracy, --performance and --tolerance, and one of --training and --inference,
// as that program does. InvalidArgument where one is missing or there are two.
absl::Status CheckDynamo(const Translation& said);

// Adds what --amp stands for: autocast to --amp-dtype, or else to float16 on CUDA and bfloat16 on
// the CPU.
void AddAmp(Translation& said, DeviceType device);

// Adds that program's defaults: thirty calls after five.
void AddDynamoDefaults(Translation& said);

// Words that are missing have the script's defaults. InvalidArgument, with all words that are
// unknown or without a meaning here, what is allowed and the reason.
absl::Status ReadIntelWords(absl::Span<const std::string> words, Translation& said);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PRESETS_DYNAMO_FLAGS_H_
