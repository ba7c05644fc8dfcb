#ifndef ASSAY_BENCHMARKS_BACKENDS_MODULE_FILE_H_
#define ASSAY_BENCHMARKS_BACKENDS_MODULE_FILE_H_

// ---------------------------------------------------------------------------------------------
// module_file.h: the exported file of a traced forward pass, made by //tools:export_model the first
// time and kept in $XDG_CACHE_HOME/assay/modules or ~/.cache/assay/modules. Its name is a digest of
// everything that it depends on: graph, weights, inputs, LibTorch's version, the CPU's vector instructions,
// the format, what it is made with. The folder can be deleted at any time.
//
// Files appear whole, by a rename, so that two processes may make the same one at once.
//
// Example:
//   absl::StatusOr<std::string> path =
//       ModuleFile(TracedModule(program, inputs, {}), {.format = "aoti", .extension = ".pt2"});
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/traced_module.h"

namespace assay::backends {

struct WantedModule {
  std::string_view format;
  std::string_view extension;
  std::string inputs = {};  // dtypes and shapes, which the trace of many models does not hold
  std::string made_with = {};
};

// The path. Says in one line that it makes a file, and how long that took. FailedPrecondition where
// this process was not started in a workspace, in which the tool could be built; Unavailable where
// the tool failed.
absl::StatusOr<std::string> ModuleFile(const execution::TracedModule& module,
                                       const WantedModule& wanted);

// What `g++ --version` says first; empty where there is none.
std::string CompilerVersion();

}  // namespace assay::backends

#endif  // ASSAY_BENCHMARKS_BACKENDS_MODULE_FILE_H_
