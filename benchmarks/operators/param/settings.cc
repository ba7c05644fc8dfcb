#include "benchmarks/operators/param/settings.h"

#include <limits>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/flags.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::param {
namespace {

using base::Flag;
using base::FlagTable;

constexpr int kChildWords = 7;

Flag DeviceFlag(std::string& target) {
  return {.set = [&target](const std::string& value) {
    int index = 0;
    const bool numbered =
        absl::StartsWith(value, "cuda:") && absl::SimpleAtoi(value.substr(5), &index) && index >= 0;
    if (value != "cpu" && value != "cuda" && !numbered)
      return absl::InvalidArgumentError("one of cpu, cuda, cuda:0, cuda:1, ...");
    target = value;
    return absl::OkStatus();
  }};
}

// Python's names of levels, in either case.
Flag LevelFlag(std::string& target) {
  return {.set = [&target](const std::string& value) {
    const Flag choice = base::ChoiceFlag(target, {"debug", "info", "warning", "error", "critical"});
    return choice.set(absl::AsciiStrToLower(value));
  }};
}

Flag RefusedFlag(bool is_switch, const char* why) {
  return {.set =
              [why](const std::string& value) {
                return value == "false" ? absl::OkStatus() : absl::InvalidArgumentError(why);
              },
          .is_switch = is_switch,
          .listed = false};
}

// PARAM's flags that are not implemented here; each error says what to do instead.
void AddRefused(FlagTable& flags) {
  static constexpr char kCounters[] =
      "CUPTI is not asked from here; --ncu has the counters of each kernel";
  flags["batch_cmd"] =
      RefusedFlag(false, "there is no Python: a batch is run by the program that measures");
  flags["et"] = RefusedFlag(true, "execution traces are not recorded; -p writes a Chrome trace");
  flags["cupti_profiler"] = RefusedFlag(true, kCounters);
  flags["cupti_profiler_measure_per_kernel"] = RefusedFlag(true, kCounters);
  flags["cupti_profiler_metrics"] = RefusedFlag(false, kCounters);
  flags["pt2_model"] = RefusedFlag(true, "there is no Python, and so no compiled model");
}

// The flags --ncu, --ncu-bin and so on.
void AddTool(const std::string& name, ToolSettings& tool, FlagTable& flags) {
  constexpr int kMost = std::numeric_limits<int>::max();
  flags[name] = base::SwitchFlag(tool.asked);
  flags[name + "_bin"] = base::TextFlag(tool.program);
  flags[name + "_args_file"] = base::TextFlag(tool.arguments);
  flags[name + "_warmup"] = base::WholeNumberFlag(tool.warmup, 0, kMost);
  flags[name + "_iteration"] = base::WholeNumberFlag(tool.iteration, 1, kMost);
}

// PARAM's one-letter flags.
const std::map<std::string, std::string>& Letters() {
  static const auto* const letters = new std::map<std::string, std::string>{
      {"c", "config"}, {"w", "warmup"},        {"i", "iteration"}, {"b", "backward"},
      {"d", "device"}, {"o", "output_prefix"}, {"r", "resume_id"}, {"s", "stop_id"},
      {"a", "append"}, {"l", "log_level"},     {"p", "profile"},   {"h", "help"}};
  return *letters;
}

FlagTable Flags(Settings& settings) {
  constexpr int kMost = std::numeric_limits<int>::max(), kMostDevices = 127;
  FlagTable flags = {
      {"config", base::TextFlag(settings.config)},
      {"warmup", base::WholeNumberFlag(settings.warmup, 0, kMost)},
      {"iteration", base::WholeNumberFlag(settings.iteration, 0, kMost)},
      {"backward", base::SwitchFlag(settings.backward)},
      {"device", DeviceFlag(settings.device)},
      {"output_prefix", base::TextFlag(settings.output_prefix)},
      {"resume_id", base::TextFlag(settings.selection.resume)},
      {"stop_id", base::TextFlag(settings.selection.stop)},
      {"append", base::SwitchFlag(settings.append)},
      {"cuda_l2_cache", base::ChoiceFlag(settings.cuda_l2_cache, {"on", "off"})},
      {"exec_mode",
       base::ChoiceFlag(settings.exec_mode, {"discrete", "continuous", "continuous_events"})},
      {"log_level", LevelFlag(settings.log_level)},
      {"profile", base::SwitchFlag(settings.profile)},
      {"cuda_graph", base::SwitchFlag(settings.cuda_graph)},
      {"run_batch_size", base::WholeNumberFlag(settings.run_batch_size, 1, kMost)},
      {"batch_cuda_device", base::WholeNumberFlag(settings.batch_cuda_device, 0, kMostDevices)},
      {"version", base::SwitchFlag(settings.version)},
      {"help", base::SwitchFlag(settings.help)},
      {"record", base::TextFlag(settings.record)},
      {"peaks", base::SwitchFlag(settings.peaks)},
      {"trust", base::SwitchFlag(settings.trust)},
      {"verify", base::ChoiceFlag(settings.verify, {"on", "off"})},
      {"threads", base::WholeNumberFlag(settings.threads, 1, 4096)},
      {"timeout", base::WholeNumberFlag(settings.timeout_s, 0, kMost)},
      {"seed", base::WholeNumberFlag(settings.seed, 0, kMost)}};
  FlagTable own = {{"child", base::SwitchFlag(settings.child)},
                   {"first_item", base::WholeNumberFlag(settings.first_item, 0, kMost)},
                   {"config_path", base::TextFlag(settings.config_path)},
                   {"output", base::TextFlag(settings.output)},
                   {"journal", base::TextFlag(settings.journal)},
                   {"cuda_plugin", base::TextFlag(settings.cuda_plugin)},
                   {"batch_report", base::TextFlag(settings.batch_report)}};
  AddTool("ncu", settings.ncu, flags);
  AddTool("nsys", settings.nsys, flags);
  for (const auto& [letter, name] : Letters()) {
    own[letter] = flags[name];
  }
  for (auto& [name, flag] : own) {
    flag.listed = false;
    flags[name] = std::move(flag);
  }
  AddRefused(flags);
  return flags;
}

}  // namespace

