#include "benchmarks/harness/base/short_help.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace assay::base {

Flag HelpFlag(Help& help) {
  return {.set =
              [&help](const std::string& value) {
                if (value != "true" && value != "false" && value != "all") {
                  return absl::InvalidArgumentError("all, or nothing");
                }
                help = value == "all" ? Help::kAll : value == "true" ? Help::kShort : Help::kNone;
                return absl::OkStatus();
              },
          .is_switch = true,
          .listed = false,
          .all = "all"};
}

std::string ShortHelpText(const ShortHelp& help) {
  size_t width = 0;
  for (const HelpGroup& group : help.groups) {
    for (const HelpLine& line : group.lines) width = std::max(width, line.flags.size());
  }
  std::string text = help.head;
  for (const HelpGroup& group : help.groups) {
    absl::StrAppend(&text, group.title, "\n");
    for (const HelpLine& line : group.lines) {
      const std::string gap(width - line.flags.size() + 2, ' ');
      absl::StrAppend(&text, "  ", line.flags, gap, line.text, "\n");
    }
  }
  return absl::StrCat(text, "\n", help.after, "--help=all ", help.all, ".\n");
}

std::vector<std::string> NamesIn(const ShortHelp& help) {
  std::vector<std::string> names;
  for (const HelpGroup& group : help.groups) {
    for (const HelpLine& line : group.lines) {
      for (std::string_view word : absl::StrSplit(line.flags, ' ')) {
        if (!absl::ConsumePrefix(&word, "--")) continue;
        names.emplace_back(word.substr(0, word.find_first_of("=[,")));
      }
    }
  }
  return names;
}

}  // namespace assay::base
