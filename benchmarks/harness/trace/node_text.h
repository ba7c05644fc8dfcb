#ifndef ASSAY_BENCHMARKS_HARNESS_TRACE_NODE_TEXT_H_
#define ASSAY_BENCHMARKS_HARNESS_TRACE_NODE_TEXT_H_

// ---------------------------------------------------------------------------------------------
// node_text.h: arguments and results as an execution trace of schema 1.1.1-chakra.0.0.4 has them.
//
// What LibTorch's ExecutionTraceObserver loses is kept: numbers have all their digits, lists all their
// elements, complex numbers their value. Texts are valid JSON whatever bytes they hold: those that
// are no UTF-8 become U+FFFD.
//
// Example:
//   ValuesText text = TextOf(fn.inputs(), ids);
//   text.values   // [[4,5,0,6,4,"cpu"],1.0000000000000001e-08]
//   text.types    // ["Tensor(float)","Double"]
// ---------------------------------------------------------------------------------------------

#include <ATen/core/ivalue.h>

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "benchmarks/harness/trace/identities.h"

namespace assay::trace {

// JSON lists, an element for each value.
struct ValuesText {
  std::string values;
  std::string shapes;
  std::string types;
  std::string strides;
  std::vector<at::Tensor> tensors;  // in the order of the text, lists taken apart
};

ValuesText TextOf(absl::Span<const c10::IValue> values, Identities& ids);

}  // namespace assay::trace

#endif  // ASSAY_BENCHMARKS_HARNESS_TRACE_NODE_TEXT_H_
