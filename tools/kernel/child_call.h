// -----------------------------------------------------------------------------
// File: child_call.h
// -----------------------------------------------------------------------------
//
// Has a plan checked or timed by kernel_child, in a process of its own, and reads its answer.
//
//   WritePlan(plan, folder + "/0.textproto");
//   ChildAnswer answer = AskChild({.plan_file = folder + "/0.textproto", .action = "check"}, &interrupted, show);

#ifndef ASSAY_TOOLS_KERNEL_CHILD_CALL_H_
#define ASSAY_TOOLS_KERNEL_CHILD_CALL_H_

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "benchmarks/operators/kernel/kernel.pb.h"

namespace assay::kernel {

// Words and variables that a program which watches memory adds to the child's command.
struct Watch {
  std::vector<std::string> words = {};  // before the child's
  std::vector<std::string> environment = {};
};

struct ChildCall {
  std::string plan_file;
  std::string action;  // of kernel_child
  int process = 0;
  Watch watch = {};
};

struct ChildAnswer {
  KernelCandidate candidate = {};  // has a verdict
  absl::Duration elapsed = absl::ZeroDuration();
};

void WritePlan(const KernelPlan& plan, const std::string& path);

// The child's path in the runfiles; NotFound with the command that has them.
absl::StatusOr<std::string> FindChild();

// A child that ends without an answer is WRONG, since its kernel's code ended it, or NOT_VERIFIED after an interrupt.
// `tick` is called once a second, from another thread.
ChildAnswer AskChild(const ChildCall& call, const std::atomic<bool>* interrupted,
                     std::function<void()> tick);

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_CHILD_CALL_H_
