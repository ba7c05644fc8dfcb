#include "tools/suite/plan/plan_text.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/text/shell_text.h"

namespace assay::suite {
namespace {

// "12 configurations (of 36 in all shards), 1 of them skipped; 4 combinations dropped"
std::string Summary(const Plan& plan) {
  const auto skipped = std::count_if(plan.configurations.begin(), plan.configurations.end(),
                                     [](const PlannedRun& c) { return !c.skip_reason.empty(); });
  int64_t dropped = 0;
  for (const auto& [reason, count] : plan.dropped) dropped += count;
  const auto here = static_cast<int64_t>(plan.configurations.size());
  std::string text = absl::StrCat(here, here == 1 ? " configuration" : " configurations");
  if (here != plan.in_all_shards) {
    absl::StrAppend(&text, " of ", plan.in_all_shards, " in all shards");
  }
  if (skipped > 0) absl::StrAppend(&text, ", ", skipped, " of them skipped");
  if (dropped > 0) {
    absl::StrAppend(&text, "; ", dropped, dropped == 1 ? " combination" : " combinations",
                    " dropped");
  }
  return text + "\n";
}

std::string TextTable(const Plan& plan) {
  size_t name = 4, label = 5;
  for (const PlannedRun& c : plan.configurations) {
    name = std::max(name, c.case_name.size());
    label = std::max(label, c.label.size());
  }
  const int name_width = static_cast<int>(name), label_width = static_cast<int>(label);
  std::string text = absl::StrFormat("%-*s  %-*s  %s\n", name_width, "case", label_width, "label",
                                     "flags; why it is skipped");
  for (const PlannedRun& c : plan.configurations) {
    std::string line = absl::StrFormat("%-*s  %-*s  %s", name_width, c.case_name, label_width,
                                       c.label, absl::StrJoin(c.flags, " "));
    if (!c.skip_reason.empty()) {
      absl::StrAppend(&line, c.flags.empty() ? "" : "; ", "skipped: ", c.skip_reason);
    }
    absl::StrAppend(&text, line.substr(0, line.find_last_not_of(' ') + 1), "\n");
  }
  absl::StrAppend(&text, Summary(plan));
  for (const auto& [reason, count] : plan.dropped) {
    absl::StrAppend(&text, "dropped  ", count, "  ", reason, "\n");
  }
  for (const std::string& remark : plan.remarks) absl::StrAppend(&text, "note  ", remark, "\n");
  return text;
}

std::string Csv(const Plan& plan) {
  std::string text = "name,label,flags,skip_reason\n";
  for (const PlannedRun& c : plan.configurations) {
    absl::StrAppend(&text, output::CsvField(c.name), ",", output::CsvField(c.label), ",",
                    output::CsvField(absl::StrJoin(c.flags, " ")), ",",
                    output::CsvField(c.skip_reason), "\n");
  }
  return text;
}

std::string Json(const Plan& plan) {
  nlohmann::ordered_json json = {{"configurations", nlohmann::ordered_json::array()},
                                 {"in_all_shards", plan.in_all_shards},
                                 {"dropped", plan.dropped},
                                 {"remarks", plan.remarks}};
  for (const PlannedRun& c : plan.configurations) {
    json["configurations"].push_back(
        {{"name", c.name}, {"label", c.label}, {"flags", c.flags}, {"skip_reason", c.skip_reason}});
  }
  return json.dump(1) + "\n";
}

}  // namespace

std::string NameList(const Plan& plan) {
  std::string text;
  for (const PlannedRun& c : plan.configurations) absl::StrAppend(&text, c.name, "\n");
  return text;
}

std::string DryRun(const Plan& plan, output::Format format) {
  switch (format) {
    case output::Format::kText:
      return TextTable(plan);
    case output::Format::kCsv:
      return Csv(plan);
    case output::Format::kJson:
      return Json(plan);
  }
  return "";
}

std::string ShellCommands(const Plan& plan, const CommandOptions& options) {
  std::string text;
  if (!options.record.empty()) {
    const std::string folder = std::filesystem::path(options.record).parent_path();
    text = absl::StrCat("mkdir -p ", base::ShellWord(folder), "\n");
  }
  for (const PlannedRun& c : plan.configurations) {
    if (!c.skip_reason.empty()) {
      absl::StrAppend(&text, "# ", c.name, " is skipped: ", c.skip_reason, "\n");
      continue;
    }
    absl::StrAppend(&text, "tools/bazel run ", options.bazel_flags,
                    options.bazel_flags.empty() ? "" : " ", base::ShellWord(c.label));
    std::vector<std::string> flags = c.flags;
    if (!options.record.empty()) flags.push_back("--record=" + options.record);
    if (!flags.empty()) absl::StrAppend(&text, " --");
    for (const std::string& flag : flags) absl::StrAppend(&text, " ", base::ShellWord(flag));
    // If a shell reads these lines from its standard input, a command must not consume them.
    absl::StrAppend(&text, " </dev/null\n");
  }
  return text;
}

}  // namespace assay::suite
