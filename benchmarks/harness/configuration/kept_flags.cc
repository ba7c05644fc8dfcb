#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "benchmarks/harness/configuration/flag_exclusions.h"
#include "benchmarks/harness/configuration/flag_sections.h"
#include "benchmarks/harness/configuration/flag_spec.h"

namespace assay::configuration {
namespace {

absl::StatusOr<std::string> ReadPicture(const std::string& value) {
  for (const std::string_view ending : {".svg", ".png", ".html"}) {
    if (absl::EndsWith(value, ending)) return value;
  }
  return absl::InvalidArgumentError("a picture is FILE.svg, FILE.png or FILE.html");
}

absl::StatusOr<std::string> ReadTimeline(const std::string& value) {
  for (const std::string_view ending : {".svg", ".csv", ".pickle"}) {
    if (absl::EndsWith(value, ending)) return value;
  }
  return absl::InvalidArgumentError("a timeline is FILE.svg, FILE.csv or FILE.pickle");
}

}  // namespace

FlagSection KeptFlags() {
  return {
      .title = "What is kept",
      .flags =
          {
              {.name = "record",
               .value = "FILE",
               .text = "appends one JSON line: every sample, the verdict, the machine, versions "
                       "and flags",
               .read = AnyText()},
              {.name = "plot",
               .value = "FILE",
               .text =
                   R"(FILE.svg or FILE.png: the samples, drawn by //tools:report, which is built first; FILE.html: its page
of this run, which opens without a network (docs/report.md))",
               .read = ReadPicture,
               .excludes = {AfterTheCase("the samples are drawn")}},
              {.name = "peaks",
               .text =
                   R"(after measuring it takes two to five seconds to find the machine's peaks with these threads. They are
operations a second in the case's dtype, of the fastest of products, convolutions and multiply-adds; and
bytes a second of copying and of reading from memory. Kept in the record; then tools/bazel run //tools:roofline -- FILE says each
case's share of them (docs/roofline.md))",
               .read = OnOrOff(),
               .fallback = "false",
               .excludes = {AfterTheCase("they are measured")}},
              {.name = "energy",
               .text =
                   R"(after measuring, counts the idle machine's energy for 5 s, and then that of each step's calls for 5 s or more: joules
a call, image or token. The counters are those of processors and memory (RAPL) and of the GPU (NVML). Why one cannot be
read is said)",
               .read = OnOrOff(),
               .fallback = "false",
               .excludes = {AfterTheCase("energy is counted")}},
          },
      .after =
          "  --benchmark_out=FILE, --benchmark_out_format=json|csv|console     Google Benchmark's "
          "file"};
}

FlagSection ProfiledFlags() {
  // "true" and "false" are a switch's; a folder of such a name is written ./true.
  const Reader read = AnyText();
  return {
      .title = "What a step is made of (docs/measures.md)",
      .flags =
          {
              {.name = "profile",
               .value = "[DIR]",
               .text =
                   R"(after measuring, calls each step again under LibTorch's profiler. It writes to DIR (<case>.profile) a
trace that ui.perfetto.dev opens, and where the time went by operator, as text, CSV and JSON. On CUDA it also
writes a snapshot of the device's memory. It changes no timed number)",
               .read = read,
               .fallback = "false",
               .excludes = {OneTool({"nsys", "ncu"}), AfterMeasuring()}},
              {.name = "profile-calls",
               .value = "N",
               .text = "calls of each step, after two that nobody looks at; default 3",
               .read = WholeNumber(1, 1000),
               .fallback = "3",
               .needs = {"profile", "nsys", "ncu", "only-ranges"}},
              {.name = "nsys",
               .value = "[DIR]",
               .text =
                   R"(the same calls in a child under Nsight Systems, on CUDA each in an NVTX range named <case>/<step>, with a
filter that lets nothing else through. On the CPU it samples the whole child)",
               .read = read,
               .fallback = "false",
               .excludes = {OneTool({"ncu"}), AfterMeasuring()}},
              {.name = "ncu",
               .value = "[DIR]",
               .text = "likewise under Nsight Compute (CUDA)",
               .read = read,
               .fallback = "false",
               .excludes = {AfterMeasuring(),
                            {.with = {"device=cpu"},
                             .why = "it profiles CUDA kernels; give --device=cuda, or --profile "
                                    "for the CPU"}}},
              {.name = "capture-trace",
               .value = "[DIR]",
               .text =
                   R"(after measuring, records one call of each step, with all operators, arguments and results, to
DIR/<case>.<step>.json (DIR: <case>.traces): an execution trace as et_replay and Chakra read it. It changes no timed number)",
               .read = read,
               .fallback = "false",
               .excludes = {AfterMeasuring()}},
              {.name = "trace-values",
               .text =
                   "also a digest and samples of each output, and the values of weights and inputs",
               .read = OnOrOff(),
               .fallback = "false",
               .needs = {"capture-trace"}},
              {.name = "observer",
               .text = "also writes DIR/<case>.<step>.observer.json, by LibTorch's own "
                       "ExecutionTraceObserver; //tools:trace -- compare shows how the two differ",
               .read = OnOrOff(),
               .fallback = "false",
               .needs = {"capture-trace"}},
              {.name = "memory-timeline",
               .value = "FILE",
               .text =
                   R"(after measuring, records one call of the case's main step: each allocation and free by what it is for
(parameters, optimizer, cache, inputs, gradients, activations, temporaries), with the peak and what was alive
then. FILE.svg draws it, FILE.csv lists it, FILE.pickle opens at pytorch.org/memory_viz. It changes no timed number)",
               .read = ReadTimeline,
               .excludes = {AfterMeasuring()}},
          },
      .after = "  tools/bazel run //benchmarks/resnet:resnet18_fp32_b1 -- --profile --modes=wall"};
}

}  // namespace assay::configuration
