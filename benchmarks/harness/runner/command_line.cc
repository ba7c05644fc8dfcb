#include "benchmarks/harness/runner/command_line.h"

#include <cstdint>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>

#include "absl/flags/commandlineflag.h"
#include "absl/flags/reflection.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/configuration/case_flags.h"

namespace assay::runner {
namespace {

// Flags of back ends: what a library of this tree or of a third party defines. Abseil's own
// libraries bring some that mean nothing to a user.
void AddBackendFlags(CommandLine& line, base::FlagTable& flags) {
  for (const auto& [name, flag] : absl::GetAllFlags()) {
    const std::string file = flag->Filename();
    if (absl::StrContains(file, "external/") || absl::StrContains(file, "absl/")) continue;
    absl::CommandLineFlag* const own = flag;
    const auto set = [own, &line](const std::string& value) {
      std::string error;
      if (!own->ParseFrom(value, &error)) {
        return absl::InvalidArgumentError(absl::StrCat("not understood; it is ", own->Help()));
      }
      const std::string name(own->Name());
      line.backend_flags.erase(name);
      if (own->CurrentValue() != own->DefaultValue())
        line.backend_flags[name] = own->CurrentValue();
      return absl::OkStatus();
    };
    flags[std::string(name)] = {
        .set = set,
        .is_switch = flag->IsOfType<bool>() || flag->IsOfType<std::optional<bool>>(),
        .listed = false,
        .help = flag->Help()};
  }
}

// The flags of the table. A switch may be taken back: --profile --noprofile.
void AddCaseFlags(CommandLine& line, base::FlagTable& flags) {
  for (const configuration::FlagSpec* spec : configuration::CaseFlags()) {
    const auto set = [spec, &line](const std::string& text) -> absl::Status {
      absl::StatusOr<std::string> value = spec->read(text);
      if (!value.ok()) return value.status();
      const auto [given, is_new] = line.values.emplace(spec->name, *value);
      if (!is_new && given->second != *value && !spec->is_switch()) {
        return absl::InvalidArgumentError(
            absl::StrCat("it was given before, as ", given->second, "; leave one of them out"));
      }
      given->second = *std::move(value);
      return absl::OkStatus();
    };
    flags[absl::StrReplaceAll(spec->name, {{"-", "_"}})] = {
        .set = set,
        .is_switch = spec->is_switch(),
        .listed = spec->use != configuration::FlagUse::kProgram,
        .help = spec->text};
  }
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

// Reads Google Benchmark's flags that we need. The library itself would call exit(1) on a bad
// value.
absl::Status NoteBenchmarkFlag(std::string_view name, const std::string& value, CommandLine& line) {
  if (name == "benchmark_list_tests") line.list_tests = value != "false" && value != "0";
  if (name == "benchmark_format" || name == "benchmark_out_format") {
    if (value != "console" && value != "json" && value != "csv") {
      return absl::InvalidArgumentError("one of console, json, csv");
    }
  }
  if (name == "benchmark_counters_tabular")
    line.tabular_counters = value != "false" && value != "0";
  if (name == "benchmark_format") line.console_format = value == "console";
  if (name == "benchmark_min_time" &&
      (!absl::SimpleAtod(absl::StripSuffix(value, "s"), &line.min_time_s) || line.min_time_s < 0)) {
    return absl::InvalidArgumentError("a number of seconds, 0 or more");
  }
  int64_t repetitions = 1;
  if (name == "benchmark_repetitions" &&
      (!absl::SimpleAtoi(value, &repetitions) || repetitions < 1)) {
    return absl::InvalidArgumentError("a whole number, 1 or more");
  }
  return absl::OkStatus();
}

// Hands the flags to the library in the spelling that it knows.
void AddBenchmarkFlags(CommandLine& line, base::FlagTable& flags) {
  static const auto& switches =
      *new std::set<std::string_view>{"benchmark_list_tests",
                                      "benchmark_enable_random_interleaving",
                                      "benchmark_report_aggregates_only",
                                      "benchmark_display_aggregates_only",
                                      "benchmark_color",
                                      "benchmark_counters_tabular"};
  for (const std::string_view name : BenchmarkFlags()) {
    const auto set = [name, &line](const std::string& value) {
      line.benchmark_arguments.push_back(absl::StrCat("--", name, "=", value));
      return NoteBenchmarkFlag(name, value, line);
    };
    flags[std::string(name)] = {.set = set, .is_switch = switches.count(name) > 0, .listed = false};
  }
}

// "bf16", of what other programs call it; empty: none of a case's.
std::string DtypeWord(const std::string& name) {
  static const auto& words = *new std::map<std::string, std::string>{
      {"float32", "fp32"},  {"float", "fp32"},   {"float16", "fp16"}, {"half", "fp16"},
      {"bfloat16", "bf16"}, {"float64", "fp64"}, {"double", "fp64"},  {"fp32", "fp32"},
      {"fp16", "fp16"},     {"bf16", "bf16"},    {"fp64", "fp64"}};
  const auto found = words.find(absl::AsciiStrToLower(name));
  return found == words.end() ? "" : found->second;
}

// Other programs have flags for what a case's name says here.
void AddFlagsOfOthers(const CommandLine& line, base::FlagTable& flags) {
  const auto refuse = [&line](const std::string& value) {
    const std::string word = DtypeWord(value);
    const auto label = line.values.find("case-name");
    std::string other;
    if (label != line.values.end() && !word.empty()) {
      static const std::regex& dtype = *new std::regex("_(bf16|fp16|fp32|fp64)_");
      other = absl::StrCat("this case's in ", word, " would be ",
                           std::regex_replace(label->second, dtype, "_" + word + "_"), "; ");
    }
    return absl::InvalidArgumentError(
        absl::StrCat("the dtype is part of a case's name; ", other,
                     "tools/bazel run //benchmarks:list names all cases"));
  };
  for (const char* name : {"dtype", "precision"}) flags[name] = {.set = refuse, .listed = false};
}

}  // namespace

absl::StatusOr<CommandLine> ParseCommandLine(int argc, char** argv, const base::FlagTable& more) {
  CommandLine line;
  line.benchmark_arguments.push_back(argv[0]);
  base::FlagTable flags = more;
  AddBackendFlags(line, flags);
  AddCaseFlags(line, flags);
  AddBenchmarkFlags(line, flags);
  AddFlagsOfOthers(line, flags);
  flags["help"] = flags["h"] = base::HelpFlag(line.help);
  const auto note = [&line](std::string_view name, absl::Span<const std::string> words) {
    const configuration::FlagSpec* const spec = configuration::FindFlag(name);
    if (spec != nullptr && spec->use == configuration::FlagUse::kProgram) return;
    line.as_given.insert(line.as_given.end(), words.begin(), words.end());
  };
  const std::vector<std::string> words(argv + 1, argv + argc);
  const absl::Status parsed = base::ParseFlags(
      flags, words,
      "flags begin with --, and `bazel run` wants its own flags before the target and -- before "
      "the case's",
      note);
  if (!parsed.ok()) return parsed;
  line.values.emplace("device", configuration::ValueOf(line.values, "default-device"));
  return line;
}

}  // namespace assay::runner
