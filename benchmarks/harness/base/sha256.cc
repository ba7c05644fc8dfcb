#include "benchmarks/harness/base/sha256.h"

#include <openssl/evp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"

namespace assay::base {

std::string Sha256Hex(std::string_view bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest, &length, EVP_sha256(), nullptr) != 1) {
    // Only a broken OpenSSL gets here: the algorithm is always built in and memory is ours.
    std::fprintf(stderr, "OpenSSL cannot compute SHA-256; is its installation damaged?\n");
    std::abort();
  }
  return absl::BytesToHexString(std::string_view(reinterpret_cast<const char*>(digest), length));
}

bool IsSha256Hex(std::string_view text) {
  return text.size() == 64 && std::all_of(text.begin(), text.end(), [](unsigned char c) {
           return absl::ascii_isdigit(c) || (c >= 'a' && c <= 'f');
         });
}

}  // namespace assay::base
