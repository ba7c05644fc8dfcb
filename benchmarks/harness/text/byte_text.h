#ifndef ASSAY_BENCHMARKS_HARNESS_TEXT_BYTE_TEXT_H_
#define ASSAY_BENCHMARKS_HARNESS_TEXT_BYTE_TEXT_H_

// ---------------------------------------------------------------------------------------------
// byte_text.h: a number of bytes for people.
//
// Not for: records and CSV, which keep the number.
//
// Example:
//   ByteText(46'837'760);   // "44.7 MiB"
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <string>

namespace assay::base {

// "512 B", "1.50 KiB", "44.7 MiB", "139 GiB": three digits, in powers of 1024. `bytes` is not
// negative.
std::string ByteText(int64_t bytes);

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_TEXT_BYTE_TEXT_H_
