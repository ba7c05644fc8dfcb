#ifndef ASSAY_DEFS_CASE_DIMENSIONS_H_
#define ASSAY_DEFS_CASE_DIMENSIONS_H_

// ---------------------------------------------------------------------------------------------
// dimensions.h: the value of a dimension or limit as tables write it: a sum of products of numbers,
// "batch", integer parameters and sums of bags, without blanks and parentheses.
//
//   3    batch    sequence_length+1    batch*tables    2*width-1    sum:lengths
//
// sum:NAME is the number of elements of the bags that another input describes, by their lengths
// (integers) or by their offsets (bag_offsets). What the input holds follows from the seed, so the
// build knows this number as well.
//
// Example:
//   std::optional<int64_t> rows = Evaluate("batch*tables", workload, /*seed=*/0);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "defs/proto/suite.pb.h"

namespace assay {

// The values that a dimension may have, for messages.
inline constexpr std::string_view kDimension =
    "a number, \"batch\", an integer parameter, \"sum:\" with an input of lengths or offsets, or "
    "sums "
    "and products of these";

// The input whose bags `dimension` sums; empty where it is no "sum:" alone.
std::string_view SummedInput(std::string_view dimension);

// The places of the inputs in the order in which their shapes can be known: those that hold another
// input's bags come last.
std::vector<int> BagsLast(const google::protobuf::RepeatedPtrField<InputSpec>& inputs);

// Whether the input says where another input's bags are.
bool DescribesBags(const Workload& workload, const TensorSpec& input);

// Reads the workload's parameters, batch and inputs. Nothing for text that is no such expression,
// for a name that is no integer parameter or no such input of the workload, and where the value does
// not fit into 64 bits.
std::optional<int64_t> Evaluate(std::string_view dimension, const Workload& workload,
                                uint64_t seed);

}  // namespace assay

#endif  // ASSAY_DEFS_CASE_DIMENSIONS_H_
