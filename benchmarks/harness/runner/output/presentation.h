#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_OUTPUT_PRESENTATION_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_OUTPUT_PRESENTATION_H_

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

#include "defs/proto/record.pb.h"
#include "defs/proto/suite.pb.h"

namespace assay::runner {

// "cpu AMD EPYC 9654, 2 threads" or "cuda NVIDIA H200, driver 580.65".
std::string DeviceText(DeviceType device, const Environment& environment);

std::string HeadLine(const BenchmarkCase& c, DeviceType device, const Environment& environment);

// If the case passed: one line for each output. If not: the outcome, and the message
// if one line is enough; otherwise FailureText (verification.h) follows. Then the results of
// --rule, --accuracy-runs and --check.
std::string VerdictLines(const Verdict& verdict);

// Describes what was loaded in place of seeded tensors: a line for the file, one for each warning.
// `flag` is "weights" or "inputs".
std::string GivenLines(std::string_view flag, const GivenFile& given);

// Whether an outcome needs FailureText; otherwise its message is enough.
bool Explained(Outcome outcome);

// The command that runs the case of this label with these flags.
std::string CommandText(const std::string& label, const std::vector<std::string>& flags);

// Names up to three things that may disturb the measurement, and the command that says how to fix
// them.
std::string MachineLine(const Environment& environment);

// The process's first call, and how long each mode took to become steady; empty where nothing was
// measured.
std::string WarmupLine(const Record& record);

// The GPU's clock while samples were taken: one figure where it stayed the same, else the median and
// both ends. Empty on the CPU, and where the GPU did not say.
std::string ClockLine(const Record& record);

// The findings of the validity checks, one line for each however many modes share it, and advice
// where a busy machine may be the cause; empty where there are none.
std::string CheckLines(const Record& record);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_OUTPUT_PRESENTATION_H_
