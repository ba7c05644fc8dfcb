#ifndef ASSAY_BENCHMARKS_OPERATORS_SWEEP_SAMPLE_ARGUMENTS_H_
#define ASSAY_BENCHMARKS_OPERATORS_SWEEP_SAMPLE_ARGUMENTS_H_

// ---------------------------------------------------------------------------------------------
// sample_arguments.h: the texts of all arguments of one call: from its row in samples.txt, else
// chosen by type.
//
// Example:
//   std::optional<ArgumentTexts> texts = TextsOf(schema, table.For(name), kTensorTexts[0],
//                                               SampleSize::kSmall);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/function_schema.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "benchmarks/operators/sweep/sample_table.h"

namespace assay::sweep {

// Names and texts, in the schema's order.
using ArgumentTexts = std::vector<std::pair<std::string, std::string>>;

// The texts that are tried, in this order, for a tensor that samples.txt does not name; in both
// sizes (sample_table.h).
inline constexpr std::array<std::string_view, 9> kTensorTexts = {
    "f[4|96,4|96]",       "f[2,3,8|48,8|48]", "f[2,3,8|2048]", "f[4|10000]",  "i[4|96,4|96]<4",
    "f[2,3,4,8|20,8|20]", "f[2,4|70,4|70]",   "b[4|96,4|96]",  "c[4|96,4|96]"};

// A text for each argument that has no default or that the row names; nullopt if one has none.
std::optional<ArgumentTexts> TextsOf(const c10::FunctionSchema& schema, const SampleRow& row,
                                     std::string_view tensor, SampleSize size);

// "self=f[4,4] other=f[4,4]"
std::string SampleText(const ArgumentTexts& texts);

}  // namespace assay::sweep

#endif  // ASSAY_BENCHMARKS_OPERATORS_SWEEP_SAMPLE_ARGUMENTS_H_
