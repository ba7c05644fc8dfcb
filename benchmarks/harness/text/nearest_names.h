#ifndef ASSAY_BENCHMARKS_HARNESS_TEXT_NEAREST_NAMES_H_
#define ASSAY_BENCHMARKS_HARNESS_TEXT_NEAREST_NAMES_H_

// ---------------------------------------------------------------------------------------------
// nearest_names.h: suggests names that are similar to one that does not exist.
//
// Example:
//   NearestNames("resnet5O", {"mlp", "resnet18", "resnet50"}, 1);   // {"resnet50"}
// ---------------------------------------------------------------------------------------------

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"

namespace assay::base {

// At most `most` of `names`: first those that contain `name`, then those with the fewest characters
// to insert, delete or replace; equally near ones in alphabetical order.
std::vector<std::string> NearestNames(std::string_view name, absl::Span<const std::string> names,
                                      size_t most = 3);

// The one of `names` that a person who typed `name` is likely to have meant: at most a third of its
// characters differ. Empty where there is none.
std::string LikelyMeant(std::string_view name, absl::Span<const std::string> names);

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_TEXT_NEAREST_NAMES_H_
