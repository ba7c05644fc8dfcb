#include "benchmarks/harness/runner/given/python_reference.h"

#include <cstdint>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <system_error>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/cache_folder.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/processes/interrupts.h"
#include "benchmarks/harness/processes/other_program.h"
#include "benchmarks/harness/runner/given/workspace.h"
#include "benchmarks/harness/runner/verdict/exporting.h"
#include "benchmarks/harness/runner/verdict/run_status.h"
#include "benchmarks/harness/tensor_files/checkpoint.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "defs/case/program_kinds.h"

namespace assay::runner {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReferenceProgram = "//tools:reference_of_weights";
constexpr int64_t kMostReferenceFile = int64_t{1} << 32;

absl::Status CheckPythonReference(const ResolvedCase& c) {
  if (KindOf(c).truth == TruthSource::kOwnFloat64 ||
      c.implementation().reference_script().empty()) {
    return UsageError(absl::StrCat("--verify-with=python: implementation ",
                                   c.implementation().name(),
                                   " has no implementation in Python (reference_script, "
                                   "docs/adding.md); give --reference=FILE "
                                   "with the outputs that another one computes"));
  }
  if (!Workspace().empty()) return absl::OkStatus();
  return UsageError(absl::StrCat("--verify-with=python: ", kReferenceProgram,
                                 " is built in the workspace; start the case as: tools/bazel run ",
                                 c.benchmark_case().label(), " -- --verify-with=python"));
}

// INTERRUPTED after Ctrl-C, which a child's exit code may say, too; otherwise `other`.
absl::Status InterruptedOr(const absl::Status& other, int code = 0) {
  constexpr int kInterrupted = 130;  // as a shell has it
  if (!processes::Interrupted() && code != kInterrupted) return other;
  return Ended(INTERRUPTED, "--verify-with=python: interrupted");
}

// Keeps the file under a name that its content decides.
absl::StatusOr<std::string> KeptReference(const std::string& made, const std::string& name) {
  const absl::StatusOr<std::string> bytes = tensor_files::ReadFile(made, kMostReferenceFile);
  if (!bytes.ok()) return Ended(ARTIFACT_UNAVAILABLE, bytes.status().message());
  const absl::StatusOr<fs::path> cache = base::CacheFolder("references");
  if (!cache.ok()) return Ended(RECORD_FAILED, cache.status().message());
  const fs::path folder = *cache / "references";
  std::error_code error;
  fs::create_directories(folder, error);
  const std::string path =
      folder / absl::StrCat(name, "-", base::Sha256Hex(*bytes).substr(0, 12), ".safetensors");
  const absl::Status written = tensor_files::WriteFileAtomically(path, *bytes);
  if (!written.ok()) return Ended(RECORD_FAILED, written.message());
  return path;
}

}  // namespace

absl::StatusOr<std::string> ReferenceByPython(const ResolvedCase& c, const std::string& weights) {
  if (absl::Status possible = CheckPythonReference(c); !possible.ok()) return possible;
  // Before packages are fetched for weights that are not there.
  const absl::Status opened = tensor_files::Checkpoint::Open(weights).status();
  if (!opened.ok()) return UsageError(opened.message());
  const absl::StatusOr<std::string> folder = NewFolder("reference");
  if (!folder.ok()) return folder.status();
  const absl::Cleanup remove = [&folder] {
    std::error_code error;
    fs::remove_all(*folder, error);
  };
  const absl::StatusOr<std::string> script =
      BuiltProgram("--verify-with=python", kReferenceProgram, *folder);
  if (!script.ok()) return InterruptedOr(script.status());
  const absl::Status written =
      Export(c, {.inputs = *folder + "/inputs.safetensors", .resolved = *folder + "/case.json"});
  if (absl::Status exported = InterruptedOr(written); !exported.ok()) return exported;
  std::error_code error;
  const absl::StatusOr<int> code = processes::RunShown(
      {*script, *folder, absl::StrCat("--weights=", fs::absolute(weights, error).string())});
  if (!code.ok()) return Ended(ARTIFACT_UNAVAILABLE, code.status().message());
  if (*code != 0) {
    return InterruptedOr(
        Ended(ARTIFACT_UNAVAILABLE,
              "--verify-with=python: there is no reference of these weights; why stands above"),
        *code);
  }
  absl::StatusOr<std::string> kept =
      KeptReference(*folder + "/reference.safetensors", c.benchmark_case().name());
  if (kept.ok())
    std::cerr << "assay: reference of these weights, for --reference: " << *kept << "\n";
  return kept;
}

}  // namespace assay::runner
