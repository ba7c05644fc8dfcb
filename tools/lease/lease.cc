// Runs a program once the device that it measures on is free; Usage() says how to call it.
#include <fcntl.h>

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/types/span.h"
#include "benchmarks/harness/base/exit_code.h"
#include "benchmarks/harness/base/flags.h"
#include "benchmarks/harness/processes/other_program.h"
#include "benchmarks/harness/processes/program_main.h"
#include "tools/lease/device_lease.h"

namespace assay::lease {
namespace {

constexpr std::string_view kUsage =
    R"(Runs a program once the device that it measures on is free, so that no two programs measure each other.

  tools/bazel run --run_under=//tools/lease //benchmarks/mlp:mlp_fp32_b1
  tools/bazel run --run_under='//tools/lease --patience=60' //benchmarks/mlp:mlp_fp32_b1
  tools/bazel run //tools:lease -- make benchmark                 any other program

It waits for the CPUs that it may run on (taskset chooses them), or, where the program gets --device=cuda, for the
GPU that CUDA calls 0 there. With --action=verify, --action=smoke, or in a Bazel test, nothing is timed and the device
is shared with others that time nothing.

  --shared        with others that share it, whatever the program's flags say
  --exclusive     with nobody
  --patience=N    seconds to wait, then exit code 2; default: for ever

The program keeps the lease until it and its children end, and its exit code is this one's. run_suite takes leases of
its own. Locks are files in $XDG_RUNTIME_DIR/assay, or /tmp/assay-<user id>.
)";

struct Options {
  bool help = false;
  bool shared = false;
  bool exclusive = false;
  int patience_s = 0;                // 0: for ever
  std::vector<std::string> command;  // the program and its flags
};

// Flags end where the program begins.
absl::StatusOr<Options> Read(const std::vector<std::string>& words) {
  size_t begin = 0;
  while (begin < words.size() && absl::StartsWith(words[begin], "-") && words[begin] != "--")
    ++begin;
  Options options;
  absl::Status parsed =
      base::ParseFlags({{"shared", base::SwitchFlag(options.shared)},
                        {"exclusive", base::SwitchFlag(options.exclusive)},
                        {"patience", base::WholeNumberFlag(options.patience_s, 1, 1'000'000)},
                        {"help", base::SwitchFlag(options.help)}},
                       absl::MakeConstSpan(words).subspan(0, begin));
  if (!parsed.ok() || options.help) return parsed.ok() ? absl::StatusOr<Options>(options) : parsed;
  if (begin < words.size() && words[begin] == "--") ++begin;
  options.command.assign(words.begin() + static_cast<ptrdiff_t>(begin), words.end());
  if (options.command.empty()) {
    return absl::InvalidArgumentError("which program? --help shows how to name it");
  }
  if (options.shared && options.exclusive) {
    return absl::InvalidArgumentError("--shared and --exclusive exclude each other: give one");
  }
  return options;
}

absl::StatusOr<DeviceLease> Take(const Options& options) {
  const absl::StatusOr<std::string> folder = LeaseFolder();
  if (!folder.ok()) return folder.status();
  const bool compares = OnlyCompares(options.command) || std::getenv("TEST_TARGET") != nullptr;
  return DeviceLease::Take({.folder = *folder,
                            .devices = DevicesOf(options.command, {}),
                            .shared = options.shared || (compares && !options.exclusive),
                            .who = std::filesystem::path(options.command[0]).filename().string(),
                            .patience = options.patience_s > 0 ? absl::Seconds(options.patience_s)
                                                               : absl::InfiniteDuration()},
                           nullptr,
                           [](std::string_view text) { std::cerr << "lease: " << text << "\n"; });
}

absl::StatusOr<int> Main(const std::vector<std::string>& words) {
  const absl::StatusOr<Options> options = Read(words);
  if (!options.ok()) return options.status();
  if (options->help) return processes::Print(kUsage);
  // The process that started this one holds the device already.
  if (std::getenv(kHeldVariable) != nullptr) return processes::ReplaceBy(options->command);
  const absl::StatusOr<DeviceLease> lease = Take(*options);
  if (!lease.ok()) return base::Fail("lease", lease.status().message(), base::kSurroundings);
  for (const int descriptor : lease->descriptors()) fcntl(descriptor, F_SETFD, 0);
  setenv(kHeldVariable, "held", 1);
  return processes::ReplaceBy(options->command);
}

}  // namespace
}  // namespace assay::lease

int main(int argc, char** argv) {
  return assay::processes::ProgramMain(argc, argv, {.name = "lease", .run = assay::lease::Main});
}
