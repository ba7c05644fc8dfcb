#include "benchmarks/harness/runner/command_line.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/reflection.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"

namespace assay::runner {
namespace {

// Flags that the case's script sets, not its user.
bool IsInternal(std::string_view name) {
  return name == "case" || name == "locked_reference" || name == "cuda_plugin";
}

// Our own flags: Abseil's libraries bring some that mean nothing to a user.
std::vector<std::string> OwnFlags() {
  std::vector<std::string> names;
  for (const auto& [name, flag] : absl::GetAllFlags()) {
    if (absl::StrContains(flag->Filename(), "harness/runner") && !IsInternal(name)) {
      names.push_back(absl::StrCat("--", name));
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

struct Split {
  std::string name;  // with '_' where the user typed '-' as other suites spell theirs
  std::optional<std::string_view> value;
};

// "--name=value" or "--name"; nullopt for what is no flag.
std::optional<Split> SplitFlag(std::string_view argument) {
  if (!absl::ConsumePrefix(&argument, "--") && !absl::ConsumePrefix(&argument, "-"))
    return std::nullopt;
  if (argument.empty()) return std::nullopt;
  const size_t equals = argument.find('=');
  std::string name = absl::StrReplaceAll(argument.substr(0, equals), {{"-", "_"}});
  if (equals == std::string_view::npos) return Split{std::move(name), std::nullopt};
  return Split{std::move(name), argument.substr(equals + 1)};
}

absl::Status UnknownFlag(std::string_view name) {
  return absl::InvalidArgumentError(
      absl::StrCat("unknown flag --", name, "; there are ", absl::StrJoin(OwnFlags(), " "),
                   " and Google Benchmark's --benchmark_*. --help explains them"));
}

absl::Status SetOwnFlag(const Split& flag, std::optional<std::string_view> next, bool& used_next) {
  absl::CommandLineFlag* found = absl::FindCommandLineFlag(flag.name);
  std::string value(flag.value.value_or(""));
  if (found == nullptr && absl::StartsWith(flag.name, "no") && !flag.value.has_value()) {
    found = absl::FindCommandLineFlag(flag.name.substr(2));
    if (found != nullptr && !found->IsOfType<bool>()) found = nullptr;
    value = "false";
  } else if (found != nullptr && !flag.value.has_value()) {
    if (found->IsOfType<bool>()) {
      value = "true";
    } else if (next.has_value()) {
      value = std::string(*next);
      used_next = true;
    } else {
      return absl::InvalidArgumentError(
          absl::StrCat("--", flag.name, " needs a value: ", found->Help()));
    }
  }
  if (found == nullptr) return UnknownFlag(flag.name);
  std::string error;
  if (!found->ParseFrom(value, &error)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--", flag.name, "=", value, " is not understood: ", found->Help()));
  }
  return absl::OkStatus();
}

const std::set<std::string_view>& BenchmarkFlags() {
  static const auto& names = *new std::set<std::string_view>{"benchmark_list_tests",
                                                             "benchmark_filter",
                                                             "benchmark_min_time",
                                                             "benchmark_min_warmup_time",
                                                             "benchmark_repetitions",
                                                             "benchmark_enable_random_interleaving",
                                                             "benchmark_report_aggregates_only",
                                                             "benchmark_display_aggregates_only",
                                                             "benchmark_format",
                                                             "benchmark_out",
                                                             "benchmark_out_format",
                                                             "benchmark_color",
                                                             "benchmark_counters_tabular",
                                                             "benchmark_perf_counters",
                                                             "benchmark_context",
                                                             "benchmark_time_unit"};
  return names;
}

// What we need to know of Google Benchmark's flags; it would only exit(1) on a bad value.
absl::Status NoteBenchmarkFlag(const Split& flag, CommandLine& line) {
  const std::string_view value = flag.value.value_or("true");
  if (BenchmarkFlags().count(flag.name) == 0) {
    return absl::InvalidArgumentError(absl::StrCat("unknown flag --", flag.name,
                                                   "; Google Benchmark 1.7.1 has --",
                                                   absl::StrJoin(BenchmarkFlags(), " --")));
  }
  if (flag.name == "benchmark_list_tests") line.list_tests = value != "false" && value != "0";
  if (flag.name == "benchmark_format" || flag.name == "benchmark_out_format") {
    if (value != "console" && value != "json" && value != "csv") {
      return absl::InvalidArgumentError(
          absl::StrCat("--", flag.name, "=", value, ": one of console, json, csv"));
    }
  }
  if (flag.name == "benchmark_format") line.console_format = value == "console";
  if (flag.name == "benchmark_min_time" &&
      (!absl::SimpleAtod(absl::StripSuffix(value, "s"), &line.min_time_s) || line.min_time_s < 0)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--benchmark_min_time=", value, ": a number of seconds, 0 or more"));
  }
  int64_t repetitions = 1;
  if (flag.name == "benchmark_repetitions" &&
      (!absl::SimpleAtoi(value, &repetitions) || repetitions < 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--benchmark_repetitions=", value, ": a whole number, 1 or more"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<CommandLine> ParseCommandLine(int argc, char** argv) {
  CommandLine line;
  line.benchmark_arguments.push_back(argv[0]);
  for (int i = 1; i < argc; ++i) {
    const std::optional<Split> flag = SplitFlag(argv[i]);
    if (!flag.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", argv[i],
                       "' is no flag; flags begin with --, and `bazel run` wants its own flags "
                       "before the target and -- before the case's"));
    }
    if (!IsInternal(flag->name)) line.as_given.push_back(argv[i]);
    if (flag->name == "help" || flag->name == "h") {
      line.help = true;
    } else if (absl::StartsWith(flag->name, "benchmark_")) {
      const absl::Status noted = NoteBenchmarkFlag(*flag, line);
      if (!noted.ok()) return noted;
      line.benchmark_arguments.push_back(argv[i]);
    } else {
      bool used_next = false;
      const absl::Status set = SetOwnFlag(
          *flag, i + 1 < argc ? std::optional<std::string_view>(argv[i + 1]) : std::nullopt,
          used_next);
      if (!set.ok()) return set;
      if (used_next && !IsInternal(flag->name)) line.as_given.push_back(argv[i + 1]);
      i += used_next ? 1 : 0;
    }
  }
  return line;
}

}  // namespace assay::runner
