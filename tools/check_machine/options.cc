#include "tools/check_machine/options.h"

#include "absl/status/status.h"
#include "benchmarks/harness/base/flags.h"

namespace assay::check_machine {

absl::StatusOr<Options> ParseOptions(const std::vector<std::string>& words) {
  Options options;
  const base::Flag help = base::SwitchFlag(options.help);
  const absl::Status parsed = base::ParseFlags({{"gpu", base::SwitchFlag(options.gpu)},
                                                {"gate", base::SwitchFlag(options.gate)},
                                                {"format", output::FormatFlag(options.format)},
                                                {"help", help},
                                                {"h", help}},
                                               words);
  if (!parsed.ok()) return parsed;
  return options;
}

std::string_view UsageText() {
  return R"(Says what makes measurements on this machine better or worse, and how to fix it.
It changes nothing.

  tools/bazel run //tools:check_machine                       a table: fact, state, value, advice
  tools/bazel run //tools:check_machine -- --gpu              a GPU is needed: to have none is bad
  tools/bazel run //tools:check_machine -- --format=json      the same for a program; also csv
  tools/bazel run //tools:check_machine -- --gate             exit code 2 where something is bad

State is good, BAD, or unknown: what cannot be read is never taken for good. The same facts are in
every record (`environment.facts`). The GPU is the one that CUDA would use: the first of
CUDA_VISIBLE_DEVICES.

exit code  0 looked at everything; 2 with --gate, something is bad; 3 wrong arguments
)";
}

}  // namespace assay::check_machine
