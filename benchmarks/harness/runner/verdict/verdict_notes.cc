#include "benchmarks/harness/runner/verdict/verdict_notes.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/dispatcher/kernels_over_aten.h"
#include "defs/case/written_inputs.h"

namespace assay::runner {
namespace {

void AddNote(std::string_view name, std::string detail, Verdict& verdict) {
  Check& check = *verdict.add_checks();
  check.set_name(std::string(name));
  check.set_status(CHECK_NOTED);
  check.set_detail(std::move(detail));
}

}  // namespace

Verdict WithKernels(Verdict verdict) {
  const std::vector<execution::KernelOverAten> kernels = execution::KernelsOverAten();
  if (kernels.empty()) return verdict;
  AddNote("kernels_over_aten",
          absl::StrCat("not LibTorch's own in what is measured: ", execution::KernelsText(kernels)),
          verdict);
  return verdict;
}

Verdict WithInputNotes(Verdict verdict, const Workload& measured, execution::TensorsRef as_given) {
  if (const std::string written = WrittenInputs(measured); !written.empty()) {
    AddNote("written_inputs",
            absl::StrCat("a call writes to ", written,
                         "; each call gets a new copy of the inputs, and the copy is not timed; "
                         "throughput, many calls in a row, is not measured"),
            verdict);
  }
  if (const std::string written = WrittenState(measured); !written.empty()) {
    AddNote(
        "written_state",
        absl::StrCat("a call changes the module's own ", written,
                     "; each call begins with what the file holds, and bringing that back is not "
                     "timed; throughput, many calls in a row, is not measured"),
        verdict);
  }
  if (const std::string parts = TrainingMode(measured); !parts.empty()) {
    AddNote("training_mode",
            absl::StrCat("the file was saved in training mode, ", parts,
                         "; it runs in evaluation: without dropout, by running statistics"),
            verdict);
  }
  if (const std::string reason = FixedInputs(measured); !reason.empty()) {
    AddNote("fixed_inputs", absl::StrCat(reason, "; timed calls get the given values"), verdict);
    return verdict;
  }
  std::vector<std::string> nonfinite, whole;
  for (size_t i = 0; i < as_given.size(); ++i) {
    if (!as_given[i].defined()) continue;
    (as_given[i].is_floating_point() ? nonfinite : whole)
        .push_back(measured.inputs(static_cast<int>(i)).name());
  }
  const auto note = [&](std::string_view name, const std::vector<std::string>& of,
                        std::string_view what, std::string_view more) {
    if (of.empty()) return;
    AddNote(name,
            absl::StrCat(absl::StrJoin(of, ", "), of.size() == 1 ? " holds " : " hold ", what,
                         "; timed calls get the given values", more),
            verdict);
  };
  note("nonfinite_inputs", nonfinite, "NaN or infinity", "");
  note("whole_inputs", whole, "whole numbers or booleans",
       nonfinite.size() + whole.size() < as_given.size()
           ? ""
           : "; no input is drawn, so that calls of other inputs are not compared");
  return verdict;
}

}  // namespace assay::runner
