#ifndef ASSAY_BENCHMARKS_HARNESS_BASE_SHA256_H_
#define ASSAY_BENCHMARKS_HARNESS_BASE_SHA256_H_

// ---------------------------------------------------------------------------------------------
// sha256.h: the digest that names blobs.
//
// Blobs are read whole before they are parsed, so that the checked bytes are the parsed bytes. A mapped
// file may be larger than memory: give back what was read.
//
// Example:
//   if (Sha256Hex(bytes) != lock_row_sha256) ...
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/functional/function_ref.h"

namespace assay::base {

// 64 lower-case hex digits (FIPS 180-4).
std::string Sha256Hex(std::string_view bytes);
// Calls `done` when it has read the bytes [begin, end), 16 MiB at a time.
std::string Sha256Hex(std::string_view bytes,
                      absl::FunctionRef<void(size_t begin, size_t end)> done);

// Whether `text` could be such a digest: 64 lower-case hex digits.
bool IsSha256Hex(std::string_view text);

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_BASE_SHA256_H_
