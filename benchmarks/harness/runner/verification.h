#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERIFICATION_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERIFICATION_H_

// ---------------------------------------------------------------------------------------------
// verification.h: the verdict on a case: its outputs against the reference artifact or, for an
// operator's case, against what operator_truth.h computes, in this very process, dtype, device and
// execution.
//
// The program runs twice on the verified workload; two calls that differ in a bit are
// NONDETERMINISTIC_BASELINE, since then no comparison means anything, and so is a program that says
// it is pure and changes its state. What the reference is, and how outputs are compared, is
// numerics'.
//
// The whole output is looked at: its shape and that it is finite in every row; which rows have a
// reference says compared_rows.h.
//
// Not for: measuring.
//
// Example:
//   Verdict verdict = Verify(resolved, *program, {at::kCPU}, reference_path);
//   if (verdict.outcome() != PASS) std::cerr << FailureText(resolved, verdict, "cpu");
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/execution/program.h"
#include "benchmarks/harness/numerics/reference.h"
#include "benchmarks/harness/runner/truth.h"
#include "defs/record.pb.h"
#include "defs/suite.pb.h"

namespace assay::runner {

// The call whose outputs are compared.
struct VerifiedCall {
  const execution::Tensors& inputs;
  const execution::Tensors& outputs;   // of its last run
  const execution::Tensors& baseline;  // of the plain execution; empty where nobody asked for it
  // What the comparison that has just been made says of other outputs.
  const std::function<Verdict(const execution::Tensors& outputs)>& compare;
};

// What else is asked of that call.
struct VerifyOptions {
  int runs = 1;                       // the majority of so many decides (majority.h)
  bool baseline = false;              // for `also`; DYNAMO_SAME makes it anyway (eager_baseline.h)
  std::function<void()> called = {};  // when the first call's outputs are there
  // Looks at the call after the comparison and may add to the verdict. An error becomes the outcome
  // of what had none that was worse.
  std::function<absl::Status(const VerifiedCall& call, Verdict& verdict)> also = {};
  // Where to leave what the outputs were held against, for whoever makes further calls.
  std::optional<Truth>* truth = nullptr;
};

// `program` is placed on `device` in the case's dtype. `reference_path` is empty where the lock has
// no row for the case; the verdict is then ARTIFACT_UNAVAILABLE and says how to make one. An
// operator's case needs none.
Verdict Verify(const ResolvedCase& c, execution::Program& program, at::Device device,
               const std::string& reference_path, const VerifyOptions& options = {});

// The same with tensors that the user gave: `inputs` (empty: the seeded ones) of the verified
// workload, and the outputs that another implementation computed from them and from the program's
// state.
Verdict VerifyAgainst(const ResolvedCase& c, execution::Program& program, at::Device device,
                      std::vector<at::Tensor> inputs, const numerics::ReferenceOutputs& reference,
                      const VerifyOptions& options = {});

// The same where nothing says what the outputs should be: two equal calls, what `options` ask for,
// and otherwise `uncompared`.
Verdict CallUncompared(const ResolvedCase& c, execution::Program& program, at::Device device,
                       std::vector<at::Tensor> inputs, const Verdict& uncompared,
                       const VerifyOptions& options);

// Makes the small workload's program, runs it once, and checks number, shape, dtype and finiteness
// of the outputs. NOT_VERIFIED where all is well: nothing was compared.
Verdict Smoke(const ResolvedCase& c, at::Device device);

// Several lines for a person: what is wrong, where, with what reference, how to reproduce it.
// `command`: what shows it again; empty: the case's accuracy test.
std::string FailureText(const ResolvedCase& c, const Verdict& verdict,
                        const std::string& device_text, const std::string& command = "");

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERIFICATION_H_
