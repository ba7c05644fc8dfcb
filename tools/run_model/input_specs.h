#ifndef ASSAY_TOOLS_RUN_MODEL_INPUT_SPECS_H_
#define ASSAY_TOOLS_RUN_MODEL_INPUT_SPECS_H_

// ---------------------------------------------------------------------------------------------
// input_specs.h: the inputs of a model that is a file, as the command line, the file and a user's
// tensors say them, as inputs of a case.
//
//   x:fp32[8,3,224,224]      numbers of mean 0 and standard deviation 1
//   ids:int64[1,128]<30522   whole numbers from 0 to 30521; without a limit zeros and ones
//
// Example:
//   absl::StatusOr<TensorSpec> x = ParseInputSpec("x:fp32[8,3,224,224]");
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "benchmarks/backends/tensor_form.h"
#include "defs/proto/suite.pb.h"

namespace assay::run_model {

// InvalidArgument that says what is allowed.
absl::StatusOr<TensorSpec> ParseInputSpec(std::string_view text);

// An input as the file declares it. InvalidArgument where it leaves a size open, or has a dtype
// that no case has.
absl::StatusOr<TensorSpec> DeclaredInput(const backends::TensorForm& form);

// Seeded numbers like those that were given: of their shape and dtype, between their least and their
// greatest.
absl::StatusOr<TensorSpec> InputLike(const std::string& name, const at::Tensor& given);

}  // namespace assay::run_model

#endif  // ASSAY_TOOLS_RUN_MODEL_INPUT_SPECS_H_
