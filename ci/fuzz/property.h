#ifndef ASSAY_CI_FUZZ_PROPERTY_H_
#define ASSAY_CI_FUZZ_PROPERTY_H_

// ---------------------------------------------------------------------------------------------
// property.h: the properties that a fuzz target requires of results, beside not crashing.
//
// Not for: tests of GoogleTest, which have EXPECT_….
//
// Example:
//   extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
//     const auto index = ParseSafetensors(Input(data, size));
//     if (index.ok()) Require(index->data_start <= size, "the header ends within the file");
//     return 0;
//   }
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace assay::fuzz {

// Ends the process where `holds` is false; sanitizer and libFuzzer report the input.
inline void Require(bool holds, const char* rule) {
  if (holds) return;
  std::fprintf(stderr, "property broken: %s\n", rule);
  std::abort();
}

inline std::string_view Input(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Requires of an error message that it is not empty, short enough for a terminal, and without
// control characters of the file (a newline between sentences is ours).
inline void RequireMessage(std::string_view message, size_t most_bytes = 2000) {
  Require(!message.empty(), "an error has a message");
  Require(message.size() < most_bytes, "a message stays short");
  for (const char c : message) {
    Require(c == '\n' || (c & 0x80) != 0 || (c >= ' ' && c != 0x7f), "a message is printable");
  }
}

}  // namespace assay::fuzz

#endif  // ASSAY_CI_FUZZ_PROPERTY_H_
