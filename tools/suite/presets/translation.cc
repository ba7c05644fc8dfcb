#include "tools/suite/presets/translation.h"

#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"

namespace assay::suite {

absl::Status Translation::Use(std::string_view name) {
  if (name.empty()) return absl::OkStatus();
  if (preset.empty()) preset = name;
  if (preset == name) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "is of the preset ", name, ", and there is already ", preset, "; one preset at a time"));
}

void Translation::Say(std::vector<std::string> more) {
  for (std::string& word : more) words.push_back(std::move(word));
}

base::Flag Means(Translation& said, std::string_view suite, std::vector<std::string> words) {
  return {.set =
              [&said, suite, words = std::move(words)](const std::string& value) {
                if (value != "true") return absl::InvalidArgumentError("a switch without a value");
                said.Say(words);
                return said.Use(suite);
              },
          .is_switch = true,
          .listed = false};
}

base::Flag MeansValue(Translation& said, std::string_view suite, std::vector<std::string> words) {
  return {.set =
              [&said, suite, words = std::move(words)](const std::string& value) {
                for (const std::string& word : words) {
                  said.Say({absl::StrReplaceAll(word, {{"%", value}})});
                }
                return said.Use(suite);
              },
          .listed = false};
}

base::Flag MeansByValue(Translation& said, std::string_view suite,
                        std::map<std::string, std::vector<std::string>> meanings) {
  return {.set =
              [&said, suite, meanings = std::move(meanings)](const std::string& value) {
                auto found = meanings.find(value);
                if (found == meanings.end()) found = meanings.find("*");
                if (found == meanings.end()) {
                  return absl::InvalidArgumentError(absl::StrCat(
                      "one of ", absl::StrJoin(meanings, ", ", [](std::string* out, const auto& m) {
                        out->append(m.first);
                      })));
                }
                if (!found->second.empty() && absl::StartsWith(found->second[0], "!")) {
                  return absl::InvalidArgumentError(found->second[0].substr(1));
                }
                said.Say(found->second);
                return said.Use(suite);
              },
          .listed = false};
}

base::Flag Refuses(std::string reason, bool is_switch) {
  return {.set = [reason = std::move(reason)](
                     const std::string&) { return absl::InvalidArgumentError(reason); },
          .is_switch = is_switch,
          .listed = false};
}

void AddRefused(base::FlagTable& flags, const std::string& reason,
                const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const bool has_value = absl::EndsWith(name, "=");
    flags[has_value ? name.substr(0, name.size() - 1) : name] = Refuses(reason, !has_value);
  }
}

}  // namespace assay::suite
