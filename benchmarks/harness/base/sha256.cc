#include "benchmarks/harness/base/sha256.h"

#include <openssl/evp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"

namespace assay::base {

std::string Sha256Hex(std::string_view bytes) {
  return Sha256Hex(bytes, [](size_t, size_t) {});
}

std::string Sha256Hex(std::string_view bytes, absl::FunctionRef<void(size_t, size_t)> done) {
  constexpr size_t kPart = size_t{16} << 20;
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int length = 0;
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        EVP_MD_CTX_free);
  bool ok = context && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  for (size_t begin = 0; ok && begin < bytes.size(); begin += kPart) {
    const std::string_view part = bytes.substr(begin, kPart);
    ok = EVP_DigestUpdate(context.get(), part.data(), part.size()) == 1;
    done(begin, begin + part.size());
  }
  if (!ok || EVP_DigestFinal_ex(context.get(), digest, &length) != 1) {
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
