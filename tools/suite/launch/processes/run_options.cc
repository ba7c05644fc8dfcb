#include "tools/suite/launch/processes/run_options.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace assay::suite {
namespace {

// A flag whose value one of the Parse functions reads.
template <typename Value, typename Parse>
base::Flag ParsedFlag(Value& target, Parse parse) {
  return {.set = [&target, parse](const std::string& text) {
    auto value = parse(text);
    if (!value.ok()) return value.status();
    target = *std::move(value);
    return absl::OkStatus();
  }};
}

absl::StatusOr<absl::Duration> ParseSeconds(std::string_view text) {
  double seconds = 0;
  if (absl::SimpleAtod(absl::StripSuffix(text, "s"), &seconds) && seconds > 0 && seconds <= 1e6) {
    return absl::Seconds(seconds);
  }
  return absl::InvalidArgumentError("seconds, more than 0");
}

base::Flag VariableFlag(std::vector<std::string>& variables) {
  return {.set = [&variables](const std::string& text) {
    const size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return absl::InvalidArgumentError("NAME=value; once for each variable");
    }
    // The last value of a name counts, as with every flag.
    const std::string name = text.substr(0, equals + 1);
    variables.erase(std::remove_if(variables.begin(), variables.end(),
                                   [&](const std::string& v) { return absl::StartsWith(v, name); }),
                    variables.end());
    variables.push_back(text);
    return absl::OkStatus();
  }};
}

