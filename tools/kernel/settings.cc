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
    R"(Is a kernel right, and is it faster than ATen's? On the CPU.

  tools/bazel run //tools:kernel -- mine.cc --like=softmax

  FILE ...          the candidates: a source (.cc, which is compiled first) or a shared library that registers an
                    operator: TORCH_LIBRARY(mine, m) { m.def("softmax(Tensor self, int dim) -> Tensor"); ... }
                    Or a TVM-FFI library, whose function is called as softmax(self, dim, out)
  --like=NAME       the operator that it must be like: one of this suite's tables (softmax), or aten::softmax.int
  --at=b=64,c=1000  one size; repeat it for more. If the operator is not in the tables: --at=self=64x1000,dim=1.
                    --at=param:FILE: the operator's sizes in a file of PARAM's configurations. Default: the sizes of the tables
  --flashinfer-trace=definition.json --workload=workload.jsonl
                    in place of --like and --at: a definition of FlashInfer-Trace, whose reference in Python is the truth
  --flashinfer-out=FILE  its trace objects, a line for each candidate and workload
  --python=python3  with torch; runs the reference
  --list            the operators of the tables, and the letters of their sizes
  --op=NAME         the operator of a library that registers several, or the function of a TVM-FFI library
  --dtype=fp32      fp32, fp64, bf16 or fp16; repeat it for more
  --noasan          skips the second build of a source, with the address sanitizer, which finds accesses outside of memory
                    that the kernel allocates itself
  --action=all      verify: only whether it is right; all: measures it as well
  --gate            exit code 1, too, where it is slower than ATen at one of the sizes
  --json            the report as JSON (benchmarks/operators/kernel/kernel.proto: KernelReport); --csv, --markdown
  --html=FILE       writes a page with a plot over the sizes, too
  --peaks           measures what this machine reaches (5 s) and keeps it, so that the report has shares of it

  --seed=N          repeats the inputs and sizes of an earlier run, which printed its seed
  --nondeterministic  two equal calls may differ by rounding
  --processes=5     fresh processes in which both are timed
  --budget=0.015    seconds of samples for each size, in each process
  --threads=N       of each call; default: as LibTorch chooses
  --timeout=10      seconds for one call
  --fast-p=1        the share of sizes that are right and at least this many times as fast

Exit codes: 0 right; 1 wrong, or with --gate slower; 2 the machine or the setup: a library that does not load, no compiler, no
memory; 3 usage.
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
                                 {"action", base::ChoiceFlag(action, {"all", "verify"})},
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
  const bool trace = !settings.flashinfer_trace.empty();
  if (!trace && !(settings.workload + settings.flashinfer_out).empty())
    return absl::InvalidArgumentError("--workload, --flashinfer-out: need --flashinfer-trace");
  if (trace && (settings.workload.empty() || !settings.like.empty() || !settings.at.empty() ||
                !settings.dtypes.empty()))
    return absl::InvalidArgumentError(
        "--flashinfer-trace needs --workload; the definition says what --like, --at and --dtype "
        "do");
  if (!settings.flashinfer_out.empty() && action == "verify")
    return absl::InvalidArgumentError(
        "--flashinfer-out needs times, and --action=verify takes none");
  if (!trace && settings.like.empty())
    return absl::InvalidArgumentError(
        "--like is missing: the operator that the kernel must be like, as in --like=softmax");
  if (json + csv + markdown > 1)
    return absl::InvalidArgumentError("--json, --csv, --markdown: one of them");
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
