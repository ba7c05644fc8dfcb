#include "tools/suite/cluster/cluster_launcher.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "benchmarks/harness/text/shell_text.h"
#include "tools/suite/cluster/run_task.h"
#include "tools/suite/cluster/staging.h"
#include "tools/suite/launch/processes/secrets.h"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;

constexpr size_t kBatch = 4000;  // results that are kept at once, with one wait for the disk
constexpr double kClocksApart_s = 1;
// A file that another machine wrote may be seen late: NFS keeps what it knows of a folder so long.
constexpr absl::Duration kLate = absl::Seconds(60);

std::vector<const RemoteRun*> OrderedByDevice(const std::vector<RemoteRun>& runs) {
  std::vector<const RemoteRun*> ordered;
  for (const RemoteRun& run : runs) ordered.push_back(&run);
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const RemoteRun* a, const RemoteRun* b) { return a->device < b->device; });
  return ordered;
}

// The output of the cluster's script about a task, for a message.
std::string OutputOf(const TaskFolder& folder, int64_t task) {
  std::ifstream file(folder.Path(absl::StrCat("output/", task, ".txt")));
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  text = absl::StripAsciiWhitespace(text);
  constexpr size_t kMost = 2000;
  if (text.size() > kMost) text = text.substr(text.size() - kMost);
  return text.empty() ? "" : absl::StrCat("; it printed last\n", text);
}

}  // namespace

absl::Status ClusterLauncher::Submit(const std::vector<RemoteRun>& runs, const RunOptions& options,
                                     FileDigests& digests, const std::string& suite_run,
                                     Going& going) {
  Staging staging(going.folder.results() + "/staged", digests);
  const absl::StatusOr<StagedProgram> own = staging.Stage("/proc/self/exe");
  if (!own.ok()) return own.status();
  const absl::Time start = absl::Now();
  std::vector<PlannedTask> planned;
  std::vector<TaskRange> ranges;
  for (const RemoteRun* run : OrderedByDevice(runs)) {
    const absl::StatusOr<StagedProgram> staged = staging.Stage(run->program);
    if (!staged.ok()) return staged.status();
    const auto index = static_cast<int64_t>(planned.size());
    const PlannedRun& c = *run->configuration;
    PlannedTask& kept = planned.emplace_back();
    kept.set_number(run->number);
    kept.set_label(c.label);
    kept.set_case_name(c.case_name);
    kept.set_name(c.name);
    *kept.mutable_flags() = {c.flags.begin(), c.flags.end()};
    *kept.mutable_benchmark_case() = c.benchmark_case;
    kept.set_program(fs::path(staged->path).lexically_relative(going.folder.results()).string());
    kept.set_program_digest(staged->digest);
    for (const RemoteSide& side : run->sides) {
      const absl::StatusOr<StagedProgram> of_side = staging.Stage(side.program);
      if (!of_side.ok()) return of_side.status();
      kept.add_sides(absl::StrCat(kept.sides().empty() ? "--baseline=" : "--candidate=",
                                  base::ShellWord(of_side->path), " ", side.flags));
    }
    going.open[index] = run->number;
    if (ranges.empty() || ranges.back().device != run->device) {
      ranges.push_back({.first = index, .device = run->device});
    }
    ++ranges.back().count;
  }
  going.callbacks.say(absl::StrFormat("staged    %d tasks in %.1f s, below %s", planned.size(),
                                      absl::ToDoubleSeconds(absl::Now() - start),
                                      going.folder.results() + "/staged"));
  TaskRun run = RunOf(options);
  if (!comparison_.program().empty()) {
    const absl::StatusOr<StagedProgram> compare = staging.Stage(comparison_.program());
    if (!compare.ok()) return compare.status();
    *run.mutable_comparison() = comparison_;
    run.mutable_comparison()->set_program(compare->path);
  }
  run.set_suite_run(suite_run);
  run.set_launcher(engine_->Name());
  run.set_working_folder(fs::current_path().string());
  const Secrets secrets = KnownSecrets(options.variables);
  run.clear_command_line();
  for (const std::string& word : secrets.Removed(options.flags)) run.add_command_line(word);
  if (absl::Status written = going.folder.Write(run, planned); !written.ok()) return written;
  const absl::Status listed = tensor_files::WriteFileAtomically(
      going.folder.Path("staged"), absl::StrJoin(staging.names(), "\n"));
  if (!listed.ok()) return listed;
  for (const TaskRange& range : ranges) {
    const absl::StatusOr<std::string> submitted = engine_->Submit(going.folder, own->path, range);
    if (submitted.ok()) {
      going.callbacks.say(*submitted);
      continue;
    }
    engine_->Cancel(going.folder, /*running_too=*/true).IgnoreError();
    going.folder.MarkOver().IgnoreError();
    return submitted.status();
  }
  return absl::OkStatus();
}

