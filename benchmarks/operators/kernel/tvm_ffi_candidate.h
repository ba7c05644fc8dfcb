#ifndef ASSAY_BENCHMARKS_OPERATORS_KERNEL_TVM_FFI_CANDIDATE_H_
#define ASSAY_BENCHMARKS_OPERATORS_KERNEL_TVM_FFI_CANDIDATE_H_

// ---------------------------------------------------------------------------------------------
// tvm_ffi_candidate.h: a TVM-FFI library with a kernel, loaded; its function becomes an operator of
// LibTorch's dispatcher with the schema of the operator that it must be like.
//
// The function gets the arguments in the schema's order, without those at the end that have their default
// values, then the outputs: softmax(self, dim, out). Outputs are contiguous and not written to. Their
// sizes and dtypes are those of the other operator's results for tensors without memory (meta), or for
// zeros.
//
// Example:
//   absl::StatusOr<std::string> name = LoadTvmFfiCandidate(
//       {.path = "libmine.so", .runtime = "libtvm_ffi.so", .functions = {"softmax"}}, "", aten_call);
//   absl::StatusOr<execution::BoundOperator> mine = BindLike(*name, aten_call);
// ---------------------------------------------------------------------------------------------

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "benchmarks/harness/dispatcher/boxed_operator.h"

namespace assay::kernel {

struct TvmFfiLibrary {
  std::string path;
  std::string runtime;                 // libtvm_ffi.so, in which it finds its symbols
  std::vector<std::string> functions;  // X of each __tvm_ffi_X that it exports
};

// "tvm_ffi_candidate::softmax", of the function `asked` or the only one. FailedPrecondition in the
// loader's words for a library that does not load, and where the sizes of `like`'s results are not known
// before its values are; InvalidArgument for several functions and none asked for, or not the one that is.
absl::StatusOr<std::string> LoadTvmFfiCandidate(const TvmFfiLibrary& library,
                                                const std::string& asked,
                                                const execution::BoundOperator& like);

}  // namespace assay::kernel

#endif  // ASSAY_BENCHMARKS_OPERATORS_KERNEL_TVM_FFI_CANDIDATE_H_
