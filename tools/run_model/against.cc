#include "tools/run_model/against.h"

#include <ATen/Version.h>
#include <torch/version.h>

#include <filesystem>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/processes/other_program.h"
#include "benchmarks/harness/runner/verdict/run_status.h"

namespace assay::run_model {
namespace {

constexpr char kScript[] =
#include "tools/run_model/against_python.inc"
    ;
constexpr char kStart[] = "import sys; exec(compile(sys.argv[1], 'against_python.py', 'exec'))";

// The seconds that --budget gives in the words; "": none.
std::string BudgetIn(const std::vector<std::string>& words) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--budget" && i + 1 < words.size()) return words[i + 1];
    if (absl::StartsWith(words[i], "--budget=")) return words[i].substr(words[i].find('=') + 1);
  }
  return "";
}

}  // namespace

absl::Status AgainstPython(const AgainstOptions& options, const std::string& model,
                           const std::string& backend, const std::vector<std::string>& words) {
  const std::string python = options.python.empty() ? "python3" : options.python;
  std::vector<std::string> command = {
      python,
      "-c",
      kStart,
      kScript,
      absl::StrCat("--program=", std::filesystem::read_symlink("/proc/self/exe").string()),
      absl::StrCat("--python=", python),
      absl::StrCat("--model=", model),
      absl::StrCat("--backend=", backend),
      "--torch-version=" TORCH_VERSION,
      absl::StrCat("--config=", at::show_config()),
      absl::StrCat("--pairs=", options.pairs)};
  if (!options.python.empty()) command.push_back("--python-given");
  if (const std::string budget = BudgetIn(words); !budget.empty())
    command.push_back(absl::StrCat("--budget=", budget));
  command.push_back("--");
  command.insert(command.end(), words.begin(), words.end());
  const absl::Status started = processes::ReplaceBy(std::move(command));
  return runner::Ended(ARTIFACT_UNAVAILABLE,
                       absl::StrCat("--against=python: ", started.message(),
                                    "; give the Python that has torch, --python=FILE"));
}

}  // namespace assay::run_model
