#ifndef ASSAY_TOOLS_RUN_MODEL_AGAINST_H_
#define ASSAY_TOOLS_RUN_MODEL_AGAINST_H_

// ---------------------------------------------------------------------------------------------
// against.h: hands a file over to against_python.py, which runs it by this program and by Python in turns and measures
// what each setting is worth. The script is part of this program.
//
// Example:
//   return AgainstPython({.python = "python3"}, "model.pt", "torchscript", line.as_given);
// ---------------------------------------------------------------------------------------------

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace assay::run_model {

struct AgainstOptions {
  std::string against = {};  // "python", or empty
  std::string python =
      {};         // a program; empty: python3 of PATH, and where that has no torch the pinned one
  int pairs = 3;  // of processes
};

// `words`: the command line of this program. Does not return where Python can be started; otherwise why not.
absl::Status AgainstPython(const AgainstOptions& options, const std::string& model,
                           const std::string& backend, const std::vector<std::string>& words);

}  // namespace assay::run_model

#endif  // ASSAY_TOOLS_RUN_MODEL_AGAINST_H_
