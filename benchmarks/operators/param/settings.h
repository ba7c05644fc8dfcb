#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_SETTINGS_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_SETTINGS_H_

// ---------------------------------------------------------------------------------------------
// settings.h: the command line of `param`: PARAM's flags with PARAM's meaning, and a few of ours.
//
// Example:
//   absl::StatusOr<Settings> settings = ParseSettings(words);
//   if (!settings.ok()) return 3;
// ---------------------------------------------------------------------------------------------

#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "benchmarks/operators/param/run_items.h"

namespace assay::param {

inline constexpr char kVersion[] = "1.0";

// One of NVIDIA's tools, under which batches of inputs are called again.
struct ToolSettings {
  bool asked = false;
  std::string program = {};    // empty: searched in PATH
  std::string arguments = {};  // a file of more arguments for the tool, separated by white space
  int warmup = 0;
  int iteration = 0;
};

struct Settings {
  std::string config = {};
  int warmup = 1;
  int iteration = 1;
  bool backward = false;
  std::string device = "cpu";  // "cuda:1"
  std::string output_prefix = "benchmark_result";
  Selection selection = {};
  bool append = false;
  std::string cuda_l2_cache = "on";
  std::string exec_mode = "discrete";
  std::string log_level = "info";
  bool profile = false;
  bool cuda_graph = false;
  ToolSettings ncu = {.warmup = 5, .iteration = 1};
  ToolSettings nsys = {.warmup = 5, .iteration = 10};
  int run_batch_size = 50;
  int batch_cuda_device = -1;  // -1: the device of everything else
  bool version = false;
  bool help = false;

  std::string record = {};
  bool peaks = false;
  int threads = 1;
  int timeout_s = 0;  // for one input; 0: no limit
  int seed = 0;
  std::string verify = "on";               // off: no verdicts
  bool trust = false;                      // operators that touch files may be called
  std::vector<std::string> as_given = {};  // the file's words, then those of the command line

  // The next fields are for the process that does the work; users do not set them.
  bool child = false;
  int first_item = 0;
  std::string config_path = {}, output = {}, journal = {}, cuda_plugin = {};
  // Not empty: the process runs under a profiling tool. It calls `run_batch_size` items in ranges,
  // and writes to this file which they were.
  std::string batch_report = {};
};

// The words that a file of configurations puts before those of the command line (run_options.h).
using WordsOf = absl::FunctionRef<absl::StatusOr<std::vector<std::string>>(const std::string&)>;

// InvalidArgument, with what is allowed, for a wrong command line or wrong words of the file, and
// what `words_of` returns. The process that does the work has the file's words from its parent.
absl::StatusOr<Settings> ParseSettings(
    absl::Span<const std::string> words, WordsOf words_of = [](const std::string&) {
      return absl::StatusOr<std::vector<std::string>>(std::vector<std::string>());
    });

// The command line of the process that does the work, which ParseSettings reads back.
std::vector<std::string> ChildWords(const Settings& settings);

std::string Usage();

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_SETTINGS_H_
