#ifndef ASSAY_BENCHMARKS_OPERATORS_KERNEL_SIZES_TEXT_H_
#define ASSAY_BENCHMARKS_OPERATORS_KERNEL_SIZES_TEXT_H_

// ---------------------------------------------------------------------------------------------
// sizes_text.h: sizes as a person reads them.
//
// Example:
//   SizesText(sizes);   // "b=4096 c=768"
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/operators/kernel/kernel.pb.h"

namespace assay::kernel {

inline std::string SizesText(const Sizes& sizes, std::string_view between = " ") {
  return absl::StrJoin(sizes.sizes(), between, [](std::string* out, const Size& size) {
    absl::StrAppend(out, size.letter(), "=", size.number());
  });
}

}  // namespace assay::kernel

#endif  // ASSAY_BENCHMARKS_OPERATORS_KERNEL_SIZES_TEXT_H_
