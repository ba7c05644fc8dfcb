#ifndef ASSAY_BENCHMARKS_HARNESS_TRACE_OUTPUT_DIGEST_H_
#define ASSAY_BENCHMARKS_HARNESS_TRACE_OUTPUT_DIGEST_H_

// ---------------------------------------------------------------------------------------------
// output_digest.h: the digest of a result that a capture writes and a replay compares.
//
// Example:
//   if (OutputDigest(result.contiguous()) == recorded) ...   // "0123456789abcdef"
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <string>

namespace assay::trace {

// SHA-256 of the elements, the first 16 digits. The tensor lies row-major on the CPU.
std::string OutputDigest(const at::Tensor& row_major);

}  // namespace assay::trace

#endif  // ASSAY_BENCHMARKS_HARNESS_TRACE_OUTPUT_DIGEST_H_