absl::StatusOr<Settings> ParseSettings(absl::Span<const std::string> words, WordsOf words_of) {
  constexpr char kStray[] = "a file of configurations is -c FILE";
  Settings settings;
  absl::Status parsed = base::ParseFlags(Flags(settings), words, kStray);
  if (!parsed.ok()) return parsed;
  // The user's words come after those that ChildWords() adds.
  const std::vector<std::string> typed(words.begin() + (settings.child ? kChildWords : 0),
                                       words.end());
  settings.as_given = typed;
  if (settings.help || settings.version) return settings;
  if (settings.config.empty()) return absl::InvalidArgumentError("-c FILE is missing");
  if (!settings.child) {
    const std::string config = settings.config;
    absl::StatusOr<std::vector<std::string>> all = words_of(config);
    if (!all.ok()) return all.status();
    settings = Settings();
    parsed = base::ParseFlags(Flags(settings), *all);
    if (!parsed.ok()) {
      constexpr size_t kLongest = 400;
      return absl::InvalidArgumentError(absl::StrCat("run_options of ", config, ": ",
                                                     base::Printable(parsed.message(), kLongest)));
    }
    parsed = base::ParseFlags(Flags(settings), typed, kStray);
    if (!parsed.ok()) return parsed;
    all->insert(all->end(), typed.begin(), typed.end());
    settings.as_given = *std::move(all);
  }
  if (settings.iteration == 0 && settings.warmup != 0) {
    return absl::InvalidArgumentError(
        "-i 0 measures nothing; with -w 0 it lists what there is to measure");
  }
  if (settings.ncu.asked && settings.nsys.asked)
    return absl::InvalidArgumentError("--ncu and --nsys: one tool at a time");
  if ((settings.ncu.asked || settings.cuda_graph) && settings.device == "cpu") {
    return absl::InvalidArgumentError(
        absl::StrCat(settings.ncu.asked ? "--ncu" : "--cuda-graph", " is for -d cuda"));
  }
  if (settings.peaks && settings.record.empty())
    return absl::InvalidArgumentError("--peaks: they are kept in records; give --record=FILE too");
  return settings;
}

std::vector<std::string> ChildWords(const Settings& settings) {
  std::vector<std::string> words = {"--child",
                                    absl::StrCat("--first-item=", settings.first_item),
                                    absl::StrCat("--config_path=", settings.config_path),
                                    absl::StrCat("--output=", settings.output),
                                    absl::StrCat("--journal=", settings.journal),
                                    absl::StrCat("--cuda-plugin=", settings.cuda_plugin),
                                    absl::StrCat("--batch-report=", settings.batch_report)};
  words.insert(words.end(), settings.as_given.begin(), settings.as_given.end());
  return words;
}

std::string Usage() {
  return R"(Measures operators by files of configurations in the format of facebookresearch/param.

  tools/bazel run //benchmarks/operators:param -- -c FILE.json [flags]

  -c, --config FILE         the configurations; a name without a folder may be one of
                            benchmarks/operators/param/configs
  -w, --warmup N            iterations before those that are measured (1)
  -i, --iteration N         iterations that are measured (1); -w 0 -i 0 lists the inputs
  -b, --backward            the backward pass too, where there is one
  -d, --device DEVICE       cpu, cuda, cuda:1 (cpu)
  -o, --output-prefix PATH  results go to PATH_<process>_<time>.json (benchmark_result)
  -a, --append              results go to PATH.json, behind what stands there
  -r, --resume-id ID        begins at this input: operator|config|build|input
  -s, --stop-id ID          ends before this input
      --cuda-l2-cache on|off   off: empties the GPU's cache before each call in the mode discrete (on)
      --exec-mode MODE      discrete, continuous, continuous_events (discrete)
  -l, --log-level LEVEL     debug, info, warning, error (info)
  -p, --profile             a Chrome trace of each input, after its measured calls, in PATH_..._trace/
      --cuda-graph          each pass is recorded once and replayed
      --nsys, --ncu         batches of inputs are run once more under Nsight Systems or Nsight Compute
      --nsys-bin PATH, --nsys-args-file FILE, --nsys-warmup N (5), --nsys-iteration N (10); --ncu-... (5, 1)
      --run-batch-size N    inputs of a batch (50)
      --batch-cuda-device N the GPU for batches (that of -d)
      --version

  Not PARAM's:
      --record FILE         appends a record of this suite for each input
      --peaks               with it: measures what the machine reaches, once for each dtype (docs/roofline.md)
      --threads N           of one operator (1, as PARAM)
      --timeout SECONDS     an input that takes longer is an error (0: none)
      --seed N              of inputs (0)
      --verify on|off       off: measures only, without a verdict (on)
      --trust               calls operators that touch files too, such as aten::from_file

A file's "run_options" (device, warmup, iteration, pass_type, op_exec_mode, ...) are defaults, which these
flags go before; docs/data/param.md says which are used.

Exit codes: 0 all was measured, and nothing that could be compared is wrong; 1 an operator is wrong or crashed; 2 the machine or the setup is wrong (no such device, no
memory, no time, an output that cannot be written); 3 the command line or a configuration is. Of several 1 before 3 before 2.
)";
}

}  // namespace assay::param
