#ifndef ASSAY_BENCHMARKS_BACKENDS_MODULE_FILE_H_
#define ASSAY_BENCHMARKS_BACKENDS_MODULE_FILE_H_

// ---------------------------------------------------------------------------------------------
// module_file.h: the exported file of a traced forward pass, kept in $XDG_CACHE_HOME/assay/modules or
// ~/.cache/assay/modules. Its name is a digest of everything that it depends on: graph, weights, inputs,
// LibTorch's version, the format, the exporter's sources and, of machine code, the CPU's vector
// instructions; then one of what it is made with. The folder can be deleted at any time; beyond 20 GiB,
// files go that were used longest ago (module_cache.h). A file that is not there is fetched, where the
// lock of the case's package has a row for the first digest and a source has the blob
// (tools/export/fetch_module.py), else made by //tools:export_model.
//
// A kept file is loaded as machine code. So others must not be able to write to the file nor to a folder
// above it, and it must have the SHA-256 that was written beside it when it was kept, or it is made again.
//
// Files appear whole, by a rename, so that two processes may make the same one at once.
//
// Example:
//   absl::StatusOr<KeptModule> file =
//       ModuleFile(TracedModule(program, inputs, {}), {.format = "aoti", .extension = ".pt2"});
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/harness/execution/traced_module.h"
#include "tools/export/exporter_digest.h"

namespace assay::backends {

struct WantedModule {
  std::string_view format;
  std::string_view extension;
  std::string inputs = {};     // dtypes and shapes, which the trace of many models does not hold
  std::string made_with = {};  // the compiler; empty where none is needed
  bool native = false;         // it holds machine code
  std::string label = {};      // of the case, whose package's lock may have the file
  std::string_view exporter = kExporterDigest;  // what makes the file
};

struct KeptModule {
  std::string path;
  absl::Duration export_time = {};  // zero where the file was there, or was fetched
};

// Says in one line that it fetches or makes a file, and how long that took. Where the variable
// ASSAY_MODULES_TO names a folder, leaves a copy there, named by the first digest. FailedPrecondition where
// this process was not started in a workspace, in which the tool could be built, and where others can
// write to what is kept; Unavailable where the tool failed.
absl::StatusOr<KeptModule> ModuleFile(const execution::TracedModule& module,
                                      const WantedModule& wanted);

// The first line of `g++ --version`; empty where there is none.
std::string CompilerVersion();

}  // namespace assay::backends

#endif  // ASSAY_BENCHMARKS_BACKENDS_MODULE_FILE_H_
