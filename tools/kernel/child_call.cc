#include "tools/kernel/child_call.h"

#include <google/protobuf/text_format.h>

#include <cstdint>
#include <fstream>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "benchmarks/harness/processes/child_process.h"
#include "tools/kernel/runfile.h"

namespace assay::kernel {
namespace {

// Calls a function once a second from a thread of its own, as long as it lives.
class Ticking {
 public:
  explicit Ticking(std::function<void()> tick)
      : thread_([this, tick = std::move(tick)] {
          while (!ended_.WaitForNotificationWithTimeout(absl::Seconds(1))) tick();
        }) {}
  ~Ticking() { ended_.Notify(); }
  Ticking(const Ticking&) = delete;
  Ticking& operator=(const Ticking&) = delete;

 private:
  absl::Notification ended_;
  std::jthread thread_;  // the last member: joined first
};

ChildAnswer NotVerified(const absl::Status& why) {
  ChildAnswer answer;
  answer.candidate.set_verdict("NOT_VERIFIED");
  answer.candidate.set_reason(std::string(why.message()));
  return answer;
}

}  // namespace

void WritePlan(const KernelPlan& plan, const std::string& path) {
  std::string text;
  google::protobuf::TextFormat::PrintToString(plan, &text);
  std::ofstream(path) << text;
}

absl::StatusOr<std::string> FindChild() {
  return FindRunfile("benchmarks/operators/kernel/kernel_child");
}

ChildAnswer AskChild(const ChildCall& call, const std::atomic<bool>* interrupted,
                     std::function<void()> tick) {
  const absl::StatusOr<std::string> child = FindChild();
  if (!child.ok()) return NotVerified(child.status());
  const Ticking ticking(std::move(tick));
  std::vector<std::string> words = call.watch.words;
  words.insert(words.end(),
               {*child, absl::StrCat("--plan=", call.plan_file),
                absl::StrCat("--action=", call.action), absl::StrCat("--process=", call.process)});
  const absl::StatusOr<processes::ChildEnd> end =
      processes::RunChild({.arguments = std::move(words),
                           .environment = call.watch.environment,
                           .timeout = absl::Minutes(10),
                           .answers = true,
                           .keep_bytes = int64_t{64} << 20},  // all samples of all sizes
                          interrupted);
  if (!end.ok()) return NotVerified(end.status());
  ChildAnswer answer;
  answer.elapsed = end->elapsed;
  KernelCandidate& candidate = answer.candidate;
  if (end->Exited(0) && google::protobuf::TextFormat::ParseFromString(end->answer, &candidate) &&
      !candidate.verdict().empty())
    return answer;
  candidate.Clear();
  // Only the kernel's own code can end a timing process so: its calls came to their ends before, alone.
  candidate.set_verdict(end->ending == processes::Ending::kInterrupted ? "NOT_VERIFIED" : "WRONG");
  candidate.mutable_failure()->set_kind(call.action == "time" ? "crashed while it was timed"
                                                              : "crashed when it was loaded");
  candidate.mutable_failure()->set_text(
      absl::StrCat(processes::Describe(*end), end->errors.empty() ? "" : ": ", end->errors));
  return answer;
}

}  // namespace assay::kernel
