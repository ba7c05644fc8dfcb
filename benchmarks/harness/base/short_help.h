#ifndef ASSAY_BENCHMARKS_HARNESS_BASE_SHORT_HELP_H_
#define ASSAY_BENCHMARKS_HARNESS_BASE_SHORT_HELP_H_

// ---------------------------------------------------------------------------------------------
// short_help.h: a program with many flags explains the flags of every day for --help, and every
// flag for --help=all.
//
// A program with fewer than about twenty flags explains all of them for --help, and needs none of this.
//
// Example:
//   base::Help help = base::Help::kNone;
//   base::FlagTable flags = {{"help", base::HelpFlag(help)}, ...};
//   ...
//   if (help == base::Help::kShort) return Print(base::ShortHelpText(kShortHelp));
//   if (help == base::Help::kAll) return Print(UsageText());
// ---------------------------------------------------------------------------------------------

#include <string>
#include <vector>

#include "benchmarks/harness/base/flags.h"

namespace assay::base {

// The help that the user asks for.
enum class Help { kNone, kShort, kAll };

// --help and --help=all.
Flag HelpFlag(Help& help);

struct HelpLine {
  std::string flags;  // "--budget=SECONDS", "-k, --filter=REGEX"
  std::string text;
};

// Flags that answer one wish of the user.
struct HelpGroup {
  std::string title;
  std::vector<HelpLine> lines;
};

struct ShortHelp {
  std::string head;  // what the program does, and examples
  std::vector<HelpGroup> groups = {};
  std::string after = {};                  // whole lines: notes, exit codes
  std::string all = "explains all flags";  // what --help=all does
};

// The last line says what --help=all does.
std::string ShortHelpText(const ShortHelp& help);

// The names in its lines: {"filter", "budget"}. A test asks the program's parser whether it knows them.
std::vector<std::string> NamesIn(const ShortHelp& help);

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_BASE_SHORT_HELP_H_
