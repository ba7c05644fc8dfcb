#include "benchmarks/harness/goldens/golden_table.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/text/shell_text.h"

namespace assay::goldens {
namespace {

constexpr std::string_view kUpdater = "tools/bazel run //ci/goldens:model_goldens_update";
constexpr size_t kDigits = 16;

// One of each row's words after the model's name, in their order.
struct Column {
  std::string_view name;
  std::string_view meaning;
};
constexpr std::array<Column, 4> kColumns = {{{"parameters", "elements"},
                                             {"flops", "of one call"},
                                             {"state", "digest of inputs and state"},
                                             {"training", "digest of norms and drops"}}};
using Golden = std::array<std::string, kColumns.size()>;

bool IsDigest(std::string_view word) {
  return word.size() == kDigits &&
         word.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// As row() of golden_table.py.
Golden GoldenOf(const std::vector<std::string>& lines) {
  Golden golden;
  std::string state, training;
  for (const std::string& line : lines) {
    const std::pair<std::string, std::string> words = absl::StrSplit(line, absl::MaxSplits(' ', 1));
    const auto& [kind, rest] = words;
    if (kind == "parameters") {
      golden[0] = rest;
    } else if (kind == "flops") {
      golden[1] = rest;
    } else {
      absl::StrAppend(kind == "norm" || kind == "drops" ? &training : &state, line, "\n");
    }
  }
  golden[2] = base::Sha256Hex(state).substr(0, kDigits);
  golden[3] = base::Sha256Hex(training).substr(0, kDigits);
  return golden;
}

// Writes the table of the family of which this is a model.
std::string UpdateCommand(const std::string& model) {
  return absl::StrCat(kUpdater, " -- --filter=", base::ShellWord(absl::StrCat("^", model, "$")));
}

// An error about the table of this model's family, with the command that writes it anew.
absl::Status Broken(std::string_view what, const std::string& model) {
  return absl::FailedPreconditionError(
      absl::StrCat(what, "; write the table anew: ", UpdateCommand(model)));
}

// By the model's name. `model` is one of the family, for the command that mends.
absl::StatusOr<std::map<std::string, Golden>> ReadGoldens(const std::string& path,
                                                          const std::string& model) {
  std::ifstream file(path);
  if (!file)
    return Broken(absl::StrCat("there is no ", path, ", which should hold ", model), model);
  std::map<std::string, Golden> goldens;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const std::string place = absl::StrCat(path, ":", number, ": ");
    if (absl::StartsWith(line, "# ")) continue;
    if (number == 1) return Broken(place + "not a line '# ' with who says this", model);
    const std::vector<std::string> words = absl::StrSplit(line, ' ');
    if (words.size() != 1 + kColumns.size() || !IsDigest(words[3]) || !IsDigest(words[4])) {
      return Broken(absl::StrFormat("%s\"%s\" is not a model, parameters, flops and two digests of "
                                    "%d hexadecimal digits",
                                    place, absl::CEscape(line), kDigits),
                    model);
    }
    Golden golden;
    std::copy(words.begin() + 1, words.end(), golden.begin());
    if (!goldens.emplace(words[0], golden).second)
      return Broken(absl::StrCat(place, "a second line of ", words[0]), model);
  }
  return goldens;
}

// "" where both are the same.
std::string Differences(const Golden& ours, const Golden& theirs) {
  std::string text;
  for (size_t i = 0; i < kColumns.size(); ++i) {
    if (ours[i] == theirs[i]) continue;
    absl::StrAppendFormat(&text, "  %-10s  ours %s, reference %s (%s)\n", kColumns[i].name, ours[i],
                          theirs[i], kColumns[i].meaning);
  }
  return text;
}

// Bazel's sandbox is gone when a person reads this; what follows is the path from the tree's root.
std::string FromRoot(const std::string& path) {
  const size_t at = path.rfind("/bazel-out/");
  return at == std::string::npos ? path : path.substr(at + 1);
}

}  // namespace

absl::Status CompareWithGolden(const std::string& path, const std::string& model,
                               const std::vector<std::string>& lines, const std::string& folder) {
  const absl::StatusOr<std::map<std::string, Golden>> goldens = ReadGoldens(path, model);
  if (!goldens.ok()) return goldens.status();
  const auto found = goldens->find(model);
  if (found == goldens->end()) return Broken(absl::StrCat(path, " has no line of ", model), model);
  const std::string differences = Differences(GoldenOf(lines), found->second);
  if (differences.empty()) return absl::OkStatus();
  const std::string written = absl::StrCat(folder, "/", model, ".txt");
  std::ofstream(written) << absl::StrJoin(lines, "\n") << "\n";
  return absl::FailedPreconditionError(absl::StrCat(
      path, ": ", model, " is not as its reference.py has it\n", differences,
      "which lines differ: ", kUpdater, " -- --diff=", base::ShellWord(FromRoot(written)),
      "\nif reference.py is what changed: ", UpdateCommand(model)));
}

absl::Status CheckNoOtherGolden(const std::string& path, const std::vector<std::string>& models) {
  const absl::StatusOr<std::map<std::string, Golden>> goldens = ReadGoldens(path, models.front());
  if (!goldens.ok()) return goldens.status();
  for (const auto& [model, golden] : *goldens) {
    if (std::find(models.begin(), models.end(), model) == models.end())
      return Broken(absl::StrCat(path, " has a line of ", model, ", of which there is no case"),
                    models.front());
  }
  return absl::OkStatus();
}

}  // namespace assay::goldens
