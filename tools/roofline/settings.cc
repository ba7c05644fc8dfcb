#include "tools/roofline/settings.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/base/flags.h"

namespace assay::roofline {
namespace {

base::Flag OrderFlag(Order& target) {
  return {.set = [&target](const std::string& value) {
    std::string_view key = value;
    const bool reversed = absl::ConsumePrefix(&key, "-");
    const base::Flag choice = base::ChoiceFlag(
        target.key, {"share", "time", "flops", "bytes", "intensity", "name", "file"});
    target.reversed = reversed;
    return choice.set(std::string(key));
  }};
}

// Several times: all of them.
base::Flag FilesFlag(std::vector<std::string>& target) {
  return {.set = [&target](const std::string& value) {
    if (value.empty()) return absl::InvalidArgumentError("the name of a file is empty");
    target.push_back(value);
    return absl::OkStatus();
  }};
}

base::Flag DtypeFlag(std::string& target) {
  return {.set = [&target](const std::string& value) {
    Dtype dtype;
    std::string name = value;
    absl::AsciiStrToUpper(&name);
    if (!Dtype_Parse(name, &dtype) || dtype == DTYPE_UNSPECIFIED)
      return absl::InvalidArgumentError("a dtype such as fp32, bf16, fp16, fp64");
    target = absl::AsciiStrToLower(name);
    return absl::OkStatus();
  }};
}

}  // namespace

absl::StatusOr<Settings> ParseSettings(const std::vector<std::string>& words) {
  Settings settings;
  const base::Flag help = base::SwitchFlag(settings.help);
  const absl::Status parsed = base::ParseFlags(
      {{"", FilesFlag(settings.files)},
       {"peaks", FilesFlag(settings.peak_files)},
       {"sort", OrderFlag(settings.order)},
       {"filter", base::RegexFlag(settings.selection.filter)},
       {"dtype", DtypeFlag(settings.selection.dtype)},
       {"mode", base::TextFlag(settings.selection.mode)},
       {"format", base::ChoiceFlag(settings.format, {"table", "csv", "json", "svg"})},
       {"output", base::TextFlag(settings.output)},
       {"help", help},
       {"h", help}},
      words);
  if (!parsed.ok()) return parsed;
  if (settings.help || !settings.files.empty()) return settings;
  return absl::InvalidArgumentError(
      "which records? Give the files that --record=FILE of a case wrote; --help explains");
}

std::string_view UsageText() {
  return R"(Says how close measured cases come to what their machine was seen to do: operations, bytes, their
ratio, rates, what binds (compute, memory, launch) and the share of the roofline.

  tools/bazel run //benchmarks/operators:mm_fp32_m512_k512_n512 -- --peaks --record=runs.jsonl
  tools/bazel run //tools:roofline -- runs.jsonl
  tools/bazel run //tools:roofline -- runs.jsonl --sort=-share --filter='^mm_' --dtype=bf16
  tools/bazel run //tools:roofline -- runs.jsonl --format=svg --output=roofline.svg

  RECORDS.jsonl ...     files that --record of cases, of //benchmarks/operators:param or of suites wrote
  --peaks=FILE          takes the peaks of these records for those that have none; may be given again
  --sort=KEY            share, time, flops, bytes, intensity (the largest first), name, file (as they are); -KEY: turned round
  --filter=REGEX        only cases in whose name it matches somewhere; a step is a part of the name, mlp_fp32_b8/backward
  --dtype=NAME          only cases that compute in it
  --mode=NAME           of the measurements; default: wall, and where a step has none, its first
  --format=NAME         table, csv, json, svg
  --output=FILE         writes to it; default: standard output

docs/roofline.md says what is counted.
Exit code: 0 right; 2 the surroundings are wrong (a file that cannot be read to its end or written); 3 the command line is,
or a file: there is none of this name, it holds no records, or none that it asks for.
)";
}

}  // namespace assay::roofline
