#include "benchmarks/harness/text/shape_text.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay::base {

std::string ShapeText(absl::Span<const int64_t> shape) {
  constexpr size_t kMost = 16;
  if (shape.size() <= kMost) return absl::StrCat("[", absl::StrJoin(shape, ", "), "]");
  return absl::StrCat("[", absl::StrJoin(shape.subspan(0, kMost), ", "), ", … of ", shape.size(),
                      " dimensions]");
}

}  // namespace assay::base
