#ifndef ASSAY_BENCHMARKS_BACKENDS_TENSOR_FORM_H_
#define ASSAY_BENCHMARKS_BACKENDS_TENSOR_FORM_H_

// ---------------------------------------------------------------------------------------------
// tensor_form.h: dtype and shape of a tensor as text, the way export_model writes them into a file
// and a person writes them on a command line: "float32[1,3,224,224]", "int64[?,128]".
//
// Example:
//   std::optional<TensorForm> form = ParseForm("fp32[8,3,224,224]");
//   std::string problem = Misfit({image}, {*form});
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/harness/dispatcher/operator_graph.h"

namespace assay::backends {

struct TensorForm {
  at::ScalarType dtype = at::kFloat;
  std::vector<int64_t> sizes = {};  // -1: any
  std::string name = {};            // empty where nothing names the tensor; not part of the text
  bool any_rank = false;            // any number of dimensions; `sizes` is then empty
  std::map<size_t, execution::OpenSize> open =
      {};  // what is known of sizes that are -1, by dimension
};

// "float32[1,3,224,224] int64[?,128]"; "float32[...]" of any rank; "[1..16,4]" of a size that has a range.
std::string FormsText(at::ArrayRef<TensorForm> forms);
std::string FormsText(at::ArrayRef<at::Tensor> tensors);

// torch's name of a dtype ("float32") or a case's ("fp32"), then sizes. Nothing for another text,
// for a size below 0 and for more than 2^40 elements.
std::optional<TensorForm> ParseForm(std::string_view text);

// The first thing that does not fit, in a sentence: "size 0 of x is 20; the file takes 1..16". "": there are as many
// tensors, each of its form.
std::string Misfit(at::ArrayRef<at::Tensor> tensors, at::ArrayRef<TensorForm> forms);

}  // namespace assay::backends

#endif  // ASSAY_BENCHMARKS_BACKENDS_TENSOR_FORM_H_
