// -----------------------------------------------------------------------------
// File: plan_text.h
// -----------------------------------------------------------------------------
//
// Prints a plan for a person, a shell or another program.
//
//   std::cout << NameList(plan);
//   std::cout << DryRun(plan, output::Format::kText);
//   std::cout << ShellCommands(plan, {.record = "/tmp/runs.jsonl"});   // | sh

#ifndef ASSAY_TOOLS_SUITE_PLAN_PLAN_TEXT_H_
#define ASSAY_TOOLS_SUITE_PLAN_PLAN_TEXT_H_

#include <string>

#include "benchmarks/harness/output/output.h"
#include "tools/suite/plan/plan.h"

namespace assay::suite {

// One name per line, including those that are skipped.
std::string NameList(const Plan& plan);

// Name, label, flags and the reason for a skip; then the dropped combinations with reasons. CSV has
// only the configurations.
std::string DryRun(const Plan& plan, output::Format format);

struct CommandOptions {
  std::string record = {};  // absolute; each command appends its record there. Empty: nowhere. Its
                            // folder is made first
  std::string bazel_flags = {};  // "--config=cuda"
};

// One command per line, to be run in the workspace's folder. A skipped configuration is a comment.
std::string ShellCommands(const Plan& plan, const CommandOptions& options);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_PLAN_PLAN_TEXT_H_
