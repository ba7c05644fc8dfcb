#include "tools/kernel/memory_check.h"

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "benchmarks/harness/processes/child_process.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"

namespace assay::kernel {
namespace {

namespace fs = std::filesystem;

constexpr char kComputeSanitizer[] = "compute-sanitizer";

// "heap-buffer-overflow mine.cc:12 in Softmax" of the address sanitizer's report.
std::string AddressFinding(const std::string& text) {
  constexpr std::string_view kSummary = "SUMMARY: AddressSanitizer: ";
  const size_t at = text.find(kSummary);
  return at == std::string::npos
             ? ""
             : text.substr(at + kSummary.size(), text.find('\n', at) - at - kSummary.size());
}

// "Invalid __global__ write of size 4 bytes at softmax(float*)+0x70 in mine.cu:12" of compute-sanitizer's log. Each finding is a
// line that is followed by its place.
std::string GpuFinding(const std::string& text) {
  std::string_view before;
  for (std::string_view line : absl::StrSplit(text, '\n')) {
    if (!absl::ConsumePrefix(&line, "=========")) continue;
    const bool place = absl::StartsWith(line, "     at ");
    line = absl::StripAsciiWhitespace(line);
    if (place) return absl::StrCat(before, " ", line);
    before = line;
  }
  return "";
}

struct Log {
  bool written = false;
  std::string finding = {};
};

// Calls `find` with the text of each file whose path begins with `log`, up to the first answer that is not empty.
Log ReadLog(const std::string& log, absl::FunctionRef<std::string(const std::string&)> find) {
  constexpr int64_t kMostBytes = int64_t{1} << 30;
  std::error_code error;
  Log read;
  for (const auto& entry : fs::directory_iterator(fs::path(log).parent_path(), error)) {
    if (!absl::StartsWith(entry.path().string(), log)) continue;
    const absl::StatusOr<std::string> text =
        tensor_files::ReadFile(entry.path().string(), kMostBytes);
    if (!text.ok()) continue;
    read.written = true;
    read.finding = find(*text);
    if (!read.finding.empty()) break;
  }
  return read;
}

}  // namespace

void CheckUnderAddressSanitizer(const std::string& runtime, const std::string& log,
                                absl::FunctionRef<KernelCandidate(const Watch&)> run,
                                KernelCandidate& answer) {
  const KernelCandidate checked =
      run({.environment = {absl::StrCat("LD_PRELOAD=", runtime),
                           absl::StrCat("ASAN_OPTIONS=detect_leaks=0:handle_segv=0:handle_sigbus=0:"
                                        "allow_user_segv_handler=1:log_path=",
                                        log)}});
  if (checked.verdict() == "RIGHT") return;
  answer.set_verdict(checked.verdict());
  answer.set_reason(checked.reason());
  *answer.mutable_failure() = checked.failure();
  if (const std::string summary = ReadLog(log, AddressFinding).finding; !summary.empty()) {
    answer.mutable_failure()->set_kind("address sanitizer");
    answer.mutable_failure()->set_text(summary);
  }
}

void CheckUnderComputeSanitizer(const std::string& log, const std::atomic<bool>* interrupted,
                                absl::FunctionRef<std::optional<KernelCandidate>(const Watch&)> run,
                                KernelCandidate& answer) {
  const absl::StatusOr<processes::ChildEnd> version = processes::RunChild(
      {.arguments = {kComputeSanitizer, "--version"}, .timeout = absl::Minutes(1)}, interrupted);
  if (!version.ok() || !version->Exited(0)) {
    answer.add_warnings(absl::StrCat(
        "no compute-sanitizer: ",
        version.ok() ? processes::Describe(*version) : std::string("it is not in PATH"),
        ", so wrong accesses to a GPU's memory were not looked for; it is part of CUDA"));
    return;
  }
  const std::optional<KernelCandidate> checked =
      run({.words = {kComputeSanitizer, "--tool=memcheck", "--target-processes=all",
                     "--report-api-errors=no", absl::StrCat("--log-file=", log, ".%p")}});
  if (!checked) return;
  const Log read = ReadLog(log, GpuFinding);
  if (!read.written) {
    answer.add_warnings(
        "no compute-sanitizer: it wrote no log, so wrong accesses to a GPU's memory were not "
        "looked for");
  } else if (!read.finding.empty()) {
    answer.set_verdict("WRONG");
    answer.mutable_failure()->set_kind(kComputeSanitizer);
    answer.mutable_failure()->set_text(read.finding);
  } else if (checked->verdict() != "RIGHT") {
    answer.add_warnings(
        absl::StrCat("compute-sanitizer found nothing, but the checks did not pass under it: ",
                     checked->reason(), checked->failure().text()));
  }
}

}  // namespace assay::kernel
