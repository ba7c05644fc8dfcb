#include "tools/suite/presets/presets.h"

#include <google/protobuf/text_format.h>

#include <cstdlib>
#include <string_view>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "tools/suite/presets/presets.pb.h"

namespace assay::suite {
namespace {

using Texts = google::protobuf::RepeatedPtrField<std::string>;
using Values = google::protobuf::RepeatedPtrField<PresetValue>;
using Said = Presets::Said;

constexpr char kText[] =
#include "tools/suite/presets/presets_text.inc"
    ;
constexpr char kIntel[] = "intel";

const PresetTable& Table() {
  static const PresetTable& table = *[] {
    auto* const read = new PresetTable;
    if (!google::protobuf::TextFormat::ParseFromString(kText, read)) std::abort();
    return read;
  }();
  return table;
}

const Preset& PresetOf(std::string_view name) {
  return *absl::c_find_if(Table().presets(),
                          [name](const Preset& preset) { return preset.name() == name; });
}

bool Says(const Said& said, const std::string& beginning) {
  return absl::c_any_of(said.words,
                        [&](const std::string& word) { return absl::StartsWith(word, beginning); });
}

void Say(const Texts& words, const std::string& value, Said& said) {
  for (const std::string& word : words) {
    if (!absl::StartsWith(word, "--")) {  // a note
      const std::string key = word.substr(0, word.find('=') + 1);
      std::erase_if(said.words, [&](const std::string& old) { return absl::StartsWith(old, key); });
    }
    said.words.push_back(absl::StrReplaceAll(word, {{"%", value}}));
  }
}

// InvalidArgument if another preset is in use. An empty name goes with all.
absl::Status Use(const std::string& name, Said& said) {
  if (name.empty()) return absl::OkStatus();
  if (said.preset.empty()) said.preset = name;
  if (said.preset == name) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "is of the preset ", name, ", and there is already ", said.preset, "; one preset at a time"));
}

absl::Status SayValue(const Values& values, const std::string& value, Said& said) {
  const auto found = absl::c_find_if(
      values, [&](const PresetValue& known) { return known.is() == value || known.is() == "*"; });
  if (found == values.end()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "one of ", absl::StrJoin(values, ", ", [](std::string* out, const PresetValue& known) {
          out->append(known.is());
        })));
  }
  if (!found->refused().empty()) return absl::InvalidArgumentError(found->refused());
  Say(found->means(), value, said);
  return absl::OkStatus();
}

bool IsSwitch(const PresetFlag& flag) {
  return flag.values().empty() && absl::c_none_of(flag.means(), [](const std::string& word) {
           return absl::StrContains(word, '%');
         });
}

absl::Status Read(const PresetFlag& flag, const std::string& value, Said& said) {
  if (!flag.values().empty()) return SayValue(flag.values(), value, said);
  if (IsSwitch(flag) && value != "true") {
    return absl::InvalidArgumentError("a switch without a value");
  }
  if (!flag.commas()) Say(flag.means(), value, said);
  if (flag.commas()) {
    for (const std::string_view part : absl::StrSplit(value, ',', absl::SkipEmpty())) {
      Say(flag.means(), std::string(part), said);
    }
  }
  return absl::OkStatus();
}

// `preset` and `flag` are Table()'s.
base::Flag Translated(const Preset& preset, const PresetFlag& flag, Said& said) {
  base::Flag translated = {.set =
                               [&preset, &flag, &said](const std::string& value) {
                                 const absl::Status read = Read(flag, value, said);
                                 return read.ok() ? Use(preset.name(), said) : read;
                               },
                           .is_switch = IsSwitch(flag),
                           .listed = false};
  if (!flag.alone().empty()) {
    translated.alone = [&flag] { return absl::InvalidArgumentError(flag.alone()); };
  }
  return translated;
}

base::Flag Refusing(const std::string& why, bool is_switch) {
  return {.set = [&why](const std::string&) { return absl::InvalidArgumentError(why); },
          .is_switch = is_switch,
          .listed = false};
}

// A name that is there already keeps its meaning.
void AddFlags(const Preset& preset, Said& said, base::FlagTable& flags) {
  for (const PresetFlag& flag : preset.flags()) {
    for (const std::string& name : flag.names()) {
      flags.emplace(name, Translated(preset, flag, said));
    }
  }
  for (const RefusedFlags& refused : preset.refused()) {
    for (std::string name : refused.names()) {
      const bool is_switch = name.back() != '=';
      if (!is_switch) name.pop_back();
      flags.emplace(name, Refusing(refused.why(), is_switch));
    }
  }
}

