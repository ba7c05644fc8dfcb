#ifndef ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_CASE_FLAGS_H_
#define ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_CASE_FLAGS_H_

// ---------------------------------------------------------------------------------------------
// case_flags.h: the table of all flags of a case's program.
//
// The program's parser and --help, the axes of //tools:run_suite, a record's configuration and
// docs/data/flags.md read it. A new flag is a row (flag_sections.h), and the code that asks for its value.
//
// Not for: flags of a back end, which are ABSL_FLAGs of its library.
//
// Example:
//   const FlagSpec* flag = FindFlag("memory-format");
//   std::string threads = ValueOf(line.values, "threads");   // "0" where it was not given
//   absl::Status together = CheckFlags(line.values);
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/configuration/flag_sections.h"
#include "benchmarks/harness/configuration/flag_spec.h"
#include "defs/proto/suite.pb.h"

namespace assay::configuration {

// In the order of --help.
const std::vector<FlagSection>& FlagSections();

// All flags by their use, in the order of FlagUse; then in that order.
const std::vector<const FlagSpec*>& CaseFlags();

// nullptr if no flag has this name; '_' counts as '-'.
const FlagSpec* FindFlag(std::string_view name);

// The value that was given, else the fallback. The flag must exist.
std::string ValueOf(const FlagValues& values, std::string_view name);
bool IsGiven(const FlagValues& values, std::string_view name);

// The names among these, or "name=value", that --help explains.
std::vector<std::string> ListedNames(const std::vector<std::string>& names);

// InvalidArgument, naming the flags and the fix, for flags that cannot stand together by the rows'
// `excludes` and `needs`. `values` may also have flags that are not in the table.
absl::Status CheckFlags(const FlagValues& values);

// Which outputs are compared, by --verify, --action and what is exported.
Comparison ComparisonOf(const FlagValues& values);

// As words for the program, "--batch=8", in the table's order.
std::vector<std::string> FlagWords(const FlagValues& values);

// The values of `values` that change how the case is called.
CallFlags CallFlagsOf(const FlagValues& values);

}  // namespace assay::configuration

#endif  // ASSAY_BENCHMARKS_HARNESS_CONFIGURATION_CASE_FLAGS_H_
