#include "tools/compare/loaded_kernel.h"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "absl/algorithm/container.h"
#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/processes/child_process.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"

namespace assay::compare {
namespace {

namespace fs = std::filesystem;

constexpr char kLoader[] = "//benchmarks/operators/override:libstand_in.so";
constexpr char kKernel[] = "//tools/kernel:kernel";
constexpr int64_t kMostBytes = int64_t{64} << 20;  // of a profile

}  // namespace

absl::StatusOr<std::vector<std::string>> LoadingVariables(
    const Side& side, const processes::Workspace& tree, const std::vector<std::string>& build_flags,
    const std::atomic<bool>* interrupted) {
  std::cerr << "compare: loading " << side.library << "\n";
  const absl::StatusOr<std::vector<std::string>> built =
      processes::Build(tree, {kKernel, kLoader}, build_flags, interrupted);
  if (!built.ok()) return built.status();
  const absl::StatusOr<processes::ChildEnd> end = processes::RunChild(
      {.arguments = {built->front(), side.library, "--action=library",
                     absl::StrCat("--like=", side.like), absl::StrCat("--op=", side.op)}},
      interrupted);
  if (!end.ok()) return end.status();
  if (!end->Exited(0)) {
    const std::string message(
        absl::StripPrefix(absl::StripAsciiWhitespace(end->errors), "kernel: "));
    if (end->Exited(base::kProductWrong)) return absl::AbortedError(message);
    if (end->Exited(base::kUsageError)) return absl::InvalidArgumentError(message);
    return absl::UnavailableError(message.empty() ? processes::Describe(*end) : message);
  }
  std::vector<std::string> variables = absl::StrSplit(end->output, '\n', absl::SkipEmpty());
  const char* const preloaded = std::getenv("LD_PRELOAD");
  variables.push_back(absl::StrCat("LD_PRELOAD=", built->back(),
                                   preloaded == nullptr ? "" : absl::StrCat(":", preloaded)));
  return variables;
}

std::vector<std::string> OperatorsIn(std::string_view kernels_over_aten) {
  std::vector<std::string> operators;
  for (const std::string_view kernel :
       absl::StrSplit(kernels_over_aten, "), ", absl::SkipEmpty())) {
    std::string name(kernel.substr(0, kernel.find(" (")));
    name.resize(std::min(name.size(), name.find('.')));
    if (!absl::c_linear_search(operators, name)) operators.push_back(std::move(name));
  }
  return operators;
}

std::vector<OperatorUse> UsesOf(const std::vector<std::string>& operators,
                                const std::string& profile) {
  const nlohmann::json table = nlohmann::json::parse(profile, nullptr, /*allow_exceptions=*/false);
  double all_ns = 0, profiled = 0;
  std::vector<OperatorUse> uses;
  try {
    for (const nlohmann::json& step : table.at("steps")) {
      all_ns += step.at("cpu_ns").get<double>();
      profiled = step.at("calls").get<double>();
    }
    for (const std::string& name : operators) {
      uses.push_back({.name = name});
      for (const nlohmann::json& row : table.at("operators")) {
        if (row.at("name") != name || profiled <= 0 || all_ns <= 0) continue;
        uses.back().calls = row.at("calls").get<double>() / profiled;
        uses.back().share = row.at("cpu_total_ns").get<double>() / all_ns;
      }
    }
  } catch (const nlohmann::json::exception&) {
    return {};
  }
  return uses;
}

absl::StatusOr<std::vector<OperatorUse>> UsesIn(const MeasuredCommand& command,
                                                const std::atomic<bool>* interrupted) {
  std::string folder = (fs::temp_directory_path() / "assay-compare-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr)
    return absl::UnavailableError(absl::StrCat("cannot make a folder like ", folder));
  const absl::Cleanup remove = [&folder] {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  };
  MeasuredCommand profiled = command;
  profiled.flags.push_back(absl::StrCat("--profile=", folder));
  const Record record = RunMeasured(profiled, interrupted).record;
  const absl::StatusOr<std::string> profile =
      tensor_files::ReadFile(record.profile().operators(), kMostBytes);
  if (!profile.ok()) return std::vector<OperatorUse>();
  const auto& variables = record.environment().variables();
  const auto kernels = variables.find("kernels_over_aten");
  if (kernels == variables.end())
    return absl::InvalidArgumentError(
        "the library registers no kernel over ATen's; --like=NAME says in the place of which "
        "operator its own is called");
  return UsesOf(OperatorsIn(kernels->second), *profile);
}

}  // namespace assay::compare
