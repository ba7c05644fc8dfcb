#include "tools/trace/et_replay_flags.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "nlohmann/json.hpp"

namespace assay::trace {
namespace {

enum class Answer { kAs, kNothing, kRefused };

struct Row {
  std::string_view name;
  bool value;  // whether it takes one
  Answer answer;
  std::string_view text;  // kAs: the words in its place, "$" is the value; else the reason
};

constexpr Row kRows[] = {
    {"trace-path", true, Answer::kAs, "--input=$"},
    {"m", true, Answer::kAs, "--mode=$"},
    {"warmup-iter", true, Answer::kAs, "--exec-mode=continuous --warmup=$"},
    {"iter", true, Answer::kAs, "--exec-mode=continuous --iterations=$"},
    {"profile-replay", false, Answer::kAs, "--profile"},
    {"et", false, Answer::kAs, "--capture-trace"},
    {"output-path", true, Answer::kAs, "--record=$/replay.jsonl"},
    {"cpu", false, Answer::kAs, "--device=cpu"},
    {"profile-memory", false, Answer::kNothing, "each run counts the memory of its calls"},
    {"enable-lazy-tensor-allocation", false, Answer::kNothing,
     "what a call makes is allocated by that call and freed after its last use"},
    {"device-memory-threshold", true, Answer::kNothing,
     "what a call makes is allocated by that call and freed after its last use"},
    {"gpu", false, Answer::kRefused, "traces are replayed on the CPU; leave it out"},
    {"cuda", false, Answer::kRefused, "traces are replayed on the CPU; leave it out"},
    {"tf32", false, Answer::kRefused,
     "TF32 is of CUDA; --matmul-precision=medium rounds products of float32 to bf16"},
    {"generator", false, Answer::kRefused,
     "no code is generated; --subgraph and --step choose what is replayed"},
    {"dump", false, Answer::kRefused, "no code is generated; tree and node show the operators"},
    {"dump-path", true, Answer::kRefused, "no code is generated; tree and node show the operators"},
    {"update-replay-config", false, Answer::kRefused,
     "what cannot be replayed is named and left out; write {\"skip nodes\": [...]} to a file and "
     "give --replay-config=FILE to leave out more"},
    {"delay", true, Answer::kRefused,
     "calls follow one another; --modes=cold flushes the cache before each"},
};

const Row* FindRow(std::string_view name) {
  for (const Row& row : kRows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

void AppendWords(std::string_view words, std::string_view value, TranslatedWords& to) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    const size_t at = word.find('$');
    std::string made = at == std::string_view::npos
                           ? std::string(word)
                           : absl::StrCat(word.substr(0, at), value, word.substr(at + 1));
    if (std::find(to.words.begin(), to.words.end(), made) == to.words.end())
      to.words.push_back(std::move(made));
  }
}

}  // namespace

absl::StatusOr<TranslatedWords> TranslateEtReplay(absl::Span<const std::string> words) {
  TranslatedWords translated;
  for (size_t i = 0; i < words.size(); ++i) {
    std::string_view name = words[i];
    // -m is the only short one.
    const bool flag = absl::ConsumePrefix(&name, "--") || name == "-m";
    absl::ConsumePrefix(&name, "-");
    std::string_view value;
    const size_t equals = name.find('=');
    if (equals != std::string_view::npos) value = name.substr(equals + 1);
    name = name.substr(0, equals);
    const Row* row = flag ? FindRow(name) : nullptr;
    if (row == nullptr) {
      translated.words.push_back(words[i]);
      continue;
    }
    if (row->value && equals == std::string_view::npos) {
      if (i + 1 == words.size() || absl::StartsWith(words[i + 1], "-"))
        return absl::InvalidArgumentError(absl::StrCat(words[i], ": needs a value"));
      value = words[++i];
    }
    if (row->answer == Answer::kRefused)
      return absl::InvalidArgumentError(absl::StrCat("--", name, ": ", row->text));
    if (row->answer == Answer::kNothing) {
      translated.notes.push_back(absl::StrCat("--", name, " changes nothing: ", row->text));
    } else {
      AppendWords(row->text, value, translated);
    }
  }
  return translated;
}

absl::StatusOr<std::set<std::string>> ReadReplayConfig(const std::string& path) {
  const auto wrong = [&path](std::string_view what) {
    return absl::InvalidArgumentError(absl::StrCat("--replay-config=", path, ": ", what));
  };
  constexpr int64_t kMost = 1 << 20;
  const absl::StatusOr<std::string> text = tensor_files::ReadFile(path, kMost);
  if (!text.ok()) return wrong(text.status().message());
  const nlohmann::json json = nlohmann::json::parse(*text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return wrong("it is no JSON object");
  std::set<std::string> skipped;
  for (const auto& [name, values] : json.items()) {
    if (name != "skip nodes" && name != "import modules")
      return wrong(absl::StrCat("\"", name,
                                "\" is unknown; there are \"skip nodes\" and "
                                "\"import modules\""));
    if (!values.is_array()) return wrong(absl::StrCat("\"", name, "\" is no list"));
    if (name == "import modules" && !values.empty()) {
      return wrong(
          "\"import modules\" are Python's; give the library that registers the operators "
          "by --load-library=FILE");
    }
    for (const auto& value : values) {
      if (!value.is_string() || value.get<std::string>().empty())
        return wrong("\"skip nodes\" holds what is no name");
      skipped.insert(value.get<std::string>());
    }
  }
  return skipped;
}

std::string EtReplayUsage() {
  std::string text = "Flags of et_replay\n";
  for (const Row& row : kRows) {
    const std::string name =
        absl::StrCat(row.name == "m" ? "-" : "--", row.name, row.value ? " X" : "");
    const std::string_view answer = row.answer == Answer::kAs        ? "as "
                                    : row.answer == Answer::kNothing ? "changes nothing: "
                                                                     : "refused: ";
    absl::StrAppendFormat(&text, "  %-32s%s%s\n", name, answer, row.text);
  }
  return text;
}

}  // namespace assay::trace
