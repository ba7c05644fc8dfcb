#ifndef ASSAY_BENCHMARKS_HARNESS_BASE_FLAGS_H_
#define ASSAY_BENCHMARKS_HARNESS_BASE_FLAGS_H_

// ---------------------------------------------------------------------------------------------
// flags.h: the command line of every program of this suite, from a table of flags.
//
// Not Abseil's parser: that ends the process with exit code 1 on a wrong flag, which in this suite
// means "the product is wrong". Here a wrong command line is a Status, and the program exits with 3.
//
// A word is --name=value, or --name and the value as the next word; a switch is --name, --noname,
// --name=true or --name=false. '-' and '_' in a name are the same, and one '-' in front is enough. A name of
// one letter may have its value behind it: -n10.
//
// Example:
//   bool gate = false;
//   std::string format = "text";
//   absl::Status status = ParseFlags({{"gate", SwitchFlag(gate)},
//                                     {"format", ChoiceFlag(format, {"text", "json"})}}, words);
//   if (!status.ok()) return 3;   // "unknown flag --fromat; did you mean --format? There are ..."
//
// A program that also takes other words, such as file names, has a flag without a name for them:
// {"", {.set = ...}}.
// ---------------------------------------------------------------------------------------------

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/types/span.h"

namespace assay::base {

struct Flag {
  // Takes the value. An error's message says what is allowed, and comes after "--name=value: ".
  std::function<absl::Status(const std::string& value)> set;
  bool is_switch = false;
  // For a flag with a value that is also a switch: acts where no value follows, since the next word
  // is a flag or there is none.
  std::function<absl::Status()> alone = nullptr;
  bool listed = true;     // whether the message about an unknown flag names it
  std::string help = "";  // used for a missing value
  // The value with which the flag "help" explains all flags, in a program whose --help explains few.
  std::string all = "";
};

using FlagTable = std::map<std::string, Flag>;

// These set a variable, which must outlive the table.
Flag TextFlag(std::string& target);
Flag SwitchFlag(bool& target);
Flag WholeNumberFlag(int& target, int low, int high);
Flag ChoiceFlag(std::string& target, std::vector<std::string> choices);
Flag RegexFlag(std::string& target);  // ECMAScript, as std::regex takes it

// A flag as people read it: "--extra-rounds" of "extra_rounds". Google Benchmark's keep their underscores.
std::string SpeltFlag(const std::string& name);

// Sets the flags in `words` (without the program's name) in their order; the last of equal ones
// counts. InvalidArgument for unknown flags, values that are missing or refused and, where the
// table has no flag without a name, words that are no flags; the message names all of them, one a
// line, and what is allowed. `stray_advice` ends the lines about words that are no flags. `seen` gets each flag
// that was set, with the one or two words that did it.
absl::Status ParseFlags(
    const FlagTable& flags, absl::Span<const std::string> words,
    const std::string& stray_advice = "flags begin with --",
    absl::FunctionRef<void(const std::string& name, absl::Span<const std::string> words)> seen =
        [](const std::string&, absl::Span<const std::string>) {});

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_BASE_FLAGS_H_
