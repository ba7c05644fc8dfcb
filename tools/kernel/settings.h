// -----------------------------------------------------------------------------
// File: settings.h
// -----------------------------------------------------------------------------
//
// The command line of `kernel`.
//
//   absl::StatusOr<Settings> settings = ParseSettings({"mine.cc", "--like=softmax"});

#ifndef ASSAY_TOOLS_KERNEL_SETTINGS_H_
#define ASSAY_TOOLS_KERNEL_SETTINGS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "defs/proto/suite.pb.h"

namespace assay::kernel {

enum class Output { kText, kJson, kCsv, kMarkdown };

struct Settings {
  bool help = false, list = false;
  std::vector<std::string> files = {};  // of the candidates: sources or libraries
  std::string like = {}, op = {};
  std::vector<std::string> at = {};
  // Files of FlashInfer-Trace: a definition, its workloads, and where the traces go.
  std::string flashinfer_trace = {}, workload = {}, flashinfer_out = {};
  std::string python = "python3";  // runs a definition's reference
  std::vector<Dtype> dtypes = {};  // none: float32
  uint64_t seed = 0;               // drawn where none was given
  bool asan = true;                // of a source: checked once more with the address sanitizer
  bool measures = true;            // --action=verify does not
  bool only_library = false;       // --action=library
  int processes = 5;
  double milliseconds = 15;  // for each size and kind of cache in each process
  int threads = 0;
  double timeout_s = 10;
  bool nondeterministic = false;
  bool gate = false;
  double fast_p = 1;
  bool peaks = false;  // they are measured
  Output output = Output::kText;
  std::string html = {};  // a path of a page; empty: none
};

extern const char* const kUsage;

// InvalidArgument, naming each word that is wrong.
absl::StatusOr<Settings> ParseSettings(const std::vector<std::string>& words);

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_SETTINGS_H_
