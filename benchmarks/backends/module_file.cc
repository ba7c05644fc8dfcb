#include "benchmarks/backends/module_file.h"

#include <ATen/Version.h>
#include <torch/version.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <vector>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "benchmarks/backends/module_cache.h"
#include "benchmarks/harness/base/cache_folder.h"
#include "benchmarks/harness/base/private_path.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/processes/child_process.h"
#include "benchmarks/harness/processes/other_program.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/tensor_files/mapped_file.h"

namespace assay::backends {
namespace {

namespace fs = std::filesystem;

// A kept file may be machine code, which runs as this user.
absl::Status Believed(const fs::path& path) {
  const absl::Status checked = base::CheckPrivate(path);
  if (checked.ok()) return checked;
  return absl::FailedPreconditionError(
      absl::StrCat("an exported module is code that runs as you: ", checked.message(),
                   ", or set XDG_CACHE_HOME to a folder of your own, or give --module=FILE"));
}

absl::StatusOr<fs::path> ModulesFolder() {
  const absl::StatusOr<fs::path> cache = base::CacheFolder("exported modules");
  if (!cache.ok()) {
    return absl::FailedPreconditionError(
        absl::StrCat(cache.status().message(), ", or give --module=FILE"));
  }
  const fs::path folder = *cache / "modules";
  const absl::Status made = base::MakePrivateFolders(folder);
  if (!made.ok())
    return absl::FailedPreconditionError(
        absl::StrCat(made.message(), "; set XDG_CACHE_HOME to another folder"));
  const absl::Status believed = Believed(folder);
  if (!believed.ok()) return believed;
  return folder;
}

std::string DigestOf(const std::vector<std::string>& parts) {
  return base::Sha256Hex(absl::StrJoin(parts, "\n"));
}

// A digest of everything that the file depends on, whoever makes it.
std::string KeyOf(const std::string& bytes, const WantedModule& wanted) {
  return DigestOf({base::Sha256Hex(bytes), std::string(wanted.format), wanted.inputs, TORCH_VERSION,
                   wanted.native ? at::get_cpu_capability() : "", std::string(wanted.exporter)});
}

std::string DigestPath(const std::string& path) { return absl::StrCat(path, kDigestEnding); }

absl::StatusOr<std::string> DigestLine(const std::string& path) {
  const auto bytes = tensor_files::MappedFile::Open(path);
  if (!bytes.ok()) return bytes.status();
  return absl::StrCat(base::Sha256Hex((*bytes)->bytes()), "\n");
}

// Whether the file is there and is the one that was kept. An error where others can write to it.
absl::StatusOr<bool> IsKept(const std::string& path) {
  if (!fs::exists(path)) return false;
  const absl::Status believed = Believed(path);
  if (!believed.ok()) return believed;
  const absl::StatusOr<std::string> digest = DigestLine(path);
  if (!digest.ok()) return digest.status();
  if (tensor_files::ReadFile(DigestPath(path), 1 << 10).value_or("") == *digest) return true;
  std::cerr << "module    " << path << " is not the file that was kept, so it is made again\n";
  return false;
}

// Writes down what was made or fetched.
absl::Status Keep(const std::string& path) {
  const absl::Status made = base::MakePrivate(path);
  if (!made.ok()) return made;
  const absl::StatusOr<std::string> digest = DigestLine(path);
  if (!digest.ok()) return digest.status();
  return tensor_files::WriteFileAtomically(DigestPath(path), *digest);
}

// The tree in which Bazel can be started; nullptr where nobody says.
const char* Workspace() {
  const char* const own = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  return own != nullptr ? own : std::getenv(processes::kWorkspaceVariable);
}

// The lock of the case's package that has a row for the file, as a path in the workspace; empty:
// there is none.
std::string LockWith(const std::string& row, const WantedModule& wanted,
                     const std::string& workspace) {
  std::string_view package = wanted.label;
  if (!absl::ConsumePrefix(&package, "//")) return "";
  const std::string lock = absl::StrCat(package.substr(0, package.find(':')), "/lock.bzl");
  constexpr int64_t kMostBytes = int64_t{64} << 20;
  const absl::StatusOr<std::string> text =
      tensor_files::ReadFile(absl::StrCat(workspace, "/", lock), kMostBytes);
  return text.ok() && absl::StrContains(*text, row) ? lock : "";
}

// Whether the file was fetched to `path`.
bool Fetched(const std::string& key, const WantedModule& wanted, const std::string& path) {
  const char* const workspace = Workspace();
  if (workspace == nullptr) return false;
  const std::string lock =
      LockWith(absl::StrCat(".", key, ".", wanted.format, "\""), wanted, workspace);
  if (lock.empty()) return false;
  std::cerr << "module    fetching the " << wanted.format << " file that " << lock << " has\n";
  const absl::StatusOr<int> code =
      processes::RunShown({"python3", absl::StrCat(workspace, "/tools/export/fetch_module.py"),
                           absl::StrCat("--lock=", lock), absl::StrCat("--digest=", key),
                           absl::StrCat("--format=", wanted.format), absl::StrCat("--out=", path)});
  if (code.ok() && *code == 0) {
    std::cerr << "module    fetched, kept as " << path << "\n";
    return true;
  }
  std::cerr << "module    no source gave it (ASSAY_BUCKET names them); it is made here\n";
  return false;
}

// The exporter's message about its failure, else how it ended.
std::string ReasonOf(const processes::ChildEnd& end) {
  constexpr std::string_view kSays = "export_model: ";
  const size_t at = end.errors.rfind(kSays);
  if (at == std::string::npos) return processes::Describe(end);
  return std::string(
      absl::StripTrailingAsciiWhitespace(std::string_view(end.errors).substr(at + kSays.size())));
}

// The time that it took.
absl::StatusOr<absl::Duration> Export(const execution::TracedModule& module,
                                      const WantedModule& wanted, const std::string& path) {
  // Another process may make the same file at the same time.
  const std::string traced = absl::StrCat(path, "-", getpid(), ".pt");
  const char* const workspace = Workspace();
  if (workspace == nullptr) {
    return absl::FailedPreconditionError(
        absl::StrCat("the case has not been exported to ", wanted.format,
                     " yet, which //tools:export_model does, and that is built in the workspace; "
                     "start the case by tools/bazel run once, or give --module=FILE"));
  }
  const absl::Cleanup remove = [&traced] {
    std::error_code ignored;
    fs::remove(traced, ignored);
  };
  const absl::Status written = tensor_files::WriteFileAtomically(traced, module.Bytes(true));
  if (!written.ok()) return written;
  std::cerr << "module    exporting to " << wanted.format
            << " by //tools:export_model, once for this model and shape\n";
  const absl::StatusOr<processes::ChildEnd> end = processes::RunChild(
      {.arguments = {absl::StrCat(workspace, "/tools/bazel"), "run", "--noshow_progress",
                     "--ui_event_filters=-info", "//tools:export_model", "--",
                     absl::StrCat("--module=", traced), absl::StrCat("--format=", wanted.format),
                     absl::StrCat("--out=", path)},
       .folder = workspace},
      /*interrupted=*/nullptr);
  if (!end.ok()) return end.status();
  std::cerr << end->errors;
  if (!end->Exited(0)) {
    return absl::UnavailableError(
        absl::StrCat("exporting to ", wanted.format, " failed: ", ReasonOf(*end),
                     "\n  to try it alone: tools/bazel run //tools:export_model -- --help"));
  }
  std::cerr << "module    exported in " << absl::ToInt64Seconds(end->elapsed) << " s, kept as "
            << path << "\n";
  return end->elapsed;
}

}  // namespace

absl::StatusOr<KeptModule> ModuleFile(const execution::TracedModule& module,
                                      const WantedModule& wanted) {
  const absl::StatusOr<fs::path> folder = ModulesFolder();
  if (!folder.ok()) return folder.status();
  const std::string key = KeyOf(module.Bytes(/*with_inputs=*/false), wanted);
  const std::string name = wanted.made_with.empty() ? key : DigestOf({key, wanted.made_with});
  KeptModule kept = {.path = *folder / absl::StrCat(name, wanted.extension)};
  const absl::StatusOr<bool> there = IsKept(kept.path);
  if (!there.ok()) return there.status();
  if (!*there) {
    if (!Fetched(key, wanted, kept.path)) {
      const absl::StatusOr<absl::Duration> exported = Export(module, wanted, kept.path);
      if (!exported.ok()) return exported.status();
      kept.export_time = *exported;
    }
    const absl::Status written = Keep(kept.path);
    if (!written.ok()) return written;
  }
  NoteUse(kept.path);
  TrimFolder(*folder, kMostModuleBytes);
  if (const char* const to = std::getenv("ASSAY_MODULES_TO"); to != nullptr) {
    std::error_code error;
    fs::copy_file(kept.path, fs::path(to) / absl::StrCat(key, wanted.extension),
                  fs::copy_options::overwrite_existing, error);
    if (error)
      return absl::FailedPreconditionError(
          absl::StrCat("ASSAY_MODULES_TO=", to, ": ", error.message()));
  }
  return kept;
}

std::string CompilerVersion() {
  const absl::StatusOr<processes::ChildEnd> end =
      processes::RunChild({.arguments = {"g++", "--version"}}, /*interrupted=*/nullptr);
  return end.ok() ? end->output.substr(0, end->output.find('\n') + 1) : "";
}

}  // namespace assay::backends
