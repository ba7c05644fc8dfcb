#ifndef ASSAY_TOOLS_TRACE_ET_REPLAY_FLAGS_H_
#define ASSAY_TOOLS_TRACE_ET_REPLAY_FLAGS_H_

// ---------------------------------------------------------------------------------------------
// et_replay_flags.h: the flags of PARAM's et_replay as those of a replay here. Each one works, has no
// effect and says why, or is refused with what to use instead.
//
// Example:
//   absl::StatusOr<TranslatedWords> words = TranslateEtReplay({"--input", "et.json", "--iter", "10"});
//   // --input=et.json --exec-mode=continuous --iterations=10
// ---------------------------------------------------------------------------------------------

#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace assay::trace {

struct TranslatedWords {
  std::vector<std::string> words = {};
  std::vector<std::string> notes = {};  // flags without an effect
};

// Other flags are left as they are. InvalidArgument for those that are refused.
absl::StatusOr<TranslatedWords> TranslateEtReplay(absl::Span<const std::string> words);

// The nodes that a --replay-config skips: parts of the names of nodes. InvalidArgument, naming the file, where
// it is no JSON of that kind, or imports modules of Python.
absl::StatusOr<std::set<std::string>> ReadReplayConfig(const std::string& path);

// A table of the flags for --help.
std::string EtReplayUsage();

}  // namespace assay::trace

#endif  // ASSAY_TOOLS_TRACE_ET_REPLAY_FLAGS_H_
