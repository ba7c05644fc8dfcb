#ifndef ASSAY_DEFS_CASE_PROGRAM_KINDS_H_
#define ASSAY_DEFS_CASE_PROGRAM_KINDS_H_

// ---------------------------------------------------------------------------------------------
// program_kinds.h: the kinds of programs that a case can run, and what each kind answers.
//
//   eval               a model's forward pass
//   train              a training step of a model
//   generate           tokens by a model with a cache
//   operator           one ATen operator
//   operator_backward  one ATen operator and its backward pass
//
// A kind is a row of the table in program_kinds.cc. Code that treats kinds differently asks a field
// of the row, and no code asks which kind it is. The field has the name of the question, so that a
// new kind answers it too.
//
// A new kind is one row there, one row of the makers in
// benchmarks/harness/programs/seeded_program.cc, and the folder with its program. CheckRun() in
// case_checks.cc reads what its cases state.
//
// A model that is a file has no kind of its own: run_model states it as a case of kind eval and
// brings the program (benchmarks/harness/runner/benchmark_program.h, CaseSource).
//
// Not for: how a program is made (execution/seeded_program.h).
//
// Example:
//   if (KindOf(c).truth == TruthSource::kOwnFloat64) ...   // no blob to fetch
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "defs/proto/suite.pb.h"

namespace assay {

// A step of a program (case_steps.h).
struct StepRow {
  std::string_view name = {};
  bool by_default = false;
  bool headline = false;
  bool prepared = false;
  bool makes_state = false;
  std::string units = {};  // that a call completes, a dimension; empty: none
};

// The source of the right outputs.
enum class TruthSource {
  kBlob,        // a reference artifact, whose digest is in the package's lock.bzl
  kOwnFloat64,  // the same operator in float64, called in the process that compares
};

struct ProgramKind {
  std::string_view word;  // unique
  bool (*has)(const BenchmarkCase& c) =
      nullptr;  // whether a case is of this kind, if none above is

  // A case states this.
  CaseMode mode = EVAL;
  bool names_model = true;  // a family's model; else the case itself has inputs and outputs

  // A run has these steps.
  std::vector<StepRow> (*steps)(const ResolvedCase& c) = nullptr;
  std::vector<std::string_view> own_steps = {};  // that no other kind has, or that it is known for
  std::string_view whose_steps = {};             // "gradients belong to training cases"
  bool calls_forward_alone = true;               // one trace of it is all that runs
  bool trains = false;
  bool generates = false;
  bool has_gradients = false;

  // Its outputs. `outputs` makes the workload's outputs from those of one forward pass; null:
  // they are those.
  std::vector<ExpectedOutput> (*outputs)(const std::vector<ExpectedOutput>& of_forward,
                                         const ModelImplementation& implementation,
                                         const BenchmarkCase& c) = nullptr;
  bool outputs_from_state = false;    // not from what a call returns
  bool depends_on_every_row = false;  // a row has no result without the others

  // How it is verified.
  TruthSource truth = TruthSource::kBlob;
  bool verified_as_measured = false;      // the verdict's call has the size that is timed
  bool held_to_float64 = true;            // a smoke run in 16 bits is compared with float64
  std::string_view differs_on_cuda = {};  // why equal calls may give other bits there
  std::string_view why_not_lowered = {};  // empty: a lowering may take it
  std::string_view why_not_located = {};  // empty: its layers can be compared with Python's

  // Reports and lists show this.
  bool shows_bandwidth = false;  // bytes a second beside the time
  bool chosen_unasked = true;    // by tools:run_suite without --test
  std::string_view noun = {};    // "training cases left out"
  std::string_view models_column =
      {};  // of the models table; empty: in those of dtypes and batches
  std::string (*run_text)(const BenchmarkCase& c) = nullptr;  // in that column, behind the shape
};

// All kinds. The last one takes every case that is of no other.
absl::Span<const ProgramKind> ProgramKinds();

const ProgramKind& KindOf(const BenchmarkCase& c);
inline const ProgramKind& KindOf(const ResolvedCase& c) { return KindOf(c.benchmark_case()); }

// The name of the case's model; of a case without one the name that its resolution made for it.
const std::string& ModelNameOf(const ResolvedCase& c);

// The inputs of a call: of a training step with the targets that its loss reads, of a generation
// with the continuation that its verified calls are fed.
google::protobuf::RepeatedPtrField<InputSpec> InputSpecsOf(
    const ModelImplementation& implementation, const BenchmarkCase& c);

}  // namespace assay

#endif  // ASSAY_DEFS_CASE_PROGRAM_KINDS_H_
