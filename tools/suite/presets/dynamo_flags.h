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
#include "tools/suite/presets/translation.h"

namespace assay::suite {

base::FlagTable DynamoFlags(Translation& said);

// One of --accuracy, --performance and --tolerance, and one of --training and --inference, as there.
// InvalidArgument where one is missing or there are two.
absl::Status CheckDynamo(const Translation& said);

// Thirty calls after five.
void AddDynamoDefaults(Translation& said);

inline constexpr size_t kIntelWords = 10;

// InvalidArgument, naming the word, what is allowed and why, for words that are too few, unknown or
// without a meaning here.
absl::Status ReadIntelWords(absl::Span<const std::string> words, Translation& said);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PRESETS_DYNAMO_FLAGS_H_
