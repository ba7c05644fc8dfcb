#ifndef ASSAY_BENCHMARKS_HARNESS_COSTS_TIMELINE_FILES_H_
#define ASSAY_BENCHMARKS_HARNESS_COSTS_TIMELINE_FILES_H_

// ---------------------------------------------------------------------------------------------
// timeline_files.h: a memory timeline as a picture, as a table, and as the snapshot that
// https://pytorch.org/memory_viz and torch.cuda._memory_viz read.
//
//   .svg     the bytes of each use over time, one on top of the other, and the largest blocks at the
//            peak
//   .csv     a row for each block that was there before, each allocation and each free, with the bytes
//            of each use after it
//   .pickle  a snapshot of device 0. A trace begins with the blocks that were there before, since only
//            allocations have a category. Segments are addresses that lie close together.
//
// The snapshot's format is that of torch/cuda/_memory_viz.py and torch/utils/viz/MemoryViz.js. Names
// of categories are those of torch.profiler's memory timeline.
//
// Not for: recording (memory_timeline.h).
//
// Example:
//   WriteFileAtomically("step.svg", TimelineFile(*timeline, "mlp_fp32_b8_train", "step.svg"));
// ---------------------------------------------------------------------------------------------

#include <string>
#include <string_view>

#include "benchmarks/harness/costs/memory_timeline.h"

namespace assay::costs {

// The content of the file; its format is the path's ending.
std::string TimelineFile(const MemoryTimeline& timeline, const std::string& case_name,
                         std::string_view path);

// Two lines: "train_step  peak 3.41 MiB: parameters 1.13 MiB, ..." and the largest blocks at the peak.
std::string TimelineLines(const MemoryTimeline& timeline);

}  // namespace assay::costs

#endif  // ASSAY_BENCHMARKS_HARNESS_COSTS_TIMELINE_FILES_H_
