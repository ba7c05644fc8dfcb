#ifndef ASSAY_BENCHMARKS_BACKENDS_MODULE_BACKEND_H_
#define ASSAY_BENCHMARKS_BACKENDS_MODULE_BACKEND_H_

// ---------------------------------------------------------------------------------------------
// module_backend.h: a back end that runs exported files. It brings the case's forward pass into the
// format, one file for each shape of the inputs (module_file.h), or takes the file that --module
// names; what is left to a format is to load a file and to call it.
//
// It computes on the CPU, with contiguous inputs, and refuses what a file cannot hold: training,
// generation, --autocast, --memory-format=channels_last.
//
// Example:
//   [[maybe_unused]] const bool kRegistered = RegisterModuleBackend(
//       {.backend = "aoti", .format = "aoti", .extension = ".pt2", .load = LoadAoti});
// ---------------------------------------------------------------------------------------------

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/backends/tensor_form.h"
#include "benchmarks/harness/programs/program.h"
#include "defs/proto/suite.pb.h"

namespace assay::backends {

// A file, ready to be called.
class LoadedModule {
 public:
  virtual ~LoadedModule() = default;

  // The inputs that it was exported for; empty where the format checks its inputs itself.
  virtual std::vector<TensorForm> Inputs() const = 0;
  // The names that the file has for what a call returns; empty where it has none.
  virtual std::vector<std::string> OutputNames() const { return {}; }
  // Name and version of what calls it; empty: LibTorch.
  virtual std::string Runtime() const { return ""; }
  // `inputs` are contiguous and have these forms. Called without autograd. Lets c10::Error through.
  virtual execution::Tensors Call(const execution::Tensors& inputs) = 0;
};

struct ModuleFormat {
  std::string_view backend;
  std::string_view format;     // export_model's --format
  std::string_view extension;  // of its files
  // Besides the graph and the state, what a file depends on: the compiler's version.
  std::string (*made_with)() = nullptr;
  // InvalidArgument where the format cannot hold the case; nullptr: it can hold any.
  absl::Status (*check)(const BenchmarkCase& c) = nullptr;
  // Backend::FilesBeside(); nullptr: a file is whole.
  std::vector<std::string> (*files_beside)(const std::string& path) = nullptr;
  // InvalidArgument where the file, which the caller names, is not one of the format. May let
  // exceptions through.
  absl::StatusOr<std::unique_ptr<LoadedModule>> (*load)(const std::string& path);
};

// Returns true, as RegisterBackend() does.
bool RegisterModuleBackend(const ModuleFormat& format);

// The format of a back end that is linked and was registered here; nullptr: there is none.
const ModuleFormat* FindModuleFormat(std::string_view backend);

// Loads a file. InvalidArgument, naming it, where it is none of the format or is damaged;
// ResourceExhausted where memory does not suffice.
absl::StatusOr<std::unique_ptr<LoadedModule>> LoadModule(const ModuleFormat& format,
                                                         const std::string& path);

}  // namespace assay::backends

#endif  // ASSAY_BENCHMARKS_BACKENDS_MODULE_BACKEND_H_
