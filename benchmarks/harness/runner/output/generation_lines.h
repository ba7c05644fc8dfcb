#ifndef ASSAY_BENCHMARKS_HARNESS_RUNNER_OUTPUT_GENERATION_LINES_H_
#define ASSAY_BENCHMARKS_HARNESS_RUNNER_OUTPUT_GENERATION_LINES_H_

// ---------------------------------------------------------------------------------------------
// generation_lines.h: what users of language models ask of a measured case, below the table.
//
//   generation         first token 664 ms; further ones 154 ms each, p95 160 ms; tokens/s: prompt
//                      193, new ones 6.5, both 26
//   bandwidth          decode moves 615 MiB at least: 4.19 GB/s, 41 % of the peak for
//                      reading
//   attention          prefill flash; decode flash
//
// Not for: the record, which has the same figures.
// ---------------------------------------------------------------------------------------------

#include <string>

#include "defs/proto/record.pb.h"

namespace assay::runner {

// Lines about the steps prefill, decode and generate in mode wall; empty without decode. The 95th
// percentile needs 59 samples; with fewer it is left out. Bandwidth is compared with the peaks if they
// were measured (--peaks).
std::string GenerationLines(const Record& record);

// "tokens             row 0: 17 4 9": what follows given prompts.
std::string GeneratedLines(const Record& record);

// The kernels of fused attention that ran, by step; empty where none did.
std::string AttentionLine(const Record& record);

}  // namespace assay::runner

#endif  // ASSAY_BENCHMARKS_HARNESS_RUNNER_OUTPUT_GENERATION_LINES_H_
