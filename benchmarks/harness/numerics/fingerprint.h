#ifndef ASSAY_BENCHMARKS_HARNESS_NUMERICS_FINGERPRINT_H_
#define ASSAY_BENCHMARKS_HARNESS_NUMERICS_FINGERPRINT_H_

// ---------------------------------------------------------------------------------------------
// fingerprint.h: a quick check whether tensors have changed.
//
// Equal bits give equal fingerprints within one process. A tensor of up to a MiB is read whole; of
// a larger one 16 pieces of 64 KiB, spread evenly from its first byte to its last, so that weights
// of gigabytes cost milliseconds. A change that misses every piece goes unseen.
//
// Not for names that outlive the process (sha256.h), nor for closeness (comparison.h).
//
// Example:
//   const uint64_t before = Fingerprint(inputs);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace assay::numerics {

// Waits for the tensors' device and copies from it. Undefined tensors count as such. Lets
// c10::Error through.
uint64_t Fingerprint(at::ArrayRef<at::Tensor> tensors);

}  // namespace assay::numerics

#endif  // ASSAY_BENCHMARKS_HARNESS_NUMERICS_FINGERPRINT_H_
