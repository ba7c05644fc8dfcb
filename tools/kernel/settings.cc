#include "tools/kernel/settings.h"

#include <cmath>
#include <random>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/flags.h"

namespace assay::kernel {
namespace {

base::Flag PositiveFlag(double& target) {
  return {.set = [&target](const std::string& value) {
    double number = 0;
    if (!absl::SimpleAtod(value, &number) || !std::isfinite(number) || number <= 0)
      return absl::InvalidArgumentError("a number above 0");
    target = number;
    return absl::OkStatus();
  }};
}

base::Flag ListFlag(std::vector<std::string>& target) {
  return {.set = [&target](const std::string& value) {
    target.push_back(value);
    return absl::OkStatus();
  }};
}

base::Flag SeedFlag(uint64_t& target, bool& given) {
  return {.set = [&](const std::string& value) {
    given = absl::SimpleAtoi(value, &target);
    return given ? absl::OkStatus() : absl::InvalidArgumentError("a whole number of 64 bits");
  }};
}

base::Flag DtypeFlag(std::vector<Dtype>& target) {
  return {.set = [&target](const std::string& value) {
    Dtype dtype;
    if (!Dtype_Parse(absl::AsciiStrToUpper(value), &dtype) ||
        (dtype != Dtype::FP32 && dtype != Dtype::FP64 && dtype != Dtype::BF16 &&
         dtype != Dtype::FP16))
      return absl::InvalidArgumentError("fp32, fp64, bf16 or fp16");
    target.push_back(dtype);
    return absl::OkStatus();
  }};
}

}  // namespace

const char* const kUsage =
    R"(Is a kernel right, and is it faster than ATen's? Checks and times kernels for the CPU.

  tools/bazel run //tools:kernel -- mine.cc --like=softmax
  tools/bazel run //tools:kernel -- mine.cc --like=softmax --at=b=64,c=1000 --at=b=4096,c=768    two sizes
  tools/bazel run //tools:kernel -- a.cc b.so --like=softmax                                     two kernels

What is checked
  FILE ...          a C++ source (.cc), which is compiled first, or a shared library (.so). It registers an operator:
                    TORCH_LIBRARY(mine, m) { m.def("softmax(Tensor self, int dim) -> Tensor"); ... }
                    Or it is a TVM-FFI library; its function is called as softmax(self, dim, out)
  --like=NAME       ATen's operator that computes the same: a name from --list (softmax), or ATen's own (aten::softmax.int)
  --at=b=64,c=1000  one size; repeat it for more. Default: the sizes of this suite. If --list does not have the operator,
                    give every argument: --at=self=64x1000,dim=1. --at=param:FILE takes the operator's sizes from a
                    configuration file of PARAM, a benchmark suite of Meta
  --list            prints the names of operators, and the letters of their sizes
  --flashinfer-trace=definition.json --workload=workload.jsonl
                    in place of --like and --at: a definition of FlashInfer-Trace; its reference in Python is the truth
  --python=python3  runs that reference; it needs torch
  --op=NAME         which operator of FILE; needed if FILE has several
  --dtype=fp32      fp32, fp64, bf16 or fp16; repeat it for more
How it is checked
  --action=all      verify: checks only; all: checks, then times
  --noasan          no second build of a .cc with the address sanitizer. That build finds wrong accesses to memory that the kernel
                    allocates itself
  --nondeterministic  two equal calls may differ by rounding
  --seed=N          repeats the sizes and inputs of an earlier run; each run prints its seed
  --timeout=10      seconds that one call may take
How it is timed
  --processes=5     fresh processes; in each, the kernel and ATen's take turns
  --budget=0.015    seconds of samples for each size, in each process
  --threads=N       threads of each call; default: as many as LibTorch chooses
  --fast-p=1        sets p of the printed fast_p: the share of sizes that are right and at least p times as fast as ATen's
  --peaks           measures in 5 s how fast this machine computes and copies, and keeps these peaks for later runs. The report
                    then shows what share of a peak each time reaches
  --gate            exit code 1, too, if the kernel is slower than ATen's at one of the sizes; 2 if a time is not valid
What is printed
  --json, --csv, --markdown    the report in another form; kernel.proto (KernelReport) explains the JSON
  --html=FILE       writes a page, too, with plots over the sizes
  --flashinfer-out=FILE    writes trace objects of FlashInfer-Trace, a line for each candidate and workload

Exit code: 0 right; 1 wrong, or with --gate slower; 2 nothing could be checked: a library cannot be loaded, or there is no
compiler or no memory; with --gate also: a time is not valid; 3 the command line is wrong.
)";

