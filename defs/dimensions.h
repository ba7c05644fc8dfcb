#ifndef ASSAY_DEFS_DIMENSIONS_H_
#define ASSAY_DEFS_DIMENSIONS_H_

// ---------------------------------------------------------------------------------------------
// dimensions.h: the value of a dimension or limit as tables write it: a sum of products of numbers,
// "batch" and integer parameters, without blanks and parentheses.
//
//   3    batch    sequence_length+1    batch*tables    2*width-1
//
// Example:
//   std::optional<int64_t> rows = Evaluate("batch*tables", workload.parameters(), 8);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <optional>
#include <string_view>

#include "defs/suite.pb.h"

namespace assay {

// What a dimension may be, for messages.
inline constexpr std::string_view kDimension =
    "a number, \"batch\", an integer parameter, or sums and products of these";

// Nothing for text that is no such expression, for a name that is no integer parameter, and where
// the value does not fit into 64 bits.
std::optional<int64_t> Evaluate(
    std::string_view dimension,
    const google::protobuf::Map<std::string, ParameterValue>& parameters, int64_t batch);

}  // namespace assay

#endif  // ASSAY_DEFS_DIMENSIONS_H_