bool IsInstalled(const std::string& program) {
  const char* path = std::getenv("PATH");
  for (const std::string_view folder : absl::StrSplit(path == nullptr ? "" : path, ':')) {
    if (access(absl::StrCat(folder, "/", program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace

absl::StatusOr<std::vector<int>> ParseCpus(std::string_view text) {
  std::set<int> cpus;
  for (const std::string_view part : absl::StrSplit(text, ',')) {
    const std::pair<std::string_view, std::string_view> ends =
        absl::StrSplit(part, absl::MaxSplits('-', 1));
    int first = 0, last = 0;
    if (!absl::SimpleAtoi(ends.first, &first) ||
        !absl::SimpleAtoi(ends.second.empty() ? ends.first : ends.second, &last) || first < 0 ||
        last < first || last >= CPU_SETSIZE) {
      return absl::InvalidArgumentError("numbers of CPUs such as 0,2-3");
    }
    for (int cpu = first; cpu <= last; ++cpu) cpus.insert(cpu);
  }
  return std::vector<int>(cpus.begin(), cpus.end());
}

absl::StatusOr<int64_t> ParseBytes(std::string_view text) {
  int shift = 0;
  for (const auto& [unit, bits] :
       {std::pair<std::string_view, int>{"KiB", 10}, std::pair<std::string_view, int>{"MiB", 20},
        std::pair<std::string_view, int>{"GiB", 30}}) {
    if (absl::ConsumeSuffix(&text, unit)) shift = bits;
  }
  double number = 0;
  if (!absl::SimpleAtod(text, &number) || !(number > 0) || !(std::ldexp(number, shift) < 0x1p62)) {
    return absl::InvalidArgumentError("bytes, more than 0, such as 512MiB or 2GiB");
  }
  return static_cast<int64_t>(std::ldexp(number, shift));
}

void AddRunFlags(RunOptions& options, base::FlagTable& table) {
  table["out"] = base::TextFlag(options.out);
  table["timeout"] = ParsedFlag(options.timeout, ParseSeconds);
  table["memory_limit"] = ParsedFlag(options.memory_limit_bytes, ParseBytes);
  table["pin"] = ParsedFlag(options.cpus, ParseCpus);
  table["numa"] = base::WholeNumberFlag(options.numa_node, 0, 1023);
  table["processes"] = base::WholeNumberFlag(options.processes, 1, 1000);
  table["shuffle_seed"] = base::WholeNumberFlag(options.shuffle_seed, 0, 2'000'000'000);
  table["retry_failed"] = base::SwitchFlag(options.retry_failed);
  table["retry_flagged"] = base::SwitchFlag(options.retry_flagged);
  table["no_resume"] = base::SwitchFlag(options.no_resume);
  table["no_lease"] = base::SwitchFlag(options.no_lease);
  table["in_process"] = base::SwitchFlag(options.in_process);
  table["build"] = base::TextFlag(options.build);
  table["libtorch"] = {.set = [&options](const std::string& version) {
    options.libtorches.push_back(version);
    return absl::OkStatus();
  }};
  table["env"] = VariableFlag(options.variables);
  table["launcher"] = base::ChoiceFlag(options.launcher, {"local", "slurm", "kubernetes"});
  table["slurm"] = {.set = [&options](const std::string& flags) {
    for (const std::string_view flag : absl::StrSplit(flags, ' ', absl::SkipEmpty())) {
      options.slurm.emplace_back(flag);
    }
    return absl::OkStatus();
  }};
  table["kubernetes_image"] = base::TextFlag(options.image);
  table["kubernetes_claim"] = base::TextFlag(options.claim);
  table["attach"] = base::SwitchFlag(options.attach);
}

const std::vector<base::FlagRule>& RunRules() {
  static const auto& rules = *new std::vector<base::FlagRule>{
      {.flags = {"retry-failed", "retry-flagged"},
       .excludes = {"no-resume"},
       .why = "not with $, which runs everything anew; leave one of them out"},
      {.flags = {"in-process"},
       .excludes = {"launcher=slurm", "launcher=kubernetes"},
       .why = "not with $: a cluster's task is one configuration; leave one of them out"},
      {.flags = {"in-process"},
       .excludes = {"processes!=1"},
       .why = "not with $: one process for many configurations, or many for each; leave one of "
              "them out"},
      {.flags = {"slurm"}, .needs = {"launcher=slurm"}, .why = "only with --launcher=slurm"},
      {.flags = {"launcher=kubernetes"},
       .needs = {"kubernetes-image"},
       .why = "needs --kubernetes-image=IMAGE, of a system like this one"},
      {.flags = {"launcher=kubernetes"},
       .needs = {"kubernetes-claim"},
       .why = "needs --kubernetes-claim=NAME, of the PersistentVolumeClaim that has the folder of "
              "--out"},
      {.flags = {"numa"},
       .excludes = {"pin"},
       .why = "not with $: both choose CPUs; leave one of them out"},
      // //tools:compare has nothing like these.
      {.flags = {"pin", "numa", "processes", "shuffle-seed", "memory-limit", "retry-failed",
                 "retry-flagged", "no-resume", "in-process"},
       .excludes = {"compare"},
       .why = "$ does not use it; leave it out",
       .unless = {"launcher=slurm", "launcher=kubernetes"}}};
  return rules;
}

absl::Status CheckRunOptions(const RunOptions& options) {
  if (options.out.empty()) return absl::InvalidArgumentError("--out=: the name of a folder");
  if (options.numa_node >= 0 && !IsInstalled("numactl")) {
    return absl::InvalidArgumentError(
        "--numa: numactl is not installed, and nothing else binds memory to a node: "
        "apt-get install numactl");
  }
  cpu_set_t usable;
  CPU_ZERO(&usable);
  sched_getaffinity(0, sizeof usable, &usable);
  for (const int cpu : options.cpus) {
    if (CPU_ISSET(cpu, &usable)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("--pin: this process may not use CPU ", cpu, "; taskset -p $$ shows which"));
  }
  return absl::OkStatus();
}

std::string_view RunUsage() {
  return R"(How it is run
  --out=FOLDER          where results.jsonl and logs/ go; default suite_results. The same command, given again, continues:
                        a configuration with a record of the same fingerprint is not run again. The fingerprint covers
                        the case, its flags, the program and its libraries, device, driver, kernel, and the environment
                        variables and flags that change numbers
  --retry-failed        runs failed configurations again, but not those with wrong outputs
  --retry-flagged       runs configurations with a FLAGGED number again
  --no-resume           runs everything again, and deletes nothing
  --timeout=SECONDS     time limit of one process, default 1800; then it and all that it started get SIGTERM, then SIGKILL
  --memory-limit=2GiB   memory limit of one process, by a control group. If none can be made, it limits private memory,
                        touched or not (RLIMIT_DATA)
  --pin=0,2-3           the CPUs that a process may use
  --numa=0              the NUMA node whose CPUs and memory a process may use, by numactl
  --env=NAME=value      sets an environment variable for every process; may be given several times
  --processes=N         starts N fresh processes for each configuration, in an order shuffled over all of them. The median
                        is that of the processes' medians, and its interval shows how much the processes differ
  --shuffle-seed=N      seed of that order, default 0
  --in-process          configurations of one family share a process, one after another: for many small ones. The record
                        of each says launch.shared. If the process dies, its configuration runs again in its own process
  --no-lease            does not wait until other suites and //tools:lease have left the device
  --build=FLAGS         Bazel's flags, such as --build=--config=cuda
  --libtorch=2.10.0     builds with another LibTorch that tools/deps/versions.bzl pins, into a folder of its own
The first Ctrl-C waits for the process that runs, the second one ends it; both keep what is done.

On a cluster, whose nodes share the folder of --out (docs/machines.md)
  --launcher=slurm      each configuration is a task of an array job, alone on its node; with --compare each case is.
                        The first Ctrl-C cancels the tasks that wait, the second one also those that run
  --slurm=FLAG          a flag for sbatch, such as --slurm=--partition=bench; may be given several times
  --launcher=kubernetes writes the manifest of such a job. Needs --kubernetes-image=IMAGE and --kubernetes-claim=VOLUME
  --attach              goes on with a run whose run_suite has ended, or takes the results of Kubernetes' pods. Give only
                        --out=FOLDER beside it
)";
}

}  // namespace assay::suite
