#include "benchmarks/harness/text/byte_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace assay::base {

std::string ByteText(int64_t bytes) {
  if (bytes < 1024) return absl::StrCat(bytes, " B");
  auto value = static_cast<double>(bytes);
  const char* unit = "B";
  for (const char* larger : {"KiB", "MiB", "GiB", "TiB"}) {
    if (value < 1023.5) break;  // would be printed as 1024
    value /= 1024;
    unit = larger;
  }
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return absl::StrFormat("%.*f %s", decimals, value, unit);
}

}  // namespace assay::base