base::Flag PresetFlagOf(Said& said) {
  return {.set = [&said](const std::string& name) {
    std::vector<std::string> names;
    for (const Preset& preset : Table().presets()) {
      if (preset.stands_for().empty()) continue;
      names.push_back(preset.name());
      if (preset.name() != name) continue;
      if (said.preset == name) return absl::OkStatus();
      Say(preset.stands_for(), "", said);
      return Use(name, said);
    }
    return absl::InvalidArgumentError(absl::StrCat("one of ", absl::StrJoin(names, ", ")));
  }};
}

// Adds what the preset's program does unless told otherwise. InvalidArgument if it would refuse.
absl::Status Complete(const Preset& preset, int repeat, Said& said) {
  const auto says = [&said](const std::string& word) { return Says(said, word); };
  for (const OneOf& one_of : preset.one_of()) {
    if (absl::c_count_if(one_of.words(), says) != 1) {
      return absl::InvalidArgumentError(one_of.problem());
    }
  }
  for (const DefaultWords& more : preset.defaults()) {
    if (absl::c_all_of(more.with(), says) && absl::c_none_of(more.unless(), says)) {
      Say(more.words(), absl::StrCat(repeat > 0 ? repeat : more.repeat()), said);
    }
  }
  return absl::OkStatus();
}

}  // namespace

base::FlagTable Presets::Flags() {
  base::FlagTable flags = {{"preset", PresetFlagOf(said_)}};
  base::Flag repeat = base::WholeNumberFlag(repeat_, 1, 1000000);
  base::Flag partitions = base::WholeNumberFlag(total_partitions_, 1, 10000);
  base::Flag partition = base::WholeNumberFlag(partition_, 0, 9999);
  repeat.listed = partitions.listed = partition.listed = false;
  flags["repeat"] = flags["n"] = repeat;
  flags["total_partitions"] = partitions;
  flags["partition_id"] = partition;
  for (const Preset& preset : Table().presets()) AddFlags(preset, said_, flags);
  return flags;
}

absl::Status Presets::ReadIntel(absl::Span<const std::string> given) {
  const auto& known = PresetOf(kIntel).words();
  if (given.size() > static_cast<size_t>(known.size())) {
    const auto names = absl::StrJoin(
        known, " ", [](std::string* out, const PositionalWord& word) { out->append(word.name()); });
    return absl::InvalidArgumentError(absl::StrCat("intel takes ten words, and there are ",
                                                   given.size(), ": intel ", names,
                                                   " ('' for all models)"));
  }
  const absl::Status used = Use(kIntel, said_);
  if (!used.ok()) return used;
  std::vector<std::string> words(given.begin(), given.end()), problems;
  for (size_t i = 0; i < static_cast<size_t>(known.size()); ++i) {
    const PositionalWord& word = known[static_cast<int>(i)];
    if (i == words.size()) words.push_back(word.otherwise());
    if (word.values().empty()) continue;
    const absl::Status read = SayValue(word.values(), words[i], said_);
    if (read.ok()) continue;
    problems.push_back(absl::StrCat("intel: ", word.name(), " '", words[i], "': ", read.message()));
  }
  if (!problems.empty()) return absl::InvalidArgumentError(absl::StrJoin(problems, "\n"));
  const std::string &shards = words[7], &shard = words[8], &model = words[9];
  if (!shards.empty() && !shard.empty() && (shards != "1" || shard != "0")) {
    said_.words.push_back(absl::StrCat("--shard=", shard, "/", shards));
  }
  if (!model.empty()) said_.words.push_back(absl::StrCat("--only=", model));
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> Presets::Words(DeviceType device) const {
  Said said = said_;
  const Preset& preset = PresetOf(said.preset);
  if (repeat_ > 0 && preset.defaults().empty()) {
    return absl::InvalidArgumentError(
        "--repeat and -n belong to PyTorch/XLA's flags (with --suite-name) and TorchDynamo's (with "
        "--performance); here it is --exec-mode=discrete --iterations=N");
  }
  const bool on_cuda =
      Says(said, "--device=cuda") || (!Says(said, "--device=cpu") && device == CUDA);
  said.words.push_back(on_cuda ? "device=cuda" : "device=cpu");
  const absl::Status complete = Complete(preset, repeat_, said);
  if (!complete.ok()) return complete;
  std::erase_if(said.words, [](const std::string& word) { return !absl::StartsWith(word, "--"); });
  if (total_partitions_ > 0) {
    said.words.push_back(
        absl::StrCat("--shard=", partition_ < 0 ? 0 : partition_, "/", total_partitions_));
  } else if (partition_ >= 0) {
    return absl::InvalidArgumentError("--partition-id needs --total-partitions");
  }
  return said.words;
}

}  // namespace assay::suite
