#include "tools/suite/cluster/slurm.h"

#include <sys/wait.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "benchmarks/harness/processes/child_process.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/text/shell_text.h"

namespace assay::suite {
namespace {

using processes::ChildEnd;

constexpr int kNotShared = 97;
constexpr char kFields[] = "Comment:|,ArrayTaskID:|,State:|,exit_code:|,NodeList:|,Reason:|";

// Why a task waits that waits for nothing but others.
constexpr std::string_view kOrdinary[] = {"None",     "Priority",          "Resources", "BeginTime",
                                          "Cleaning", "JobArrayTaskLimit", "NodeDown"};

// `status` is wait()'s, or an error of Slurm's own where the task was never started.
std::string HowItExited(int status) {
  if (WIFSIGNALED(status) && WTERMSIG(status) != 0) {
    return absl::StrCat("signal ", WTERMSIG(status), " (", strsignal(WTERMSIG(status)), ")");
  }
  if (WEXITSTATUS(status) == kNotShared) {
    return "the folder of the results is another there: it must be on a file system which all "
           "nodes share";
  }
  return absl::StrCat("exit code ", WEXITSTATUS(status));
}

EndedTask Ended(std::string_view state, int status, std::string_view node,
                std::string_view reason) {
  EndedTask ended = {.well = state == "COMPLETED"};
  if (state == "TIMEOUT" || state == "DEADLINE") ended.outcome = TIMEOUT;
  if (state == "OUT_OF_MEMORY") ended.outcome = OUT_OF_MEMORY;
  ended.how = absl::StrCat("Slurm: ", state);
  if (!node.empty()) absl::StrAppend(&ended.how, " on ", node);
  if (reason == "JobLaunchFailure" && status > 255 && (status & 0xff) != 0) {
    absl::StrAppend(&ended.how,
                    ": it could not be started there; is the folder of the results "
                    "there, and may it be written?");
  } else if (state == "FAILED") {
    absl::StrAppend(&ended.how, ": ", HowItExited(status));
  } else if (!ended.well && reason != "None" && !reason.empty()) {
    absl::StrAppend(&ended.how, ": ", reason);
  }
  return ended;
}

bool IsOver(std::string_view state) {
  static const auto& over = *new std::set<std::string_view>{
      "BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE",      "FAILED",
      "NODE_FAIL", "PREEMPTED", "REVOKED",   "OUT_OF_MEMORY", "TIMEOUT"};
  return over.count(state) > 0;
}

absl::StatusOr<std::string> Call(std::vector<std::string> words) {
  const std::string name = words[0];
  const absl::StatusOr<ChildEnd> end = processes::RunChild(
      {.arguments = std::move(words), .timeout = absl::Minutes(2), .keep_bytes = int64_t{64} << 20},
      nullptr);
  if (!end.ok()) return end.status();
  if (end->Exited(0)) return end->output;
  const std::string said(absl::StripAsciiWhitespace(end->errors));
  return absl::UnavailableError(said.empty() ? absl::StrCat(name, ": ", Describe(*end)) : said);
}

class Slurm final : public Engine {
 public:
  explicit Slurm(std::vector<std::string> flags) : flags_(std::move(flags)) {}

  std::string Name() const override { return "slurm"; }

  absl::Status Check() const override {
    const absl::StatusOr<std::string> version = Call({"sbatch", "--version"});
    if (version.ok()) return absl::OkStatus();
    if (!absl::IsNotFound(version.status())) return version.status();
    return absl::NotFoundError(
        "--launcher=slurm: there is no sbatch here. Install Slurm's client (Debian: apt-get "
        "install "
        "slurm-client) with the cluster's slurm.conf in /etc/slurm or SLURM_CONF, and its munge "
        "key");
  }

  absl::StatusOr<std::string> Submit(const TaskFolder& folder, const std::string& program,
                                     const TaskRange& range) override {
    absl::Status written = WriteScript(folder, program);
    if (!written.ok()) return written;
    const int64_t most = MostInArray();
    std::string jobs;
    for (int64_t done = 0; done < range.count; done += most) {
      const int64_t first = range.first + done, count = std::min(most, range.count - done);
      // Slurm's numbers begin at 0 in each array, and the comment says where it begins in the run.
      std::vector<std::string> words = {"sbatch", "--parsable", "--requeue", "--open-mode=append",
                                        range.device == CUDA ? "--gres=gpu:1" : "--exclusive"};
      words.insert(words.end(), flags_.begin(), flags_.end());
      for (std::string word :
           {absl::StrCat("--job-name=", folder.JobName()), absl::StrCat("--comment=", first),
            absl::StrCat("--array=0-", count - 1),
            absl::StrCat("--output=", folder.Path("output/slurm-%A_%a.txt")),
            folder.Path("task.sh"), absl::StrCat(first)}) {
        words.push_back(std::move(word));
      }
      const absl::StatusOr<std::string> job = Call(std::move(words));
      if (!job.ok()) return job.status();
      const std::string id(absl::StripAsciiWhitespace(job->substr(0, job->find(';'))));
      absl::StrAppend(&jobs, jobs.empty() ? "" : ", ", id);
    }
    return absl::StrCat("submitted ", range.count, " tasks: Slurm's job ", jobs,
                        "; squeue --name=", folder.JobName(), " shows them");
  }