absl::Status ClusterLauncher::ReadOpen(const std::vector<RemoteRun>& runs, Going& going) const {
  std::set<int64_t> wanted;
  for (const RemoteRun& run : runs) wanted.insert(run.number);
  const absl::StatusOr<std::vector<PlannedTask>> tasks = going.folder.ReadTasks();
  if (!tasks.ok()) return tasks.status();
  for (size_t i = 0; i < tasks->size(); ++i) {
    const int64_t number = (*tasks)[i].number();
    if (wanted.count(number) > 0) going.open[static_cast<int64_t>(i)] = number;
  }
  return absl::OkStatus();
}

// Says why it was run again, and whether its node's clock is another.
void ClusterLauncher::SayHowItRan(const TaskResult& result, int64_t task, Going& going) const {
  if (result.attempt() > 1) {
    std::string text = absl::StrCat("again     ", going.names[going.open[task]], ": attempt ",
                                    result.attempt(), " on ", result.node());
    for (int attempt = 1; attempt < result.attempt(); ++attempt) {
      const std::optional<TaskAttempt> before = going.folder.ReadAttempt(task, attempt);
      absl::StrAppend(&text, "; attempt ", attempt);
      if (!before.has_value()) {
        absl::StrAppend(&text, " did not begin");
        continue;
      }
      const std::string fault = engine_->Fault(before->node());
      absl::StrAppend(&text, " on ", before->node(), " left no result",
                      fault.empty() ? "" : ": that node is ", fault);
    }
    going.callbacks.say(text);
  }
  const double apart = result.clock_ahead_s() - going.clock_ahead_s;
  if (std::abs(apart) > kClocksApart_s && going.clocks_said.insert(result.node()).second) {
    going.callbacks.say(absl::StrFormat(
        "note      the clock of %s is %.1f s %s this machine's; what records say of when is by the "
        "node's (launch.clock_ahead_s): set both by NTP",
        result.node(), std::abs(apart), apart > 0 ? "ahead of" : "behind"));
  }
}

absl::Status ClusterLauncher::TakeAll(Going& going) const {
  absl::StatusOr<std::vector<int64_t>> tasks = going.folder.Results();
  if (!tasks.ok()) return tasks.status();
  // Others were kept before this program was killed, or are being removed.
  tasks->erase(std::remove_if(tasks->begin(), tasks->end(),
                              [&](int64_t task) { return going.open.count(task) == 0; }),
               tasks->end());
  for (size_t from = 0; from < tasks->size(); from += kBatch) {
    const auto batch = absl::MakeConstSpan(*tasks).subspan(from, kBatch);
    absl::StatusOr<std::vector<TaskResult>> read = going.folder.ReadResults(batch);
    if (!read.ok()) return read.status();
    std::vector<RemoteResult> results;
    for (size_t i = 0; i < batch.size(); ++i) {
      TaskResult& result = (*read)[i];
      SayHowItRan(result, batch[i], going);
      results.push_back(
          {.number = going.open.at(batch[i]),
           .line = std::move(*result.mutable_line()),
           .record = std::move(*result.mutable_record()),
           .process_lines = {std::make_move_iterator(result.mutable_process_lines()->begin()),
                             std::make_move_iterator(result.mutable_process_lines()->end())}});
    }
    if (absl::Status taken = going.callbacks.take(results); !taken.ok()) return taken;
    for (const int64_t task : batch) going.open.erase(task);
    going.removal = std::async(
        std::launch::async,
        [&folder = going.folder, kept = std::vector<int64_t>(batch.begin(), batch.end())] {
          folder.RemoveResults(kept);
        });
  }
  return absl::OkStatus();
}

void ClusterLauncher::Lose(Going& going, const Queue& queue, bool cancelled) const {
  for (const auto& [task, number] : going.open) {
    const auto ended = queue.ended.find(task);
    LostRun lost = {.number = number};
    if (ended == queue.ended.end()) {
      lost.reason = cancelled ? "cancelled before it began"
                              : absl::StrCat(engine_->Name(), " does not know it any more");
    } else {
      lost.outcome = ended->second.outcome;
      lost.reason =
          ended->second.well
              ? absl::StrCat(ended->second.how, ", but left no result in ", going.folder.results(),
                             ": is that a file system which all nodes share?")
              : ended->second.how;
    }
    absl::StrAppend(&lost.reason, OutputOf(going.folder, task));
    const auto last = going.folder.LastAttempt(task);
    std::optional<Environment> machine;
    if (last.has_value()) {
      machine = ReadMachine(going.folder.results(), last->second.machine());
      if (last->first > 1) absl::StrAppend(&lost.reason, "; attempt ", last->first);
    }
    if (machine.has_value()) {
      lost.machine = *std::move(machine);
      lost.machine.set_node(last->second.node());
    } else {
      lost.outcome = OUTCOME_UNSPECIFIED;  // it did not begin
    }
    going.callbacks.lost(lost);
  }
}

