#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_RUN_OPTIONS_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_RUN_OPTIONS_H_

// ---------------------------------------------------------------------------------------------
// run_options.h: reads "run_options", which PARAM writes into the file for run_batch
// (train/compute/python/lib/pytorch/config_util.py), as defaults of this program's flags.
//
//   {"op_name": ..., "run_options": {"device": "cuda", "pass_type": "backward", "warmup": 5}}
//   is --device=cuda --backward --warmup=5
//
// A file may come from anybody, so its options start no program and name no file.
//
// Example:
//   absl::StatusOr<RunOptions> options = ReadRunOptions("batch.json");
//   // options->words: {"--device=cuda", ...}, to be read before the command line's
// ---------------------------------------------------------------------------------------------

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace assay::param {

struct RunOptions {
  std::vector<std::string> words = {};  // flags of settings.h
  std::vector<std::string> notes =
      {};  // options that have a value and no use here, with the reason
};

// InvalidArgument, with place or key, for options that are no object, an option that there is not,
// and a value of another kind than the option's. No options where the file cannot be read.
absl::StatusOr<RunOptions> ReadRunOptions(const std::string& path);

// The same of text in memory; `name` is used in messages.
absl::StatusOr<RunOptions> RunOptionsOf(const std::string& name, std::string_view text);

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_RUN_OPTIONS_H_
