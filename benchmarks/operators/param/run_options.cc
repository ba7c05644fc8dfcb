#include "benchmarks/operators/param/run_options.h"

#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/flags.h"
#include "benchmarks/harness/tensor_files/mapped_file.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/operators/param/parsing/config_file.h"

namespace assay::param {
namespace {

// An option, which is one of these two.
struct Option {
  std::string_view flag = "";
  std::string_view unused = "";  // why
};

// All keys of PARAM's, of several years, and those that our own header adds.
const std::map<std::string, Option, std::less<>>& Options() {
  static constexpr std::string_view kProgram =
      "a file of configurations starts no program; --ncu, --nsys and their flags do";
  static constexpr std::string_view kOutput = "-o says where results go";
  static constexpr std::string_view kOtherRun = "these are the flags of the run that wrote it";
  static const auto* const options = new std::map<std::string, Option, std::less<>>{
      {"device", {.flag = "device"}},
      {"pass_type", {.flag = "backward"}},
      {"warmup", {.flag = "warmup"}},
      {"iteration", {.flag = "iteration"}},
      {"op_exec_mode", {.flag = "exec_mode"}},
      {"op_exe_mode", {.flag = "exec_mode"}},
      {"cuda_l2_cache", {.flag = "cuda_l2_cache"}},
      {"resume_op_run_id", {.flag = "resume_id"}},
      {"stop_op_run_id", {.flag = "stop_id"}},
      {"run_batch_size", {.flag = "run_batch_size"}},
      {"ncu_batch", {.flag = "run_batch_size"}},
      {"ncu_warmup", {.flag = "ncu_warmup"}},
      {"ncu_iteration", {.flag = "ncu_iteration"}},
      {"nsys_warmup", {.flag = "nsys_warmup"}},
      {"nsys_iteration", {.flag = "nsys_iteration"}},
      {"threads", {.flag = "threads"}},
      {"seed", {.flag = "seed"}},
      {"time_unit", {.unused = "times are in milliseconds"}},
      {"out_file_prefix", {.unused = kOutput}},
      {"out_stream", {.unused = kOutput}},
      {"run_ncu", {.unused = kProgram}},
      {"ncu_bin", {.unused = kProgram}},
      {"ncu_args", {.unused = kProgram}},
      {"run_nsys", {.unused = kProgram}},
      {"nsys_bin", {.unused = kProgram}},
      {"nsys_args", {.unused = kProgram}},
      {"batch_cmd", {.unused = kProgram}},
      {"batch_cuda_device", {.unused = "batches use the device of all else; --batch-cuda-device"}},
      {"cmd_args", {.unused = kOtherRun}},
      {"benchmark_args", {.unused = kOtherRun}},
      {"config", {.unused = kOtherRun}}};
  return *options;
}

// A flag for the option; its value is checked where flags are read. Empty for a value of another
// kind.
std::string Word(std::string_view key, const std::string& flag, const Json& value) {
  if (key == "pass_type") {
    if (value == "forward") return "--nobackward";
    return value == "backward" ? "--backward" : "";
  }
  if (value.is_boolean() && key == "cuda_l2_cache")
    return absl::StrCat(base::SpeltFlag(flag), value.get<bool>() ? "=on" : "=off");
  if (value.is_number_integer()) return absl::StrCat(base::SpeltFlag(flag), "=", value.dump());
  if (value.is_string()) return absl::StrCat(base::SpeltFlag(flag), "=", value.get<std::string>());
  return "";
}

// PARAM writes all options, most of them as they are by default.
bool SaysNothing(std::string_view key, const Json& value) {
  return value.is_null() || value == false || value == "" || value == "millisecond" ||
         (key == "batch_cuda_device" && value == -1);
}

}  // namespace

absl::StatusOr<RunOptions> RunOptionsOf(const std::string& name, std::string_view text) {
  // Only a file that has options is read one time more for them.
  if (!absl::StrContains(text, "run_options")) return RunOptions();
  const absl::StatusOr<std::unique_ptr<ConfigFile>> file = ConfigFile::Parse(name, text);
  if (!file.ok()) return RunOptions();  // whoever runs it says what is wrong
  const absl::StatusOr<Json> json = (*file)->ReadOptions();
  if (!json.ok()) return json.status();
  RunOptions options;
  for (const auto& [key, value] : json->items()) {
    const std::string place = absl::StrCat(name, ": run_options: ", base::Quoted(key));
    const auto found = Options().find(key);
    if (found == Options().end()) {
      return absl::InvalidArgumentError(absl::StrCat(
          place, " is no option; there are ",
          absl::StrJoin(Options(), ", ",
                        [](std::string* out, const auto& option) { out->append(option.first); })));
    }
    const auto& [flag, unused] = found->second;
    if (value.is_null() || (flag.empty() && SaysNothing(key, value))) continue;
    if (flag.empty()) {
      options.notes.push_back(absl::StrCat(place, " is not used: ", unused));
      continue;
    }
    const std::string word = Word(key, std::string(flag), value);
    if (word.empty()) {
      constexpr size_t kLongest = 80;
      const std::string shown =
          base::Printable(value.dump(-1, ' ', false, Json::error_handler_t::replace), kLongest);
      return absl::InvalidArgumentError(
          absl::StrCat(place, " cannot be ", shown, "; --", flag, " is the flag for it"));
    }
    options.words.push_back(word);
  }
  return options;
}

absl::StatusOr<RunOptions> ReadRunOptions(const std::string& path) {
  const absl::StatusOr<std::shared_ptr<const tensor_files::MappedFile>> mapped =
      tensor_files::MappedFile::Open(path);
  if (!mapped.ok()) return RunOptions();
  return RunOptionsOf(path, (*mapped)->bytes());
}

}  // namespace assay::param
