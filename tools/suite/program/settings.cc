#include "tools/suite/program/settings.h"

#include <functional>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"
#include "benchmarks/harness/base/flag_rules.h"
#include "benchmarks/harness/base/flags.h"
#include "benchmarks/harness/configuration/case_flags.h"
#include "benchmarks/harness/configuration/with_call_flags.h"
#include "benchmarks/harness/text/shell_text.h"
#include "defs/case/execution_names.h"
#include "tools/compare/side.h"
#include "tools/suite/plan/shard.h"
#include "tools/suite/presets/presets.h"

namespace assay::suite {

using configuration::DtypeText;
using configuration::FlagSpec;

namespace {

constexpr char kStrayAdvice[] = "flags begin with --, and only `intel` comes with words";

template <typename Value>
void AddNew(std::vector<Value>& values, Value value) {
  if (!absl::c_linear_search(values, value)) values.push_back(std::move(value));
}

// A flag that may be repeated; `read` makes each value.
template <typename Value>
base::Flag Repeated(std::vector<Value>& values,
                    std::function<absl::StatusOr<Value>(const std::string&)> read) {
  return {.set = [&values, read = std::move(read)](const std::string& text) {
    absl::StatusOr<Value> value = read(text);
    if (!value.ok()) return value.status();
    AddNew(values, *std::move(value));
    return absl::OkStatus();
  }};
}

absl::StatusOr<std::string> AnyText(const std::string& text) { return text; }

base::Flag Texts(std::vector<std::string>& values) {
  return Repeated<std::string>(values, AnyText);
}

absl::StatusOr<Dtype> ReadDtype(const std::string& text) {
  const std::vector<Dtype> all = {FP32, FP64, BF16, FP16};
  for (const Dtype dtype : all) {
    if (text == DtypeText(dtype)) return dtype;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("one of ", absl::StrJoin(all, ", ", [](std::string* out, Dtype dtype) {
                     out->append(DtypeText(dtype));
                   })));
}

absl::StatusOr<CaseMode> ReadTest(const std::string& text) {
  std::vector<std::string> all;
  for (int mode = MODE_UNSPECIFIED + 1; CaseMode_IsValid(mode); ++mode) {
    all.push_back(absl::AsciiStrToLower(CaseMode_Name(mode)));
    if (text == all.back()) return static_cast<CaseMode>(mode);
  }
  return absl::InvalidArgumentError(absl::StrCat("one of ", absl::StrJoin(all, ", ")));
}

absl::StatusOr<int> ReadTier(const std::string& text) {
  int tier = 0;
  if (absl::SimpleAtoi(text, &tier)) return tier;
  return absl::InvalidArgumentError("a tier's number; --list-tiers has them");
}

// "cpu", "cuda", or another suite's name of a device that is one of them.
absl::StatusOr<std::string> ReadDevice(const DeviceSpecs& devices, const std::string& text) {
  if (text == "cpu" || text == "cuda") return text;
  std::vector<std::string> names = {"cpu", "cuda"};
  for (const DeviceSpec& device : devices.devices()) {
    names.push_back(device.name());
    if (device.name() != text) continue;
    if (!device.refusal().empty()) return absl::InvalidArgumentError(device.refusal());
    return device.device() == CUDA ? "cuda" : "cpu";
  }
  return absl::InvalidArgumentError(absl::StrCat("one of ", absl::StrJoin(names, ", ")));
}

constexpr std::string_view kLibrary = "--//benchmarks/backends=";

// Whether the cases are built with back ends of the user's, by --build or as the suite itself is.
bool LinksALibrary(const std::vector<std::string>& words, const Build& build) {
  bool given = false, links = false;
  for (const std::string& word : words) {
    given |= absl::StartsWith(word, "--build");
    links |= absl::StrContains(word, kLibrary);
  }
  return links || (!given && absl::StrContains(build.flags, kLibrary));
}

// The plan knows what each back end of this tree can call. Only a runner that links a user's library
// knows which back ends the library registers, and for which cases.
absl::StatusOr<std::string> ReadBackend(const std::string& text, bool links_a_library) {
  if (links_a_library || text == kEager || IsLinkable(text)) return text;
  return absl::InvalidArgumentError(absl::StrCat(
      "one of ", kEager, ", ", LinkableText(), "; a library of yours registers others: ",
      "tools/bazel run ", kLibrary, "//your:library //tools:run_suite -- --backend=", text));
}

// The flags with which the cases are built: as the user says, else as the suite is; with the back
// ends of this tree that are asked for, unless the user links others.
std::string BuildOf(const std::vector<std::string>& words, const Build& build,
                    const Settings& settings) {
  std::string flags = settings.run.build.empty() ? build.flags : settings.run.build;
  const auto backends = settings.request.flags.find("backend");
  if (backends == settings.request.flags.end() || LinksALibrary(words, build)) return flags;
  std::set<std::string_view> names;
  for (const std::string& name : backends->second) {
    if (IsLinkable(name)) names.insert(name);
  }
  if (names.size() > 1) names.erase(kTorchScript);
  if (names.empty()) return flags;
  absl::StrAppend(&flags, flags.empty() ? "" : " ", kLibrary, kBackendsPackage,
                  absl::StrJoin(names, "_"));
  return flags;
}

base::Flag AxisFlag(const FlagSpec& flag, const DeviceSpecs& devices, bool links_a_library,
                    PlanRequest& request) {
  const auto read = [&flag, &devices,
                     links_a_library](const std::string& text) -> absl::StatusOr<std::string> {
    if (flag.name == "backend") return ReadBackend(text, links_a_library);
    return flag.name == "device" ? ReadDevice(devices, text) : flag.read(text);
  };
  return {.set =
              [&flag, &request, read](const std::string& text) {
                const absl::StatusOr<std::string> value = read(text);
                if (!value.ok()) return value.status();
                AddNew(request.flags[flag.name], *value);
                return absl::OkStatus();
              },
          .is_switch = flag.is_switch()};
}

std::string KeyOf(std::string_view name) { return absl::StrReplaceAll(name, {{"-", "_"}}); }

// The back ends that the words name, and those that a case's own table may name (defs/cases.bzl).
std::set<std::string> Backends(const std::vector<std::string>& words) {
  std::set<std::string> names = {std::string(kEager), std::string(kTorchScript)};
  for (size_t i = 0; i < words.size(); ++i) {
    std::string_view value = words[i];
    if (absl::ConsumePrefix(&value, "--backend=")) names.emplace(value);
    if (words[i] == "--backend" && i + 1 < words.size()) names.insert(words[i + 1]);
  }
  return names;
}

// Adds the flags in `words` that belong to a back end, whose name theirs begins with. Which there
// are, and what they take, only a runner knows that links it, and it refuses others.
void AddBackendFlags(const std::vector<std::string>& words, PlanRequest& request,
                     base::FlagTable& flags) {
  const std::set<std::string> backends = Backends(words);
  for (const std::string& word : words) {
    std::string_view name = std::string_view(word).substr(0, word.find('='));
    if (!absl::ConsumePrefix(&name, "--")) continue;
    const std::string key = KeyOf(name);
    for (const std::string& backend : backends) {
      if (!absl::StartsWith(key, KeyOf(backend) + "_") || flags.contains(key)) continue;
      const auto add = [&request, backend, key](const std::string& value) {
        AddNew(request.backend_flags[backend][key], value);
        return absl::OkStatus();
      };
      flags[key] = {.set = add, .alone = [add] { return add("true"); }, .listed = false};
    }
  }
}

absl::StatusOr<int64_t> ReadBatch(const std::string& text) {
  const absl::StatusOr<std::string> read = configuration::FindFlag("batch")->read(text);
  if (!read.ok()) return read.status();
  int64_t batch = 0;
  static_cast<void>(absl::SimpleAtoi(*read, &batch));
  return batch;
}

struct Switches {
  bool compare = false, list = false, dry_run = false, print_commands = false, list_tiers = false;
  bool list_others = false;
  bool no_skip = false;
};

// Pairs of names that mean the same; presets use the second.
const std::vector<std::pair<std::string, std::string>>& Aliases() {
  static const auto& aliases =
      *new std::vector<std::pair<std::string, std::string>>{{"k", "filter"},
                                                            {"x", "exclude"},
                                                            {"batch_size", "batch"},
                                                            {"precision", "matmul_precision"}};
  return aliases;
}

base::FlagTable OwnFlags(Settings& s, Switches& switches, const DeviceSpecs& devices,
                         bool links_a_library) {
  Selection& selection = s.request.selection;
  const base::Flag help = base::HelpFlag(s.help);
  const auto shard = [&s](const std::string& text) {
    const absl::StatusOr<Shard> read = ParseShard(text);
    if (read.ok()) s.request.shard = *read;
    return read.status();
  };
  const base::Flag one_batch = Repeated<int64_t>(s.request.batches, ReadBatch);
  const base::Flag batch = {.set = [&s, one_batch](const std::string& text) {
    if (text != "search") return one_batch.set(text);
    s.request.search_batch = true;
    return absl::OkStatus();
  }};
  const auto compare_flags = [&s](const std::string& text) {
    absl::StatusOr<std::vector<std::string>> words = compare::SplitWords(text);
    if (words.ok()) s.compare_flags = *std::move(words);
    return words.status();
  };
  base::FlagTable flags = {{"suite", base::TextFlag(selection.suite)},
                           {"filter", Texts(selection.filters)},
                           {"exclude", Texts(selection.excludes)},
                           {"only", Texts(selection.only)},
                           {"tag", Texts(selection.tags)},
                           {"exclude_tag", Texts(selection.excluded_tags)},
                           {"provenance", Texts(selection.provenances)},
                           {"filter_by_tier", Repeated<int>(selection.tiers, ReadTier)},
                           {"exclude_by_tier", Repeated<int>(selection.excluded_tiers, ReadTier)},
                           {"dtype", Repeated<Dtype>(s.request.dtypes, ReadDtype)},
                           {"test", Repeated<CaseMode>(s.request.tests, ReadTest)},
                           {"batch", batch},
                           {"shard", {.set = shard}},
                           {"skips", Texts(s.skip_files)},
                           {"no_skip", base::SwitchFlag(switches.no_skip)},
                           {"compare", base::SwitchFlag(switches.compare)},
                           {"compare_flags", {.set = compare_flags}},
                           {"candidate", Texts(s.candidates)},
                           {"like", base::TextFlag(s.like)},
                           {"op", base::TextFlag(s.op)},
                           {"list", base::SwitchFlag(switches.list)},
                           {"dry_run", base::SwitchFlag(switches.dry_run)},
                           {"print_commands", base::SwitchFlag(switches.print_commands)},
                           {"list_tiers", base::SwitchFlag(switches.list_tiers)},
                           {"list_others", base::SwitchFlag(switches.list_others)},
                           {"report", base::SwitchFlag(s.report)},
                           {"format", output::FormatFlag(s.format)},
                           {"help", help},
                           {"h", help}};
  AddRunFlags(s.run, flags);
  for (const FlagSpec* flag : configuration::CaseFlags()) {
    if (flag->in_plan() && flag->name != "batch") {
      flags[KeyOf(flag->name)] = AxisFlag(*flag, devices, links_a_library, s.request);
    }
  }
  for (const auto& [alias, name] : Aliases()) {
    flags[alias] = flags.at(name);
    flags[alias].listed = false;
  }
  return flags;
}

// Flags that add to the choice of cases: a preset's are used together with the command line's.
bool Selects(const std::string& key) {
  static const auto& names =
      *new std::set<std::string>{"filter",      "exclude",    "only",           "tag",
                                 "exclude_tag", "provenance", "filter_by_tier", "exclude_by_tier"};
  return names.count(key) > 0;
}

// The words of a preset without the flags that the command line gives itself.
std::vector<std::string> NotGiven(const std::vector<std::string>& words,
                                  const base::GivenFlags& given) {
  std::vector<std::string> kept;
  for (const std::string& word : words) {
    const std::string key = KeyOf(absl::StripPrefix(word.substr(0, word.find('=')), "--"));
    if (given.count(key) == 0 || Selects(key)) kept.push_back(word);
  }
  return kept;
}

absl::StatusOr<Action> ActionOf(const Switches& switches) {
  std::vector<std::pair<std::string, Action>> given;
  for (const auto& [is_given, name, action] :
       {std::tuple(switches.compare, "--compare", Action::kCompare),
        std::tuple(switches.list, "--list", Action::kList),
        std::tuple(switches.dry_run, "--dry-run", Action::kDryRun),
        std::tuple(switches.print_commands, "--print-commands", Action::kPrintCommands),
        std::tuple(switches.list_tiers, "--list-tiers", Action::kListTiers),
        std::tuple(switches.list_others, "--list-others", Action::kListOthers)}) {
    if (is_given) given.emplace_back(name, action);
  }
  if (given.size() > 1) {
    return absl::InvalidArgumentError(
        absl::StrCat(given[0].first, " and ", given[1].first, " exclude each other: give one"));
  }
  return given.empty() ? Action::kRun : given[0].second;
}

// Rules of the flags that stand in this file alone.
const std::vector<base::FlagRule>& OwnRules() {
  static const auto& rules = *new std::vector<base::FlagRule>{
      {.flags = {"compare-flags", "candidate"}, .needs = {"compare"}},
      {.flags = {"like", "op"}, .needs = {"candidate"}},
      {.flags = {"candidate"},
       .excludes = {"launcher=slurm", "launcher=kubernetes"},
       .why = "not with $: a library is loaded on this machine"},
      {.flags = {"report"},
       .excludes = {"compare", "list", "dry-run", "print-commands", "list-tiers", "list-others"},
       .why = "not with $: only a run of the plan has results; leave one of them out"},
      {.flags = {"launcher=slurm", "launcher=kubernetes"},
       .excludes = {"list", "dry-run", "print-commands", "list-tiers", "list-others"},
       .why = "not with $: only a run or a comparison of the plan goes to a cluster; leave one of "
              "them out"},
      {.flags = {"batch=search"},
       .excludes = {"compare", "print-commands"},
       .why = "not with $: only a run of the plan searches; leave one of them out"}};
  return rules;
}

// `given`: the flags of the command line; `of_preset`: those that a preset adds.
absl::Status CheckTogether(base::GivenFlags given, const base::GivenFlags& of_preset,
                           const Settings& settings) {
  // A comparison leaves a preset's flags of a run alone.
  if (settings.action != Action::kCompare) given.insert(of_preset.begin(), of_preset.end());
  if (settings.request.search_batch) given["batch"] = "search";  // maybe beside others
  absl::Status together = base::CheckFlagRules(OwnRules(), given);
  if (together.ok()) together = base::CheckFlagRules(RunRules(), given);
  return together;
}

}  // namespace

absl::StatusOr<Settings> ReadSettings(const std::vector<std::string>& words,
                                      const DeviceSpecs& devices, const Build& build) {
  Settings settings;
  Switches switches;
  Presets presets;
  base::FlagTable own = OwnFlags(settings, switches, devices, LinksALibrary(words, build));
  absl::Span<const std::string> flags = words;
  if (!words.empty() && words[0] == "intel") {
    const auto end = absl::c_find_if(
        words, [](const std::string& word) { return word.size() > 1 && word[0] == '-'; });
    const auto count = static_cast<size_t>(end - words.begin());
    flags = flags.subspan(count);
    const bool asks_for_help = absl::c_any_of(
        flags, [](const std::string& word) { return absl::StartsWith(word, "--help"); });
    const absl::Status read =
        asks_for_help ? absl::OkStatus()
                      : presets.ReadIntel(absl::MakeConstSpan(words).subspan(1, count - 1));
    if (!read.ok()) return read;
  }
  base::FlagTable all = own;
  for (auto& [name, flag] : presets.Flags()) {
    flag.listed &= name == "preset";  // --help names few of other suites' flags
    const auto [ours, is_new] = all.emplace(name, flag);
    // Another suite's switch that has a name of ours.
    if (!is_new && flag.is_switch) ours->second.alone = [flag = flag] { return flag.set("true"); };
  }
  AddBackendFlags(words, settings.request, all);
  base::GivenFlags given;
  const absl::Status parsed =
      base::ParseFlags(all, flags, kStrayAdvice,
                       [&given](const std::string& name, absl::Span<const std::string> typed) {
                         base::NoteGiven(name, typed, given);
                         for (const auto& [alias, meant] : Aliases()) {
                           if (alias == name) base::NoteGiven(meant, typed, given);
                         }
                       });
  if (!parsed.ok()) return parsed;
  if (settings.help != base::Help::kNone) return settings;
  settings.request.default_device = build.default_device;
  const auto device = settings.request.flags.find("device");
  const bool given_device = device != settings.request.flags.end();
  const absl::StatusOr<std::vector<std::string>> said =
      presets.Words(!given_device                 ? build.default_device
                    : device->second[0] == "cuda" ? CUDA
                                                  : CPU);
  if (!said.ok()) return said.status();
  const std::vector<std::string> kept = NotGiven(*said, given);
  base::GivenFlags of_preset;
  const absl::Status understood = base::ParseFlags(
      own, kept, "", [&of_preset](const std::string& name, absl::Span<const std::string> typed) {
        base::NoteGiven(name, typed, of_preset);
      });
  if (!understood.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat(presets.name().empty() ? "" : absl::StrCat("preset ", presets.name(), ": "),
                     understood.message()));
  }
  if (!presets.name().empty()) {
    settings.preset =
        absl::StrCat("preset ", presets.name(), ": ",
                     absl::StrJoin(kept, " ", [](std::string* out, const std::string& word) {
                       out->append(base::ShellWord(word));
                     }));
  }
  settings.request.skip_known = !switches.no_skip;
  const absl::StatusOr<Action> action = ActionOf(switches);
  if (!action.ok()) return action.status();
  settings.action = *action;
  if (absl::Status together = CheckTogether(given, of_preset, settings); !together.ok())
    return together;
  settings.out_given = given.contains("out") || of_preset.contains("out");
  settings.run.flags = words;
  settings.run.build = BuildOf(words, build, settings);
  const size_t most = settings.action == Action::kCompare ? 2 : 1;
  if (settings.run.libtorches.size() > most) {
    return absl::InvalidArgumentError(
        most == 1 ? "--libtorch: one version to run with; --compare takes two"
                  : "--compare --libtorch: two versions at most");
  }
  if (absl::Status possible = CheckRunOptions(settings.run); !possible.ok()) return possible;
  return settings;
}

}  // namespace assay::suite