  absl::StatusOr<std::optional<Queue>> Poll(const TaskFolder& folder) override {
    const absl::StatusOr<std::string> text =
        Call({"squeue", "-h", "-t", "all", "--name=" + folder.JobName(), "-O", kFields});
    if (!text.ok()) return text.status();
    return ReadQueue(*text);
  }

  absl::Status Cancel(const TaskFolder& folder, bool running_too) override {
    std::vector<std::string> words = {"scancel", "--name=" + folder.JobName()};
    if (!running_too) words.emplace_back("--state=PENDING");
    return Call(std::move(words)).status();
  }

  std::string Fault(const std::string& node) const override {
    const absl::StatusOr<std::string> text = Call({"sinfo", "-h", "-N", "-n", node, "-o", "%T|%E"});
    if (!text.ok()) return "";
    const std::vector<std::string> words = absl::StrSplit(text->substr(0, text->find('\n')), '|');
    if (words.size() != 2 || !(absl::StartsWith(words[0], "down") || words[1] != "none")) return "";
    return absl::StrCat(words[0], " (", words[1], ")");
  }

 private:
  static absl::Status WriteScript(const TaskFolder& folder, const std::string& program) {
    const absl::StatusOr<std::string> token =
        tensor_files::ReadFile(folder.Path("token"), /*most_bytes=*/1024);
    if (!token.ok()) return token.status();
    const std::string path = base::ShellWord(folder.path());
    // It says what it printed only where something went wrong, or a run would leave a file for each.
    return tensor_files::WriteFileAtomically(
        folder.Path("task.sh"),
        absl::StrCat("#!/bin/sh\n"
                     "# One task of a run of Assay's run_suite --launcher=slurm. $1: the number of "
                     "the array's first task in the run.\n"
                     "run=",
                     path,
                     "\n"
                     "[ \"$(cat \"$run/token\" 2>/dev/null)\" = ",
                     *token, " ] || exit ", kNotShared,
                     "\n"
                     "task=$(($1 + SLURM_ARRAY_TASK_ID))\n"
                     "job=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\n",
                     base::ShellWord(program),
                     " --task=\"$run\" --task-index=$task --node=\"$SLURMD_NODENAME\" \\\n"
                     "  --attempt=$((${SLURM_RESTART_COUNT:-0} + 1)) --job=\"$job\" >/dev/null\n"
                     "code=$?\n"
                     "printed=$run/output/slurm-$job.txt\n"
                     "if [ $code = 0 ]; then rm -f \"$printed\"; else mv \"$printed\" "
                     "\"$run/output/$task.txt\"; fi\n"
                     "exit $code\n"));
  }

  static int64_t MostInArray() {
    int64_t most = 1001;  // Slurm's default
    const absl::StatusOr<std::string> text = Call({"scontrol", "show", "config"});
    for (std::string_view line : absl::StrSplit(text.value_or(""), '\n')) {
      if (!absl::StartsWith(line, "MaxArraySize")) continue;
      int64_t said = 0;
      if (absl::SimpleAtoi(absl::StripAsciiWhitespace(line.substr(line.find('=') + 1)), &said) &&
          said > 1)
        most = said;
    }
    return most - 1;  // it is the first number that there cannot be
  }

  const std::vector<std::string> flags_;
};

}  // namespace

std::unique_ptr<Engine> MakeSlurm(const std::vector<std::string>& flags) {
  return std::make_unique<Slurm>(flags);
}

absl::Status CheckSlurmFlags(const std::vector<std::string>& flags) {
  for (const std::string& flag : flags) {
    if (!absl::StartsWith(flag, "-")) {
      return absl::InvalidArgumentError(
          absl::StrCat("--slurm=", flag, ": a flag of sbatch, such as --slurm=--partition=bench"));
    }
    for (const std::string_view ours :
         {"--array", "-a", "--job-name", "-J", "--comment", "--output", "-o", "--error", "-e",
          "--wrap", "--wait", "-W", "--chdir", "-D"}) {
      if (flag != ours && !absl::StartsWith(flag, absl::StrCat(ours, "="))) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("--slurm=", flag, ": run_suite gives this one itself, to find its tasks"));
    }
  }
  return absl::OkStatus();
}

Queue ReadQueue(std::string_view text) {
  Queue queue;
  for (const std::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    const std::vector<std::string_view> words = absl::StrSplit(line, '|');
    if (words.size() < 6) continue;
    const std::string_view state = words[2], reason = words[5];
    if (!IsOver(state)) {
      const bool waits = state == "PENDING" || state == "REQUEUED";
      ++(waits ? queue.waiting : queue.running);
      const bool ordinary =
          std::find(std::begin(kOrdinary), std::end(kOrdinary), reason) != std::end(kOrdinary);
      if (waits && !ordinary && queue.why_waiting.empty()) {
        queue.why_waiting =
            absl::StrCat("Slurm says ", reason,
                         "; where that does not change by itself, Ctrl-C cancels the tasks");
      }
      continue;
    }
    int64_t first = 0, index = 0;
    int status = 0;
    // "0-9" stands for tasks that were cancelled before they had a row of their own.
    if (!absl::SimpleAtoi(words[0], &first) || !absl::SimpleAtoi(words[1], &index)) continue;
    static_cast<void>(absl::SimpleAtoi(words[3], &status));
    queue.ended[first + index] = Ended(state, status, words[4], reason);
  }
  return queue;
}

}  // namespace assay::suite
