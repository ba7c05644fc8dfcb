#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_PRESENTATION_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_PRESENTATION_H_

// ---------------------------------------------------------------------------------------------
// presentation.h: the lines that a person reads above Google Benchmark's table.
//
//   resnet50_fp32_b8   eager, eval · cpu AMD EPYC 9654, 2 threads · torch 2.11.0 · seed 0
//   verdict   PASS     logits max |Δ| 2.1e-06 of std, limit 1.0e-04 · reference timm 1.0, 9f3c41d2
//   machine   noisy    load 1.9 on 2 cores; governor unknown
//
// Not for: records (harness/record).
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>
#include <vector>

#include "defs/record.pb.h"
#include "defs/suite.pb.h"

namespace assay::runner {

// "cpu AMD EPYC 9654, 2 threads" or "cuda NVIDIA H200, driver 580.65".
std::string DeviceText(DeviceType device, const Environment& environment);

std::string HeadLine(const ResolvedCase& c, DeviceType device, const Environment& environment);

// One line for each output where it passed. Where it did not: the outcome, with the message if one
// line says all; otherwise FailureText (verification.h) explains it. Then what was asked of it by
// --rule, --accuracy_runs and --check.
std::string VerdictLines(const Verdict& verdict);

// What was loaded in place of seeded tensors: a line for the file, one for each warning. `flag` is
// "weights" or "inputs".
std::string GivenLines(std::string_view flag, const GivenFile& given);

// Whether an outcome needs FailureText, or its message says all.
bool Explained(Outcome outcome);

// What a person types to run the case with these flags.
std::string CommandText(const ResolvedCase& c, const std::vector<std::string>& flags);

// What may disturb the measurement, the first three of them, and the command that says what mends
// it.
std::string MachineLine(const Environment& environment);

// The process's first call and how long each mode took until its calls were steady; empty where
// nothing was measured.
std::string WarmupLine(const Record& record);

// What the validity checks flagged and noted, one line for each finding however many modes share it, and
// what to do if a busy machine may be the cause; empty where all is well.
std::string CheckLines(const Record& record);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_PRESENTATION_H_
