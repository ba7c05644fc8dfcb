#include "benchmarks/harness/text/few_names.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay::base {

std::string FewNames(absl::Span<const std::string> names, size_t most) {
  const std::string text = absl::StrJoin(names.subspan(0, most), ", ");
  if (names.size() <= most) return text;
  return absl::StrCat(text, ", … and ", names.size() - most, " more");
}

}  // namespace assay::base