// Ends a whole run. Its programs stay for the next run, which mostly has the same.
absl::Status ClusterLauncher::Finish(Going& going) const {
  if (absl::Status over = going.folder.MarkOver(); !over.ok()) return over;
  if (going.removal.valid()) going.removal.wait();
  const absl::StatusOr<std::vector<int64_t>> left = going.folder.Results();
  if (left.ok()) going.folder.RemoveResults(*left);
  const auto names = tensor_files::ReadFile(going.folder.Path("staged"), kMostBytes);
  if (names.ok()) KeepStaged(going.folder.results() + "/staged", absl::StrSplit(*names, '\n'));
  return absl::OkStatus();
}

absl::Status ClusterLauncher::Wait(const StopRequests& stop, Going& going) {
  Queue queue;
  bool asked_soon = false, asked_now = false, failed = false;
  std::string why;
  absl::Time next_poll = absl::InfinitePast(), gone_since = absl::InfiniteFuture();
  while (true) {
    if (absl::Status taken = TakeAll(going); !taken.ok()) return taken;
    if (going.open.empty()) return Finish(going);
    if ((stop.soon && !asked_soon) || (stop.now && !asked_now)) {
      const absl::Status cancelled = engine_->Cancel(going.folder, stop.now);
      if (!cancelled.ok()) return cancelled;
      asked_soon = true;
      asked_now = stop.now;
      next_poll = absl::InfinitePast();
    }
    if (absl::Now() >= next_poll) {
      const absl::Time before = absl::Now();
      absl::StatusOr<std::optional<Queue>> polled = engine_->Poll(going.folder);
      // Ten times as long as the answer takes, so that a busy controller is not made busier.
      next_poll = absl::Now() + std::clamp(10 * (absl::Now() - before), absl::Milliseconds(500),
                                           absl::Seconds(30));
      if (polled.ok() && !polled->has_value()) {
        return absl::UnavailableError(absl::StrCat(
            going.open.size(), " tasks have left no result yet; --attach takes what is there"));
      }
      if (!polled.ok() && !failed) {
        going.callbacks.say(absl::StrCat("note      ", polled.status().message(),
                                         "; asking again until it answers"));
      }
      failed = !polled.ok();
      if (failed && stop.now) return polled.status();
      if (polled.ok()) queue = **std::move(polled);
      if (queue.why_waiting != why) {
        why = queue.why_waiting;
        if (!why.empty()) going.callbacks.say(absl::StrCat("waiting   ", why));
      }
      // Results are read after the answer that nothing runs, so none can be missed but a late one.
      const bool over = !failed && queue.waiting + queue.running == 0;
      if (!over) gone_since = absl::InfiniteFuture();
      if (over) {
        if (absl::Status taken = TakeAll(going); !taken.ok()) return taken;
        gone_since = std::min(gone_since, absl::Now());
        const bool late = std::any_of(going.open.begin(), going.open.end(), [&](const auto& task) {
          const auto ended = queue.ended.find(task.first);
          return ended != queue.ended.end() && ended->second.well;
        });
        if (!late || absl::Now() - gone_since > kLate) {
          Lose(going, queue, asked_soon);
          return going.folder.MarkOver();
        }
      }
    }
    going.callbacks.progress(absl::StrCat(queue.running, " run, ", queue.waiting, " wait"));
    absl::SleepFor(absl::Milliseconds(100));
  }
}

absl::Status ClusterLauncher::Run(const std::string& suite_run, const std::vector<RemoteRun>& runs,
                                  const std::string& folder, const RunOptions& options,
                                  FileDigests& digests, const StopRequests& stop,
                                  const RemoteCallbacks& callbacks) {
  if (absl::Status usable = engine_->Check(); !usable.ok()) return usable;
  Going going = {.folder = TaskFolder(folder, suite_run), .callbacks = callbacks};
  for (const RemoteRun& run : runs) going.names[run.number] = run.configuration->name;
  const absl::Status begun =
      attach_ ? ReadOpen(runs, going) : Submit(runs, options, digests, suite_run, going);
  if (!begun.ok()) return begun;
  TaskAttempt own;  // only for the clock
  const absl::StatusOr<double> ahead_s = going.folder.WriteAttempt(-1, 0, own);
  if (!ahead_s.ok()) return ahead_s.status();
  going.clock_ahead_s = *ahead_s;
  return Wait(stop, going);
}

}  // namespace assay::suite
