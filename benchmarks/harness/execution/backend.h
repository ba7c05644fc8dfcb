#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_BACKEND_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_BACKEND_H_

// ---------------------------------------------------------------------------------------------
// backend.h: ways to call the same program. A back end is a library of its own (alwayslink = True)
// that registers itself by name; a runner has those that it links: eager, and what
// --//benchmarks/backends=//some:library adds. Its flags are Abseil's, defined beside it, with
// names that begin with the back end's: run_suite knows by that to whom they belong. They count as
// the runner's own and are in the record.
//
// Costs (operations, bytes) are counted on eager, whatever is timed.
//
// Not for: what a program does (program.h).
//
// Example, in a library of its own:
//   class Echo final : public Backend { ... };
//   [[maybe_unused]] const bool kRegistered = RegisterBackend("echo", std::make_unique<Echo>());
// ---------------------------------------------------------------------------------------------

#include <c10/core/Device.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/programs/program.h"
#include "defs/proto/suite.pb.h"

namespace assay::execution {

// A request to load, which a back end gets.
struct BackendRequest {
  const ResolvedCase& c;
  c10::Device device;
  // A file that holds the program (.pt2, .onnx), for back ends that read one; empty: none.
  std::string module_path = {};
  // Workloads of the case that will be called, so that what they need can be made at once, and fails
  // before anything is measured; empty: not known.
  std::vector<const Workload*> workloads = {};
};

class Backend {
 public:
  virtual ~Backend() = default;

  // OK where the request can be loaded; otherwise InvalidArgument, naming the flag and what is
  // allowed.
  virtual absl::Status Check(const BackendRequest& request, const Program& program) const = 0;
  // Whether calls of the step can be timed. Copies always can.
  virtual bool Has(const StepSpec& step) const { return step.name() == "forward"; }
  // Makes the executable, once a run; Check() was OK. The program is on its device in the case's
  // dtype, outlives the result, and keeps its values. Lets c10::Error through.
  virtual absl::StatusOr<std::unique_ptr<Executable>> Load(const BackendRequest& request,
                                                           Program& program) const = 0;
  // The files beside a module's file in which it keeps a part of itself, in a defined order.
  virtual std::vector<std::string> FilesBeside(const std::string& /*module_path*/) const {
    return {};
  }
  // The file that Load() reads, made of the program's forward pass on `inputs`, whose names are
  // `names`; Unimplemented where another program makes it. Lets c10::Error through.
  virtual absl::StatusOr<std::string> Module(Program& /*program*/, const Tensors& /*inputs*/,
                                             const std::vector<std::string>& /*names*/) const {
    return absl::UnimplementedError("the back end makes no file");
  }
};

// Returns true, so that a static constant in the back end's file can call it. Aborts where two have
// one name.
bool RegisterBackend(std::string_view name, std::unique_ptr<Backend> backend);

// The back end that the execution names. InvalidArgument, with those that are linked and the flag
// that links another, for a name that is not among them.
absl::StatusOr<const Backend*> FindBackend(const Execution& execution);

// Finds the case's back end, checks and loads, with LibTorch's exceptions as a Status.
absl::StatusOr<std::unique_ptr<Executable>> Load(const BackendRequest& request, Program& program);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_BACKEND_H_
