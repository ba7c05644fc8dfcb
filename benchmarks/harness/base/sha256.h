#ifndef ASSAY_BENCHMARKS_HARNESS_BASE_SHA256_H_
#define ASSAY_BENCHMARKS_HARNESS_BASE_SHA256_H_

// ---------------------------------------------------------------------------------------------
// sha256.h: the digest that names blobs.
//
// Not for: files larger than memory; blobs are read whole before they are parsed, so that the
// checked bytes are the parsed bytes.
//
// Example:
//   if (Sha256Hex(bytes) != lock_row_sha256) ...
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>

namespace assay::base {

// 64 lower-case hex digits (FIPS 180-4).
std::string Sha256Hex(std::string_view bytes);

// Whether `text` could be such a digest: 64 lower-case hex digits.
bool IsSha256Hex(std::string_view text);

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_BASE_SHA256_H_
