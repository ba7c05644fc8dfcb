#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_VERIFICATION_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_VERIFICATION_H_

// ---------------------------------------------------------------------------------------------
// verification.h: the verdict on a case, in this process, dtype, device and execution: its outputs
// are compared with the reference artifact or, for an operator's case, with the outputs that
// operator_truth.h computes.
//
// The program runs twice on the verified workload. If the two calls differ in a bit, no comparison
// means anything: the verdict is NONDETERMINISTIC_BASELINE. So it is for a program that says it is
// pure and changes its state. Outputs that may differ on this device (execution/repeatability.h) are
// compared with the reference in both calls instead, and the check equal_calls says in how much they
// differ.
//
// The shape of each output is checked, and that every row is finite; compared_rows.h says which
// rows have a reference.
//
// Not for: measuring, nor for references and rules of comparison (harness/numerics).
//
// Example:
//   Verdict verdict = Verify(resolved, *executable, {at::kCPU}, reference_path);
//   if (verdict.outcome() != PASS) std::cerr << FailureText(resolved, verdict, "cpu");
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "benchmarks/harness/execution/executable.h"
#include "benchmarks/harness/numerics/reference.h"
#include "benchmarks/harness/programs/program.h"
#include "benchmarks/harness/runner/verdict/truth.h"
#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// The call whose outputs are compared.
struct VerifiedCall {
  const execution::Tensors& inputs;
  const execution::Tensors& outputs;   // outputs of its last run
  const execution::Tensors& baseline;  // outputs of the plain execution; empty if not requested
  // Compares other outputs in the same way as this call's.
  const std::function<Verdict(const execution::Tensors& outputs)>& compare;
};

// The checks beside the comparison.
struct VerifyOptions {
  int runs = 1;                       // the majority of this many runs decides (majority.h)
  bool baseline = false;              // for `also`; DYNAMO_SAME always makes it (eager_baseline.h)
  std::function<void()> called = {};  // called when the first call's outputs are there
  // Called with the verified call after the comparison; may add to the verdict. Its error becomes
  // the outcome unless the verdict is worse already.
  std::function<absl::Status(const VerifiedCall& call, Verdict& verdict)> also = {};
  // As in execution::TimedInputs, for calls of other inputs. Must outlive the call.
  execution::TensorsRef as_given = {};
  // If not null, receives the reference, for further calls.
  std::optional<Truth>* truth = nullptr;
};

// The executable's program is placed on `device` in the case's dtype. `reference_path` is empty
// where the lock has no row for the case; the verdict is then ARTIFACT_UNAVAILABLE and says how to
// make one. An operator's case needs no path.
Verdict Verify(const ResolvedCase& c, execution::Executable& executable, at::Device device,
               const std::string& reference_path, const VerifyOptions& options = {});

// The same for a program that no back end has loaded yet.
Verdict Verify(const ResolvedCase& c, execution::Program& program, at::Device device,
               const std::string& reference_path, const VerifyOptions& options = {});

// The same with tensors that the user gave: `inputs` of the verified workload (empty: the seeded
// ones), and the outputs that another implementation computed from them and from the program's
// state.
Verdict VerifyAgainst(const ResolvedCase& c, execution::Executable& executable, at::Device device,
                      std::vector<at::Tensor> inputs, const numerics::ReferenceOutputs& reference,
                      const VerifyOptions& options = {});

// The same without a reference: makes two calls, which must be equal, and the checks of `options`.
// Returns `uncompared` if all is well.
Verdict CallUncompared(const ResolvedCase& c, execution::Executable& executable, at::Device device,
                       std::vector<at::Tensor> inputs, const Verdict& uncompared,
                       const VerifyOptions& options);

// Makes the small workload's program, runs it once, and checks number, shape, dtype and finiteness
// of the outputs; those in bf16 and fp16 also against the same program, weights and inputs in
// float64. NOT_VERIFIED where all is well: no reference was compared.
Verdict Smoke(const ResolvedCase& c, at::Device device);

// Several lines for a person: what is wrong, where, compared with which reference, and how to
// reproduce it. `command`: the command that shows it again; empty: the case's accuracy test.
std::string FailureText(const ResolvedCase& c, const Verdict& verdict,
                        const std::string& device_text, const std::string& command = "");

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_VERDICT_VERIFICATION_H_
