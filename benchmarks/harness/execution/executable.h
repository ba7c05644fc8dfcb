#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_EXECUTABLE_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_EXECUTABLE_H_

// ---------------------------------------------------------------------------------------------
// executable.h: how a model is called. A backend turns a model and its inputs into something with
// one method, and that method is all that is ever timed or verified.
//
// Not for: waiting for a device or reading clocks (harness/sampling).
//
// Example:
//   auto executable = Prepare(EAGER, *model, inputs);
//   std::vector<at::Tensor> outputs = (*executable)->Call();
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "defs/suite.pb.h"
#include "models/model.h"

namespace assay::execution {

class Executable {
 public:
  virtual ~Executable() = default;

  // Runs the model once. On a CUDA device it returns when the work is enqueued. Lets c10::Error
  // through: translating it costs time here, and the caller knows what it was doing.
  virtual std::vector<at::Tensor> Call() = 0;

  // What later calls read, in place of the inputs they have: as many, of the same shapes, dtypes
  // and device.
  virtual void SetInputs(std::vector<at::Tensor> inputs) = 0;
};

// `model` must outlive the result; `inputs` are kept. Unimplemented for a backend that this build
// does not have.
absl::StatusOr<std::unique_ptr<Executable>> Prepare(Backend backend, models::Model& model,
                                                    std::vector<at::Tensor> inputs);

// Call() with LibTorch's exceptions as Status.
absl::StatusOr<std::vector<at::Tensor>> CallOnce(Executable& executable);

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_EXECUTABLE_H_