absl::StatusOr<Settings> ParseSettings(const std::vector<std::string>& words) {
  Settings settings;
  std::string action = "all";
  bool json = false, csv = false, markdown = false, seeded = false;
  double budget_s = settings.milliseconds / 1000;
  const base::FlagTable flags = {{"", ListFlag(settings.files)},
                                 {"help", base::SwitchFlag(settings.help)},
                                 {"list", base::SwitchFlag(settings.list)},
                                 {"like", base::TextFlag(settings.like)},
                                 {"asan", base::SwitchFlag(settings.asan)},
                                 {"op", base::TextFlag(settings.op)},
                                 {"at", ListFlag(settings.at)},
                                 {"flashinfer_trace", base::TextFlag(settings.flashinfer_trace)},
                                 {"workload", base::TextFlag(settings.workload)},
                                 {"flashinfer_out", base::TextFlag(settings.flashinfer_out)},
                                 {"python", base::TextFlag(settings.python)},
                                 {"dtype", DtypeFlag(settings.dtypes)},
                                 {"seed", SeedFlag(settings.seed, seeded)},
                                 {"action", base::ChoiceFlag(action, {"all", "verify", "library"})},
                                 {"processes", base::WholeNumberFlag(settings.processes, 2, 1000)},
                                 {"budget", PositiveFlag(budget_s)},
                                 {"threads", base::WholeNumberFlag(settings.threads, 1, 4096)},
                                 {"timeout", PositiveFlag(settings.timeout_s)},
                                 {"nondeterministic", base::SwitchFlag(settings.nondeterministic)},
                                 {"gate", base::SwitchFlag(settings.gate)},
                                 {"fast_p", PositiveFlag(settings.fast_p)},
                                 {"peaks", base::SwitchFlag(settings.peaks)},
                                 {"html", base::TextFlag(settings.html)},
                                 {"json", base::SwitchFlag(json)},
                                 {"csv", base::SwitchFlag(csv)},
                                 {"markdown", base::SwitchFlag(markdown)}};
  if (absl::Status parsed = base::ParseFlags(flags, words); !parsed.ok()) return parsed;
  if (settings.help || settings.list) return settings;
  if (settings.files.empty())
    return absl::InvalidArgumentError(
        "a file with a kernel is missing: kernel mine.cc --like=softmax");
  settings.only_library = action == "library";
  if (settings.only_library) return settings;
  const bool trace = !settings.flashinfer_trace.empty();
  if (!trace && !(settings.workload + settings.flashinfer_out).empty())
    return absl::InvalidArgumentError("--workload, --flashinfer-out: need --flashinfer-trace");
  if (trace && settings.workload.empty())
    return absl::InvalidArgumentError("--flashinfer-trace needs --workload, a file with sizes");
  if (trace && (!settings.like.empty() || !settings.at.empty() || !settings.dtypes.empty()))
    return absl::InvalidArgumentError(
        "--like, --at, --dtype: the definition of --flashinfer-trace says this; leave them out");
  if (!settings.flashinfer_out.empty() && action == "verify")
    return absl::InvalidArgumentError(
        "--flashinfer-out needs times, and --action=verify takes none");
  if (!trace && settings.like.empty())
    return absl::InvalidArgumentError(
        "--like is missing: the operator that the kernel must be like, as in --like=softmax");
  if (json + csv + markdown > 1)
    return absl::InvalidArgumentError("--json, --csv, --markdown exclude each other: give one");
  if ((settings.gate || settings.peaks) && action == "verify")
    return absl::InvalidArgumentError(
        "--gate and --peaks need times, and --action=verify takes none");
  settings.output = json       ? Output::kJson
                    : csv      ? Output::kCsv
                    : markdown ? Output::kMarkdown
                               : Output::kText;
  settings.measures = action == "all";
  settings.milliseconds = 1000 * budget_s;
  if (settings.dtypes.empty()) settings.dtypes = {Dtype::FP32};
  // A new one each time, so that a kernel cannot know what it will be asked.
  if (!seeded) settings.seed = (uint64_t{std::random_device()()} << 32) | std::random_device()();
  return settings;
}

}  // namespace assay::kernel
